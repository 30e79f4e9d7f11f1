// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/object_reader.h"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace clusterbeat
{
namespace
{

/// Levenshtein distance, one row at a time.
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

} // namespace

std::string closestName(std::string_view name, const std::vector<std::string_view> &candidates)
{
    constexpr std::size_t kLongestName = 64; // longer ones are no typing errors
    if (name.size() > kLongestName) return {};
    std::string_view best;
    std::size_t bestDistance = std::max<std::size_t>(2, name.size() / 3) + 1;
    for (const std::string_view candidate : candidates) {
        const std::size_t distance = editDistance(name, candidate);
        if (distance < bestDistance && distance < candidate.size()) {
            bestDistance = distance;
            best = candidate;
        }
    }
    if (!best.empty()) return std::string(best);
    // "tensor_parallel" for "tensor": the longest candidate that is its first words.
    for (const std::string_view candidate : candidates)
        if (candidate.size() > best.size() && name.size() > candidate.size() && name.starts_with(candidate) &&
            (name[candidate.size()] == '_' || name[candidate.size()] == '-'))
            best = candidate;
    return std::string(best);
}

std::vector<Argument> unknownNameArguments(std::string_view name, std::string_view kind,
                                           const std::vector<std::string_view> &known)
{
    std::vector<Argument> arguments{clipped(name), std::string(kind), closestName(name, known)};
    if (!std::get<std::string>(arguments.back()).empty()) return arguments;
    std::string all;
    for (const std::string_view one : known)
        all.append(all.empty() ? "" : ", ").append(one);
    arguments.emplace_back(std::move(all));
    return arguments;
}

ObjectReader::ObjectReader(const JsonValue &value, std::string pointer, std::vector<std::string_view> keys,
                           std::optional<Error> &error)
    : m_value(value), m_pointer(std::move(pointer)), m_error(error)
{
    if (!ok() || !expect(value, JsonValue::Type::Object, m_pointer)) return;
    for (const JsonMember &member : value.members)
        if (std::find(keys.begin(), keys.end(), member.key) == keys.end()) {
            fail(ErrorCode::UnknownKey, member.key, {clipped(member.key), closestName(member.key, keys)});
            return;
        }
}

void ObjectReader::failAt(ErrorCode code, std::string pointer, std::vector<Argument> arguments)
{
    if (ok()) m_error = Error{code, Place{{}, std::move(pointer), 0, 0}, std::move(arguments)};
}

void ObjectReader::fail(ErrorCode code, std::string_view key, std::vector<Argument> arguments)
{
    failAt(code, pointerTo(key), std::move(arguments));
}

void ObjectReader::require(std::initializer_list<std::string_view> keys)
{
    for (const std::string_view key : keys)
        if (ok() && m_value.find(key) == nullptr) fail(ErrorCode::MissingKey, key, {std::string(key)});
}

bool ObjectReader::expect(const JsonValue &value, JsonValue::Type type, const std::string &pointer)
{
    if (value.type == type) return ok();
    JsonValue wanted;
    wanted.type = type;
    failAt(ErrorCode::WrongType, pointer, {std::string(value.typeName()), std::string(wanted.typeName())});
    return false;
}

std::optional<std::int64_t> ObjectReader::integerOf(const JsonValue &value, const std::string &pointer,
                                                    IntegerRange range)
{
    if (!expect(value, JsonValue::Type::Number, pointer)) return std::nullopt;
    if (std::floor(value.number) != value.number) {
        failAt(ErrorCode::NotAnInteger, pointer, {clipped(value.text)});
        return std::nullopt;
    }
    // Digits beyond 2^53 are rounded in a double, down to the limit itself: the text says what was meant.
    std::int64_t exact = 0;
    const char *const end = value.text.data() + value.text.size();
    const auto [last, code] = std::from_chars(value.text.data(), end, exact);
    const bool isExact = code == std::errc() && last == end;
    if (value.number < static_cast<double>(range.lowest) || value.number > static_cast<double>(range.highest) ||
        (isExact && (exact < range.lowest || exact > range.highest))) {
        failAt(ErrorCode::OutOfRange, pointer, {clipped(value.text), range.lowest, range.highest});
        return std::nullopt;
    }
    return static_cast<std::int64_t>(value.number);
}

std::optional<double> ObjectReader::numberOf(const JsonValue &value, const std::string &pointer, NumberRange range)
{
    if (!expect(value, JsonValue::Type::Number, pointer)) return std::nullopt;
    if (!(value.number >= range.lowest && value.number <= range.highest)) {
        failAt(ErrorCode::OutOfRange, pointer, {clipped(value.text), range.lowest, range.highest});
        return std::nullopt;
    }
    return value.number;
}

void ObjectReader::unknownName(const JsonValue &value, const std::string &pointer, std::string_view kind,
                               const std::vector<std::string_view> &names)
{
    failAt(ErrorCode::UnknownName, pointer, unknownNameArguments(value.text, kind, names));
}

} // namespace clusterbeat
