// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/layout/zero_bubble.h"

#include "model/base/index.h"
#include "model/layout/dependencies.h"

#include <algorithm>
#include <array>
#include <limits>

namespace clusterbeat {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

constexpr std::int32_t kNoLimit = std::numeric_limits<std::int32_t>::max();

struct Variant {
    bool fillGaps = true;                      ///< run a weight gradient although another operation becomes ready meanwhile
    std::int32_t pendingWeights = kNoLimit;    ///< with so many weight gradients due, they go before forwards
};

/// One list-scheduling pass over all stages, one chunk each.
class ListScheduler {
public:
    ListScheduler(std::int32_t stages, std::int32_t microBatches, const ScheduleHints &hints, std::int32_t limit, Variant variant)
        : m_hints(hints), m_limit(limit), m_variant(variant), m_schedule{stages, 1, microBatches, {}, PipelineFlow::Loop, nullptr}, m_stages(at(stages))
    {
        m_schedule.order.resize(at(stages));
        for (Stage &stage : m_stages)
            stage.forwardEnd = stage.gradientEnd = std::vector<std::int64_t>(at(microBatches), kNever);
    }

    /// False on a deadlock (the limit is too low).
    bool run()
    {
        for (std::size_t remaining = 3 * m_stages.size() * at(m_schedule.microBatches); remaining > 0; --remaining) {
            Choice best;
            for (std::int32_t stage = 0; stage < m_schedule.stages; ++stage) {
                const Choice choice = choose(stage);
                if (choice.start < best.start) best = choice;
            }
            if (best.start == kNever) return false;
            execute(best);
        }
        return true;
    }

    [[nodiscard]] std::int64_t length() const
    {
        std::int64_t longest = 0;
        for (const Stage &stage : m_stages)
            longest = std::max(longest, stage.clock - stage.firstStart);
        return longest;
    }
    [[nodiscard]] PipelineSchedule take() { return std::move(m_schedule); }

private:
    struct Stage {
        std::int64_t clock = 0, firstStart = 0;
        std::int32_t forwards = 0, gradients = 0, weights = 0;    ///< next micro-batch of each kind
        std::vector<std::int64_t> forwardEnd, gradientEnd;
    };
    struct Choice {
        std::int64_t start = kNever;
        std::int32_t stage = 0;
        OperationKind kind = OperationKind::Forward;
    };

    [[nodiscard]] std::int64_t arrival(std::int64_t end) const { return end == kNever ? kNever : end + m_hints.transferNs; }
    /// When the next operation of a kind could start, kNever if its input is not even scheduled.
    [[nodiscard]] std::int64_t ready(OperationKind kind, std::int32_t index) const
    {
        const Stage &stage = m_stages[at(index)];
        const std::int32_t next = kind == OperationKind::Forward ? stage.forwards : kind == OperationKind::InputGradient ? stage.gradients : stage.weights;
        if (next >= m_schedule.microBatches) return kNever;
        const std::size_t microBatch = at(next);
        if (kind == OperationKind::WeightGradient) return stage.gradientEnd[microBatch];
        if (kind == OperationKind::Forward) {
            if (stage.forwards - stage.weights >= m_limit) return kNever;
            return index == 0 ? 0 : arrival(m_stages[at(index - 1)].forwardEnd[microBatch]);
        }
        if (stage.forwardEnd[microBatch] == kNever) return kNever;
        if (index + 1 == m_schedule.stages) return stage.forwardEnd[microBatch];
        return arrival(m_stages[at(index + 1)].gradientEnd[microBatch]);
    }

