// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/json_value.h"

#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat
{

/// The candidate with the smallest edit distance to `name`; when none is close (over a third of the letters), one that
/// is its first words; else "".
[[nodiscard]] std::string closestName(std::string_view name, const std::vector<std::string_view> &candidates);
/// Arguments of ErrorCode::UnknownName: the closest of the known names, or where none is close all of them.
[[nodiscard]] std::vector<Argument> unknownNameArguments(std::string_view name, std::string_view kind,
                                                         const std::vector<std::string_view> &known);

struct IntegerRange {
    std::int64_t lowest;
    std::int64_t highest; ///< at most 2^53, where doubles are exact
};
struct NumberRange {
    double lowest;
    double highest;
};

/// Reads one JSON object against a closed list of keys. The first error of the whole document is kept in the shared
/// sink and ends all further reading; a missing key leaves the target alone, so that it keeps its default.
class ObjectReader final
{
public:
    ObjectReader(const JsonValue &value, std::string pointer, std::vector<std::string_view> keys,
                 std::optional<Error> &error);

    [[nodiscard]] bool ok() const { return !m_error.has_value(); }
    [[nodiscard]] const JsonValue *find(std::string_view key) const { return ok() ? m_value.find(key) : nullptr; }
    [[nodiscard]] std::string pointerTo(std::string_view key) const { return m_pointer + '/' + pointerToken(key); }
    void require(std::initializer_list<std::string_view> keys);
    void fail(ErrorCode code, std::string_view key, std::vector<Argument> arguments);

    template <typename T> void integer(std::string_view key, IntegerRange range, T &target)
    {
        if (const JsonValue *value = find(key))
            if (const auto number = integerOf(*value, pointerTo(key), range)) target = *number;
    }
    template <typename T> void number(std::string_view key, NumberRange range, T &target)
    {
        if (const JsonValue *value = find(key))
            if (const auto number = numberOf(*value, pointerTo(key), range)) target = *number;
    }
    template <typename T> void boolean(std::string_view key, T &target)
    {
        const JsonValue *value = find(key);
        if (value != nullptr && expect(*value, JsonValue::Type::Boolean, pointerTo(key))) target = value->boolean;
    }
    template <typename T> void string(std::string_view key, T &target)
    {
        const JsonValue *value = find(key);
        if (value != nullptr && expect(*value, JsonValue::Type::String, pointerTo(key))) target = value->text;
    }
    /// A string of a closed list of {name, value}; `kind` names the list in an UnknownName error.
    template <typename Table, typename T>
    void choice(std::string_view key, const Table &table, std::string_view kind, T &target)
    {
        if (const JsonValue *value = find(key)) choiceOf(*value, pointerTo(key), table, kind, target);
    }
    template <typename Table, typename T> void choiceOf(const JsonValue &value, const std::string &pointer,
                                                        const Table &table, std::string_view kind, T &target)
    {
        if (!expect(value, JsonValue::Type::String, pointer)) return;
        std::vector<std::string_view> names;
        for (const auto &entry : table) {
            if (entry.name == value.text) {
                target = entry.value;
                return;
            }
            names.push_back(entry.name);
        }
        unknownName(value, pointer, kind, names);
    }
    /// A string of a closed list of strings.
    template <typename Names, typename T>
    void oneOf(std::string_view key, const Names &names, std::string_view kind, T &target)
    {
        const JsonValue *value = find(key);
        if (value == nullptr || !expect(*value, JsonValue::Type::String, pointerTo(key))) return;
        for (const std::string_view name : names)
            if (name == value->text) {
                target = value->text;
                return;
            }
        unknownName(*value, pointerTo(key), kind, {names.begin(), names.end()});
    }

    /// False and an error when the type differs.
    bool expect(const JsonValue &value, JsonValue::Type type, const std::string &pointer);
    [[nodiscard]] std::optional<std::int64_t> integerOf(const JsonValue &value, const std::string &pointer,
                                                        IntegerRange range);
    [[nodiscard]] std::optional<double> numberOf(const JsonValue &value, const std::string &pointer, NumberRange range);
    void unknownName(const JsonValue &value, const std::string &pointer, std::string_view kind,
                     const std::vector<std::string_view> &names);
    [[nodiscard]] std::optional<Error> &sink() { return m_error; }

private:
    void failAt(ErrorCode code, std::string pointer, std::vector<Argument> arguments);

    const JsonValue &m_value;
    std::string m_pointer;
    std::optional<Error> &m_error;
};

} // namespace clusterbeat
