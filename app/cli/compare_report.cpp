// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/compare_report.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace clusterbeat
{
namespace
{

using Json = nlohmann::ordered_json;

/// As the file's keys.
const char *keyOf(Section section)
{
    switch (section) {
    case Section::Model:
        return "model";
    case Section::Training:
        return "training";
    case Section::Layout:
        return "layout";
    case Section::Software:
        return "software";
    case Section::Cluster:
        return "cluster";
    case Section::Perturbations:
        return "perturbations";
    }
    return "";
}

Contribution contributionOf(const IterationResult &result)
{
    return {result.iteration(), exactBreakdown(result.metrics.breakdownS, result.iteration())};
}

/// Whole nanoseconds, so that sums hold exactly; seconds beside them.
Json contributionJson(const Contribution &contribution)
{
    Json parts = Json::object();
    for (std::size_t c = 0; c < kCategoryCount; ++c)
        parts[std::string(kCategoryKeys[c])] = contribution.parts[c];
    return {{"iteration_s", toSeconds(contribution.total)},
            {"iteration_ns", contribution.total},
            {"breakdown_ns", std::move(parts)}};
}

Json sideJson(const IterationResult &result)
{
    Json json = contributionJson(contributionOf(result));
    json["tokens_per_s"] = result.metrics.tokensPerS;
    json["mfu"] = result.metrics.mfu;
    json["gpus"] = result.metrics.gpus;
    json["memory_bytes"] = result.memory.peak.total();
    json["fits"] = result.memory.fits;
    return json;
}

std::string row(const std::string &name, double a, double b, int digits, double scale = 1.0)
{
    char text[160];
    std::snprintf(text, sizeof text, "%-22s %16.*f %16.*f %+16.*f\n", name.c_str(), digits, a * scale, digits,
                  b * scale, digits, (b - a) * scale);
    return text;
}

std::string change(const std::string &name, TimeNs ns)
{
    char text[160];
    std::snprintf(text, sizeof text, "%-22s %50s%+.9f s\n", name.c_str(), "", toSeconds(ns));
    return text;
}

/// The categories that a change is made of, largest first.
std::string partsText(const Contribution &contribution)
{
    std::string text;
    CategoryTimes left = contribution.parts;
    for (;;) {
        std::size_t largest = 0;
        for (std::size_t c = 1; c < kCategoryCount; ++c)
            if (std::abs(left[c]) > std::abs(left[largest])) largest = c;
        if (left[largest] == 0) return text;
        text += change("  " + std::string(kCategoryKeys[largest]), left[largest]);
        left[largest] = 0;
    }
}

std::string sectionNames(const SectionStep &step)
{
    std::string names;
    for (const Section section : step.sections)
        names += (names.empty() ? "" : " + ") + std::string(keyOf(section));
    return names;
}

} // namespace

std::string comparisonJson(const Comparison &comparison)
{
    Json steps = Json::array();
    for (const SectionStep &step : comparison.steps) {
        Json json = {{"sections", Json::array()}};
        for (const Section section : step.sections)
            json["sections"].push_back(keyOf(section));
        json.update(contributionJson(step.contribution));
        steps.push_back(std::move(json));
    }
    const Json json = {{"a", sideJson(*comparison.a)},
                       {"b", sideJson(*comparison.b)},
                       {"difference", contributionJson(comparison.difference)},
                       {"sections", std::move(steps)}};
    return json.dump(2) + "\n";
}

std::string comparisonTable(const Comparison &comparison)
{
    const IterationResult &a = *comparison.a, &b = *comparison.b;
    char text[160];
    std::snprintf(text, sizeof text, "%-22s %16s %16s %16s\n", "", "A", "B", "B - A");
    std::string table = text;
    table += row("iteration s", toSeconds(a.iteration()), toSeconds(b.iteration()), 9);
    const CategoryTimes partsA = contributionOf(a).parts, partsB = contributionOf(b).parts;
    for (std::size_t c = 0; c < kCategoryCount; ++c)
        if (partsA[c] != 0 || partsB[c] != 0)
            table += row("  " + std::string(kCategoryKeys[c]), toSeconds(partsA[c]), toSeconds(partsB[c]), 9);
    table += row("tokens/s", a.metrics.tokensPerS, b.metrics.tokensPerS, 0);
    table += row("MFU %", a.metrics.mfu, b.metrics.mfu, 2, 100.0);
    table += row("GPUs in the layout", static_cast<double>(a.metrics.gpus), static_cast<double>(b.metrics.gpus), 0);
    table += row("memory GB", static_cast<double>(a.memory.peak.total()), static_cast<double>(b.memory.peak.total()), 2,
                 1.0 / kBytesPerGb);
    table += comparison.steps.empty() ? "\nnothing that the iteration depends on differs\n"
                                      : "\nwhat the sections contribute, changed from A to B one after the other\n";
    for (const SectionStep &step : comparison.steps)
        table += change(sectionNames(step), step.contribution.total) + partsText(step.contribution);
    if (!comparison.steps.empty()) table += change("sum", comparison.difference.total);
    return table;
}

} // namespace clusterbeat
