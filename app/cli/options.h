// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "app/cli/command.h"
#include "model/base/result.h"
#include "model/scenario/catalogue.h"
#include "model/scenario/scenario.h"
#include "model/scenario/scenario_json.h"

#include <QCommandLineOption>
#include <QCommandLineParser>
#include <QSize>

#include <optional>
#include <vector>

namespace clusterbeat {

/// What the command line says itself. Scripts read it, so it is English on every machine.
[[nodiscard]] inline QString english(const char *text) { return QString::fromUtf8(text); }

/// A QCommandLineParser that never ends the process: --help and --version print and are done, a wrong option is a usage
/// error (status 2) with the line that shows the help.
class CommandParser final {
public:
    CommandParser(const QString &name, const QString &description, const QString &positionalSyntax,
                  const QString &positionalDescription);
    void add(const QCommandLineOption &option) { m_parser.addOption(option); }
    /// nullopt = go on. The positional arguments after the subcommand number `least` … `most`.
    [[nodiscard]] std::optional<ExitCode> parse(const QStringList &arguments, const CommandContext &context, int least,
                                                int most);
    [[nodiscard]] ExitCode usage(const CommandContext &context, const QString &message) const;

    [[nodiscard]] bool isSet(const char *option) const { return m_parser.isSet(QLatin1String(option)); }
    [[nodiscard]] QString value(const char *option) const { return m_parser.value(QLatin1String(option)); }
    [[nodiscard]] QStringList values(const char *option) const { return m_parser.values(QLatin1String(option)); }
    [[nodiscard]] QStringList positional() const { return m_parser.positionalArguments().mid(1); }

private:
    QCommandLineParser m_parser;
    QString m_name;
};

/// Says an error (one line) or a notice on `err`; fail() returns WrongInput.
ExitCode fail(const CommandContext &context, const Error &error);
void say(const CommandContext &context, const Notice &notice);

// ---- options that several commands share
void addScenarioOptions(CommandParser &parser);     ///< --set, --megatron-args
/// The scenario that FILE, --megatron-args and --set name. Notices of an import are said.
[[nodiscard]] Result<Scenario> scenarioFromOptions(const CommandParser &parser, const Catalogue &catalogue,
                                                   const CommandContext &context);
/// The scenario with the schedule of a CSV file (model/formats/schedule_csv.h).
[[nodiscard]] Result<Scenario> withScheduleFile(const Scenario &scenario, const QString &path, const CommandContext &context);
inline constexpr int kMostThreads = 1024;
/// --threads; without it as many as the processor has.
void addThreadsOption(CommandParser &parser);
/// The whole number that an option names, within the range; `fallback` when it is not given, nullopt when it is wrong
/// (a usage error: rangeText() says so).
[[nodiscard]] std::optional<int> wholeNumber(const CommandParser &parser, const char *option, int fallback, int lowest, int highest);
[[nodiscard]] QString rangeText(const char *option, int lowest, int highest);
[[nodiscard]] int processorThreads();
/// Says that the run was cancelled; returns Cancelled.
ExitCode cancelled(const CommandContext &context);
/// "1920x1080", both 1 … 16384.
[[nodiscard]] std::optional<QSize> parseSize(const QString &text);

} // namespace clusterbeat
