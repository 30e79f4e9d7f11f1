// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/sweep_report.h"

#include "views/text/error_text.h"

#include <nlohmann/json.hpp>

namespace clusterbeat
{
namespace
{

using Json = nlohmann::ordered_json;

/// The columns of a result in order, for both forms.
Json figures(const IterationResult &result)
{
    const Metrics &m = result.metrics;
    Json json = {{"iteration_s", m.iterationS},
                 {"tokens_per_s", m.tokensPerS},
                 {"model_tflops_per_gpu", m.modelTflopsPerGpu},
                 {"mfu", m.mfu},
                 {"bubble_fraction", m.bubbleFraction},
                 {"gpus", m.gpus},
                 {"cluster_gpus", m.clusterGpus},
                 {"memory_bytes", result.memory.peak.total()},
                 {"memory_capacity_bytes", result.memory.capacity},
                 {"fits", result.memory.fits},
                 {"usd_per_million_tokens", m.usdPerMillionTokens}};
    for (std::size_t c = 0; c < kCategoryCount; ++c)
        json[std::string(kCategoryKeys[c]) + "_s"] = m.breakdownS[c];
    return json;
}

std::vector<std::string> figureNames()
{
    std::vector<std::string> names;
    const Json json = figures(IterationResult{});
    for (const auto &[name, value] : json.items())
        names.push_back(name);
    return names;
}

std::string csvCell(const std::string &text)
{
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

/// The value as JSON, or as a string where it is a bare word.
Json valueOf(const std::string &text)
{
    Json value = Json::parse(text, nullptr, false);
    return value.is_discarded() ? Json(text) : value;
}

} // namespace

std::string sweepCsvHeader(const std::vector<SweepAxis> &axes)
{
    std::string line = "point";
    for (const SweepAxis &axis : axes)
        line += ',' + csvCell(axis.pointer);
    for (const std::string &name : figureNames())
        line += ',' + name;
    return line + ",error\n";
}

std::string sweepCsvRow(const SweepPoint &point)
{
    std::string line = std::to_string(point.number);
    for (const PointerEdit &edit : point.edits)
        line += ',' + csvCell(edit.value);
    if (point.result) {
        const Json json = figures(*point.result);
        for (const auto &[name, value] : json.items())
            line += ',' + value.dump();
        return line + ",\n";
    }
    line += std::string(figureNames().size(), ',') + ',';
    return line + (point.error ? csvCell(errorText(*point.error).toStdString()) : std::string()) + '\n';
}

std::string sweepJsonRow(const SweepPoint &point)
{
    Json json = {{"point", point.number}, {"set", Json::object()}};
    for (const PointerEdit &edit : point.edits)
        json["set"][edit.pointer] = valueOf(edit.value);
    if (point.result) json.update(figures(*point.result));
    if (point.error) json["error"] = errorText(*point.error).toStdString();
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace clusterbeat
