// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/simulate.h"

#include "model/iteration/attribution.h"
#include "model/iteration/expert_meetings.h"
#include "model/iteration/link_delays.h"
#include "model/iteration/memory_timeline.h"
#include "model/iteration/metrics.h"
#include "model/iteration/plan_builder.h"
#include "model/network/network_model.h"
#include "model/workload/costs.h"

#include <algorithm>

namespace clusterbeat {
namespace {

/// Everything that follows from the structure of the run and not from its perturbations.
struct Structure {
    std::shared_ptr<const Placement> placement;
    IterationPlan plan;
    std::vector<DimensionReport> communication;
    std::vector<PassSeconds> passes;
    std::shared_ptr<const std::vector<StageMemory>> memory;
    Bytes capacity = 0;
    double scheduleBubble = 0.0;
    std::shared_ptr<const Trace> twin;
    std::array<double, kCategoryCount> breakdownS{};
};

/// The sections are kept, so that an address cannot come back with another content.
struct StructureKey {
    std::shared_ptr<const ModelSection> model;
    std::shared_ptr<const TrainingSection> training;
    std::shared_ptr<const LayoutSection> layout;
    std::shared_ptr<const SoftwareSection> software;
    std::shared_ptr<const ClusterSection> cluster;
    friend bool operator==(const StructureKey &, const StructureKey &) = default;
};

} // namespace

struct StageCache::Entries {
    std::shared_ptr<const ClusterSection> expandedFrom;
    std::shared_ptr<const Expansion> expansion;
    StructureKey structureOf;
    std::shared_ptr<const Structure> structure;
    // Of that structure; made when a link is perturbed.
    std::shared_ptr<const NominalNetwork> network;
    PerturbationList linksOf;           ///< those that concern links, in their places of the list
    std::shared_ptr<const LinkDelays> links;
    std::size_t threads = 0;
};

StageCache::StageCache() : m_entries(std::make_unique<Entries>()) {}
StageCache::~StageCache() = default;
void StageCache::limitThreads(std::size_t threads) { m_entries->threads = threads; }
StageCache::StageCache(StageCache &&) noexcept = default;
StageCache &StageCache::operator=(StageCache &&) noexcept = default;

namespace {

class Simulation {
public:
    Simulation(const Scenario &scenario, const Catalogue &catalogue, StageCache::Entries &cache, std::stop_token stop, const ProgressSink &progress)
        : m_scenario(scenario), m_catalogue(catalogue), m_cache(cache), m_stop(std::move(stop)), m_progress(progress)
    {
    }

    [[nodiscard]] SimulationOutcome execute()
    {
        if (enter(SimulationStage::Resolve, 0)) return cancelled();
        auto resolved = resolve(m_scenario, m_catalogue);
        if (!resolved.ok()) return failed(resolved.error());
        auto result = std::make_shared<IterationResult>();
        result->scenario = std::make_shared<const ResolvedScenario>(std::move(resolved).value());
        if (enter(SimulationStage::Expand, 50)) return cancelled();
        if (auto error = expandCluster(*result->scenario)) return failed(*error);
        result->expansion = m_cache.expansion;
        if (!buildStructure(*result->scenario)) return m_error ? failed(*m_error) : cancelled();
        const Structure &structure = *m_cache.structure;
        result->placement = structure.placement;
        result->communication = structure.communication;
        result->passes = structure.passes;
        IterationPlan plan = structure.plan;
        plan.threads = m_cache.threads;
        const PerturbationBase base{*structure.twin, result->scenario->training, result->scenario->campaign};
        if (auto error = perturbPlan(plan, *m_scenario.perturbations, *m_cache.expansion, *structure.placement, base)) return failed(*error);
        if (auto error = delayLinks(*result->scenario, plan)) return failed(*error);
        if (auto error = tooLong("/perturbations", longestSeconds(plan), kLongestIterationS)) return failed(*error);
        if (enter(SimulationStage::Execute, 600)) return cancelled();
        const bool perturbed = plan.perturbed();
        result->run.plan = std::move(plan);
        result->run.trace = perturbed ? executePlan(result->run.plan, true, m_stop, structure.twin.get()) : *structure.twin;
        if (auto error = tooLongToSum("/perturbations", result->run)) return failed(*error);
        if (perturbed) result->run.twin = structure.twin;
        if (enter(SimulationStage::Attribute, 800)) return cancelled();
        result->unperturbedIteration = structure.twin->iteration;
        result->unperturbedBreakdownS = structure.breakdownS;
        result->memory = memoryReport(structure.memory, structure.capacity, result->run, *structure.placement);
        summarise(*result, structure.scheduleBubble, m_stop);
        if (enter(SimulationStage::Attribute, 1000)) return cancelled();
        return {std::move(result), std::nullopt, false};
    }

private:
    /// Reports progress; true when the caller should give up.
    [[nodiscard]] bool enter(SimulationStage stage, int permille) const
    {
        if (m_stop.stop_requested()) return true;
        if (m_progress) m_progress(stage, permille);
        return false;
    }
    [[nodiscard]] static std::optional<Error> tooLong(const char *pointer, double seconds, double limit)
    {
        if (seconds <= limit) return std::nullopt;
        Error error{ErrorCode::OutOfRange, {}, {"iteration_s = " + std::to_string(static_cast<std::int64_t>(std::min(seconds, 9e18))), 0.0, limit}};
        error.place.pointer = pointer;
        return error;
    }
    [[nodiscard]] static std::optional<Error> tooLongToSum(const char *pointer, const Run &run)
    {
        return tooLong(pointer, toSeconds(run.trace.iteration), longestSummableSeconds(run.plan.ranks()));
    }
    [[nodiscard]] static SimulationOutcome cancelled() { return {nullptr, std::nullopt, true}; }
    [[nodiscard]] static SimulationOutcome failed(Error error) { return {nullptr, std::move(error), false}; }

