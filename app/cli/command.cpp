// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/command.h"

#include "app/cli/options.h"

#include <QCoreApplication>

#include <array>
#include <exception>
#include <ostream>
#include <string_view>
#include <utility>

namespace clusterbeat {
namespace {

constexpr std::array<std::pair<std::string_view, Subcommand>, 9> kSubcommands{{
    {"simulate", Subcommand::Simulate},
    {"search", Subcommand::Search},
    {"sweep", Subcommand::Sweep},
    {"compare", Subcommand::Compare},
    {"render", Subcommand::Render},
    {"presets", Subcommand::Presets},
    {"validate", Subcommand::Validate},
    {"import", Subcommand::Import},
    {"export", Subcommand::Export},
}};

ExitCode dispatch(Subcommand command, const QStringList &arguments, const CommandContext &context)
{
    switch (command) {
    case Subcommand::Simulate: return runSimulate(arguments, context);
    case Subcommand::Search: return runSearch(arguments, context);
    case Subcommand::Sweep: return runSweep(arguments, context);
    case Subcommand::Compare: return runCompare(arguments, context);
    case Subcommand::Render: return runRender(arguments, context);
    case Subcommand::Presets: return runPresets(arguments, context);
    case Subcommand::Validate: return runValidate(arguments, context);
    case Subcommand::Import: return runImport(arguments, context);
    case Subcommand::Export: return runExport(arguments, context);
    }
    return ExitCode::Usage;
}

} // namespace

std::optional<Subcommand> subcommandOf(int argc, const char *const *argv)
{
    if (argc < 2) return std::nullopt;
    for (const auto &[name, command] : kSubcommands)
        if (name == argv[1]) return command;
    return std::nullopt;
}

bool needsGui(Subcommand command) { return command == Subcommand::Render; }

ExitCode runCommand(Subcommand command, const QStringList &arguments, const CommandContext &context)
{
    try {
        const ExitCode code = dispatch(command, arguments, context);
        context.out.flush();
        if (context.out) return code;
        return fail(context, Error{ErrorCode::FileUnwritable, {}, {std::string("standard output")}});
    } catch (const std::exception &exception) {
        return fail(context, Error{ErrorCode::Internal, {}, {std::string(exception.what())}});
    }
}

} // namespace clusterbeat
