// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/link_traffic.h"

#include "model/base/index.h"
#include "model/workload/communication_report.h"
#include "model/workload/traffic.h"

#include <algorithm>

namespace clusterbeat {
namespace {

constexpr std::array<PassBytes ChunkTraffic::*, kCarriers> kPassOf{
    &ChunkTraffic::tensor, &ChunkTraffic::context, &ChunkTraffic::expertInside,  &ChunkTraffic::expertAcross,  &ChunkTraffic::expertTensor,
    &ChunkTraffic::dense,  &ChunkTraffic::experts, &ChunkTraffic::denseReplicas, &ChunkTraffic::expertReplicas};

} // namespace

Dimension dimensionOf(Carrier carrier)
{
    switch (carrier) {
    case Carrier::Tensor: return Dimension::Tensor;
    case Carrier::Context: return Dimension::Context;
    case Carrier::ExpertInside:
    case Carrier::ExpertAcross:
    case Carrier::ExpertTensor: return Dimension::Expert;
    case Carrier::Data:
    case Carrier::ExpertData:
    case Carrier::Replicas:
    case Carrier::ExpertReplicas: break;
    }
    return Dimension::Data;
}

LinkTraffic::LinkTraffic(const IterationResult &result, const CostConstants &constants, const NetworkModel &network, std::int32_t bins)
    : m_result(result), m_bins(bins)
{
    const Trace &trace = result.run.trace;
    for (std::int32_t stage = 0; stage < trace.stages; ++stage)
        for (std::int32_t chunk = 0; chunk < result.run.plan.schedule.chunks; ++chunk)
            m_chunks.push_back(chunkTraffic(*result.scenario, constants, network, stage, chunk));
    const std::size_t groups = at(trace.stages) * at(trace.classes);
    m_ofCarrier.assign(groups * kCarriers, kNone);
    m_transfers.resize(groups);
    m_destinations.resize(at(trace.stages));
    for (std::int32_t stage = 0; stage < trace.stages; ++stage)
        for (std::int32_t cls = 0; cls < trace.classes; ++cls) {
            addPasses(stage, cls);
            addSync(stage, cls);
            addTransfers(stage, cls);
        }
}

std::int32_t LinkTraffic::sourceOf(Carrier carrier, std::int32_t stage, std::int32_t replica) const
{
    const Trace &trace = m_result.run.trace;
    const std::size_t group = at(stage) * at(trace.classes) + at(trace.classOfReplica[at(replica)]);
    return m_ofCarrier[group * kCarriers + static_cast<std::size_t>(carrier)];
}

std::int32_t LinkTraffic::transferSource(std::int32_t stage, std::int32_t to, std::int32_t replica) const
{
    const Trace &trace = m_result.run.trace;
    const auto &destinations = m_destinations[at(stage)];
    const auto found = std::find(destinations.begin(), destinations.end(), to);
    if (found == destinations.end()) return kNone;
    const std::size_t group = at(stage) * at(trace.classes) + at(trace.classOfReplica[at(replica)]);
    return m_transfers[group][static_cast<std::size_t>(found - destinations.begin())];
}

TrafficSource &LinkTraffic::carried(Carrier carrier, std::int32_t stage, std::int32_t cls)
{
    const std::size_t group = at(stage) * at(m_result.run.trace.classes) + at(cls);
    std::int32_t &index = m_ofCarrier[group * kCarriers + static_cast<std::size_t>(carrier)];
    if (index == kNone) {
        index = static_cast<std::int32_t>(m_sources.size());
        m_sources.push_back({dimensionOf(carrier), 0.0, std::vector<double>(at(m_bins), 0.0)});
    }
    return m_sources[at(index)];
}

/// What lies beyond the iteration is at its beginning, where the same of the iteration before ends.
void LinkTraffic::spread(TrafficSource &source, TimeNs begin, TimeNs end, double bytes) const
{
    const TimeNs iteration = std::max<TimeNs>(m_bins, m_result.run.trace.iteration);
    const TimeNs length = std::clamp<TimeNs>(end - begin, 1, iteration);
    source.bytes += bytes;
    TimeNs from = ((begin % iteration) + iteration) % iteration, left = length;
    const auto edge = [&](TimeNs bin) { return (bin * iteration + m_bins - 1) / m_bins; };
    for (TimeNs bin = from * m_bins / iteration; left > 0; bin = bin + 1 == m_bins ? 0 : bin + 1) {
        const TimeNs piece = std::min(left, edge(bin + 1) - from);
        source.bins[at(bin)] += bytes * (static_cast<double>(piece) / static_cast<double>(length));
        left -= piece;
        from = bin + 1 == m_bins ? 0 : from + piece;
    }
}

void LinkTraffic::addPasses(std::int32_t stage, std::int32_t cls)
{
    const IterationPlan &plan = m_result.run.plan;
    const Trace &trace = m_result.run.trace;
    const auto &order = plan.schedule.order[at(stage)];
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (order[k].kind == OperationKind::WeightGradient) continue;
        const ChunkTraffic &traffic = m_chunks[at(stage) * at(plan.schedule.chunks) + at(order[k].chunk)];
        const auto operation = static_cast<std::int32_t>(k);
        const TimeNs begin = startOfOperation(plan, trace, stage, operation, cls), end = trace.finishOf(stage, operation, cls);
        for (std::size_t carrier = 0; carrier < kCarriers; ++carrier) {
            const PassBytes &passes = traffic.*kPassOf[carrier];
            const double bytes = order[k].kind == OperationKind::Forward ? passes.forward : passes.backward;
            if (bytes > 0.0) spread(carried(static_cast<Carrier>(carrier), stage, cls), begin, end, bytes);
        }
    }
}

