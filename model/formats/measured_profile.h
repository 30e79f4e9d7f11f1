// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/scenario.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace clusterbeat {

/// The software profile behind a published measurement, from its source's name and its row's id ("" = not known).
/// Which stack a source ran is a fact of the source; the flags are the profile's.
[[nodiscard]] std::string profileOfSource(std::string_view source, std::string_view id);

/// Precision and fp8 recipe as tables spell them: "amp_bf16", "fp16 mixed", "MXFP8", "NVFP4", "FP8-CS", "float8" …
struct PrecisionText {
    Precision precision = Precision::Bf16;
    std::string fp8Recipe; ///< "" = the profile's
};
[[nodiscard]] PrecisionText precisionFromText(std::string_view text);

/// "none", "full", "selective", "selective layer (every other)", "full/block 5 layers", "selective [module] …".
/// Notes in parentheses are ignored.
[[nodiscard]] Recompute recomputeFromText(std::string_view text, std::int64_t layers, std::int64_t stages);

/// "1F1B", "interleaved 1F1B; …", "1F1B-I", "GPipe", "ZB-1p" …; "" and "none" leave the default.
[[nodiscard]] std::optional<ScheduleKind> scheduleFromText(std::string_view text);

/// Month of the container release that a source names ("26.04 NeMo Container", "ngc23.09"), counted from the year 0
/// (12 year + month - 1); 0 when it names none.
[[nodiscard]] std::int64_t releaseMonth(std::string_view source);

} // namespace clusterbeat
