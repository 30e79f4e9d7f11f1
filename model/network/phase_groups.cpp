// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/network/phase_groups.h"

#include "model/base/index.h"

namespace clusterbeat {
namespace {

std::size_t groupSize(GroupOf kind, const Placement &p, const Degrees &degrees)
{
    const std::size_t tensor = at(p.tensor), context = at(p.context), data = at(p.data);
    switch (kind) {
    case GroupOf::Tensor: return tensor;
    case GroupOf::Context: return context;
    case GroupOf::Data: return data * context;
    case GroupOf::Expert: return at(degrees.expert);
    case GroupOf::ExpertTensor: return at(degrees.expertTensor);
    case GroupOf::ExpertData: return tensor * context * data / at(degrees.expert * degrees.expertTensor);
    }
    return 1;
}

} // namespace

PhaseGroups groupsOf(GroupOf kind, const Placement &p, const Degrees &degrees, const Expansion &expansion)
{
    const std::size_t tensor = at(p.tensor), context = at(p.context), data = at(p.data), pipeline = at(p.pipeline);
    PhaseGroups groups;
    groups.size = groupSize(kind, p, degrees);
    if (groups.size <= 1) return groups;
    const std::size_t ofStage = tensor * context * data, ranks = ofStage * pipeline;
    const std::size_t split = at(degrees.expertTensor), run = at(degrees.expert) * split;
    groups.gpus.assign(ranks, kNone);
    std::vector<std::size_t> next(ranks / groups.size, 0), seen(pipeline, 0);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const RankCoordinates &c = p.coordinates[rank];
        const std::size_t stage = at(c.pipeline), number = seen[stage]++;
        std::size_t group = 0;
        switch (kind) {
        case GroupOf::Tensor: group = (stage * data + at(c.data)) * context + at(c.context); break;
        case GroupOf::Context: group = (stage * data + at(c.data)) * tensor + at(c.tensor); break;
        case GroupOf::Data: group = stage * tensor + at(c.tensor); break;
        case GroupOf::Expert: group = (stage * (ofStage / run) + number / run) * split + number % split; break;
        case GroupOf::ExpertTensor: group = (stage * ofStage + number) / split; break;
        case GroupOf::ExpertData: group = stage * run + number % run; break;
        }
        groups.gpus[group * groups.size + next[group]++] = p.gpuOfRank[rank];
    }
    const auto before = [&](GpuIndex a, GpuIndex b) {
        const std::int32_t domainA = expansion.domainOfGpu[at(a)], domainB = expansion.domainOfGpu[at(b)];
        return domainA != domainB ? domainA < domainB : a < b;
    };
    for (auto begin = groups.gpus.begin(); begin != groups.gpus.end();) {
        const auto end = begin + static_cast<std::ptrdiff_t>(groups.size);
        if (!std::is_sorted(begin, end, before)) std::sort(begin, end, before);
        begin = end;
    }
    return groups;
}

DomainRuns domainRuns(const GpuIndex *gpus, std::size_t size, const Expansion &expansion)
{
    DomainRuns runs;
    runs.smallest = size;
    std::size_t begin = 0;
    for (std::size_t i = 1; i <= size; ++i) {
        if (i < size && expansion.domainOfGpu[at(gpus[i])] == expansion.domainOfGpu[at(gpus[begin])]) continue;
        runs.end.push_back(i);
        runs.smallest = std::min(runs.smallest, i - begin);
        begin = i;
    }
    return runs;
}

} // namespace clusterbeat
