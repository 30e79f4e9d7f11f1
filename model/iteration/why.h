// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/ids.h"
#include "model/base/units.h"
#include "model/iteration/trace.h"

#include <cstdint>
#include <vector>

namespace clusterbeat {

enum class WhyKind : std::uint8_t {
    IterationEnd,     ///< the last optimizer step ends
    Barrier,          ///< the gradient-norm exchange waits for the last gradient reduction
    GradientReduce,   ///< a gradient reduction waits for the last replica's backward
    Pipeline,         ///< a run of operations that wait for one another along the stages
    GroupPeer,        ///< the group waits for its slowest member
    ExpertPeer,       ///< an expert all-to-all waits for this replica
    Computing,        ///< the rank itself is busy; without operation in its optimizer step, then also a root
    ParameterGather,  ///< root: waits for the parameters of the previous optimizer step
    SlowGpu,          ///< root: this GPU runs below nominal speed
    Jitter,           ///< root: the longest random delays on the path
    HostPause,        ///< root: this GPU's host paused
    Documents,        ///< root: this replica's micro-batches hold long documents
    DataLoading,      ///< root: this stage waits for its training data
    Checkpoint,       ///< root: this GPU writes a checkpoint
    WarmUp,           ///< root: this GPU's first operations run slower
    SlowLink,         ///< root: a degraded, loaded or dead link
    MostWork,         ///< root: nothing is slow; this stage has the most work
};
/// Last element = root. `seconds` = how much this step explains: the wait that it causes, for the root the excess.
struct WhyStep {
    WhyKind kind = WhyKind::IterationEnd;
    std::int32_t stage = 0, replica = 0, member = 0;
    std::int32_t operation = kNone;
    std::int32_t stagesPassed = 0;      ///< Pipeline: how many stage boundaries the delay crossed
    TimeNs at = 0;                      ///< instant on the path, for jumping there
    TimeNs ns = 0;
    double speed = 1.0;                 ///< SlowGpu
    std::int32_t link = kNone;          ///< SlowLink: index into LinkDelays::causes
};
/// Walks the critical path backwards from instant t of a rank to its root. O(operations on the path). Inside a checkpoint
/// the root is who writes it; an optimizer step that nothing delays is its own root.
[[nodiscard]] std::vector<WhyStep> whyWaiting(const Run &run, std::int32_t stage, std::int32_t replica, std::int32_t member, TimeNs t);
/// The same from the end of the iteration.
[[nodiscard]] std::vector<WhyStep> whyThisLong(const Run &run);

} // namespace clusterbeat
