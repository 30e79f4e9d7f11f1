// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/options.h"
#include "app/document/scenario_file.h"
#include "model/formats/import.h"
#include "model/formats/schedule_csv.h"
#include "model/scenario/resolve.h"

#include <algorithm>
#include <ostream>

namespace clusterbeat {
namespace {

constexpr int kMostSources = 50;

std::optional<ForeignFormat> formatNamed(const QString &name)
{
    if (name == QLatin1String("hf")) return ForeignFormat::HuggingFaceConfig;
    if (name == QLatin1String("megatron")) return ForeignFormat::MegatronArguments;
    return std::nullopt;
}

/// One line: how many keys of the file became what.
void saySummary(const CommandContext &context, const QString &name, const ImportReport &report)
{
    const auto count = [&](ImportOrigin origin) {
        return std::count_if(report.begin(), report.end(), [&](const ImportRow &row) { return row.origin == origin; });
    };
    context.err << "clusterbeat: " << name.toStdString() << ": " << count(ImportOrigin::Read) << " read, " << count(ImportOrigin::Assumed) << " assumed, "
                << count(ImportOrigin::NotSimulated) << " not simulated, " << count(ImportOrigin::NotUnderstood) << " not understood, "
                << count(ImportOrigin::NoEffect) << " without effect.\n";
}

Result<Scenario> importWhole(const std::string &text, const QString &name, std::optional<ForeignFormat> from, const Catalogue &catalogue,
                             const ShellInput &input, const CommandContext &context, ImportReport &report)
{
    auto imported = importForeign(text, name.toStdString(), catalogue, from, input);
    if (!imported.ok()) return imported.error();
    for (const Notice &notice : imported.value().notices) say(context, notice);
    report = std::move(imported.value().report);
    return std::move(imported).value().scenario;
}

/// A schedule says nothing about the model: it needs a scenario that it goes into.
Result<Scenario> importSchedule(const CommandParser &parser, const std::string &text, const QString &name, const Catalogue &catalogue)
{
    auto cells = readScheduleCsv(text, name.toStdString());
    if (!cells.ok()) return cells.error();
    std::vector<PointerEdit> edits;
    for (const QString &edit : parser.values("set")) {
        auto parsed = parsePointerEdit(edit.toStdString());
        if (!parsed.ok()) return parsed.error();
        edits.push_back(std::move(parsed).value());
    }
    auto base = loadScenario(parser.value("into"), catalogue, edits);
    if (!base.ok()) return base.error();
    return withSchedule(base.value(), std::move(cells).value());
}

ExitCode write(const CommandContext &context, const QString &path, const Scenario &scenario)
{
    const std::string text = writeScenario(scenario);
    if (path == QLatin1String("-"))
        context.out << text;
    else if (const auto error = writeFile(path, text))
        return fail(context, *error);
    return ExitCode::Done;
}

} // namespace

ExitCode runImport(const QStringList &arguments, const CommandContext &context)
{
    CommandParser parser(QStringLiteral("import"), english("Turns a file of another program into a scenario file."),
                         QStringLiteral("FOREIGN [SOURCED…]"),
                         english("A Hugging Face config.json, a Megatron-LM argument list or launch script, or a pipeline schedule "
                                 "CSV of PyTorch's; - is standard input. Files behind it are those that a script reads with source."));
    parser.add({{QStringLiteral("o"), QStringLiteral("output")}, english("The scenario file to write; - is standard output."),
                QStringLiteral("scenario")});
    parser.add({QStringLiteral("from"), english("Format of the file, instead of recognising it: hf, megatron or schedule."),
                QStringLiteral("format")});
    parser.add({QStringLiteral("args"), english("Arguments of the script, as in the shell: \"large 8 bf16\"."), QStringLiteral("arguments")});
    parser.add({QStringLiteral("into"), english("For a schedule: the scenario that gets it, a file or preset:NAME."), QStringLiteral("scenario")});
    parser.add({QStringLiteral("set"), english("Changes one value of the scenario of --into: a JSON pointer and a JSON value."),
                QStringLiteral("/pointer=value")});
    parser.add({QStringLiteral("report"), english("A JSON file with a row for each key or option: read, assumed, not simulated, not "
                                                  "understood or without effect."), QStringLiteral("file")});
    if (const auto done = parser.parse(arguments, context, 1, 1 + kMostSources)) return *done;
    if (!parser.isSet("o")) return parser.usage(context, english("Missing option: -o SCENARIO"));
    const auto from = formatNamed(parser.value("from"));
    const bool asSchedule = parser.value("from") == QLatin1String("schedule");
    if (parser.isSet("from") && !from && !asSchedule) return parser.usage(context, english("--from takes hf, megatron or schedule."));

    const auto catalogue = loadCatalogue();
    if (!catalogue.ok()) return fail(context, catalogue.error());
    const QString source = parser.positional().value(0);
    const bool piped = source == QLatin1String("-") && context.in;
    const QString name = piped ? QStringLiteral("standard input") : source;
    const auto text = piped ? readTextDevice(*context.in, name) : readTextFile(source);
    if (!text.ok()) return fail(context, text.error());
    const bool schedule = asSchedule || (!from && !recogniseFormat(text.value()) && looksLikeScheduleCsv(text.value()));
    if (schedule && !parser.isSet("into")) return parser.usage(context, english("A schedule needs --into SCENARIO."));
    if (!schedule && (parser.isSet("into") || parser.isSet("set")))
        return parser.usage(context, english("--into and --set belong to a pipeline schedule."));
    ImportReport report;
    ShellInput input;
    input.arguments = splitQuotedWords(parser.value("args").toStdString());
    for (const QString &path : parser.positional().mid(1)) {
        auto sourced = readTextFile(path);
        if (!sourced.ok()) return fail(context, sourced.error());
        input.sources[path.toStdString()] = std::move(sourced).value();
    }
    const auto scenario = schedule ? importSchedule(parser, text.value(), name, catalogue.value())
                                   : importWhole(text.value(), name, from, catalogue.value(), input, context, report);
    if (!scenario.ok()) return fail(context, scenario.error());
    if (const auto resolved = resolve(scenario.value(), catalogue.value()); !resolved.ok())
        return fail(context, resolved.error());
    if (!report.empty()) saySummary(context, name, report);
    if (parser.isSet("report"))
        if (const auto error = writeFile(parser.value("report"), writeImportReport(report))) return fail(context, *error);
    return write(context, parser.value("o"), scenario.value());
}

} // namespace clusterbeat
