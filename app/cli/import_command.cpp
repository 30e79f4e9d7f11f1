// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/options.h"
#include "app/document/scenario_file.h"
#include "model/formats/import.h"
#include "model/scenario/resolve.h"

#include <ostream>

namespace clusterbeat {
namespace {

std::optional<ForeignFormat> formatNamed(const QString &name)
{
    if (name == QLatin1String("hf")) return ForeignFormat::HuggingFaceConfig;
    if (name == QLatin1String("megatron")) return ForeignFormat::MegatronArguments;
    return std::nullopt;
}

} // namespace

ExitCode runImport(const QStringList &arguments, const CommandContext &context)
{
    CommandParser parser(QStringLiteral("import"), english("Turns a file of another program into a scenario file."),
                         QStringLiteral("FOREIGN"),
                         english("A Hugging Face config.json, or a Megatron-LM argument list or launch script; - is standard input."));
    parser.add({{QStringLiteral("o"), QStringLiteral("output")}, english("The scenario file to write; - is standard output."),
                QStringLiteral("scenario")});
    parser.add({QStringLiteral("from"), english("Format of the file, instead of recognising it: hf or megatron."),
                QStringLiteral("format")});
    if (const auto done = parser.parse(arguments, context, 1, 1)) return *done;
    if (!parser.isSet("o")) return parser.usage(context, english("Missing option: -o SCENARIO"));
    const auto from = formatNamed(parser.value("from"));
    if (parser.isSet("from") && !from) return parser.usage(context, english("--from takes hf or megatron."));

    const auto catalogue = loadCatalogue();
    if (!catalogue.ok()) return fail(context, catalogue.error());
    const QString source = parser.positional().value(0);
    const bool piped = source == QLatin1String("-") && context.in;
    const QString name = piped ? QStringLiteral("standard input") : source;
    const auto text = piped ? readTextDevice(*context.in, name) : readTextFile(source);
    if (!text.ok()) return fail(context, text.error());
    const auto imported = importForeign(text.value(), name.toStdString(), catalogue.value(), from);
    if (!imported.ok()) return fail(context, imported.error());
    for (const Notice &notice : imported.value().notices) say(context, notice);
    if (const auto resolved = resolve(imported.value().scenario, catalogue.value()); !resolved.ok())
        return fail(context, resolved.error());

    const std::string scenario = writeScenario(imported.value().scenario);
    if (parser.value("o") == QLatin1String("-"))
        context.out << scenario;
    else if (const auto error = writeFile(parser.value("o"), scenario))
        return fail(context, *error);
    return ExitCode::Done;
}

} // namespace clusterbeat
