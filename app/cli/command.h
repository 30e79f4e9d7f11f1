// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/error.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <stop_token>

class QIODevice;

namespace clusterbeat {

enum class ExitCode : int { Done = 0, WrongInput = 1, Usage = 2, Cancelled = 3 };

enum class Subcommand : std::uint8_t { Simulate, Search, Sweep, Compare, Render, Presets, Validate, Import, Export };

/// The subcommand that argv names, before any application object exists; nullopt = the window. Only argv[1] counts:
/// a file called "simulate" is opened as "./simulate".
[[nodiscard]] std::optional<Subcommand> subcommandOf(int argc, const char *const *argv);
[[nodiscard]] bool needsGui(Subcommand command);

/// What a command may touch. `out` gets the result and nothing else; everything that is said goes to `err`.
struct CommandContext {
    std::ostream &out;
    std::ostream &err;
    QIODevice *in = nullptr;            ///< for "-"
    std::stop_token stop = {};
};

/// Runs a command on its whole argument list (program name and subcommand first). Never throws, never exits.
[[nodiscard]] ExitCode runCommand(Subcommand command, const QStringList &arguments, const CommandContext &context);

// One per file; called by runCommand.
[[nodiscard]] ExitCode runSimulate(const QStringList &arguments, const CommandContext &context);
[[nodiscard]] ExitCode runSearch(const QStringList &arguments, const CommandContext &context);
[[nodiscard]] ExitCode runSweep(const QStringList &arguments, const CommandContext &context);
[[nodiscard]] ExitCode runCompare(const QStringList &arguments, const CommandContext &context);
[[nodiscard]] ExitCode runRender(const QStringList &arguments, const CommandContext &context);
[[nodiscard]] ExitCode runPresets(const QStringList &arguments, const CommandContext &context);
[[nodiscard]] ExitCode runValidate(const QStringList &arguments, const CommandContext &context);
[[nodiscard]] ExitCode runImport(const QStringList &arguments, const CommandContext &context);
[[nodiscard]] ExitCode runExport(const QStringList &arguments, const CommandContext &context);

} // namespace clusterbeat
