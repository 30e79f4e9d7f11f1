// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/hf_reader.h"

#include <algorithm>
#include <cmath>

namespace clusterbeat {
namespace {

constexpr std::int64_t kMostOfAnything = 1'000'000'000;
constexpr std::string_view kInnerObjects[]{"attn_config", "ffn_config"};

} // namespace

bool isOneOf(std::string_view word, std::span<const std::string_view> words) { return std::find(words.begin(), words.end(), word) != words.end(); }

ConfigReader::Found ConfigReader::lookUp(ConfigKeys names)
{
    const auto in = [&](const JsonValue &object, const std::string &pointer) {
        for (const std::string_view name : names) {
            const JsonValue *value = object.find(name);
            if (!value || value->type == JsonValue::Type::Null) continue;
            Found found{pointer + "/" + pointerToken(name), value};
            const bool scalar = value->type == JsonValue::Type::Number || value->type == JsonValue::Type::String;
            const std::string truth = value->boolean ? "true" : "false";
            const bool boolean = value->type == JsonValue::Type::Boolean;
            m_notes.read(found.pointer, scalar ? value->text.substr(0, 200) : boolean ? truth : std::string());
            return found;
        }
        return Found{};
    };
    Found found = in(m_object, m_pointer);
    for (const std::string_view inner : kInnerObjects) {
        const JsonValue *object = m_object.find(inner);
        if (!found.value && object && object->type == JsonValue::Type::Object) found = in(*object, m_pointer + "/" + std::string(inner));
    }
    return found;
}

std::optional<std::int64_t> ConfigReader::integerAt(const Found &found, const JsonValue &value, std::int64_t lowest)
{
    if (value.type != JsonValue::Type::Number)
        return fail(found.pointer, ErrorCode::WrongType, {std::string(value.typeName()), std::string("number")});
    if (std::floor(value.number) != value.number) return fail(found.pointer, ErrorCode::NotAnInteger, {value.text});
    if (value.number < static_cast<double>(lowest) || value.number > static_cast<double>(kMostOfAnything))
        return fail(found.pointer, ErrorCode::OutOfRange, {value.text, lowest, kMostOfAnything});
    return static_cast<std::int64_t>(value.number);
}

std::optional<std::int64_t> ConfigReader::integer(ConfigKeys names, std::int64_t lowest)
{
    const Found found = lookUp(names);
    if (!found.value) return std::nullopt;
    if (found.value->type != JsonValue::Type::Array || found.value->items.empty()) return integerAt(found, *found.value, lowest);
    const auto first = integerAt(found, found.value->items.front(), lowest);
    for (const JsonValue &item : found.value->items) {
        if (first && integerAt(found, item, lowest) != first)
            return fail(found.pointer, ErrorCode::ImportNotSimulated, {std::string(feature::kUnlikeLayers), found.pointer});
    }
    return first;
}

std::int64_t ConfigReader::required(ConfigKeys names)
{
    const auto value = integer(names);
    if (!value && !m_error) m_error = Error{ErrorCode::ImportMissing, {m_notes.file(), m_pointer, 0, 0}, {std::string(*names.begin())}};
    return value.value_or(1);
}

std::optional<bool> ConfigReader::boolean(ConfigKeys names)
{
    const Found found = lookUp(names);
    if (!found.value) return std::nullopt;
    if (found.value->type != JsonValue::Type::Boolean) {
        fail(found.pointer, ErrorCode::WrongType, {std::string(found.value->typeName()), std::string("boolean")});
        return std::nullopt;
    }
    return found.value->boolean;
}

std::string ConfigReader::string(ConfigKeys names)
{
    const Found found = lookUp(names);
    if (!found.value) return {};
    if (found.value->type == JsonValue::Type::String) return found.value->text;
    fail(found.pointer, ErrorCode::WrongType, {std::string(found.value->typeName()), std::string("string")});
    return {};
}

const JsonValue *ConfigReader::find(ConfigKeys names) { return lookUp(names).value; }

const JsonValue *ConfigReader::list(ConfigKeys names)
{
    const Found found = lookUp(names);
    if (!found.value || found.value->type == JsonValue::Type::Array) return found.value;
    fail(found.pointer, ErrorCode::WrongType, {std::string(found.value->typeName()), std::string("array")});
    return nullptr;
}

std::nullopt_t ConfigReader::fail(const std::string &pointer, ErrorCode code, std::vector<Argument> arguments)
{
    if (!m_error) m_error = Error{code, {m_notes.file(), pointer, 0, 0}, std::move(arguments)};
    return std::nullopt;
}

} // namespace clusterbeat
