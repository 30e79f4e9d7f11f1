// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/trace.h"
#include "model/layout/placement.h"

#include <vector>

namespace clusterbeat {

/// IterationPlan::expertPeers: replicas that share an expert group of a stage, directly or through others, have the same
/// number. Empty when every group stays inside one replica. Expert groups cut a stage's ranks, in rank order, into runs of
/// expert * expert_tensor; all stages alike. O(ranks).
[[nodiscard]] std::vector<std::int32_t> expertPeersOf(const Degrees &degrees, const Placement &placement);

/// Whether an operation exchanges tokens with other GPUs' experts.
[[nodiscard]] bool exchangesTokens(const OperationShape &shape);

/// The all-to-alls of replicas that share expert groups: the same operation of each stage exchanges tokens many times, so
/// that all of them begin it as late as the one that is most behind the unperturbed run and run it as long as the one that
/// takes longest. Against the unperturbed run, where no replica waits for another here: times of all-to-alls are those of
/// undisturbed peers. A bound for operations with few layers: what a replica computes before its first all-to-all counts
/// as if it waited for the others too.
class ExpertMeetings final {
public:
    /// `coupled`: the classes that meet, as ReplicaClasses has them; `twin` may be null when there are none.
    ExpertMeetings(const IterationPlan &plan, const std::vector<std::vector<std::int32_t>> &coupled, const Trace *twin, Trace &trace);
    /// Fills Trace::peerWait and moves the operation's ends, given for every class as if there were no peers.
    void meet(std::int32_t stage, std::int32_t operation, const std::vector<TimeNs> &durations, TimeNs *ends);

private:
    const IterationPlan &m_plan;
    const std::vector<std::vector<std::int32_t>> &m_coupled;
    const Trace *m_twin;
    Trace &m_trace;
    std::vector<std::int32_t> m_twinClass;
    std::vector<TimeNs> m_late, m_work;     ///< by class, of the operation at hand
};

} // namespace clusterbeat
