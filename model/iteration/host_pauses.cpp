// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/host_pauses.h"

#include "model/base/index.h"
#include "model/base/parallel.h"
#include "model/base/random.h"
#include "model/base/saturated.h"

#include <algorithm>
#include <optional>

namespace clusterbeat {
namespace {

constexpr std::uint64_t kPausePurpose = 0x6763706175736501ULL;
constexpr std::uint64_t kAllHosts = ~std::uint64_t{0};
/// Fewer hosts' pauses of one rhythm are placed one by one.
constexpr std::size_t kFewest = 4;
/// No sum of so many pauses passes what a duration may be.
constexpr double kMostTogether = 1e18;
// Steps of about 4 ns: a phase drawn and put in its place, an operation's edges looked up, an instant found.
constexpr double kDrawSteps = 4.0, kSlotSteps = 4.0, kInstantSteps = 8.0;

/// What runs between which instants in the unperturbed run, after a wait since `free`.
struct Slot {
    std::int32_t operation = 0;
    TimeNs free = 0, start = 0, end = 0;
};

std::vector<Slot> slotsOf(const IterationPlan &plan, const Trace &twin, std::int32_t stage, std::int32_t cls)
{
    std::vector<Slot> slots;
    const auto operations = static_cast<std::int32_t>(plan.schedule.order[at(stage)].size());
    slots.reserve(at(operations) + 1);
    TimeNs free = twin.originOf(stage, cls); // earlier pauses lengthened the iteration before
    for (std::int32_t k = 0; k < operations; ++k) {
        const TimeNs end = twin.finishOf(stage, k, cls);
        slots.push_back({k, free, startOfOperation(plan, twin, stage, k, cls), end});
        free = end;
    }
    slots.push_back({kOptimizerOperation, free, twin.optimizerBegin[at(stage)], twin.optimizerEnd[at(stage)][at(cls)]});
    return slots;
}

/// Instants phase + n * every, n any integer; 0 <= phase < every.
struct Instants {
    TimeNs phase = 0, every = 1;
    /// Index of the first instant at or after t.
    [[nodiscard]] TimeNs firstFrom(TimeNs t) const
    {
        const TimeNs distance = t - phase;
        return distance >= 0 ? (distance + every - 1) / every : -(-distance / every);
    }
    [[nodiscard]] TimeNs at(TimeNs index) const { return phase + index * every; }
};

TimeNs times(TimeNs count, TimeNs pause)
{
    return static_cast<double>(count) * static_cast<double>(pause) < static_cast<double>(kMostTimeNs) ? count * pause : kMostTimeNs;
}

/// One host's pauses, slot by slot.
void addEverySlot(const std::vector<Slot> &slots, const Instants &instants, TimeNs pause, std::vector<TimeNs> &sums)
{
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const Slot &slot = slots[i];
        const TimeNs first = instants.firstFrom(slot.start);
        TimeNs ns = times(instants.firstFrom(slot.end) - first, pause);
        const TimeNs before = instants.at(first - 1); // pauses are shorter than their distance: at most the last outlasts the wait
        if (before >= slot.free) ns = saturatedSum(ns, std::max<TimeNs>(0, before + pause - slot.start));
        sums[i] = saturatedSum(sums[i], ns);
    }
}

/// The same instant by instant, where these are fewer.
void addEveryInstant(const std::vector<Slot> &slots, const Instants &instants, TimeNs pause, std::vector<TimeNs> &sums)
{
    const TimeNs last = slots.back().end;
    for (TimeNs index = instants.firstFrom(slots.front().free); instants.at(index) < last; ++index) {
        const TimeNs instant = instants.at(index);
        const auto slot = std::upper_bound(slots.begin(), slots.end(), instant, [](TimeNs t, const Slot &each) { return t < each.end; });
        if (slot == slots.end()) return;
        const TimeNs ns = instant >= slot->start ? pause : std::max<TimeNs>(0, instant + pause - slot->start);
        if (ns == 0) continue;
        TimeNs &sum = sums[static_cast<std::size_t>(slot - slots.begin())];
        sum = saturatedSum(sum, ns);
    }
}

/// Many hosts' worth of pauses of one rhythm on every host of a stage. With r the remainder of an operation's edge, a phase
/// below r has had one instant more before it; the phases of a host are counted between the sorted remainders of all edges,
/// so that one pass over the phases and one over the operations give the sums.
class RhythmTable final {
public:
    RhythmTable(const std::vector<Slot> &slots, TimeNs every, TimeNs pause) : m_every(every), m_pause(pause)
    {
        for (const Slot &slot : slots)
            m_edges.push_back(edgesOf(slot));
        for (const Edges &edges : m_edges)
            for (const TimeNs edge : {edges.start, edges.end, edges.from, edges.wrapped})
                m_sorted.push_back(edge);
        std::sort(m_sorted.begin(), m_sorted.end());
        m_sorted.erase(std::unique(m_sorted.begin(), m_sorted.end()), m_sorted.end());
        for (Edges &edges : m_edges)
            for (TimeNs *edge : {&edges.start, &edges.end, &edges.from, &edges.wrapped})
                *edge = std::lower_bound(m_sorted.begin(), m_sorted.end(), *edge) - m_sorted.begin();
        m_cells.assign(kCells + 1, 0);
        for (std::size_t cell = 0; cell <= kCells; ++cell)
            m_cells[cell] = std::upper_bound(m_sorted.begin(), m_sorted.end(), cellBegin(cell)) - m_sorted.begin();
    }

