// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat
{

struct JsonMember;

/// One JSON value. Numbers keep the text as written, so that a message can quote it. Objects keep their order.
struct JsonValue {
    enum class Type : std::uint8_t { Null, Boolean, Number, String, Array, Object };
    Type type = Type::Null;
    bool boolean = false;
    double number = 0.0;
    std::string text;                ///< a string's content, or a number as written
    std::vector<JsonValue> items;    ///< of an array
    std::vector<JsonMember> members; ///< of an object

    [[nodiscard]] static JsonValue ofBool(bool value);
    [[nodiscard]] static JsonValue ofInteger(std::int64_t value);
    /// Shortest text that reads back as the same bits.
    [[nodiscard]] static JsonValue ofNumber(double value);
    [[nodiscard]] static JsonValue ofString(std::string value);
    [[nodiscard]] static JsonValue array();
    [[nodiscard]] static JsonValue object();

    [[nodiscard]] const JsonValue *find(std::string_view key) const;
    [[nodiscard]] JsonValue *find(std::string_view key);
    /// Sets or appends a member of an object.
    JsonValue &set(std::string_view key, JsonValue value);
    void remove(std::string_view key);
    /// "null", "boolean", "number", "string", "array", "object".
    [[nodiscard]] std::string_view typeName() const;
};
struct JsonMember {
    std::string key;
    JsonValue value;
};

inline constexpr int kMaxJsonDepth = 64;
inline constexpr std::size_t kMaxJsonValues = 1'000'000;

/// Strict JSON (RFC 8259). Errors: FileEmpty, SyntaxError with line and column, TooDeep, DuplicateKey and OutOfRange
/// (a number beyond a double, more than kMaxJsonValues values) with the pointer, which starts with `base`.
[[nodiscard]] Result<JsonValue> parseJson(std::string_view text, std::string_view base = {});

/// Two spaces an indent; arrays of plain values on one line; ends with a newline.
[[nodiscard]] std::string writeJson(const JsonValue &value);

/// One reference token of a JSON pointer: ~ and / escaped, clipped to a length fit for a message.
[[nodiscard]] std::string pointerToken(std::string_view key);
/// At most 80 bytes, cut at a character.
[[nodiscard]] std::string clipped(std::string_view text);

} // namespace clusterbeat