    /// Best operation of a stage: the earliest gradient or forward; a weight gradient where it would wait.
    [[nodiscard]] Choice choose(std::int32_t index) const
    {
        const Stage &stage = m_stages[at(index)];
        Choice best{kNever, index, OperationKind::Forward};
        const auto consider = [&](OperationKind kind) {
            const std::int64_t t = ready(kind, index);
            if (t == kNever) return;
            const std::int64_t start = std::max(t, stage.clock);
            if (start < best.start) best = {start, index, kind};
        };
        consider(OperationKind::InputGradient);
        if (best.start > stage.clock && stage.gradients - stage.weights >= m_variant.pendingWeights) consider(OperationKind::WeightGradient);
        consider(OperationKind::Forward);
        if (best.start == stage.clock) return best;
        const std::int64_t gap = best.start == kNever ? kNever : best.start - stage.clock;
        if (m_variant.fillGaps || gap >= m_hints.weightGradientNs) consider(OperationKind::WeightGradient);
        return best;
    }

    void execute(const Choice &choice)
    {
        Stage &stage = m_stages[at(choice.stage)];
        auto &order = m_schedule.order[at(choice.stage)];
        if (order.empty()) stage.firstStart = choice.start;
        if (choice.kind == OperationKind::Forward) {
            stage.clock = choice.start + m_hints.forwardNs;
            stage.forwardEnd[at(stage.forwards)] = stage.clock;
            order.push_back({choice.kind, 0, stage.forwards++});
        } else if (choice.kind == OperationKind::InputGradient) {
            stage.clock = choice.start + m_hints.inputGradientNs;
            stage.gradientEnd[at(stage.gradients)] = stage.clock;
            order.push_back({choice.kind, 0, stage.gradients++});
        } else {
            stage.clock = choice.start + m_hints.weightGradientNs;
            order.push_back({choice.kind, 0, stage.weights++});
        }
    }

    ScheduleHints m_hints;
    std::int32_t m_limit;
    Variant m_variant;
    PipelineSchedule m_schedule;
    std::vector<Stage> m_stages;
};

} // namespace

PipelineSchedule zeroBubbleHandcrafted(std::int32_t stages, std::int32_t microBatches, std::int32_t depth)
{
    PipelineSchedule schedule{stages, 1, microBatches, {}, PipelineFlow::Loop, nullptr};
    for (std::int32_t stage = 0; stage < stages; ++stage) {
        const std::int32_t warmup = std::min(microBatches, depth * (stages - 1 - stage) + 1);
        const std::int32_t lag = depth * stage;
        std::vector<ScheduledOperation> order;
        for (std::int32_t i = 0; i < warmup; ++i)
            order.push_back({OperationKind::Forward, 0, i});
        for (std::int32_t i = 0; i < microBatches + lag; ++i) {
            if (i < microBatches) order.push_back({OperationKind::InputGradient, 0, i});
            if (i >= lag) order.push_back({OperationKind::WeightGradient, 0, i - lag});
            if (warmup + i < microBatches) order.push_back({OperationKind::Forward, 0, warmup + i});
        }
        schedule.order.push_back(std::move(order));
    }
    return schedule;
}

namespace {

/// Writes one rank's ZB-V order phase by phase; operations beyond the last micro-batch are left out.
class VOrderWriter {
public:
    explicit VOrderWriter(std::int32_t microBatches) : m_microBatches(microBatches) {}

    std::vector<ScheduledOperation> write(std::int32_t stages, std::int32_t stage)
    {
        repeat(2 * (stages - stage) - 1, [&] { forward(0); });
        repeat(stage, [&] { forward(1); forward(0); });
        repeat(stages - stage, [&] { forward(1); gradient(1); weight(1); });
        while (m_forwards[1] < m_microBatches) {
            forward(0);
            gradient(0);
            weight(0);
            forward(1);
            gradient(1);
            weight(1);
        }
        repeat(stage, [&] { gradient(0); gradient(1); });
        repeat(stages - stage, [&] { gradient(0); weight(0); });
        // Shapes with few micro-batches leave something over in the phases above.
        repeat(m_microBatches, [&] { gradient(1); gradient(0); });
        repeat(m_microBatches, [&] { weight(1); });
        repeat(m_microBatches, [&] { weight(0); });
        return std::move(m_order);
    }

private:
    template <typename Body> static void repeat(std::int32_t times, Body &&body)
    {
        for (std::int32_t i = 0; i < times; ++i)
            body();
    }
    void forward(std::int32_t chunk) { add(OperationKind::Forward, chunk, m_forwards, m_microBatches); }
    void gradient(std::int32_t chunk) { add(OperationKind::InputGradient, chunk, m_gradients, m_forwards[static_cast<std::size_t>(chunk)]); }
    void weight(std::int32_t chunk) { add(OperationKind::WeightGradient, chunk, m_weights, m_gradients[static_cast<std::size_t>(chunk)]); }
    void add(OperationKind kind, std::int32_t chunk, std::array<std::int32_t, 2> &next, std::int32_t available)
    {
        std::int32_t &n = next[static_cast<std::size_t>(chunk)];
        if (n < available) m_order.push_back({kind, chunk, n++});
    }

