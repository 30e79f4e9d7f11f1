// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/error.h"
#include "model/formats/import_notes.h"
#include "model/formats/shell_words.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace clusterbeat {

/// The training that a script starts, chosen among all that it starts.
struct MegatronLaunch {
    std::vector<std::string> words; ///< strings of several options are split; empty when there is none
    int line = 0;
    std::size_t runs = 1;           ///< different trainings that the script starts
    bool sweep = false;             ///< the others are passes of the same loop
};

/// The command that names a model's shape: a training before a conversion or an evaluation, the largest model, the last
/// of equals. Of an argument list all its words; else the options found in assigned values.
[[nodiscard]] MegatronLaunch chooseLaunch(const ShellScript &script);

/// What is to be known of how the script was read: arguments and files that it lacks, conditions that were guessed,
/// several trainings.
void noteLaunch(const ShellScript &script, const MegatronLaunch &launch, ImportNotes &notes);

/// Why an option that is needed has no value: it is set from something that is not known, a file that the script reads
/// is not there, or nothing says it.
[[nodiscard]] Error missingOption(const std::string &option, const std::vector<std::string> &words, const ShellScript &script, const std::string &file);

/// GPUs by the launchers in front of the training (torchrun, deepspeed, accelerate, mpirun, srun, jsrun, aprun, flux)
/// and the lines for Slurm and PBS.
struct LauncherCounts {
    std::optional<std::int64_t> servers;
    std::optional<std::int64_t> perServer;
    std::optional<std::int64_t> gpus;  ///< all of them, where the launcher counts processes
    bool serversFromBatch = false;
    bool perServerFromBatch = false;
    bool gpusFromBatch = false;
};
/// Values that are not known are said and left out.
[[nodiscard]] LauncherCounts readLaunchers(const std::vector<std::string> &words, const ShellScript &script, ImportNotes &notes);

/// The last run of digits, 1 … 9,999,999: "gpu:a100:8" has 8, "2-4" has 4.
[[nodiscard]] std::optional<std::int64_t> lastNumber(std::string_view text);

} // namespace clusterbeat
