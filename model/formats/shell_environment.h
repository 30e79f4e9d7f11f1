// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clusterbeat {

/// What a script cannot tell stays in a word as a mark, so that whoever needs the word's value can name what is missing:
/// kUnresolvedOpen NAME and kUnresolvedClose for what has a value that only the job knows ($(hostname)), kUnsetClose for
/// a variable that nothing sets, which bash takes for empty.
inline constexpr char kUnresolvedOpen = '\x01';
inline constexpr char kUnresolvedClose = '\x02';
inline constexpr char kUnsetClose = '\x03';

/// The first name marked in a word, of either kind.
[[nodiscard]] std::optional<std::string> unresolvedName(std::string_view word);
/// The first name whose value is not known; unset variables do not count.
[[nodiscard]] std::optional<std::string> unknownName(std::string_view word);
/// The word as bash sees it where every value is known: without the marks of unset variables.
[[nodiscard]] std::string withoutUnset(std::string_view word);
/// Nothing but marks of unset variables, at least one.
[[nodiscard]] bool isUnsetOnly(std::string_view word);
/// Names end at the first blank or quote: a mark has to survive another splitting into words.
[[nodiscard]] std::string unresolvedMark(std::string_view name);
[[nodiscard]] std::string unsetMark(std::string_view name);

/// What an evaluation may cost at most. Every step and every character made is counted.
struct ShellBudget {
    static constexpr std::size_t kMaxOutput = 16 * 1024 * 1024;
    static constexpr std::size_t kMaxSteps = 250'000;

    static constexpr std::size_t kWord = 24; ///< what a word costs beside its characters

    std::size_t output = 0; ///< characters of expanded words and values
    std::size_t steps = 0;  ///< commands, expressions, pattern comparisons by length

    [[nodiscard]] bool overflowed() const { return output > kMaxOutput; }
    [[nodiscard]] bool spent() const { return overflowed() || steps > kMaxSteps; }
};

struct ShellValue {
    enum class Kind : std::uint8_t { Scalar, Indexed, Associative };
    Kind kind = Kind::Scalar;
    bool integer = false;                                    ///< declare -i
    std::string scalar;
    std::map<std::int64_t, std::string> items;               ///< Indexed
    std::vector<std::pair<std::string, std::string>> pairs;  ///< Associative, in the order of assignment

    /// Of an array the element [0], as $NAME gives it.
    [[nodiscard]] std::optional<std::string> first() const;
    [[nodiscard]] std::optional<std::string> at(const std::string &key) const;
    [[nodiscard]] std::vector<std::string> values() const;
    [[nodiscard]] std::vector<std::string> keys() const;
    [[nodiscard]] std::size_t size() const;
};

/// Variables, positional parameters and the scopes of functions. The program's own environment is never read.
class ShellEnvironment {
public:
    explicit ShellEnvironment(ShellBudget &budget) : m_budget(&budget) {}

    [[nodiscard]] const ShellValue *find(const std::string &name) const;
    /// The scalar's value or an array's first element; nullopt when unset.
    [[nodiscard]] std::optional<std::string> value(const std::string &name) const;
    void assign(const std::string &name, std::string text, bool append = false);
    void assignItems(const std::string &name, std::vector<std::string> items, bool append = false);
    void assignElement(const std::string &name, std::int64_t index, std::string text, bool append = false);
    void assignKey(const std::string &name, const std::string &key, std::string text, bool append = false);
    void declare(const std::string &name, ShellValue::Kind kind, bool integer);
    void makeReference(const std::string &name, std::string target) { m_references[name] = std::move(target); }
    void unset(const std::string &name);
    void unsetElement(const std::string &name, const std::string &key);
    [[nodiscard]] std::vector<std::string> namesWith(std::string_view prefix) const;

    /// A function's scope: what it declares as local is restored, and its positional parameters end.
    void enter(std::vector<std::string> arguments);
    void leave();
    void makeLocal(const std::string &name);
    [[nodiscard]] std::size_t scopes() const { return m_scopes.size(); }

    std::vector<std::string> positional;

    /// A name of which the environment of a job has a value that the script cannot know: HOME, HOSTNAME, …
    [[nodiscard]] static bool alwaysSet(std::string_view name);
    /// A name that launchers and schedulers set: SLURM_NNODES, WORLD_SIZE, OMPI_COMM_WORLD_SIZE, …
    [[nodiscard]] static bool fromLauncher(std::string_view name);

    [[nodiscard]] std::size_t copyCost() const { return m_values.size() * 8 + m_bytes; }
    [[nodiscard]] const std::map<std::string, ShellValue> &all() const { return m_values; }

private:
    struct Scope {
        std::map<std::string, std::optional<ShellValue>> saved;
        std::vector<std::string> positional;
    };
    [[nodiscard]] const std::string &target(const std::string &name) const;
    void charge(const std::string &text);

    std::map<std::string, ShellValue> m_values;
    std::map<std::string, std::string> m_references;
    std::vector<Scope> m_scopes;
    std::size_t m_bytes = 0;
    ShellBudget *m_budget;
};

} // namespace clusterbeat
