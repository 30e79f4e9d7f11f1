// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/validation.h"

#include "views/text/error_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace clusterbeat {
namespace {

using Json = nlohmann::ordered_json;

/// Errors of the rows with one tier or source ("" = all), for time or memory.
struct Group {
    std::vector<double> time, memory;
    std::size_t refused = 0;
};
void add(Group &group, const ValidatedRow &row)
{
    if (row.timeError) group.time.push_back(std::fabs(*row.timeError));
    if (row.memoryError) group.memory.push_back(std::fabs(*row.memoryError));
    if (row.refused) ++group.refused;
}
struct Groups {
    Group all;
    std::map<std::string, Group> byTier, bySource;
};
Groups groupRows(const std::vector<ValidatedRow> &rows)
{
    Groups groups;
    for (const ValidatedRow &row : rows) {
        add(groups.all, row);
        add(groups.byTier[row.tier], row);
        add(groups.bySource[row.source], row);
    }
    return groups;
}

Json toJson(const ErrorSummary &summary)
{
    if (summary.rows == 0) return nullptr;
    return {{"rows", summary.rows}, {"mean", summary.mean}, {"median", summary.median}, {"worst", summary.worst}};
}
Json toJson(const Group &group)
{
    return {{"time_error", toJson(summarise(group.time))},
            {"memory_error", toJson(summarise(group.memory))},
            {"refused", group.refused}};
}
Json toJson(const std::map<std::string, Group> &groups)
{
    Json object = Json::object();
    for (const auto &[name, group] : groups) object[name] = toJson(group);
    return object;
}
Json toJson(const std::optional<double> &value) { return value ? Json(*value) : Json(nullptr); }

std::string cell(const std::optional<double> &value, double unit, const char *format)
{
    if (!value) return "-";
    char text[40];
    std::snprintf(text, sizeof text, format, *value / unit);
    return text;
}
std::string line(const std::vector<std::string> &cells, const std::vector<int> &widths)
{
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        char padded[256];
        std::snprintf(padded, sizeof padded, i == 0 ? "%-*s" : "  %*s", widths[i], cells[i].c_str());
        text += padded;
    }
    return text + '\n';
}
std::string summaryLine(const std::string &name, const Group &group, int width)
{
    const ErrorSummary time = summarise(group.time), memory = summarise(group.memory);
    char text[400];
    int used = std::snprintf(text, sizeof text, "%-*s  time: %zu rows", width, name.c_str(), time.rows);
    std::string whole(text, static_cast<std::size_t>(std::max(0, used)));
    const auto figures = [&](const ErrorSummary &summary) {
        std::snprintf(text, sizeof text, ", mean %.1f %%, median %.1f %%, worst %.1f %%", summary.mean * 100,
                      summary.median * 100, summary.worst * 100);
        return std::string(text);
    };
    if (time.rows > 0) whole += figures(time);
    if (memory.rows > 0) whole += "; memory: " + std::to_string(memory.rows) + " rows" + figures(memory);
    if (group.refused > 0) whole += "; refused: " + std::to_string(group.refused);
    return whole + '\n';
}

} // namespace

ErrorSummary summarise(std::vector<double> errors)
{
    ErrorSummary summary;
    summary.rows = errors.size();
    if (errors.empty()) return summary;
    std::sort(errors.begin(), errors.end());
    for (const double error : errors) summary.mean += error;
    summary.mean /= static_cast<double>(errors.size());
    const std::size_t middle = errors.size() / 2;
    summary.median = errors.size() % 2 == 1 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2.0;
    summary.worst = errors.back();
    return summary;
}

std::vector<ValidatedRow> validateRows(const std::vector<MeasuredRow> &rows, const Catalogue &catalogue,
                                       std::stop_token stop)
{
    std::vector<ValidatedRow> validated;
    StageCache cache;
    for (const MeasuredRow &row : rows) {
        ValidatedRow result{row.id, row.source, row.tier, row.refused, {}, row.iterationS, {}, {}, row.memoryBytes, {}};
        if (!row.refused) {
            const auto outcome = simulate(row.scenario, catalogue, cache, stop);
            if (outcome.cancelled) break;
            result.refused = outcome.error;
            if (outcome.result) {
                result.predictedS = outcome.result->metrics.iterationS;
                result.predictedBytes = static_cast<double>(outcome.result->memory.peak.total());
                if (row.iterationS) result.timeError = *result.predictedS / *row.iterationS - 1.0;
                if (row.memoryBytes) result.memoryError = *result.predictedBytes / *row.memoryBytes - 1.0;
            }
        }
        validated.push_back(std::move(result));
    }
    return validated;
}

std::string validationJson(const std::vector<ValidatedRow> &rows)
{
    Json list = Json::array();
    for (const ValidatedRow &row : rows) {
        Json object = {{"id", row.id}, {"source", row.source}, {"tier", row.tier}};
        if (row.refused) {
            object["refused"] = errorText(*row.refused).toStdString();
        } else {
            object["predicted_s"] = toJson(row.predictedS);
            object["measured_s"] = toJson(row.measuredS);
            object["time_error"] = toJson(row.timeError);
            object["predicted_bytes"] = toJson(row.predictedBytes);
            object["measured_bytes"] = toJson(row.measuredBytes);
            object["memory_error"] = toJson(row.memoryError);
        }
        list.push_back(std::move(object));
    }
    const Groups groups = groupRows(rows);
    const Json document = {{"rows", std::move(list)},
                           {"summary",
                            {{"all", toJson(groups.all)},
                             {"by_tier", toJson(groups.byTier)},
                             {"by_source", toJson(groups.bySource)}}}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string validationTable(const std::vector<ValidatedRow> &rows)
{
    int id = 4, source = 6;
    for (const ValidatedRow &row : rows) {
        id = std::max(id, static_cast<int>(row.id.size()));
        source = std::max(source, static_cast<int>(row.source.size()));
    }
    const std::vector<int> widths{id, 4, 11, 10, 8, 12, 11, 8};
    std::string text = line({"row", "tier", "predicted s", "measured s", "error %", "predicted GB", "measured GB", "error %"},
                            widths);
    for (const ValidatedRow &row : rows) {
        if (row.refused) {
            text += line({row.id, row.tier}, widths);
            text.pop_back();
            text += "  refused: " + errorText(*row.refused).toStdString() + '\n';
            continue;
        }
        text += line({row.id, row.tier, cell(row.predictedS, 1, "%.3f"), cell(row.measuredS, 1, "%.3f"),
                      cell(row.timeError, 0.01, "%+.1f"), cell(row.predictedBytes, kBytesPerGb, "%.1f"),
                      cell(row.measuredBytes, kBytesPerGb, "%.1f"), cell(row.memoryError, 0.01, "%+.1f")},
                     widths);
    }
    const Groups groups = groupRows(rows);
    text += '\n' + summaryLine("all", groups.all, source);
    for (const auto &[name, group] : groups.byTier) text += summaryLine("tier " + name, group, source);
    for (const auto &[name, group] : groups.bySource) text += summaryLine(name, group, source);
    return text;
}

} // namespace clusterbeat
