// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/import_notes.h"

#include <algorithm>

namespace clusterbeat {
namespace {

constexpr std::size_t kMaxNotices = 500;

std::string argumentText(const Argument &argument)
{
    if (const auto *text = std::get_if<std::string>(&argument)) return *text;
    if (const auto *integer = std::get_if<std::int64_t>(&argument)) return std::to_string(*integer);
    return std::to_string(std::get<double>(argument));
}

std::string_view label(NoticeCode code)
{
    switch (code) {
    case NoticeCode::WorldGrown: return "gpus in the file, gpus used: ";
    case NoticeCode::IgnoredOption: return "ignored: ";
    case NoticeCode::LayoutChosen: return "layout chosen (tensor, pipeline, data, gpus): ";
    case NoticeCode::UnresolvedVariable: return "not set in the file: ";
    case NoticeCode::Approximation: return "approximation: ";
    case NoticeCode::VirtualUnavailable: return "virtual stages off: ";
    case NoticeCode::DegreesBelowGpus: return "ranks, gpus, spares: ";
    case NoticeCode::SeveralRuns: return "trainings in the script, line of the one taken: ";
    case NoticeCode::SweptRun: return "runs of a sweep, line: ";
    case NoticeCode::MissingArguments: return "arguments not given: ";
    case NoticeCode::MissingFile: return "sourced, not given: ";
    case NoticeCode::ConditionGuessed: return "condition, taken as: ";
    case NoticeCode::ScriptCutShort: return "the script does more than was followed, programs seen: ";
    case NoticeCode::NotSimulated: return "not simulated: ";
    case NoticeCode::NotUnderstood: return "not understood: ";
    case NoticeCode::UnknownModelType: return "unknown model type, read as a plain transformer: ";
    case NoticeCode::DefaultTaken: break;
    }
    return "";
}

} // namespace

void ImportNotes::defaultTaken(std::string_view key, std::string_view value, std::string_view why, int line)
{
    add({NoticeCode::DefaultTaken, {m_file, "", line, 0}, {std::string(key), std::string(value), std::string(why)}});
}

void ImportNotes::add(Notice notice)
{
    if (m_notices.size() >= kMaxNotices) return;
    if (std::find(m_notices.begin(), m_notices.end(), notice) == m_notices.end()) m_notices.push_back(std::move(notice));
}

void ImportNotes::add(Fact fact)
{
    if (m_facts.size() >= kMaxNotices) return;
    if (std::find(m_facts.begin(), m_facts.end(), fact) == m_facts.end()) m_facts.push_back(std::move(fact));
}

std::string ImportNotes::readableName() const
{
    const auto base = [](std::string_view path) { return std::string(path.substr(path.find_last_of("/\\") == std::string_view::npos ? 0 : path.find_last_of("/\\") + 1)); };
    const auto stem = [&](std::string name) {
        for (const std::string_view end : {".json", ".sh", ".slurm", ".sbatch", ".txt", ".yaml", ".yml", ".config"})
            if (name.size() > end.size() && name.ends_with(end)) name.resize(name.size() - end.size());
        return name;
    };
    std::string name = stem(base(m_file));
    const std::size_t slash = m_file.find_last_of("/\\");
    if (name == "config" && slash != std::string::npos && slash > 0) name = base(std::string_view(m_file).substr(0, slash));
    const std::size_t owner = name.find("--");
    if (owner != std::string::npos && owner + 2 < name.size()) name = name.substr(owner + 2);
    return name;
}

std::string ImportNotes::text() const
{
    const std::size_t slash = m_file.find_last_of("/\\");
    std::string text = m_file.substr(slash == std::string::npos ? 0 : slash + 1);
    for (const Notice &notice : m_notices) {
        text += '\n';
        if (notice.code == NoticeCode::DefaultTaken) {
            text += argumentText(notice.arguments[0]) + " = " + argumentText(notice.arguments[1]) + ": " + argumentText(notice.arguments[2]);
            continue;
        }
        text += label(notice.code);
        for (const Argument &argument : notice.arguments)
            text += (&argument == &notice.arguments.front() ? "" : ", ") + argumentText(argument);
    }
    return text;
}

} // namespace clusterbeat