void LinkTraffic::addSync(std::int32_t stage, std::int32_t cls)
{
    const IterationPlan &plan = m_result.run.plan;
    const Trace &trace = m_result.run.trace;
    for (std::int32_t chunk = 0; chunk < plan.schedule.chunks; ++chunk) {
        const ChunkTraffic &traffic = m_chunks[at(stage) * at(plan.schedule.chunks) + at(chunk)];
        const TimeNs gather = trace.gatherBegin[at(stage)][at(chunk)], gathered = gather + plan.syncOf(stage, chunk).parameterGather;
        const TimeNs reduce = trace.reduceBegin[at(stage)][at(chunk)], reduced = trace.reduceEnd[at(stage)][at(chunk)];
        const auto add = [&](Carrier carrier, TimeNs begin, TimeNs end, double bytes) {
            if (bytes > 0.0) spread(carried(carrier, stage, cls), begin, end, bytes);
        };
        add(Carrier::Data, gather, gathered, traffic.gather);
        add(Carrier::Data, reduce, reduced, traffic.reduce);
        add(Carrier::ExpertData, gather, gathered, traffic.expertGather);
        add(Carrier::ExpertData, reduce, reduced, traffic.expertReduce);
    }
}

void LinkTraffic::addTransfers(std::int32_t stage, std::int32_t cls)
{
    const IterationPlan &plan = m_result.run.plan;
    const Trace &trace = m_result.run.trace;
    const auto &order = plan.schedule.order[at(stage)];
    std::vector<std::int32_t> &destinations = m_destinations[at(stage)];
    std::vector<std::int32_t> &own = m_transfers[at(stage) * at(trace.classes) + at(cls)];
    const double boundary = boundaryBytes(*m_result.scenario);
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (!sendsOutput(plan.schedule, stage, order[k])) continue;
        const std::int32_t to = destinationOf(plan.schedule, stage, order[k]);
        const auto found = std::find(destinations.begin(), destinations.end(), to);
        const auto number = static_cast<std::size_t>(found - destinations.begin());
        if (found == destinations.end()) destinations.push_back(to);
        own.resize(destinations.size(), kNone);
        if (own[number] == kNone) {
            own[number] = static_cast<std::int32_t>(m_sources.size());
            m_sources.push_back({Dimension::Pipeline, 0.0, std::vector<double>(at(m_bins), 0.0)});
        }
        const TimeNs sent = sendDuration(plan, stage, trace.representative[at(cls)], order[k]);
        const TimeNs end = trace.finishOf(stage, static_cast<std::int32_t>(k), cls), begin = plan.overlapPipeline ? end : end - sent;
        const double load = boundaryLoad(*m_result.scenario, linkOf(plan.schedule, stage, order[k]));
        spread(m_sources[at(own[number])], begin, begin + sent, boundary * load);
    }
}

} // namespace clusterbeat
