// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_environment.h"

#include <algorithm>
#include <array>
#include <limits>

namespace clusterbeat {
namespace {

constexpr std::size_t kEnd = std::string_view::npos;

std::optional<std::string> markedName(std::string_view word, std::string_view closers)
{
    for (std::size_t open = word.find(kUnresolvedOpen); open != kEnd; open = word.find(kUnresolvedOpen, open + 1)) {
        const std::size_t close = word.find_first_of("\x02\x03", open);
        if (close == kEnd) return std::string(word.substr(open + 1));
        if (closers.find(word[close]) != kEnd) return std::string(word.substr(open + 1, close - open - 1));
    }
    return std::nullopt;
}

std::string mark(std::string_view name, char close)
{
    name = name.substr(0, std::min<std::size_t>(80, name.find_first_of(" \t\r\n'\"\\\x01\x02\x03")));
    return kUnresolvedOpen + std::string(name) + close;
}

void put(std::string &target, std::string text, bool append)
{
    if (append) target += text;
    else target = std::move(text);
}

} // namespace

std::optional<std::string> unresolvedName(std::string_view word) { return markedName(word, "\x02\x03"); }
std::optional<std::string> unknownName(std::string_view word) { return markedName(word, "\x02"); }
std::string unresolvedMark(std::string_view name) { return mark(name, kUnresolvedClose); }
std::string unsetMark(std::string_view name) { return mark(name, kUnsetClose); }

std::string withoutUnset(std::string_view word)
{
    std::string result;
    for (std::size_t pos = 0; pos < word.size();) {
        const std::size_t open = std::min(word.find(kUnresolvedOpen, pos), word.size());
        result += word.substr(pos, open - pos);
        if (open == word.size()) break;
        const std::size_t close = std::min(word.find_first_of("\x02\x03", open), word.size() - 1);
        if (word[close] != kUnsetClose) result += word.substr(open, close - open + 1);
        pos = close + 1;
    }
    return result;
}

bool isUnsetOnly(std::string_view word) { return !word.empty() && word.front() == kUnresolvedOpen && withoutUnset(word).empty(); }

std::optional<std::string> ShellValue::first() const
{
    if (kind == Kind::Scalar) return scalar;
    return at("0");
}

std::optional<std::string> ShellValue::at(const std::string &key) const
{
    if (kind == Kind::Scalar) return key == "0" ? std::optional(scalar) : std::nullopt;
    if (kind == Kind::Associative) {
        const auto it = std::find_if(pairs.begin(), pairs.end(), [&](const auto &pair) { return pair.first == key; });
        return it == pairs.end() ? std::nullopt : std::optional(it->second);
    }
    std::int64_t index = 0;
    for (const char c : key) {
        if (c < '0' || c > '9' || index > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
        index = index * 10 + (c - '0');
    }
    const auto it = items.find(index);
    return it == items.end() ? std::nullopt : std::optional(it->second);
}

std::vector<std::string> ShellValue::values() const
{
    std::vector<std::string> result;
    if (kind == Kind::Scalar) result.push_back(scalar);
    for (const auto &[index, text] : items)
        result.push_back(text);
    for (const auto &[key, text] : pairs)
        result.push_back(text);
    return result;
}

std::vector<std::string> ShellValue::keys() const
{
    std::vector<std::string> result;
    if (kind == Kind::Scalar) result.emplace_back("0");
    for (const auto &[index, text] : items)
        result.push_back(std::to_string(index));
    for (const auto &[key, text] : pairs)
        result.push_back(key);
    return result;
}

std::size_t ShellValue::size() const
{
    // What nothing sets is no element: bash leaves an unquoted empty word out.
    const std::vector<std::string> all = values();
    return all.size() - static_cast<std::size_t>(std::count_if(all.begin(), all.end(), isUnsetOnly));
}

const std::string &ShellEnvironment::target(const std::string &name) const
{
    const auto it = m_references.find(name);
    return it == m_references.end() ? name : it->second;
}

void ShellEnvironment::charge(const std::string &text)
{
    m_budget->output += text.size() + ShellBudget::kWord;
    m_bytes += text.size() + ShellBudget::kWord;
}

const ShellValue *ShellEnvironment::find(const std::string &name) const
{
    const auto it = m_values.find(target(name));
    return it == m_values.end() ? nullptr : &it->second;
}

std::optional<std::string> ShellEnvironment::value(const std::string &name) const
{
    const ShellValue *found = find(name);
    return found ? found->first() : std::nullopt;
}

void ShellEnvironment::assign(const std::string &name, std::string text, bool append)
{
    charge(text);
    ShellValue &value = m_values[target(name)];
    if (value.kind == ShellValue::Kind::Indexed) return put(value.items[0], std::move(text), append);
    if (value.kind == ShellValue::Kind::Associative) return assignKey(name, "0", std::move(text), append);
    put(value.scalar, std::move(text), append);
}

void ShellEnvironment::assignItems(const std::string &name, std::vector<std::string> items, bool append)
{
    ShellValue &value = m_values[target(name)];
    if (append && value.kind == ShellValue::Kind::Scalar && !value.scalar.empty()) value.items[0] = value.scalar;
    if (!append) value.items.clear();
    value.kind = ShellValue::Kind::Indexed;
    value.scalar.clear();
    value.pairs.clear();
    std::int64_t next = value.items.empty() ? 0 : value.items.rbegin()->first + 1;
    for (std::string &item : items) {
        charge(item);
        value.items[next++] = std::move(item);
    }
}

void ShellEnvironment::assignElement(const std::string &name, std::int64_t index, std::string text, bool append)
{
    charge(text);
    ShellValue &value = m_values[target(name)];
    if (value.kind == ShellValue::Kind::Associative) return assignKey(name, std::to_string(index), std::move(text), append);
    if (value.kind == ShellValue::Kind::Scalar && !value.scalar.empty()) value.items[0] = std::move(value.scalar);
    value.kind = ShellValue::Kind::Indexed;
    value.scalar.clear();
    if (index < 0 && !value.items.empty()) index += value.items.rbegin()->first + 1;
    if (index >= 0) put(value.items[index], std::move(text), append);
}

void ShellEnvironment::assignKey(const std::string &name, const std::string &key, std::string text, bool append)
{
    charge(text);
    ShellValue &value = m_values[target(name)];
    value.kind = ShellValue::Kind::Associative;
    m_budget->steps += value.pairs.size() / 16;
    const auto it = std::find_if(value.pairs.begin(), value.pairs.end(), [&](const auto &pair) { return pair.first == key; });
    if (it == value.pairs.end()) value.pairs.emplace_back(key, std::move(text));
    else put(it->second, std::move(text), append);
}

void ShellEnvironment::declare(const std::string &name, ShellValue::Kind kind, bool integer)
{
    ShellValue &value = m_values[target(name)];
    if (kind != ShellValue::Kind::Scalar) value.kind = kind;
    value.integer = integer;
}

void ShellEnvironment::unset(const std::string &name)
{
    m_values.erase(target(name));
    m_references.erase(name);
}

void ShellEnvironment::unsetElement(const std::string &name, const std::string &key)
{
    const auto it = m_values.find(target(name));
    if (it == m_values.end()) return;
    std::erase_if(it->second.items, [&](const auto &item) { return std::to_string(item.first) == key; });
    std::erase_if(it->second.pairs, [&](const auto &pair) { return pair.first == key; });
}

std::vector<std::string> ShellEnvironment::namesWith(std::string_view prefix) const
{
    std::vector<std::string> names;
    for (const auto &[name, value] : m_values)
        if (name.starts_with(prefix)) names.push_back(name);
    return names;
}

void ShellEnvironment::enter(std::vector<std::string> arguments)
{
    m_scopes.push_back({{}, std::move(positional)});
    positional = std::move(arguments);
}

void ShellEnvironment::leave()
{
    Scope scope = std::move(m_scopes.back());
    m_scopes.pop_back();
    positional = std::move(scope.positional);
    for (auto &[name, value] : scope.saved) {
        m_references.erase(name);
        if (value) m_values[name] = std::move(*value);
        else m_values.erase(name);
    }
}

void ShellEnvironment::makeLocal(const std::string &name)
{
    if (m_scopes.empty() || m_scopes.back().saved.contains(name)) return;
    const auto it = m_values.find(name);
    m_scopes.back().saved[name] = it == m_values.end() ? std::nullopt : std::optional(it->second);
    m_values.erase(name);
}

bool ShellEnvironment::alwaysSet(std::string_view name)
{
    static constexpr std::array<std::string_view, 21> kNames{
        "HOME", "PWD", "OLDPWD", "USER", "LOGNAME", "HOSTNAME", "PATH", "SHELL", "UID", "EUID", "RANDOM", "SECONDS", "PPID", "BASHPID",
        "BASH_VERSION", "LINENO", "HOSTTYPE", "OSTYPE", "EPOCHSECONDS", "SRANDOM", "BASH"};
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool ShellEnvironment::fromLauncher(std::string_view name)
{
    static constexpr std::array<std::string_view, 9> kPrefixes{"SLURM_", "SLURMD_", "SBATCH_", "OMPI_", "PMI_", "PBS_", "LSB_", "MLP_", "KUBERNETES_"};
    static constexpr std::array<std::string_view, 14> kNames{
        "WORLD_SIZE", "RANK", "LOCAL_RANK", "NNODES", "NODE_RANK", "MASTER_ADDR", "MASTER_PORT", "NUM_NODES", "NPROC_PER_NODE", "PET_NNODES",
        "PET_NPROC_PER_NODE", "NODE_COUNT", "PROC_PER_NODE", "WORLD_NODES"};
    return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](std::string_view prefix) { return name.starts_with(prefix); }) ||
           std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

} // namespace clusterbeat
