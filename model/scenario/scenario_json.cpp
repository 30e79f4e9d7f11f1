// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/scenario_json.h"

#include "model/scenario/limits.h"
#include "model/scenario/pointer_edit.h"
#include "model/scenario/section_io.h"

#include <algorithm>
#include <array>

namespace clusterbeat
{
namespace
{

constexpr std::array<std::string_view, 7> kPresetSections{"model",   "training", "layout", "software",
                                                          "cluster", "campaign", "prices"};

Error errorAt(ErrorCode code, std::string pointer, std::vector<Argument> arguments)
{
    return Error{code, Place{{}, std::move(pointer), 0, 0}, std::move(arguments)};
}

std::vector<std::string_view> presetNames(const Catalogue &catalogue)
{
    std::vector<std::string_view> names;
    for (const ScenarioPreset &preset : catalogue.presets)
        names.push_back(preset.name);
    return names;
}

/// {"preset": X, key: value} becomes X's section with those keys replaced, whole values at a time.
std::optional<Error> expandSection(JsonValue &document, std::string_view section, const Catalogue &catalogue)
{
    JsonValue *value = document.find(section);
    if (value == nullptr) return std::nullopt;
    const JsonValue *name = value->find("preset");
    if (name == nullptr) return std::nullopt;
    const std::string pointer = '/' + std::string(section) + "/preset";
    if (name->type != JsonValue::Type::String)
        return errorAt(ErrorCode::WrongType, pointer, {std::string(name->typeName()), std::string("string")});
    const ScenarioPreset *preset = catalogue.preset(name->text);
    if (preset == nullptr)
        return errorAt(ErrorCode::UnknownName, pointer,
                       unknownNameArguments(name->text, "preset", presetNames(catalogue)));
    const auto source = parseJson(preset->json);
    if (!source.ok()) return source.error();
    JsonValue expanded = JsonValue::object();
    if (const JsonValue *base = source.value().find(section)) expanded = *base;
    for (const JsonMember &member : value->members)
        if (member.key != "preset") expanded.set(member.key, member.value);
    *value = std::move(expanded);
    return std::nullopt;
}

/// An edit below a section that refers to a preset sees the preset's values; one that changes the reference comes
/// first.
std::optional<Error> applyEdits(JsonValue &document, const std::vector<PointerEdit> &edits, const Catalogue &catalogue)
{
    for (const PointerEdit &edit : edits) {
        const auto tokens = pointerTokens(edit.pointer);
        if (!tokens.ok()) return tokens.error();
        const auto &path = tokens.value();
        if (path.size() > 1 && path[1] != "preset" &&
            std::find(kPresetSections.begin(), kPresetSections.end(), path[0]) != kPresetSections.end())
            if (const auto error = expandSection(document, path[0], catalogue)) return error;
        if (const auto error = applyEdit(document, edit)) return error;
    }
    for (const std::string_view section : kPresetSections)
        if (const auto error = expandSection(document, section, catalogue)) return error;
    return std::nullopt;
}

/// JSON -> JSON steps from each older version to the next; version 1 is the first, so there is none yet.
using Migration = std::optional<Error> (*)(JsonValue &);
constexpr std::array<Migration, kScenarioVersion - 1> kMigrations{};

std::optional<Error> checkVersionAndMigrate(JsonValue &document)
{
    const JsonValue *version = document.find("clusterbeat");
    if (document.type != JsonValue::Type::Object || version == nullptr) return errorAt(ErrorCode::NotAScenario, {}, {});
    JsonValue header = JsonValue::object();
    header.set("clusterbeat", *version);
    std::optional<Error> error;
    std::int64_t number = 0;
    ObjectReader(header, {}, {"clusterbeat"}, error).integer("clusterbeat", {1, kSeedRange.highest}, number);
    if (error) return error;
    if (number > kScenarioVersion) return errorAt(ErrorCode::NewerVersion, "/clusterbeat", {number, kScenarioVersion});
    for (std::size_t i = static_cast<std::size_t>(number) - 1; i < kMigrations.size(); ++i)
        if (auto failure = kMigrations[i](document)) return failure;
    return std::nullopt;
}

Result<Scenario> readSections(const JsonValue &document)
{
    std::optional<Error> error;
    Scenario scenario;
    ObjectReader reader(document, {},
                        {"clusterbeat", "name", "notes", "model", "training", "layout", "software", "cluster",
                         "perturbations", "campaign", "prices"},
                        error);
    reader.require({"model"});
    reader.string("name", scenario.name);
    reader.string("notes", scenario.notes);
    const auto section = [&](std::string_view key, auto &target, auto read) {
        using Section = typename std::decay_t<decltype(target)>::element_type;
        if (const JsonValue *value = reader.find(key))
            target = std::make_shared<Section>(read(*value, reader.pointerTo(key), error));
    };
    section("model", scenario.model, readModel);
    section("training", scenario.training, readTraining);
    section("layout", scenario.layout, readLayout);
    section("software", scenario.software, readSoftware);
    section("cluster", scenario.cluster, readCluster);
    section("perturbations", scenario.perturbations, readPerturbations);
    section("campaign", scenario.campaign, readCampaign);
    section("prices", scenario.prices, readPrices);
    if (error) return *error;
    return scenario;
}

} // namespace

Result<Scenario> readScenario(std::string_view text, const Catalogue &catalogue, const std::vector<PointerEdit> &edits)
{
    const auto size = static_cast<std::int64_t>(text.size());
    if (size > kMaxScenarioBytes) return errorAt(ErrorCode::FileTooLarge, {}, {std::string(), size, kMaxScenarioBytes});
    auto document = parseJson(text);
    if (!document.ok()) return document.error();
    if (const auto error = checkVersionAndMigrate(document.value())) return *error;
    if (const auto error = applyEdits(document.value(), edits, catalogue)) return *error;
    if (const auto error = checkVersionAndMigrate(document.value())) return *error;
    return readSections(document.value());
}

Result<Scenario> readPreset(std::string_view name, const Catalogue &catalogue, const std::vector<PointerEdit> &edits)
{
    const ScenarioPreset *preset = catalogue.preset(name);
    if (preset == nullptr)
        return errorAt(ErrorCode::UnknownName, {},
                       unknownNameArguments(name, "preset", presetNames(catalogue)));
    return readScenario(preset->json, catalogue, edits);
}

std::string writeScenario(const Scenario &scenario)
{
    JsonValue document = JsonValue::object();
    document.set("clusterbeat", JsonValue::ofInteger(kScenarioVersion));
    if (!scenario.name.empty()) document.set("name", JsonValue::ofString(scenario.name));
    if (!scenario.notes.empty()) document.set("notes", JsonValue::ofString(scenario.notes));
    document.set("model", writeModel(*scenario.model));
    document.set("training", writeTraining(*scenario.training));
    document.set("layout", writeLayout(*scenario.layout));
    document.set("software", writeSoftware(*scenario.software));
    document.set("cluster", writeCluster(*scenario.cluster));
    if (!scenario.perturbations->empty()) document.set("perturbations", writePerturbations(*scenario.perturbations));
    if (JsonValue campaign = writeCampaign(*scenario.campaign); !campaign.members.empty())
        document.set("campaign", std::move(campaign));
    if (JsonValue prices = writePrices(*scenario.prices); !prices.members.empty())
        document.set("prices", std::move(prices));
    return writeJson(document);
}

} // namespace clusterbeat
