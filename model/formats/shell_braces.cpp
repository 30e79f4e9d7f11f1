// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_expansion.h"

#include <algorithm>
#include <charconv>

namespace clusterbeat {
namespace {

constexpr std::size_t kEnd = std::string_view::npos;

/// The part before a brace, the alternatives inside, the part behind.
struct Brace {
    std::string_view before, after;
    std::vector<std::string> alternatives;
};

bool number(std::string_view text, int &value)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

/// {1..8}, {0..8..2}, {a..e}
std::vector<std::string> sequence(std::string_view inner, std::size_t most)
{
    const std::size_t dots = inner.find("..");
    if (dots == kEnd) return {};
    std::string_view last = inner.substr(dots + 2);
    int step = 1;
    if (const std::size_t again = last.find(".."); again != kEnd) {
        if (!number(last.substr(again + 2), step) || step == 0) return {};
        last = last.substr(0, again);
    }
    const std::string_view first = inner.substr(0, dots);
    int from = 0, to = 0;
    const bool numbers = number(first, from) && number(last, to);
    const bool letters = !numbers && first.size() == 1 && last.size() == 1;
    if (letters) {
        from = first.front();
        to = last.front();
    }
    if (!numbers && !letters) return {};
    const std::int64_t stride = std::max<std::int64_t>(1, step < 0 ? -static_cast<std::int64_t>(step) : step);
    const std::size_t width = numbers && (first.starts_with('0') || last.starts_with('0')) ? std::max(first.size(), last.size()) : 0;
    std::vector<std::string> result;
    for (std::int64_t value = from; from <= to ? value <= to : value >= to; value += from <= to ? stride : -stride) {
        if (result.size() >= most) break;
        std::string text = letters ? std::string(1, static_cast<char>(value)) : std::to_string(value);
        if (width > 1 && value >= 0 && text.size() < width) text.insert(0, width - text.size(), '0');
        result.push_back(std::move(text));
    }
    return result;
}

/// The first brace with a comma or a sequence inside, outside quotes and expansions.
bool findBrace(std::string_view raw, Brace &brace, std::size_t most)
{
    for (std::size_t pos = 0; pos < raw.size();) {
        if (raw[pos] != '{') {
            const std::size_t next = skipShellConstruct(raw, pos);
            if (next == kEnd) return false;
            pos = next;
            continue;
        }
        std::vector<std::string> parts;
        std::size_t start = pos + 1, at = pos + 1, level = 0;
        bool closed = false;
        while (at < raw.size() && !closed) {
            const char c = raw[at];
            if (c == '{') ++level;
            if (c == '}' && level-- == 0) closed = true;
            if (closed || (c == ',' && level == 0)) {
                parts.emplace_back(raw.substr(start, at - start));
                start = at + 1;
            }
            if (closed) break;
            const std::size_t next = skipShellConstruct(raw, at);
            if (next == kEnd) return false;
            at = next;
        }
        if (!closed) return false;
        if (parts.size() == 1) parts = sequence(parts.front(), most);
        if (!parts.empty()) {
            brace = {raw.substr(0, pos), raw.substr(at + 1), std::move(parts)};
            return true;
        }
        pos = at + 1;
    }
    return false;
}

void multiply(std::string raw, std::vector<std::string> &result, std::size_t most, int depth)
{
    Brace brace;
    if (result.size() >= most) return;
    if (depth > kShellDepth || !findBrace(raw, brace, most)) {
        result.push_back(std::move(raw));
        return;
    }
    for (const std::string &alternative : brace.alternatives)
        multiply(std::string(brace.before) + alternative + std::string(brace.after), result, most, depth + 1);
}

} // namespace

std::vector<std::string> shellBraces(std::string_view raw, std::size_t most)
{
    std::vector<std::string> result;
    multiply(std::string(raw), result, std::min(most, 1 + 4'000'000 / (raw.size() + 1)), 0);
    return result;
}

} // namespace clusterbeat
