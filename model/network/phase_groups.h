// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/ids.h"
#include "model/cluster/expansion.h"
#include "model/layout/placement.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace clusterbeat {

/// GPUs of every group of one dimension, group after group, each in order of domain and GPU.
struct PhaseGroups {
    std::size_t size = 0; ///< members of one; <= 1 = no groups
    std::vector<GpuIndex> gpus;
    [[nodiscard]] std::size_t count() const { return size == 0 ? 0 : gpus.size() / size; }
};

/// Data: over data * context ranks. Expert groups cut the ranks of a stage, in rank order, into runs of
/// expert * expert_tensor.
enum class GroupOf : std::uint8_t { Tensor, Context, Data, Expert, ExpertTensor, ExpertData };
[[nodiscard]] PhaseGroups groupsOf(GroupOf kind, const Placement &placement, const Degrees &degrees, const Expansion &expansion);

/// Where the members of one group sit: ends of the runs of one domain each.
struct DomainRuns {
    std::vector<std::size_t> end;
    std::size_t smallest = 0;
};
[[nodiscard]] DomainRuns domainRuns(const GpuIndex *gpus, std::size_t size, const Expansion &expansion);

/// Flows of an all-to-all from a domain to others, per member.
inline constexpr std::size_t kMostShifts = 8;
[[nodiscard]] inline std::size_t shiftsOf(const DomainRuns &runs) { return std::min(kMostShifts, runs.end.size() - 1); }

/// Share that one flow has of the bytes that a member sends in the collective, and whether it goes to another domain.
struct FlowShare {
    double share = 1.0;
    bool across = false;
};

/// A ring inside every domain, and side by side from domain to domain: flow(from, to, share). With several rings each
/// starts at another member, so the link from a domain's last member to its first is used as well; each of `smallest`
/// rings carries its part of the bytes and leaves out one hop in every domain.
template <typename Flow>
void forEachRingFlow(const GpuIndex *gpus, const DomainRuns &runs, Flow &&flow)
{
    const bool several = runs.end.size() > 1;
    std::size_t begin = 0;
    for (std::size_t d = 0; d < runs.end.size(); ++d) {
        const std::size_t end = runs.end[d], count = end - begin;
        const double inside = several ? static_cast<double>(count - 1) / static_cast<double>(count) : 1.0;
        for (std::size_t i = begin; i < end && count > 1; ++i)
            flow(gpus[i], gpus[i + 1 < end ? i + 1 : begin], FlowShare{inside, false});
        const std::size_t nextBegin = d + 1 < runs.end.size() ? end : 0;
        for (std::size_t k = 0; k < runs.smallest && several; ++k)
            flow(gpus[begin + k], gpus[nextBegin + k], FlowShare{1.0 / static_cast<double>(runs.smallest), true});
        begin = end;
    }
}

/// All pairs of domains at once: each member of a domain sends to the member of the same number in others, evenly
/// spaced around the ring of domains. The shares are of what a domain's members send to other domains.
template <typename Flow>
void forEachAllToAllFlow(const GpuIndex *gpus, const DomainRuns &runs, Flow &&flow)
{
    const std::size_t domains = runs.end.size(), shifts = shiftsOf(runs);
    for (std::size_t d = 0; d < domains; ++d) {
        const std::size_t begin = d == 0 ? 0 : runs.end[d - 1];
        const double share = static_cast<double>(runs.end[d] - begin) / static_cast<double>(runs.smallest * std::max<std::size_t>(1, shifts));
        for (std::size_t s = 0; s < shifts; ++s) {
            const std::size_t to = (d + 1 + s * (domains - 1) / shifts) % domains;
            const std::size_t toBegin = to == 0 ? 0 : runs.end[to - 1];
            for (std::size_t k = 0; k < runs.smallest; ++k) flow(gpus[begin + k], gpus[toBegin + k], FlowShare{share, true});
        }
    }
}

} // namespace clusterbeat
