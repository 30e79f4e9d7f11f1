// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/json_value.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace clusterbeat
{

JsonValue JsonValue::ofBool(bool value)
{
    JsonValue result;
    result.type = Type::Boolean;
    result.boolean = value;
    return result;
}

JsonValue JsonValue::ofInteger(std::int64_t value)
{
    JsonValue result;
    result.type = Type::Number;
    result.number = static_cast<double>(value);
    result.text = std::to_string(value);
    return result;
}

JsonValue JsonValue::ofNumber(double value)
{
    JsonValue result;
    result.type = Type::Number;
    result.number = value;
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
    result.text.assign(buffer, end.ptr);
    return result;
}

JsonValue JsonValue::ofString(std::string value)
{
    JsonValue result;
    result.type = Type::String;
    result.text = std::move(value);
    return result;
}

JsonValue JsonValue::array()
{
    JsonValue result;
    result.type = Type::Array;
    return result;
}

JsonValue JsonValue::object()
{
    JsonValue result;
    result.type = Type::Object;
    return result;
}

const JsonValue *JsonValue::find(std::string_view key) const
{
    const auto it = std::find_if(members.begin(), members.end(), [&](const JsonMember &m) { return m.key == key; });
    return it == members.end() ? nullptr : &it->value;
}

JsonValue *JsonValue::find(std::string_view key)
{
    return const_cast<JsonValue *>(std::as_const(*this).find(key));
}

JsonValue &JsonValue::set(std::string_view key, JsonValue value)
{
    if (JsonValue *known = find(key)) return *known = std::move(value);
    members.push_back({std::string(key), std::move(value)});
    return members.back().value;
}

void JsonValue::remove(std::string_view key)
{
    std::erase_if(members, [&](const JsonMember &m) { return m.key == key; });
}

std::string_view JsonValue::typeName() const
{
    switch (type) {
    case Type::Null:
        return "null";
    case Type::Boolean:
        return "boolean";
    case Type::Number:
        return "number";
    case Type::String:
        return "string";
    case Type::Array:
        return "array";
    case Type::Object:
        return "object";
    }
    return "null";
}

std::string clipped(std::string_view text)
{
    constexpr std::size_t kLongest = 80;
    if (text.size() <= kLongest) return std::string(text);
    std::size_t end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end;
    return std::string(text.substr(0, end)) + "...";
}

std::string pointerToken(std::string_view key)
{
    std::string token;
    for (const char c : clipped(key)) {
        if (c == '~')
            token += "~0";
        else if (c == '/')
            token += "~1";
        else
            token += c;
    }
    return token;
}

namespace
{

bool isPlain(const JsonValue &value)
{
    return value.type != JsonValue::Type::Array && value.type != JsonValue::Type::Object;
}

std::string quoted(const std::string &text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void append(std::string &out, const JsonValue &value, std::size_t indent)
{
    const auto newLine = [&](std::size_t level) { out.append("\n").append(level * 2, ' '); };
    switch (value.type) {
    case JsonValue::Type::Null:
        out += "null";
        return;
    case JsonValue::Type::Boolean:
        out += value.boolean ? "true" : "false";
        return;
    case JsonValue::Type::Number:
        out += value.text;
        return;
    case JsonValue::Type::String:
        out += quoted(value.text);
        return;
    case JsonValue::Type::Array: {
        const bool oneLine = std::all_of(value.items.begin(), value.items.end(), isPlain);
        out += '[';
        for (std::size_t i = 0; i < value.items.size(); ++i) {
            if (i > 0) out += oneLine ? ", " : ",";
            if (!oneLine) newLine(indent + 1);
            append(out, value.items[i], indent + 1);
        }
        if (!oneLine) newLine(indent);
        out += ']';
        return;
    }
    case JsonValue::Type::Object:
        if (value.members.empty()) {
            out += "{}";
            return;
        }
        out += '{';
        for (std::size_t i = 0; i < value.members.size(); ++i) {
            if (i > 0) out += ',';
            newLine(indent + 1);
            out += quoted(value.members[i].key) + ": ";
            append(out, value.members[i].value, indent + 1);
        }
        newLine(indent);
        out += '}';
        return;
    }
}

} // namespace

std::string writeJson(const JsonValue &value)
{
    std::string out;
    append(out, value, 0);
    out += '\n';
    return out;
}

} // namespace clusterbeat
