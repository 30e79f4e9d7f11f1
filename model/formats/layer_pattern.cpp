// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/layer_pattern.h"

#include <algorithm>
#include <string>

namespace clusterbeat {
namespace {

constexpr std::size_t kMostItems = 10'000;
constexpr int kDeepest = 50;

/// Distance of the first two set layers from `first`; beyond the end when there is one only.
std::int64_t stride(const std::vector<bool> &set, std::size_t first)
{
    const auto second = std::find(set.begin() + static_cast<std::ptrdiff_t>(first) + 1, set.end(), true);
    return second - set.begin() - static_cast<std::int64_t>(first);
}

bool isEvery(const std::vector<bool> &set, std::size_t first, std::int64_t every)
{
    for (std::size_t i = first; i < set.size(); ++i) {
        if (set[i] != (static_cast<std::int64_t>(i - first) % every == 0)) return false;
    }
    return true;
}

/// Reads characters one after the other; blanks and quotes end a number and are nothing else.
class Characters {
public:
    explicit Characters(std::string_view text) : m_text(text) { skip(); }
    [[nodiscard]] bool done() const { return m_at >= m_text.size(); }
    [[nodiscard]] char peek() const { return done() ? '\0' : m_text[m_at]; }
    bool take(char c)
    {
        if (peek() != c || done()) return false;
        next();
        return true;
    }
    char next()
    {
        const char c = done() ? '\0' : m_text[m_at++];
        skip();
        return c;
    }
    std::optional<std::int64_t> number()
    {
        if (peek() < '0' || peek() > '9') return std::nullopt;
        std::int64_t value = 0;
        for (; peek() >= '0' && peek() <= '9'; ++m_at) value = std::min<std::int64_t>(value * 10 + (peek() - '0'), 1'000'000);
        skip();
        return value;
    }

private:
    void skip()
    {
        while (!done() && std::string_view(" \t\n\"'").find(m_text[m_at]) != std::string_view::npos) ++m_at;
    }
    std::string m_text;
    std::size_t m_at = 0;
};

/// sum := product {"+" product}; product := value {"*" value}; value := number | "(" sum ")" | "[" sum {"," sum} "]".
class PythonReader {
public:
    explicit PythonReader(std::string_view text) : m_text(text) {}
    std::optional<PythonList> all()
    {
        auto value = sum();
        return value && m_text.done() ? value : std::nullopt;
    }

private:
    static bool append(PythonList &to, const PythonList &from)
    {
        to.items.insert(to.items.end(), from.items.begin(), from.items.end());
        return to.items.size() <= kMostItems;
    }
    std::optional<PythonList> sum()
    {
        auto left = product();
        while (left && m_text.take('+')) {
            const auto right = product();
            if (!right || left->number.has_value() != right->number.has_value()) return std::nullopt;
            if (left->number) left->number = *left->number + *right->number;
            else if (!append(*left, *right)) return std::nullopt;
        }
        return left;
    }
    std::optional<PythonList> product()
    {
        auto left = value();
        while (left && m_text.take('*')) {
            const auto right = value();
            if (!right || (!left->number && !right->number)) return std::nullopt;
            if (left->number && right->number) {
                left->number = std::min<std::int64_t>(*left->number * *right->number, 1'000'000);
                continue;
            }
            left = repeated(left->number ? *right : *left, left->number ? *left->number : *right->number);
        }
        return left;
    }
    static std::optional<PythonList> repeated(const PythonList &list, std::int64_t times)
    {
        if (static_cast<std::size_t>(times) * list.items.size() > kMostItems) return std::nullopt;
        PythonList result;
        for (std::int64_t i = 0; i < times && !list.items.empty(); ++i) append(result, list);
        return result;
    }
    std::optional<PythonList> value()
    {
        if (++m_depth > kDeepest) return std::nullopt;
        std::optional<PythonList> result;
        if (m_text.take('(')) {
            result = sum();
            if (!m_text.take(')')) result.reset();
        } else if (m_text.take('[')) {
            result = items();
        } else if (const auto number = m_text.number()) {
            result = PythonList{number, {}};
        }
        --m_depth;
        return result;
    }
    std::optional<PythonList> items()
    {
        PythonList list;
        while (!m_text.take(']')) {
            const auto item = sum();
            if (!item) return std::nullopt;
            if (item->number) list.items.push_back(*item->number);
            else append(list, *item);
            if (list.items.size() > kMostItems) return std::nullopt;
            if (!m_text.take(',') && m_text.peek() != ']') return std::nullopt;
        }
        return list;
    }