    /// For one host: clear, then its phases, then the sums.
    void clear()
    {
        m_count.assign(m_sorted.size() + 1, 0);
        m_sum.assign(m_sorted.size() + 1, 0);
    }
    void put(TimeNs phase)
    {
        const auto cell = static_cast<std::size_t>(static_cast<double>(phase) / static_cast<double>(m_every) * static_cast<double>(kCells));
        std::ptrdiff_t place = m_cells[std::min(cell, kCells - 1)];
        while (place > 0 && m_sorted[at(place - 1)] > phase)
            --place;
        while (place < static_cast<std::ptrdiff_t>(m_sorted.size()) && m_sorted[at(place)] <= phase)
            ++place;
        ++m_count[at(place)];
        m_sum[at(place)] += phase;
    }
    void addTo(std::vector<TimeNs> &sums)
    {
        // Afterwards entry j tells of the phases below m_sorted[j].
        for (std::size_t i = 1; i < m_count.size(); ++i) {
            m_count[i] += m_count[i - 1];
            m_sum[i] += m_sum[i - 1];
        }
        const TimeNs all = m_count.back();
        for (std::size_t i = 0; i < m_edges.size(); ++i) {
            const Edges &edges = m_edges[i];
            TimeNs ns = times(edges.turns * all + count(edges.end) - count(edges.start), m_pause);
            // Distances back from the start are r - phase, or that plus `every`; each pause outlasts its own.
            const TimeNs near = count(edges.start) - count(edges.from), far = all - count(edges.wrapped);
            if (edges.waits && near > 0) ns = saturatedSum(ns, near * (m_pause - edges.remainder) + sum(edges.start) - sum(edges.from));
            if (edges.waits && far > 0) ns = saturatedSum(ns, far * (m_pause - edges.remainder - m_every) + m_sum.back() - sum(edges.wrapped));
            sums[i] = saturatedSum(sums[i], ns);
        }
    }

private:
    static constexpr std::size_t kCells = 1024;
    /// First as remainders, then as their numbers among the sorted.
    struct Edges {
        TimeNs start = 0, end = 0, from = 0, wrapped = 0;
        TimeNs turns = 0, remainder = 0;
        bool waits = false;
    };
    [[nodiscard]] Edges edgesOf(const Slot &slot) const
    {
        Edges edges;
        edges.start = edges.remainder = slot.start % m_every;
        edges.end = slot.end % m_every;
        edges.turns = slot.end / m_every - slot.start / m_every;
        const TimeNs reach = std::min(m_pause, slot.start - slot.free + 1); // distances below it count
        edges.waits = slot.start > slot.free;
        edges.from = std::max<TimeNs>(0, edges.remainder - reach + 1);
        edges.wrapped = edges.remainder < reach ? edges.remainder + m_every - reach + 1 : m_every;
        return edges;
    }
    [[nodiscard]] TimeNs cellBegin(std::size_t cell) const
    {
        return static_cast<TimeNs>(static_cast<double>(m_every) * static_cast<double>(cell) / static_cast<double>(kCells));
    }
    [[nodiscard]] TimeNs count(TimeNs edge) const { return m_count[at(edge)]; }
    [[nodiscard]] TimeNs sum(TimeNs edge) const { return m_sum[at(edge)]; }

    TimeNs m_every, m_pause;
    std::vector<Edges> m_edges;
    std::vector<TimeNs> m_sorted;
    std::vector<std::ptrdiff_t> m_cells;
    std::vector<TimeNs> m_count, m_sum;
};

} // namespace

HostPauses::HostPauses(const IterationPlan &plan, const Trace &twin) : m_plan(plan), m_twin(twin)
{
    for (const auto &order : plan.schedule.order)
        m_slots = std::max(m_slots, static_cast<double>(order.size()) + 1.0);
}

double HostPauses::instants(const Rhythm &rhythm) const
{
    return static_cast<double>(m_twin.iteration) / static_cast<double>(rhythm.every) + 1.0;
}

void HostPauses::add(const Perturbation &perturbation, const std::vector<std::size_t> &positions)
{
    const Rhythm rhythm{toNs(perturbation.timing.everyS), toNs(perturbation.timing.pauseS)};
    if (rhythm.pause <= 0 || positions.empty()) return;
    const Host host{static_cast<std::uint64_t>(perturbation.seed), perturbation.timing.aligned};
    const double hosts = static_cast<double>(positions.size()), steps = std::min(kInstantSteps * instants(rhythm), kSlotSteps * m_slots);
    m_drawWork += kDrawSteps * hosts;
    m_kept += hosts * std::min(m_slots, instants(rhythm));
    if (static_cast<std::int64_t>(positions.size()) < m_plan.ranks()) {
        m_slotWork += hosts * steps;
        m_some.push_back({rhythm, host, {positions.begin(), positions.end()}});
        return;
    }
    std::vector<Host> &alike = m_everywhere[rhythm];
    if (alike.size() < kFewest || kInstantSteps * instants(rhythm) < kDrawSteps) m_slotWork += hosts * steps;
    alike.push_back(host);
}

