// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/expert_meetings.h"

#include "model/base/index.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace clusterbeat {
namespace {

/// The smallest number of a set that is joined with others'.
std::int32_t rootOf(std::vector<std::int32_t> &parent, std::int32_t of)
{
    while (parent[at(of)] != of)
        of = parent[at(of)] = parent[at(parent[at(of)])];
    return of;
}

} // namespace

std::vector<std::int32_t> expertPeersOf(const Degrees &degrees, const Placement &placement)
{
    const std::int64_t run = degrees.expert * degrees.expertTensor;
    if (run <= 1 || placement.data <= 1) return {};
    std::vector<std::int32_t> parent(at(placement.data)), firstOfRun;
    std::iota(parent.begin(), parent.end(), 0);
    std::int64_t number = 0;
    bool joined = false;
    for (const RankCoordinates &c : placement.coordinates) {
        if (c.pipeline != 0) continue;
        if (number++ % run == 0) firstOfRun.push_back(c.data);
        const std::int32_t a = rootOf(parent, firstOfRun.back()), b = rootOf(parent, c.data);
        joined = joined || a != b;
        parent[at(std::max(a, b))] = std::min(a, b);
    }
    if (!joined) return {};
    std::vector<std::int32_t> peers(parent.size());
    for (std::size_t replica = 0; replica < peers.size(); ++replica)
        peers[replica] = rootOf(parent, static_cast<std::int32_t>(replica));
    return peers;
}

bool exchangesTokens(const OperationShape &shape)
{
    return std::any_of(shape.segments.begin(), shape.segments.end(), [](const Segment &segment) { return segment.category == Category::ExposedEp; });
}

ExpertMeetings::ExpertMeetings(const IterationPlan &plan, const std::vector<std::vector<std::int32_t>> &coupled, const Trace *twin, Trace &trace)
    : m_plan(plan), m_coupled(coupled), m_twin(twin), m_trace(trace)
{
    if (coupled.empty()) return;
    for (std::int32_t stage = 0; stage < trace.stages; ++stage)
        trace.peerWait.emplace_back(plan.schedule.order[at(stage)].size() * at(trace.classes), 0);
    for (const std::int32_t replica : trace.representative)
        m_twinClass.push_back(twin->classOfReplica[at(replica)]);
    m_late.resize(at(trace.classes));
    m_work.resize(at(trace.classes));
}

void ExpertMeetings::meet(std::int32_t stage, std::int32_t operation, const std::vector<TimeNs> &durations, TimeNs *ends)
{
    if (m_coupled.empty()) return;
    const ScheduledOperation &scheduled = m_plan.schedule.order[at(stage)][at(operation)];
    if (!exchangesTokens(m_plan.shapeOf(stage, scheduled))) return;
    const bool blocksOnSend = !m_plan.overlapPipeline && sendsOutput(m_plan.schedule, stage, scheduled);
    for (const std::vector<std::int32_t> &set : m_coupled) {
        TimeNs latest = std::numeric_limits<TimeNs>::min(), longest = 0;
        for (const std::int32_t c : set) {
            m_late[at(c)] = ends[c] - durations[at(c)] - startOfOperation(m_plan, *m_twin, stage, operation, m_twinClass[at(c)]);
            m_work[at(c)] = durations[at(c)] - (blocksOnSend ? sendDuration(m_plan, stage, m_trace.representative[at(c)], scheduled) : 0);
            latest = std::max(latest, m_late[at(c)]);
            longest = std::max(longest, m_work[at(c)]);
        }
        for (const std::int32_t c : set) {
            const TimeNs wait = latest - m_late[at(c)] + longest - m_work[at(c)];
            m_trace.peerWait[at(stage)][at(operation) * at(m_trace.classes) + at(c)] = wait;
            ends[c] += wait;
        }
    }
}

} // namespace clusterbeat