    [[nodiscard]] std::optional<Error> expandCluster(const ResolvedScenario &resolved)
    {
        if (m_cache.expansion && m_cache.expandedFrom == m_scenario.cluster) return std::nullopt;
        auto expansion = expand(resolved.blueprint);
        if (!expansion.ok()) {
            Error error = expansion.error();
            if (error.place.pointer.empty()) error.place.pointer = "/cluster";
            return error;
        }
        m_cache.expansion = std::move(expansion).value();
        m_cache.expandedFrom = m_scenario.cluster;
        m_cache.structure.reset();
        return std::nullopt;
    }

    /// The delays stay while neither the structure nor a perturbation of links changes.
    [[nodiscard]] std::optional<Error> delayLinks(const ResolvedScenario &resolved, IterationPlan &plan)
    {
        PerturbationList list = *m_scenario.perturbations;
        if (std::none_of(list.begin(), list.end(), [](const Perturbation &p) { return concernsLinks(p.kind); })) return std::nullopt;
        for (Perturbation &other : list) {
            if (concernsLinks(other.kind)) continue;
            // Only whether it counts matters: causes are numbered.
            const bool counts = hasEffect(other);
            other = Perturbation{};
            other.speed = counts ? 0.5 : 1.0;
        }
        const Structure &structure = *m_cache.structure;
        if (!m_cache.network)
            m_cache.network = std::make_shared<const NominalNetwork>(
                nominalNetwork(resolved, *m_cache.expansion, *structure.placement, m_catalogue.constants));
        if (list != m_cache.linksOf) {
            m_cache.linksOf.clear();
            auto links = linkDelays(list, resolved, *m_cache.expansion, *structure.placement, m_catalogue.constants, *m_cache.network, structure.plan);
            if (!links.ok()) return links.error();
            m_cache.links = std::move(links).value();
            m_cache.linksOf = std::move(list);
        }
        plan.links = m_cache.links;
        return std::nullopt;
    }

    /// False when cancelled, or when the cluster cannot carry the layout (m_error).
    [[nodiscard]] bool buildStructure(const ResolvedScenario &resolved)
    {
        StructureKey key{m_scenario.model, m_scenario.training, m_scenario.layout, m_scenario.software, m_scenario.cluster};
        if (m_cache.structure && m_cache.structureOf == key) return true;
        auto structure = std::make_shared<Structure>();
        if (enter(SimulationStage::Place, 200)) return false;
        structure->placement = std::make_shared<const Placement>(
            place(resolved.degrees, *m_cache.expansion, resolved.cluster.gpusUsedPerDomain, resolved.cluster.scaleupDomain));
        if (enter(SimulationStage::Network, 300)) return false;
        const NetworkModel network = networkModel(resolved, *m_cache.expansion, *structure->placement, m_catalogue.constants);
        if (!network.connected) {
            m_error = Error{ErrorCode::NotConnected, {}, {}};
            m_error->place.pointer = m_scenario.cluster->blueprint ? "/cluster/blueprint/links" : "/cluster";
            return false;
        }
        if (enter(SimulationStage::Costs, 400)) return false;
        WorkloadCosts costs = workloadCosts(resolved, m_catalogue.constants, network);
        m_error = tooLong("/model", longestPassesSeconds(costs, resolved.microBatches), kLongestIterationS);
        if (m_error) return false;
        structure->plan = buildPlan(resolved, costs);
        structure->plan.expertPeers = expertPeersOf(resolved.degrees, *structure->placement);
        structure->plan.threads = m_cache.threads;
        structure->communication = std::move(costs.communication);
        structure->passes = std::move(costs.passes);
        structure->memory = std::make_shared<const std::vector<StageMemory>>(
            stageMemory(resolved, m_catalogue.constants, structure->plan.schedule, true));
        structure->capacity = usableMemory(resolved.accelerator, m_catalogue.constants);
        m_error = tooLong("/model", longestSeconds(structure->plan), kLongestIterationS);
        if (m_error) return false;
        structure->scheduleBubble = scheduleBubbleFraction(structure->plan);
        Run nominal;
        nominal.plan = structure->plan;
        nominal.trace = executeUnperturbed(structure->plan, true, m_stop);
        if (m_stop.stop_requested()) return false;
        m_error = tooLongToSum("/model", nominal);
        if (m_error) return false;
        structure->breakdownS = meanBreakdown(nominal, m_stop);
        if (m_stop.stop_requested()) return false;
        structure->twin = std::make_shared<const Trace>(std::move(nominal.trace));
        m_cache.structure = std::move(structure);
        m_cache.structureOf = std::move(key);
        m_cache.network.reset();
        m_cache.linksOf.clear();
        return true;
    }

    const Scenario &m_scenario;
    const Catalogue &m_catalogue;
    StageCache::Entries &m_cache;
    std::stop_token m_stop;
    const ProgressSink &m_progress;
    std::optional<Error> m_error;
};

} // namespace

SimulationOutcome simulate(const Scenario &scenario, const Catalogue &catalogue, StageCache &cache, std::stop_token stop,
                           const ProgressSink &progress)
{
    return Simulation(scenario, catalogue, cache.entries(), std::move(stop), progress).execute();
}

} // namespace clusterbeat
