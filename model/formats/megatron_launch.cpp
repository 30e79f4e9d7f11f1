// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/megatron_launch.h"

#include "model/base/integers.h"
#include "model/formats/shell_environment.h"

#include <algorithm>
#include <tuple>

namespace clusterbeat {
namespace {

constexpr std::size_t kMostNotes = 20;

std::string normalised(std::string_view name)
{
    std::string result(name);
    std::replace(result.begin(), result.end(), '_', '-');
    return result;
}

bool namesModel(const std::vector<std::string> &words)
{
    return std::any_of(words.begin(), words.end(), [](const std::string &word) {
        const std::string name = normalised(word.substr(0, 200));
        return name.find("--num-layers") == 0 || name.find("--hidden-size") == 0 || name.find("--tensor-model-parallel-size") == 0;
    });
}

/// A quoted string of several options, or of a whole command, is read by another shell or by Python's argparse.
std::vector<std::string> split(const std::vector<std::string> &words)
{
    std::vector<std::string> result;
    for (const std::string &word : words) {
        const bool several = word.find("--") != std::string::npos && word.find_first_of(" \t\n") != std::string::npos;
        if (!several) {
            result.push_back(word);
            continue;
        }
        for (std::string &part : splitQuotedWords(word))
            result.push_back(std::move(part));
    }
    return result;
}

/// The words that give an option its value, the last time that it is there; nullptr when it is not.
const std::string *valueOf(const std::vector<std::string> &words, std::string_view option, std::string &storage)
{
    const std::string *found = nullptr;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::size_t equals = words[i].find('=');
        if (normalised(words[i].substr(0, equals)) != option) continue;
        if (equals == std::string::npos) {
            found = i + 1 < words.size() ? &words[i + 1] : &storage;
        } else {
            storage = words[i].substr(equals + 1);
            found = &storage;
        }
    }
    return found;
}

std::int64_t number(const std::vector<std::string> &words, std::string_view option)
{
    std::string storage;
    const std::string *value = valueOf(words, option, storage);
    return value && value->find_first_not_of("0123456789") == std::string::npos ? lastNumber(*value).value_or(0) : 0;
}

bool trains(const std::vector<std::string> &words)
{
    return std::any_of(words.begin(), words.end(), [](const std::string &word) {
        const std::string name = word.substr(std::min(word.size(), word.find_last_of('/') + 1));
        return name.ends_with(".py") && (name.find("train") != std::string::npos || name.find("tune") != std::string::npos);
    });
}

std::string argumentName(const std::string &name) { return name.empty() || name.front() < '0' || name.front() > '9' ? name : "$" + name; }

/// Files that set up a machine say nothing about the model.
bool setsUpMachine(const std::string &file)
{
    constexpr const char *kNames[] = {"activate", "bashrc", "profile", "setvars.sh", "conda.sh", "set_env.sh", "setenv", "modules"};
    return std::any_of(std::begin(kNames), std::end(kNames), [&](const char *name) { return file.find(name) != std::string::npos; });
}

} // namespace

MegatronLaunch chooseLaunch(const ShellScript &script)
{
    MegatronLaunch launch;
    launch.runs = 0;
    std::vector<std::string> loose;
    std::tuple<bool, std::int64_t> best{false, -1};
    std::vector<std::vector<std::string>> seen;
    bool inLoop = false, oneLine = true;
    for (const ShellCommand &command : script.commands) {
        const std::string &program = command.words.front();
        if (program == "logger") continue;
        if (program.starts_with("-")) {
            loose.insert(loose.end(), command.words.begin(), command.words.end());
            continue;
        }
        std::vector<std::string> words = split(command.words);
        if (!namesModel(words)) continue;
        const std::int64_t hidden = number(words, "--hidden-size");
        const std::tuple<bool, std::int64_t> rank{trains(words), saturatingProduct(saturatingProduct(number(words, "--num-layers"), hidden), hidden)};
        if (std::get<0>(rank) == std::get<0>(best) && std::find(seen.begin(), seen.end(), words) == seen.end() && seen.size() < 1000) {
            oneLine = oneLine && (seen.empty() || launch.line == command.line);
            seen.push_back(words);
        } else if (std::get<0>(rank) && !std::get<0>(best)) { // what is no training does not count beside one
            seen = {words};
            oneLine = true;
        }
        if (rank < best) continue;
        best = rank;
        launch.words = std::move(words);
        launch.line = command.line;
        inLoop = command.inLoop;
    }
    launch.runs = seen.size();
    launch.sweep = inLoop && oneLine && launch.runs > 1;
    if (!launch.words.empty()) return launch;
    launch.runs = 1;
    if (namesModel(loose)) launch.words = split(loose);
    else if (std::vector<std::string> assigned = split(script.assignedWords); namesModel(assigned)) launch.words = std::move(assigned);
    return launch;
}

