// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/catalogue.h"

#include "model/scenario/catalogue_constants.h"
#include "model/scenario/catalogue_data.h"
#include "model/scenario/section_io.h"

#include <algorithm>

namespace clusterbeat
{
namespace
{

template <typename T> const T *byName(const std::vector<T> &list, std::string_view name)
{
    const auto it = std::find_if(list.begin(), list.end(), [&](const T &entry) { return entry.name == name; });
    return it == list.end() ? nullptr : &*it;
}

std::optional<std::string_view> embedded(std::string_view name)
{
    for (const EmbeddedFile &file : embeddedFiles())
        if (file.name == name) return file.text;
    return std::nullopt;
}

/// A file that is one array of objects; an absent one is empty. Errors name the file.
class ArrayFile final
{
public:
    ArrayFile(std::string_view name, std::optional<Error> &error) : m_name(name), m_error(error)
    {
        const auto text = embedded(name);
        if (!text || m_error) return;
        auto json = parseJson(*text);
        if (!json.ok()) {
            m_error = json.error();
        } else {
            m_json = std::move(json).value();
            if (m_json.type != JsonValue::Type::Array)
                m_error = Error{ErrorCode::WrongType, {}, {std::string(m_json.typeName()), std::string("array")}};
        }
    }
    ~ArrayFile()
    {
        if (m_error && m_error->place.file.empty()) m_error->place.file = m_name;
    }
    ArrayFile(const ArrayFile &) = delete;
    ArrayFile &operator=(const ArrayFile &) = delete;

    template <typename Read> void each(Read read)
    {
        for (std::size_t i = 0; i < m_json.items.size() && !m_error; ++i)
            read(m_json.items[i], '/' + std::to_string(i));
    }
    [[nodiscard]] const JsonValue &json() const { return m_json; }

private:
    std::string m_name;
    std::optional<Error> &m_error;
    JsonValue m_json = JsonValue::array();
};

SoftwareProfile readProfile(const JsonValue &json, const std::string &pointer, std::optional<Error> &error)
{
    SoftwareProfile profile;
    ObjectReader reader(json, pointer, {"name", "title", "source", "flags"}, error);
    reader.require({"name", "title", "source", "flags"});
    reader.string("name", profile.name);
    reader.string("title", profile.title);
    reader.string("source", profile.source);
    if (const JsonValue *flags = reader.find("flags"))
        profile.flags = readSoftwareFlags(*flags, reader.pointerTo("flags"), error);
    return profile;
}

ScenarioPreset readPresetEntry(const JsonValue &json, const std::string &pointer, std::optional<Error> &error)
{
    ScenarioPreset preset;
    ObjectReader reader(json, pointer, {"name", "title", "sources"}, error);
    reader.require({"name", "title", "sources"});
    reader.string("name", preset.name);
    reader.string("title", preset.title);
    if (const JsonValue *sources = reader.find("sources"))
        for (std::size_t i = 0; i < sources->items.size() && !error; ++i) {
            ObjectReader source(sources->items[i], reader.pointerTo("sources") + '/' + std::to_string(i),
                                {"figures", "source"}, error);
            source.require({"figures", "source"});
            source.string("figures", preset.sources.emplace_back().figures);
            source.string("source", preset.sources.back().source);
        }
    const auto text = embedded("presets/" + preset.name + ".json");
    if (text)
        preset.json = *text;
    else
        reader.fail(ErrorCode::UnknownName, "name", {preset.name, std::string("preset"), std::string()});
    return preset;
}

} // namespace

const Accelerator *Catalogue::accelerator(std::string_view name) const
{
    return byName(accelerators, name);
}
const ScenarioPreset *Catalogue::preset(std::string_view name) const
{
    return byName(presets, name);
}
const SoftwareProfile *Catalogue::profile(std::string_view name) const
{
    return byName(profiles, name);
}

Result<Catalogue> loadCatalogue()
{
    Catalogue catalogue;
    std::optional<Error> error;
    ArrayFile("accelerators.json", error).each([&](const JsonValue &json, const std::string &pointer) {
        catalogue.accelerators.push_back(readAccelerator(json, pointer, error));
    });
    ArrayFile("software_profiles.json", error).each([&](const JsonValue &json, const std::string &pointer) {
        catalogue.profiles.push_back(readProfile(json, pointer, error));
    });
    ArrayFile("presets.json", error).each([&](const JsonValue &json, const std::string &pointer) {
        catalogue.presets.push_back(readPresetEntry(json, pointer, error));
    });
    {
        const ArrayFile costs("constants.json", error), collectives("collectives.json", error);
        catalogue.constants = readConstants(costs.json(), collectives.json(), error);
    }
    if (error) return *error;
    catalogue.bridgeRecipesJson = embedded("bridge_recipes.json").value_or(std::string_view());
    catalogue.measuredRowsJson = embedded("measured_rows.json").value_or(std::string_view());
    return catalogue;
}

} // namespace clusterbeat
