// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/document/scenario_edit.h"

#include "model/scenario/scenario_json.h"
#include "model/search/sweep.h"

#include <nlohmann/json.hpp>

namespace clusterbeat {
namespace {

// The canonical text is our own, so it parses; only the pointer comes from outside.
Result<std::string> withoutKey(const std::string &text, const std::string &pointer)
{
    using Json = nlohmann::ordered_json;
    Json document = Json::parse(text, nullptr, false);
    try {
        const Json::json_pointer place(pointer);
        if (place.empty() || document.is_discarded()) return Error{ErrorCode::BadPointer, {{}, pointer, 0, 0}, {pointer}};
        if (!document.contains(place)) return text;
        Json &parent = document[place.parent_pointer()];
        if (parent.is_array())
            parent.erase(parent.begin() + std::stoll(place.back()));
        else
            parent.erase(place.back());
    } catch (const std::exception &) {
        return Error{ErrorCode::BadPointer, {{}, pointer, 0, 0}, {pointer}};
    }
    return document.dump(2);
}

} // namespace

Result<Scenario> editedScenario(const Scenario &scenario, const QList<ScenarioEdit> &edits, const Catalogue &catalogue)
{
    std::string text = writeScenario(scenario);
    std::vector<PointerEdit> values;
    for (const ScenarioEdit &edit : edits) {
        if (!edit.json.isEmpty()) {
            values.push_back({edit.pointer.toStdString(), edit.json.toStdString()});
            continue;
        }
        auto shorter = withoutKey(text, edit.pointer.toStdString());
        if (!shorter.ok()) return shorter.error();
        text = std::move(shorter).value();
    }
    auto next = readScenario(text, catalogue, values);
    if (!next.ok()) return next;
    shareSections(next.value(), scenario);
    return next;
}

} // namespace clusterbeat
