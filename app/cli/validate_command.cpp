// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/options.h"
#include "app/cli/validation.h"
#include "app/document/scenario_file.h"
#include "model/validation/relatives.h"

#include <ostream>

namespace clusterbeat {

ExitCode runValidate(const QStringList &arguments, const CommandContext &context)
{
    CommandParser parser(QStringLiteral("validate"),
                         english("Compares predicted iteration times and memory with published measurements."), {}, {});
    parser.add({QStringLiteral("table"), english("A table of measured rows instead of the built-in one."), QStringLiteral("file")});
    parser.add({QStringLiteral("rows"), english("Only rows whose id starts so."), QStringLiteral("prefix")});
    parser.add({QStringLiteral("json"), english("Prints JSON.")});
    parser.add({QStringLiteral("reference-runs"),
                english("Prints the table behind the error bands (resources/catalogue/reference_runs.json).")});
    if (const auto done = parser.parse(arguments, context, 0, 0)) return *done;

    const auto catalogue = loadCatalogue();
    if (!catalogue.ok()) return fail(context, catalogue.error());
    std::string table = catalogue.value().measuredRowsJson;
    if (parser.isSet("table")) {
        auto text = readTextFile(parser.value("table"));
        if (!text.ok()) return fail(context, text.error());
        table = std::move(text).value();
    }
    const std::string only = parser.value("rows").toStdString();
    const auto all = readMeasuredRows(table, catalogue.value());
    const auto rows = only.empty() ? all : readMeasuredRows(table, catalogue.value(), only);
    if (!rows.ok()) {
        Error error = rows.error();
        if (error.place.file.empty()) error.place.file = parser.value("table").toStdString();
        return fail(context, error);
    }
    if (rows.value().empty() && only.empty())
        return fail(context, Error{ErrorCode::ImportMissing, {parser.value("table").toStdString(), {}, 0, 0}, {std::string("a row that is not \"resim_ready\": false")}});
    if (rows.value().empty())
        return fail(context, Error{ErrorCode::UnknownName, {}, {only, std::string("measured row"), std::string()}});

    const auto validated = validateRows(rows.value(), all.value(), catalogue.value(), context.stop);
    if (context.stop.stop_requested()) {
        context.err << "clusterbeat: cancelled\n";
        return ExitCode::Cancelled;
    }
    if (parser.isSet("reference-runs"))
        context.out << writeReferences(referenceTable(validated));
    else
        context.out << (parser.isSet("json") ? validationJson(validated) : validationTable(validated));
    return ExitCode::Done;
}

} // namespace clusterbeat
