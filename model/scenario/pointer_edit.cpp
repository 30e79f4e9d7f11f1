// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/pointer_edit.h"

namespace clusterbeat
{
namespace
{

Error badPointer(std::string_view pointer)
{
    return Error{ErrorCode::BadPointer, Place{{}, clipped(pointer), 0, 0}, {clipped(pointer)}};
}

bool isIndex(const std::string &token)
{
    return token == "-" || (!token.empty() && token.find_first_not_of("0123456789") == std::string::npos);
}

/// Index of an array by token: "-" and the length append; nullopt for anything else than an index in range.
std::optional<std::size_t> arrayIndex(const std::string &token, std::size_t size)
{
    if (token == "-") return size;
    if (token.empty() || token.size() > 9 || (token.size() > 1 && token[0] == '0')) return std::nullopt;
    std::size_t index = 0;
    for (const char c : token) {
        if (c < '0' || c > '9') return std::nullopt;
        index = index * 10 + static_cast<std::size_t>(c - '0');
    }
    return index <= size ? std::optional(index) : std::nullopt;
}

/// VALUE is JSON; what does not even begin like a JSON container or string is a bare word when it is not JSON.
Result<JsonValue> parseValue(const PointerEdit &edit)
{
    const auto first = edit.value.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) return JsonValue::ofString(edit.value);
    Result<JsonValue> value = parseJson(edit.value, edit.pointer);
    if (value.ok()) return value;
    const bool structured = edit.value[first] == '{' || edit.value[first] == '[' || edit.value[first] == '"';
    if (!structured && value.error().code == ErrorCode::SyntaxError) return JsonValue::ofString(edit.value);
    Error error = value.error();
    error.place.pointer = error.place.pointer.empty() ? clipped(edit.pointer) : error.place.pointer;
    return error;
}

/// The member or item that `token` names, created when it may be; nullptr when it cannot exist.
JsonValue *descend(JsonValue &container, const std::string &token)
{
    if (container.type == JsonValue::Type::Array) {
        const auto index = arrayIndex(token, container.items.size());
        if (!index) return nullptr;
        if (*index == container.items.size()) container.items.emplace_back();
        return &container.items[*index];
    }
    if (container.type != JsonValue::Type::Object) return nullptr;
    if (JsonValue *known = container.find(token)) return known;
    return &container.set(token, JsonValue{});
}

} // namespace

Result<std::vector<std::string>> pointerTokens(std::string_view pointer)
{
    if (pointer.empty() || pointer[0] != '/') return badPointer(pointer);
    std::vector<std::string> tokens;
    for (std::size_t i = 0; i < pointer.size(); ++i) {
        if (pointer[i] == '/') {
            tokens.emplace_back();
        } else if (pointer[i] != '~') {
            tokens.back() += pointer[i];
        } else if (i + 1 < pointer.size() && (pointer[i + 1] == '0' || pointer[i + 1] == '1')) {
            tokens.back() += pointer[++i] == '0' ? '~' : '/';
        } else {
            return badPointer(pointer);
        }
    }
    if (tokens.size() > static_cast<std::size_t>(kMaxJsonDepth)) return badPointer(pointer);
    return tokens;
}

std::optional<Error> applyEdit(JsonValue &document, const PointerEdit &edit)
{
    const auto tokens = pointerTokens(edit.pointer);
    if (!tokens.ok()) return tokens.error();
    auto value = parseValue(edit);
    if (!value.ok()) return value.error();
    JsonValue *at = &document;
    for (const std::string &token : tokens.value()) {
        // What is missing on the way is made: an array under an index, as no key of the format is a number.
        if (at->type == JsonValue::Type::Null) *at = isIndex(token) ? JsonValue::array() : JsonValue::object();
        at = descend(*at, token);
        if (at == nullptr) return badPointer(edit.pointer);
    }
    *at = std::move(value).value();
    return std::nullopt;
}

Result<PointerEdit> parsePointerEdit(std::string_view text)
{
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) {
        Error error = badPointer(text);
        error.arguments.emplace_back(std::string("="));
        return error;
    }
    PointerEdit edit{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
    if (const auto tokens = pointerTokens(edit.pointer); !tokens.ok()) return tokens.error();
    return edit;
}

} // namespace clusterbeat
