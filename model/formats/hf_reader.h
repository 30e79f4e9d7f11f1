// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/error.h"
#include "model/formats/import_notes.h"
#include "model/scenario/json_value.h"

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clusterbeat {

using ConfigKeys = std::initializer_list<std::string_view>;

[[nodiscard]] bool isOneOf(std::string_view word, std::span<const std::string_view> words);
[[nodiscard]] inline bool isOneOf(std::string_view word, ConfigKeys words) { return isOneOf(word, std::span(words.begin(), words.size())); }

/// Reads keys of a Hugging Face configuration by any of their names, in the object and in `attn_config` and `ffn_config`
/// inside it; keeps the first error. Null counts as missing.
class ConfigReader {
public:
    ConfigReader(const JsonValue &object, std::string pointer, ImportNotes &notes)
        : m_object(object), m_pointer(std::move(pointer)), m_notes(notes)
    {
    }

    /// 0 is allowed where `lowest` is 0. A list of one number for each layer counts as that number when they are all the
    /// same; else the error is ImportNotSimulated.
    std::optional<std::int64_t> integer(ConfigKeys names, std::int64_t lowest = 1);
    std::int64_t required(ConfigKeys names);
    std::optional<bool> boolean(ConfigKeys names);
    std::string string(ConfigKeys names);
    /// A value that is there and not null.
    [[nodiscard]] const JsonValue *find(ConfigKeys names);
    /// The same for a list; an error when it is something else.
    [[nodiscard]] const JsonValue *list(ConfigKeys names);
    [[nodiscard]] const JsonValue &object() const { return m_object; }
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }

private:
    struct Found {
        std::string pointer;
        const JsonValue *value = nullptr;
    };
    Found lookUp(ConfigKeys names);
    std::optional<std::int64_t> integerAt(const Found &found, const JsonValue &value, std::int64_t lowest);
    std::nullopt_t fail(const std::string &pointer, ErrorCode code, std::vector<Argument> arguments);

    const JsonValue &m_object;
    std::string m_pointer;
    ImportNotes &m_notes;
    std::optional<Error> m_error;
};

} // namespace clusterbeat