    Characters m_text;
    int m_depth = 0;
};

/// Repetitions written out: letters and bars only.
std::optional<std::string> writtenOut(Characters &text, int depth)
{
    std::string result;
    if (depth > kDeepest) return std::nullopt;
    while (!text.done() && text.peek() != ')') {
        std::string part(1, text.next());
        if (part == ",") continue;
        if (part == "(") {
            auto inner = writtenOut(text, depth + 1);
            if (!inner || !text.take(')')) return std::nullopt;
            part = std::move(*inner);
        } else if (std::string_view("EtmL|").find(part) == std::string_view::npos) {
            return std::nullopt;
        }
        const bool times = text.take('*');
        const auto count = times ? text.number() : std::optional<std::int64_t>(1);
        if (!count || static_cast<std::size_t>(*count) * part.size() > kMostItems) return std::nullopt;
        for (std::int64_t i = 0; i < *count; ++i) result += part;
        if (result.size() > kMostItems) return std::nullopt;
    }
    return result;
}

} // namespace

std::optional<ExpertPattern> expertPattern(const std::vector<bool> &hasExperts)
{
    const auto found = std::find(hasExperts.begin(), hasExperts.end(), true);
    if (found == hasExperts.end()) return std::nullopt;
    const auto first = static_cast<std::size_t>(found - hasExperts.begin());
    const std::int64_t every = stride(hasExperts, first);
    if (isEvery(hasExperts, first, every)) {
        const bool once = static_cast<std::size_t>(every) + first >= hasExperts.size() && first + 1 == hasExperts.size();
        return ExpertPattern{static_cast<std::int64_t>(first), once ? 1 : every, true};
    }
    return ExpertPattern{std::count(hasExperts.begin(), hasExperts.end(), false), 1, false};
}

std::optional<AttentionWindow> windowPattern(std::int64_t size, const std::vector<bool> &windowed)
{
    if (std::find(windowed.begin(), windowed.end(), true) == windowed.end()) return std::nullopt;
    if (windowed.front()) {
        const std::int64_t every = stride(windowed, 0);
        if (isEvery(windowed, 0, every)) return AttentionWindow{size, every};
    }
    const auto global = std::find(windowed.begin(), windowed.end(), false);
    const std::int64_t period = global - windowed.begin() + 1;
    std::vector<std::int64_t> layers;
    bool regular = true;
    for (std::size_t i = 0; i < windowed.size(); ++i) {
        const auto index = static_cast<std::int64_t>(i);
        if (!windowed[i]) layers.push_back(index);
        regular = regular && windowed[i] == (index % period != period - 1);
    }
    if (regular) return AttentionWindow{size, 1, period};
    return AttentionWindow{size, 1, 0, std::move(layers)};
}

std::optional<PythonList> readPythonList(std::string_view text)
{
    if (text.size() > 10 * kMostItems) return std::nullopt;
    return PythonReader(text).all();
}

std::optional<StageLayout> readStageLayout(std::string_view text)
{
    if (text.empty() || text.size() > kMostItems) return std::nullopt;
    Characters characters(text);
    const auto flat = writtenOut(characters, 0);
    if (!flat || !characters.done()) return std::nullopt;
    StageLayout layout;
    layout.layers.push_back(0);
    for (const char c : *flat) {
        if (c == '|') layout.layers.push_back(0);
        if (c == 't') ++layout.layers.back();
        if (c == 'm' && !layout.predictionPart) layout.predictionPart = layout.layers.size() - 1;
    }
    return layout;
}

} // namespace clusterbeat
