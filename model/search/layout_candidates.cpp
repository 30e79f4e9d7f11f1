// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/search/layout_candidates.h"

#include <algorithm>

namespace clusterbeat
{
namespace
{

/// Divisors of n that are at most `most`, ascending.
std::vector<std::int64_t> divisors(std::int64_t n, std::int64_t most)
{
    std::vector<std::int64_t> small, large;
    for (std::int64_t d = 1; d <= n / d; ++d) {
        if (n % d != 0) continue;
        if (d <= most) small.push_back(d);
        if (d != n / d && n / d <= most) large.push_back(n / d);
    }
    small.insert(small.end(), large.rbegin(), large.rend());
    return small;
}

std::int64_t largestDivisor(std::int64_t n, std::int64_t most)
{
    const auto all = divisors(n, most);
    return all.empty() ? 0 : all.back();
}

class Enumeration
{
public:
    Enumeration(const LayoutResolver &resolver, const CandidateSpace &space)
        : m_resolver(resolver), m_space(space), m_model(resolver.base().model), m_training(resolver.base().training),
          m_gpus(resolver.usableGpus()), m_scratch(resolver.base())
    {
    }

    std::vector<LayoutChoice> layouts()
    {
        for (const std::int64_t tensor : divisors(m_model.heads, m_gpus)) {
            m_choice.tensor = tensor;
            for (const std::int64_t context : contexts()) {
                m_choice.context = context;
                for (const std::int64_t expert : experts()) {
                    m_choice.expert = expert;
                    for (const std::int64_t split : expertTensors()) {
                        m_choice.expertTensor = split;
                        withPipelines();
                    }
                }
            }
        }
        return std::move(m_layouts);
    }

private:
    [[nodiscard]] std::int64_t left() const { return m_gpus / (m_choice.tensor * m_choice.context); }

    [[nodiscard]] std::vector<std::int64_t> contexts() const
    {
        std::vector<std::int64_t> result;
        for (std::int64_t c = 1;
             c <= m_space.largestContext && m_choice.tensor * c <= m_gpus && m_training.sequenceLength % c == 0; c *= 2)
            result.push_back(c);
        return result;
    }
    [[nodiscard]] std::vector<std::int64_t> experts() const
    {
        return m_model.moe ? divisors(std::max<std::int64_t>(1, m_model.moe->experts), m_gpus)
                           : std::vector<std::int64_t>{1};
    }
    [[nodiscard]] std::vector<std::int64_t> expertTensors() const
    {
        if (!m_model.moe || !m_space.expertTensor || m_choice.tensor == 1) return {1};
        return {1, m_choice.tensor};
    }
    [[nodiscard]] std::vector<std::int64_t> pipelines() const
    {
        const std::int64_t most = std::min(left(), m_model.layers + 2);
        std::vector<std::int64_t> result = divisors(m_model.layers, most);
        for (const std::int64_t n : {m_model.layers + 2, left()}) {
            const auto more = divisors(n, most);
            result.insert(result.end(), more.begin(), more.end());
        }
        std::sort(result.begin(), result.end());
        result.erase(std::unique(result.begin(), result.end()), result.end());
        return result;
    }
    [[nodiscard]] bool evenChunks(std::int64_t chunks) const
    {
        return m_model.layers % chunks == 0 || (m_model.layers + 2) % chunks == 0;
    }

    void withPipelines()
    {
        for (const std::int64_t pipeline : pipelines()) {
            m_choice.pipeline = pipeline;
            withBatches();
        }
    }

    void withBatches()
    {
        for (const std::int64_t microBatch : divisors(m_training.globalBatch, m_space.largestMicroBatch)) {
            m_choice.microBatch = microBatch;
            m_choice.data = largestDivisor(m_training.globalBatch / microBatch, left() / m_choice.pipeline);
            if (m_choice.data < 1) continue;
            m_choice.recomputeLayers = 0;
            for (const RecomputeMode recompute : m_space.recompute) {
                m_choice.recompute = recompute;
                withSchedules();
            }
            withPartialRecompute();
        }
    }

    void withPartialRecompute()
    {
        const std::int64_t layers = (m_model.layers + m_choice.pipeline - 1) / m_choice.pipeline;
        std::int64_t before = 0;
        m_choice.recompute = RecomputeMode::Layers;
        for (const std::int64_t quarters : m_space.recomputeQuarters) {
            m_choice.recomputeLayers = layers * quarters / 4;
            if (m_choice.recomputeLayers > before && m_choice.recomputeLayers < layers) withSchedules();
            before = std::max(before, m_choice.recomputeLayers);
        }
        m_choice.recomputeLayers = 0;
    }

    void withSchedules()
    {
        for (const ScheduleKind schedule : m_space.schedules) {
            m_choice.schedule = schedule;
            m_choice.virtualPipeline = prescribedChunks(schedule).value_or(1);
            if (schedule == ScheduleKind::GPipe && m_choice.pipeline == 1) continue; // as 1F1B
            if (schedule != ScheduleKind::Interleaved) {
                withSharding();
                continue;
            }
            for (std::int64_t v = 2; m_choice.pipeline > 1 && v * m_choice.pipeline <= m_model.layers + 2; ++v) {
                m_choice.virtualPipeline = v;
                if (evenChunks(v * m_choice.pipeline)) withSharding();
            }
        }
    }

    void withSharding()
    {
        const bool alone = m_choice.data * m_choice.context == 1;
        for (const std::int64_t stage : m_space.zeroStages) {
            if (alone && stage != m_space.zeroStages.front()) break;
            m_choice.zeroStage = stage;
            if (m_resolver.resolveInto(m_choice, m_scratch))
                m_layouts.push_back(m_choice);
            else if (stage == m_space.zeroStages.front())
                break; // what is wrong is not the sharding
            if (stage == 3) withShardGroup();
        }
    }

    /// ZeRO-3 over the replicas inside one scale-up domain, all-reduce between them (hybrid sharding).
    void withShardGroup()
    {
        const std::int64_t group = m_resolver.base().cluster.gpusUsedPerDomain / m_choice.tensor;
        const std::int64_t replicas = m_choice.data * m_choice.context;
        if (!m_space.shardGroups || group < 2 || group >= replicas || replicas % group != 0) return;
        m_choice.shardGroup = group;
        if (m_resolver.resolveInto(m_choice, m_scratch)) m_layouts.push_back(m_choice);
        m_choice.shardGroup = 0;
    }

    const LayoutResolver &m_resolver;
    const CandidateSpace &m_space;
    const ModelSection &m_model;
    const TrainingSection &m_training;
    std::int64_t m_gpus;
    ResolvedScenario m_scratch;
    LayoutChoice m_choice;
    std::vector<LayoutChoice> m_layouts;
};

} // namespace

std::vector<LayoutChoice> validLayouts(const LayoutResolver &resolver, const CandidateSpace &space)
{
    return Enumeration(resolver, space).layouts();
}

} // namespace clusterbeat
