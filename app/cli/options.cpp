// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/options.h"

#include "app/document/scenario_file.h"
#include "model/formats/import.h"
#include "model/formats/schedule_csv.h"
#include "views/text/error_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <ostream>
#include <thread>

namespace clusterbeat {
namespace {

constexpr int kLargestSide = 16384;

} // namespace

CommandParser::CommandParser(const QString &name, const QString &description, const QString &positionalSyntax,
                             const QString &positionalDescription)
    : m_name(name)
{
    m_parser.setApplicationDescription(description);
    m_parser.addHelpOption();
    m_parser.addVersionOption();
    m_parser.addPositionalArgument(name, description, name);
    if (!positionalSyntax.isEmpty())
        m_parser.addPositionalArgument(positionalSyntax, positionalDescription, positionalSyntax);
}

std::optional<ExitCode> CommandParser::parse(const QStringList &arguments, const CommandContext &context, int least,
                                             int most)
{
    if (!m_parser.parse(arguments)) return usage(context, m_parser.errorText());
    if (m_parser.isSet(QStringLiteral("help"))) {
        context.out << m_parser.helpText().toStdString();
        return ExitCode::Done;
    }
    if (m_parser.isSet(QStringLiteral("version"))) {
        context.out << "clusterbeat " << QCoreApplication::applicationVersion().toStdString() << '\n';
        return ExitCode::Done;
    }
    const auto given = positional().size();
    if (given < least) return usage(context, english("Missing argument."));
    if (given > most) return usage(context, english("Unexpected argument: %1").arg(positional().at(most)));
    return std::nullopt;
}

ExitCode CommandParser::usage(const CommandContext &context, const QString &message) const
{
    context.err << "clusterbeat " << m_name.toStdString() << ": " << message.toStdString() << '\n'
                << english("Try: clusterbeat %1 --help").arg(m_name).toStdString() << '\n';
    return ExitCode::Usage;
}

ExitCode fail(const CommandContext &context, const Error &error)
{
    context.err << "clusterbeat: " << errorText(error).toStdString() << '\n';
    return ExitCode::WrongInput;
}

void say(const CommandContext &context, const Notice &notice)
{
    context.err << "clusterbeat: " << noticeText(notice).toStdString() << '\n';
}

void addScenarioOptions(CommandParser &parser)
{
    parser.add({QStringLiteral("set"), english("Changes one value before the run: a JSON pointer and a JSON value."),
                QStringLiteral("/pointer=value")});
    parser.add({QStringLiteral("megatron-args"),
                english("Reads a Megatron-LM argument list or launch script instead of FILE (- is standard input)."),
                QStringLiteral("file")});
    parser.add({QStringLiteral("args"), english("Arguments of the script of --megatron-args, as in the shell: \"large 8 bf16\"."),
                QStringLiteral("arguments")});
}

Result<Scenario> scenarioFromOptions(const CommandParser &parser, const Catalogue &catalogue,
                                     const CommandContext &context)
{
    std::vector<PointerEdit> edits;
    for (const QString &text : parser.values("set")) {
        auto edit = parsePointerEdit(text.toStdString());
        if (!edit.ok()) return edit.error();
        edits.push_back(std::move(edit).value());
    }
    if (!parser.isSet("megatron-args")) return loadScenario(parser.positional().value(0), catalogue, edits, context.in);

    const QString source = parser.value("megatron-args");
    const bool piped = source == QLatin1String("-") && context.in;
    auto text = piped ? readTextDevice(*context.in, QStringLiteral("standard input")) : readTextFile(source);
    if (!text.ok()) return text.error();
    ShellInput input;
    input.arguments = splitQuotedWords(parser.value("args").toStdString());
    auto imported = importForeign(text.value(), source.toStdString(), catalogue, ForeignFormat::MegatronArguments, input);
    if (!imported.ok()) return imported.error();
    for (const Notice &notice : imported.value().notices) say(context, notice);
    if (edits.empty()) return std::move(imported).value().scenario;
    return readScenario(writeScenario(imported.value().scenario), catalogue, edits);
}

Result<Scenario> withScheduleFile(const Scenario &scenario, const QString &path, const CommandContext &context)
{
    const bool piped = path == QLatin1String("-") && context.in;
    const QString name = piped ? QStringLiteral("standard input") : path;
    const auto text = piped ? readTextDevice(*context.in, name) : readTextFile(path);
    if (!text.ok()) return text.error();
    auto cells = readScheduleCsv(text.value(), name.toStdString());
    if (!cells.ok()) return cells.error();
    return withSchedule(scenario, std::move(cells).value());
}

void addThreadsOption(CommandParser &parser)
{
    parser.add({QStringLiteral("threads"), english("Most threads to use; results do not depend on it."), QStringLiteral("n")});
}

std::optional<int> wholeNumber(const CommandParser &parser, const char *option, int fallback, int lowest, int highest)
{
    if (!parser.isSet(option)) return fallback;
    bool number = false;
    const int value = parser.value(option).toInt(&number);
    if (!number || value < lowest || value > highest) return std::nullopt;
    return value;
}

QString rangeText(const char *option, int lowest, int highest)
{
    return english("--%1 takes a whole number from %2 to %3.").arg(QLatin1String(option)).arg(lowest).arg(highest);
}

int processorThreads()
{
    return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kMostThreads);
}

ExitCode cancelled(const CommandContext &context)
{
    context.err << "clusterbeat: " << english("cancelled").toStdString() << '\n';
    return ExitCode::Cancelled;
}

std::optional<QSize> parseSize(const QString &text)
{
    const QStringList parts = text.split(QLatin1Char('x'));
    if (parts.size() != 2) return std::nullopt;
    bool wide = false, high = false;
    const QSize size(parts[0].toInt(&wide), parts[1].toInt(&high));
    if (!wide || !high || size.width() < 1 || size.height() < 1 || size.width() > kLargestSide ||
        size.height() > kLargestSide)
        return std::nullopt;
    return size;
}

} // namespace clusterbeat
