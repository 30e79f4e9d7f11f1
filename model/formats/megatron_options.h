// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/formats/import_notes.h"

#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat {

/// The options of a launch command by name, with what was not asked for. Names match with - or _ and with = or a blank
/// before the value; the last of several wins, as in argparse.
class MegatronOptions {
public:
    using Names = std::initializer_list<std::string_view>;

    MegatronOptions(const std::vector<std::string> &words, ImportNotes &notes);

    [[nodiscard]] bool has(Names names);
    /// A positive integer; underscores between digits as in Python. nullopt when absent or unresolved (a notice says so);
    /// otherwise the first wrong value is kept as error().
    [[nodiscard]] std::optional<std::int64_t> integer(Names names, std::int64_t lowest = 1);
    [[nodiscard]] std::string text(Names names);
    /// All values of an option that takes a list; unresolved ones are left out and said.
    [[nodiscard]] std::vector<std::string> list(Names names);
    /// Words outside options: program, script.
    [[nodiscard]] const std::vector<std::string> &words() const { return m_words; }
    [[nodiscard]] const std::vector<std::string> &programWords() const { return m_programWords; }
    /// Whether a script's file name has this part between _ - and . ("bert" of "tools/pretrain_bert.py").
    [[nodiscard]] bool runs(std::string_view part) const;
    /// The last script's file name, "" without one.
    [[nodiscard]] std::string program() const;
    /// Whether words that only the environment knows could be further options.
    [[nodiscard]] bool hasUnresolved() const;
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }
    /// What became of every option: read, without effect on time and memory, with an effect that is not simulated, or
    /// not understood.
    void report();

private:
    struct Option {
        std::string written;
        std::string name;
        std::vector<std::string> values;
        bool used = false;
    };
    const Option *find(Names names);

    std::vector<std::string> m_words;
    std::vector<Option> m_options;
    std::vector<std::string> m_programWords;
    ImportNotes &m_notes;
    std::optional<Error> m_error;
};

} // namespace clusterbeat
