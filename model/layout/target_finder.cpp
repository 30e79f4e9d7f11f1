// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/layout/target_finder.h"

#include "model/base/index.h"

#include <numeric>
#include <set>

namespace clusterbeat {
namespace {

/// Below, looking through the cluster costs less than the index.
constexpr int kAskedBeforeIndex = 8;
/// GPUs of all remembered targets together.
constexpr std::size_t kMostKept = 4'000'000;
constexpr double kPathSteps = 25.0, kDrawSteps = 12.0;

/// The end of a path names every member that ends so: only where no name of the top comes back further down is a whole
/// path one member.
bool topNamesAreUnique(const Expansion &expansion)
{
    std::set<std::string> tops, below;
    for (std::size_t c = 1; c < expansion.containers.size(); ++c) {
        const Container &container = expansion.containers[c];
        (container.parent == 0 ? tops : below).insert(container.nodeId);
    }
    for (const std::string &name : tops)
        if (below.contains(name)) return false;
    return true;
}

} // namespace

void TargetFinder::makeIndex()
{
    m_indexed = true;
    m_work += kPathSteps * static_cast<double>(m_expansion.gpuCount);
    if (!topNamesAreUnique(m_expansion)) return;
    for (std::size_t c = 1; c < m_expansion.containers.size(); ++c)
        m_containerOfPath.emplace(m_expansion.pathOfContainer(static_cast<std::int32_t>(c)), static_cast<std::int32_t>(c));
    m_gpuOfPath.reserve(at(m_expansion.gpuCount));
    for (GpuIndex gpu = 0; gpu < m_expansion.gpuCount; ++gpu) {
        const std::int32_t server = m_expansion.serverOfGpu[at(gpu)];
        if (server > 0) m_gpuOfPath.emplace(m_expansion.pathOf(gpu), gpu);
    }
}

TargetFinder::Gpus TargetFinder::indexed(const std::string &target)
{
    if (const auto gpu = m_gpuOfPath.find(target); gpu != m_gpuOfPath.end())
        return std::make_shared<const std::vector<GpuIndex>>(1, gpu->second);
    const std::string whole = target.ends_with("/**") ? target.substr(0, target.size() - 3) : target;
    const auto found = m_containerOfPath.find(whole);
    if (found == m_containerOfPath.end()) return nullptr;
    const Container &container = m_expansion.containers[at(found->second)];
    if (container.gpuCount == 0) return nullptr;
    std::vector<GpuIndex> gpus(at(container.gpuCount));
    std::iota(gpus.begin(), gpus.end(), container.firstGpu);
    m_work += static_cast<double>(gpus.size());
    return std::make_shared<const std::vector<GpuIndex>>(std::move(gpus));
}

Result<TargetFinder::Gpus> TargetFinder::find(const std::string &target)
{
    m_work += kPathSteps;
    if (const auto known = m_known.find(target); known != m_known.end()) return known->second;
    const bool query = target.find(':') != std::string::npos;
    if (++m_asked > kAskedBeforeIndex && !query) {
        if (!m_indexed) makeIndex();
        if (Gpus gpus = indexed(target)) return gpus;
    }
    auto found = gpusOfTarget(m_expansion, m_placement, target);
    const double gpus = static_cast<double>(m_expansion.gpuCount);
    if (target.starts_with("random")) m_work += gpus + kDrawSteps * (found.ok() ? static_cast<double>(found.value().size()) : 0.0);
    else if (!target.starts_with("rank")) m_work += gpus + static_cast<double>(m_expansion.containers.size());
    if (!found.ok()) return found.error();
    auto shared = std::make_shared<const std::vector<GpuIndex>>(std::move(found).value());
    if (shared->size() > 1 && m_kept + shared->size() <= kMostKept) {
        m_kept += shared->size();
        m_known.emplace(target, shared);
    }
    return Gpus(std::move(shared));
}

} // namespace clusterbeat