    std::int32_t m_microBatches;
    std::array<std::int32_t, 2> m_forwards{}, m_gradients{}, m_weights{};
    std::vector<ScheduledOperation> m_order;
};

/// Longest time from a stage's first to its last operation with the times of the hints.
std::int64_t windowOf(const PipelineSchedule &schedule, const ScheduleHints &hints)
{
    const auto duration = [&](OperationKind kind) {
        if (kind == OperationKind::Forward) return hints.forwardNs;
        return kind == OperationKind::InputGradient ? hints.inputGradientNs : hints.weightGradientNs;
    };
    const Dependencies dependencies = dependenciesOf(schedule);
    if (!dependencies.executable()) return kNever;
    std::vector<std::vector<std::int64_t>> end(schedule.order.size());
    for (std::size_t stage = 0; stage < end.size(); ++stage)
        end[stage].resize(schedule.order[stage].size());
    std::int64_t longest = 0;
    std::vector<std::int64_t> first(end.size(), 0);
    for (const OperationRef &ref : dependencies.order) {
        const auto stage = at(ref.stage), k = at(ref.operation);
        const OperationRef input = dependencies.upstream[stage][k];
        std::int64_t start = k > 0 ? end[stage][k - 1] : 0;
        if (input.exists()) start = std::max(start, end[at(input.stage)][at(input.operation)] + (input.stage == ref.stage ? 0 : hints.transferNs));
        if (k == 0) first[stage] = start;
        end[stage][k] = start + duration(schedule.order[stage][k].kind);
        longest = std::max(longest, end[stage][k] - first[stage]);
    }
    return longest;
}

} // namespace

PipelineSchedule zeroBubbleV(std::int32_t stages, std::int32_t microBatches)
{
    PipelineSchedule schedule{stages, 2, microBatches, {}, PipelineFlow::V, nullptr};
    for (std::int32_t stage = 0; stage < stages; ++stage)
        schedule.order.push_back(VOrderWriter(microBatches).write(stages, stage));
    return schedule;
}

PipelineSchedule searchedSchedule(std::int32_t stages, std::int32_t microBatches, const ScheduleHints &hints)
{
    const auto limit = static_cast<std::int32_t>(std::max(1.0, hints.activationLimit * stages));
    // The handcrafted orders first, as far as they keep the limit: a search result must not be worse.
    PipelineSchedule best = zeroBubbleHandcrafted(stages, microBatches, 1);
    std::int64_t shortest = limit >= stages ? windowOf(best, hints) : kNever;
    if (limit >= 2 * stages - 1) {
        PipelineSchedule deeper = zeroBubbleHandcrafted(stages, microBatches, 2);
        if (windowOf(deeper, hints) < shortest) {
            shortest = windowOf(deeper, hints);
            best = std::move(deeper);
        }
    }
    for (const std::int32_t pending : {kNoLimit, 1, 2, stages / 2 + 1, stages}) {
        for (const bool fill : {true, false}) {
            ListScheduler scheduler(stages, microBatches, hints, limit, {fill, pending});
            if (!scheduler.run() || scheduler.length() >= shortest) continue;
            shortest = scheduler.length();
            best = scheduler.take();
        }
    }
    return best;
}

} // namespace clusterbeat