void noteLaunch(const ShellScript &script, const MegatronLaunch &launch, ImportNotes &notes)
{
    const Place place{notes.file(), "", launch.line, 0};
    if (launch.runs > 1) {
        const auto runs = static_cast<std::int64_t>(launch.runs);
        notes.add({launch.sweep ? NoticeCode::SweptRun : NoticeCode::SeveralRuns, place, {runs, std::int64_t{launch.line}}});
    }
    std::string arguments;
    for (const std::string &name : script.missingArguments)
        arguments += (arguments.empty() ? "" : ", ") + argumentName(name);
    if (!arguments.empty()) notes.add({NoticeCode::MissingArguments, {notes.file(), "", 0, 0}, {arguments.substr(0, 200)}});
    std::size_t said = 0;
    for (const std::string &file : script.missingSources)
        if (!setsUpMachine(file) && ++said <= kMostNotes) notes.add({NoticeCode::MissingFile, {notes.file(), "", 0, 0}, {file.substr(0, 200)}});
    said = 0;
    for (const ShellGuess &guess : script.guesses)
        if (++said <= kMostNotes) notes.add({NoticeCode::ConditionGuessed, {notes.file(), "", guess.line, 0}, {guess.condition, std::string(guess.taken ? "true" : "false")}});
    for (const auto &[name, value] : script.assumed) {
        // Only what counts servers or GPUs; addresses and ranks do not matter.
        const bool counts = name.find("NODES") != std::string::npos || name.find("SIZE") != std::string::npos || name.find("NTASKS") != std::string::npos ||
                            name.find("GPU") != std::string::npos || name.find("NPROC") != std::string::npos || name.find("COUNT") != std::string::npos;
        if (counts && name.find("NODEID") == std::string::npos && !unresolvedName(value) && !value.empty())
            notes.defaultTaken("$" + name, value.substr(0, 80), why::kScriptDefault);
    }
    if (script.cutShort) notes.add({NoticeCode::ScriptCutShort, {notes.file(), "", 0, 0}, {static_cast<std::int64_t>(script.commands.size())}});
}

Error missingOption(const std::string &option, const std::vector<std::string> &words, const ShellScript &script, const std::string &file)
{
    std::string storage;
    const std::string *value = valueOf(words, option, storage);
    auto source = value ? unresolvedName(*value) : std::nullopt;
    const auto missingFile = std::find_if(script.missingSources.begin(), script.missingSources.end(), [](const std::string &name) { return !setsUpMachine(name); });
    const auto isArgument = [](const std::string &name) { return !name.empty() && name.front() >= '0' && name.front() <= '9'; };
    if (source && isArgument(*source)) return Error{ErrorCode::ImportNeedsArgument, {file, "", 0, 0}, {option, argumentName(*source)}};
    if (missingFile != script.missingSources.end()) return Error{ErrorCode::ImportNeedsFile, {file, "", 0, 0}, {option, missingFile->substr(0, 200)}};
    if (source && !script.missingArguments.empty()) // set by a branch that an argument chooses
        return Error{ErrorCode::ImportNeedsArgument, {file, "", 0, 0}, {option, argumentName(script.missingArguments.front())}};
    // A word that stands alone could hold the option.
    for (std::size_t i = 0; !value && !source && i < words.size(); ++i)
        if (const auto name = unresolvedName(words[i]); name && words[i].front() == kUnresolvedOpen && !words[i].ends_with(".py")) source = name;
    if (source) return Error{ErrorCode::ImportUnknown, {file, "", 0, 0}, {option, *source}};
    if (!script.missingArguments.empty() && words.empty())
        return Error{ErrorCode::ImportNeedsArgument, {file, "", script.exitLine, 0}, {option, argumentName(script.missingArguments.front())}};
    return Error{ErrorCode::ImportMissing, {file, "", 0, 0}, {option}};
}

} // namespace clusterbeat