double HostPauses::kept() const { return std::min(m_kept, m_slots * static_cast<double>(m_plan.ranks())); }

TimeNs HostPauses::phaseOf(const Rhythm &rhythm, const Host &host, std::size_t position)
{
    const std::uint64_t entity = host.aligned ? kAllHosts : position;
    const double phase = randomUniform(randomStream({host.seed, entity, kPausePurpose}), 0);
    return std::min(static_cast<TimeNs>(phase * static_cast<double>(rhythm.every)), rhythm.every - 1);
}

/// One stage's hosts, class by class.
class HostPauses::Stage final {
public:
    Stage(const HostPauses &pauses, std::int32_t stage, std::int32_t cls) : m_pauses(pauses), m_slots(slotsOf(pauses.m_plan, pauses.m_twin, stage, cls))
    {
        m_sums.assign(m_slots.size(), 0);
        for (const auto &[rhythm, hosts] : pauses.m_everywhere)
            m_tables.push_back(makesTable(rhythm, hosts) ? std::optional<RhythmTable>(std::in_place, m_slots, rhythm.every, rhythm.pause) : std::nullopt);
    }

    std::vector<IterationPlan::Pause> pausesOf(std::size_t position, const std::vector<std::int32_t> &some)
    {
        std::fill(m_sums.begin(), m_sums.end(), TimeNs{0});
        std::size_t number = 0;
        for (const auto &[rhythm, hosts] : m_pauses.m_everywhere) {
            std::optional<RhythmTable> &table = m_tables[number++];
            if (table) table->clear();
            for (const Host &host : hosts) {
                const TimeNs phase = phaseOf(rhythm, host, position);
                if (table) table->put(phase);
                else addOne(rhythm, phase);
            }
            if (table) table->addTo(m_sums);
        }
        for (const std::int32_t index : some) {
            const Some &each = m_pauses.m_some[at(index)];
            addOne(each.rhythm, phaseOf(each.rhythm, each.host, position));
        }
        std::vector<IterationPlan::Pause> list;
        list.reserve(m_sums.size() - at(std::count(m_sums.begin(), m_sums.end(), TimeNs{0})));
        for (std::size_t i = 0; i < m_slots.size(); ++i)
            if (m_sums[i] > 0) list.push_back({m_slots[i].operation, m_sums[i]});
        return list;
    }

private:
    [[nodiscard]] static bool makesTable(const Rhythm &rhythm, const std::vector<Host> &hosts)
    {
        return hosts.size() > kFewest && static_cast<double>(hosts.size()) * static_cast<double>(rhythm.every) < kMostTogether;
    }
    void addOne(const Rhythm &rhythm, TimeNs phase)
    {
        const Instants instants{phase, rhythm.every};
        const bool few = kInstantSteps * m_pauses.instants(rhythm) < kSlotSteps * static_cast<double>(m_slots.size());
        (few ? addEveryInstant : addEverySlot)(m_slots, instants, rhythm.pause, m_sums);
    }

    const HostPauses &m_pauses;
    std::vector<Slot> m_slots;
    std::vector<std::optional<RhythmTable>> m_tables; ///< by rhythm; none where one by one is quicker
    std::vector<TimeNs> m_sums;                       ///< by slot
};

void HostPauses::placeStage(IterationPlan &plan, std::int32_t stage, const std::vector<std::vector<std::int32_t>> &someOf) const
{
    static const std::vector<std::int32_t> none;
    for (std::int32_t cls = 0; cls < m_twin.classes; ++cls) {
        Stage hosts(*this, stage, cls);
        for (std::int32_t replica = 0; replica < plan.replicas; ++replica)
            for (std::int32_t member = 0; member < plan.groupSize && m_twin.classOfReplica[at(replica)] == cls; ++member) {
                const std::size_t position = plan.position(stage, replica, member);
                const std::vector<std::int32_t> &some = someOf.empty() ? none : someOf[position];
                if (!m_everywhere.empty() || !some.empty()) plan.pauses[position] = hosts.pausesOf(position, some);
            }
    }
}

void HostPauses::place(IterationPlan &plan) const
{
    if (empty()) return;
    plan.pauses.assign(static_cast<std::size_t>(plan.ranks()), {});
    std::vector<std::vector<std::int32_t>> someOf;
    if (!m_some.empty()) someOf.resize(plan.pauses.size());
    for (std::size_t i = 0; i < m_some.size(); ++i)
        for (const std::int32_t position : m_some[i].positions)
            someOf[at(position)].push_back(static_cast<std::int32_t>(i));
    parallelFor(at(plan.stages()), plan.threads, [&](std::size_t stage) { placeStage(plan, static_cast<std::int32_t>(stage), someOf); });
}

} // namespace clusterbeat
