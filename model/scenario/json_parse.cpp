// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/json_value.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <optional>
#include <unordered_set>

namespace clusterbeat
{
namespace
{

Error errorAt(ErrorCode code, std::string pointer, std::vector<Argument> arguments)
{
    return Error{code, Place{{}, std::move(pointer), 0, 0}, std::move(arguments)};
}

/// Line and column (in characters) of the byte at `offset`, from 1.
Place placeOfOffset(std::string_view text, std::size_t offset)
{
    Place place;
    place.line = 1;
    place.column = 1;
    for (const char c : text.substr(0, std::min(offset, text.size()))) {
        if (c == '\n') {
            ++place.line;
            place.column = 1;
        } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
            ++place.column;
        }
    }
    return place;
}

bool isBlank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/// Nesting, NUL bytes, which the parser takes for the end of its input, and endless blanks, each of which it would
/// quote in its message: found in one pass before anything is built.
std::optional<Error> checkText(std::string_view text)
{
    bool inString = false;
    int depth = 0;
    std::size_t blanks = 0;
    constexpr std::size_t kMostBlanks = 1'000'000;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        blanks = isBlank(c) ? blanks + 1 : 0;
        if (blanks > kMostBlanks)
            return Error{ErrorCode::SyntaxError, placeOfOffset(text, i), {std::string("JSON text")}};
        if (c == '\0') return Error{ErrorCode::SyntaxError, placeOfOffset(text, i), {std::string("JSON text")}};
        if (inString) {
            if (c == '\\') {
                ++i;
                if (i < text.size() && text[i] == '\0') --i;
            } else if (c == '"') {
                inString = false;
            }
        } else if (c == '"') {
            inString = true;
        } else if (c == '{' || c == '[') {
            if (++depth > kMaxJsonDepth)
                return Error{ErrorCode::TooDeep, placeOfOffset(text, i), {std::int64_t{kMaxJsonDepth}}};
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return std::nullopt;
}

/// The parser says "...; expected X" or "... - reason; last read: ...": only X or the reason goes on.
std::string expectation(std::string_view message)
{
    if (const auto at = message.rfind("; expected "); at != std::string_view::npos)
        return clipped(message.substr(at + 11));
    if (const auto at = message.find(" - "); at != std::string_view::npos) {
        const auto end = message.find("; last read", at);
        return clipped(message.substr(at + 3, end == std::string_view::npos ? end : end - at - 3));
    }
    return "JSON text";
}

/// The token that the parser quotes: "number overflow parsing '1e999'".
std::string quotedToken(std::string_view message)
{
    const auto first = message.find('\'');
    const auto last = message.rfind('\'');
    return first == last ? std::string() : clipped(message.substr(first + 1, last - first - 1));
}

/// Builds JsonValues; the first of syntax errors, duplicate keys and too many values stops it.
class Builder final : public nlohmann::json_sax<nlohmann::json>
{
public:
    Builder(std::string_view text, std::string_view base) : m_text(text), m_base(base) {}

    bool null() override { return add({}); }
    bool boolean(bool value) override { return add(JsonValue::ofBool(value)); }
    bool number_integer(number_integer_t value) override { return add(JsonValue::ofInteger(value)); }
    bool number_unsigned(number_unsigned_t value) override
    {
        JsonValue number = JsonValue::ofNumber(static_cast<double>(value));
        number.text = std::to_string(value);
        return add(std::move(number));
    }
    bool number_float(number_float_t value, const string_t &text) override
    {
        JsonValue number = JsonValue::ofNumber(value);
        number.text = text;
        return add(std::move(number));
    }
    bool string(string_t &value) override { return add(JsonValue::ofString(std::move(value))); }
    bool binary(binary_t &) override { return false; }
    bool start_object(std::size_t) override { return open(JsonValue::object()); }
    bool start_array(std::size_t) override { return open(JsonValue::array()); }
    bool key(string_t &value) override
    {
        Frame &frame = m_open.back();
        frame.key = value;
        if (frame.keys.insert(value).second) return true;
        m_error = errorAt(ErrorCode::DuplicateKey, pointer(), {clipped(value)});
        return false;
    }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t position, const std::string &, const nlohmann::detail::exception &exception) override
    {
        constexpr int kNumberOverflow = 406;
        const Place place = placeOfOffset(m_text, position > 0 ? position - 1 : 0);
        if (exception.id == kNumberOverflow) {
            m_error = errorAt(ErrorCode::OutOfRange, nextPointer(),
                              {quotedToken(exception.what()), std::numeric_limits<double>::lowest(),
                               std::numeric_limits<double>::max()});
            m_error->place.line = place.line;
            m_error->place.column = place.column;
        } else {
            m_error = Error{ErrorCode::SyntaxError, place, {expectation(exception.what())}};
        }
        return false;
    }

    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }
    [[nodiscard]] JsonValue takeRoot() { return std::move(m_root); }

private:
    struct Frame {
        JsonValue value;
        std::string key;                      // of the member that comes next
        std::unordered_set<std::string> keys; // looked up only, never iterated
    };

    /// Of the member or item that is being read.
    [[nodiscard]] std::string pointer() const
    {
        std::string result(m_base);
        for (const Frame &frame : m_open)
            result += '/' + (frame.value.type == JsonValue::Type::Object ? pointerToken(frame.key)
                                                                         : std::to_string(frame.value.items.size()));
        return result;
    }
    [[nodiscard]] std::string nextPointer() const { return m_open.empty() ? std::string(m_base) : pointer(); }
    bool counted()
    {
        if (++m_count <= kMaxJsonValues) return true;
        m_error = errorAt(ErrorCode::OutOfRange, nextPointer(),
                          {std::to_string(m_count), std::int64_t{0}, static_cast<std::int64_t>(kMaxJsonValues)});
        return false;
    }
    bool add(JsonValue value)
    {
        if (!counted()) return false;
        attach(std::move(value));
        return true;
    }
    void attach(JsonValue value)
    {
        if (m_open.empty()) {
            m_root = std::move(value);
        } else if (Frame &frame = m_open.back(); frame.value.type == JsonValue::Type::Object) {
            frame.value.members.push_back({std::move(frame.key), std::move(value)});
        } else {
            frame.value.items.push_back(std::move(value));
        }
    }
    bool open(JsonValue value)
    {
        if (!counted()) return false;
        m_open.push_back({std::move(value), {}, {}});
        return true;
    }
    bool close()
    {
        JsonValue value = std::move(m_open.back().value);
        m_open.pop_back();
        attach(std::move(value));
        return true;
    }

    std::string_view m_text;
    std::string_view m_base;
    std::vector<Frame> m_open;
    JsonValue m_root;
    std::size_t m_count = 0;
    std::optional<Error> m_error;
};

} // namespace

Result<JsonValue> parseJson(std::string_view text, std::string_view base)
{
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return errorAt(ErrorCode::FileEmpty, std::string(base), {std::string()});
    if (const auto error = checkText(text)) return *error;
    Builder builder(text, base);
    nlohmann::json::sax_parse(text, &builder);
    if (builder.error()) return *builder.error();
    return builder.takeRoot();
}

} // namespace clusterbeat
