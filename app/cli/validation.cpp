// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/validation.h"

#include "views/text/error_text.h"
#include "views/text/validation_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <map>

namespace clusterbeat {
namespace {

using Json = nlohmann::ordered_json;

Json toJson(const ErrorSummary &summary)
{
    if (summary.rows == 0) return nullptr;
    return {{"rows", summary.rows}, {"mean", summary.mean}, {"median", summary.median}, {"worst", summary.worst}};
}
Json toJson(const ErrorGroup &group)
{
    return {{"time_error", toJson(group.time)},
            {"memory_error", toJson(group.memory)},
            {"out_of_range", group.outOfRange},
            {"refused", group.refused}};
}
Json toJson(const std::map<std::string, ErrorGroup> &groups)
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
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text + '\n';
}
std::string summaryLine(const std::string &name, const ErrorGroup &group, int width)
{
    char text[400];
    const int used = std::snprintf(text, sizeof text, "%-*s  time: %zu rows", width, name.c_str(), group.time.rows);
    std::string whole(text, static_cast<std::size_t>(std::max(0, used)));
    const auto figures = [&](const ErrorSummary &summary) {
        std::snprintf(text, sizeof text, ", mean %.1f %%, median %.1f %%, worst %.1f %%", summary.mean * 100,
                      summary.median * 100, summary.worst * 100);
        return std::string(text);
    };
    if (group.time.rows > 0) whole += figures(group.time);
    if (group.outOfRange > 0) whole += ", out of range " + std::to_string(group.outOfRange);
    if (group.memory.rows > 0)
        whole += "; memory: " + std::to_string(group.memory.rows) + " rows" + figures(group.memory);
    if (group.refused > 0) whole += "; refused: " + std::to_string(group.refused);
    return whole + '\n';
}
std::string summaryLines(const std::vector<ValidatedRow> &rows, int width)
{
    const ValidationSummary summary = summaryOf(rows);
    std::string text = '\n' + summaryLine("all", summary.all, width);
    const auto block = [&](const char *prefix, const std::map<std::string, ErrorGroup> &groups) {
        text += '\n';
        for (const auto &[name, group] : groups) text += summaryLine(prefix + name, group, width);
    };
    block("tier ", summary.byTier);
    block("", summary.byKind);
    block("", summary.byAccelerator);
    block("", summary.bySource);
    return text;
}

// The rows that a reader asks about first, each with every reason that a rule gives.
std::string worstLines(const std::vector<ValidatedRow> &rows)
{
    constexpr std::size_t kWorst = 10;
    const std::vector<std::size_t> worst = worstRows(rows, kWorst);
    if (worst.empty()) return {};
    std::string text = "\nworst rows\n";
    for (const std::size_t i : worst) {
        const ValidatedRow &row = rows[i];
        text += "  " + cell(row.timeError, 0.01, "%+.1f %%") + "  " + row.id + '\n';
        for (const RowReason &reason : row.reasons) text += "      " + reasonText(reason).toStdString() + '\n';
        if (row.inRange()) text += "      in range\n";
        if (!row.note.empty()) text += "      note: " + row.note + '\n';
    }
    return text;
}

Json rowJson(const ValidatedRow &row)
{
    Json object = {{"id", row.id},     {"source", row.source}, {"tier", row.tier}, {"accelerator", row.accelerator},
                   {"model", row.model}, {"kind", row.moe ? "moe" : "dense"}};
    if (!row.note.empty()) object["note"] = row.note;
    if (row.refused) {
        object["refused"] = errorText(*row.refused).toStdString();
        return object;
    }
    object["gpus"] = row.gpus;
    object["predicted_s"] = toJson(row.predictedS);
    object["measured_s"] = toJson(row.measuredS);
    object["time_error"] = toJson(row.timeError);
    object["predicted_bytes"] = toJson(row.predictedBytes);
    object["measured_bytes"] = toJson(row.measuredBytes);
    object["memory_error"] = toJson(row.memoryError);
    object["tolerance"] = toleranceOfTier(row.tier);
    object["reason"] = row.inRange() ? Json(nullptr) : Json(rangeReasonKey(row.reasons.front().reason));
    Json reasons = Json::array();
    for (const RowReason &reason : row.reasons)
        reasons.push_back({{"reason", rangeReasonKey(reason.reason)}, {"text", reasonText(reason).toStdString()}});
    object["reasons"] = std::move(reasons);
    return object;
}

} // namespace

std::string validationJson(const std::vector<ValidatedRow> &rows)
{
    Json list = Json::array();
    for (const ValidatedRow &row : rows) list.push_back(rowJson(row));
    const ValidationSummary summary = summaryOf(rows);
    Json worst = Json::array();
    for (const std::size_t i : worstRows(rows, 10)) worst.push_back(rows[i].id);
    const Json document = {{"rows", std::move(list)},
                           {"summary",
                            {{"all", toJson(summary.all)},
                             {"by_tier", toJson(summary.byTier)},
                             {"by_kind", toJson(summary.byKind)},
                             {"by_accelerator", toJson(summary.byAccelerator)},
                             {"by_source", toJson(summary.bySource)}}},
                           {"worst", std::move(worst)}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string validationTable(const std::vector<ValidatedRow> &rows)
{
    int id = 4, source = 6;
    for (const ValidatedRow &row : rows) {
        id = std::max(id, static_cast<int>(row.id.size()));
        source = std::max(source, static_cast<int>(row.source.size()));
    }
    const std::vector<int> widths{id, 4, 11, 10, 8, 12, 11, 8, 0};
    std::string text = line({"row", "tier", "predicted s", "measured s", "error %", "predicted GB", "measured GB", "error %", "out of range"},
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
                      cell(row.measuredBytes, kBytesPerGb, "%.1f"), cell(row.memoryError, 0.01, "%+.1f"),
                      row.inRange() ? std::string() : std::string(rangeReasonKey(row.reasons.front().reason))},
                     widths);
    }
    text += summaryLines(rows, source) + worstLines(rows);
    return text;
}

} // namespace clusterbeat
