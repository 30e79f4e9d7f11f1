// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/network/link_state.h"

#include "model/base/index.h"
#include "model/base/units.h"
#include "model/cluster/cluster_graph.h"
#include "model/cluster/devices.h"
#include "model/layout/target_finder.h"

#include <boost/range/iterator_range.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>

namespace clusterbeat {
namespace {

/// However many perturbations meet on a link, so much of what is alive stays.
constexpr double kLowestCapacity = 1e-4;

bool isSwitch(NodeKind kind) { return kind == NodeKind::Leaf || kind == NodeKind::Spine || kind == NodeKind::Core; }

/// NodeKind lists GPU, NVSwitch, NIC, leaf, spine, core from the inside out.
std::optional<LinkDomain> domainOf(const EdgeProperties &link, NodeKind a, NodeKind b)
{
    if (a > b) std::swap(a, b);
    if (link.kind == LinkKind::NvLink) return LinkDomain::NvLink;
    if (link.kind == LinkKind::Pcie) return LinkDomain::Pcie;
    if (!isSwitch(b)) return std::nullopt;
    if (a == NodeKind::Gpu || a == NodeKind::Nic) return LinkDomain::Nic;
    return isSwitch(a) && a != b ? std::optional(LinkDomain::Uplink) : std::nullopt;
}

/// Devices of a path or query as a mask.
Result<std::vector<char>> devicesOf(const Expansion &expansion, const Placement &placement, const std::string &target)
{
    std::vector<char> named(at(expansion.vertexCount), 0);
    const bool query = target.find(':') != std::string::npos;
    const auto devices = query ? gpusOfTarget(expansion, placement, target) : devicesAtPath(expansion, target);
    if (!devices.ok()) return devices.error();
    for (const std::int32_t device : devices.value())
        named[at(device)] = 1;
    return named;
}

/// A GPU speaks for its NICs.
void addNics(const Graph &graph, std::vector<char> &named)
{
    for (const auto edge : boost::make_iterator_range(boost::edges(graph))) {
        if (graph[edge].kind != LinkKind::Pcie) continue;
        std::size_t gpu = boost::source(edge, graph), nic = boost::target(edge, graph);
        if (graph[gpu].kind != NodeKind::Gpu) std::swap(gpu, nic);
        if (named[gpu]) named[nic] = 1;
    }
}

/// Links of the domain with an end in `named`, which is the upper or the lower one, and the other in `others`.
std::vector<TargetLink> linksAt(const Graph &graph, LinkDomain domain, const std::vector<char> &named,
                                const std::vector<char> &others, bool lower, bool upper)
{
    std::vector<TargetLink> links;
    std::int32_t number = 0;
    for (const auto edge : boost::make_iterator_range(boost::edges(graph))) {
        const std::int32_t link = number++;
        std::size_t a = boost::source(edge, graph), b = boost::target(edge, graph);
        if (domainOf(graph[edge], graph[a].kind, graph[b].kind) != domain) continue;
        if (graph[a].kind > graph[b].kind) std::swap(a, b);
        if (lower && named[a] && others[b]) links.push_back({link, static_cast<std::int32_t>(a)});
        else if (upper && named[b] && others[a]) links.push_back({link, static_cast<std::int32_t>(b)});
    }
    return links;
}

Error placed(Error error, const std::string &pointer)
{
    error.place.pointer = pointer;
    return error;
}

/// linksOfTarget() for lists of thousands: one pass over the graph, then O(links of the devices) for a target of few; what
/// takes another pass is remembered. The same answers.
class LinkFinder final {
public:
    LinkFinder(const Expansion &expansion, const Placement &placement) : m_expansion(expansion), m_placement(placement), m_targets(expansion, placement) {}

    using Links = std::shared_ptr<const std::vector<TargetLink>>;
    [[nodiscard]] Result<Links> find(const std::string &target, const LinkPerturbation &change)
    {
        if (++m_asked > kAskedBeforeIndex) {
            if (m_ends.empty()) makeIndex();
            const auto named = devicesOf(target), others = change.to.empty() ? std::optional(Devices{}) : devicesOf(change.to);
            if (named && others) {
                std::vector<TargetLink> links = linksBetween(*named, *others, change.domain);
                if (!links.empty()) return std::make_shared<const std::vector<TargetLink>>(std::move(links));
            }
        }
        const auto key = std::tuple(target, change.domain, change.to);
        if (const auto known = m_known.find(key); known != m_known.end()) return known->second;
        m_work += kPassSteps * static_cast<double>(m_expansion.edgeCount + m_expansion.vertexCount);
        auto found = linksOfTarget(m_expansion, m_placement, target, change.domain, change.to);
        if (!found.ok()) return found.error();
        auto links = std::make_shared<const std::vector<TargetLink>>(std::move(found).value());
        if (m_kept + links->size() <= kMostKept) {
            m_kept += links->size();
            m_known.emplace(key, links);
        }
        return Links(std::move(links));
    }
    /// Steps so far, about 4 ns each.
    [[nodiscard]] double work() const { return m_work + m_targets.work(); }

private:
    /// Below, the passes over the whole graph cost less than the index.
    static constexpr int kAskedBeforeIndex = 8;
    static constexpr std::size_t kFewDevices = 512;
    static constexpr std::size_t kMostKept = 4'000'000;   // links of all remembered targets together
    static constexpr double kPassSteps = 4.0, kLinkSteps = 30.0;
    using Devices = std::vector<std::int32_t>;            // ascending
    struct Ends {
        std::int32_t inner = 0, outer = 0;
        std::optional<LinkDomain> domain;
    };

    void makeIndex()
    {
        const Graph &graph = m_expansion.graph->graph;
        m_linksOfDevice.resize(at(m_expansion.vertexCount));
        m_ends.reserve(at(m_expansion.edgeCount));
        for (const auto edge : boost::make_iterator_range(boost::edges(graph))) {
            std::size_t a = boost::source(edge, graph), b = boost::target(edge, graph);
            const auto domain = domainOf(graph[edge], graph[a].kind, graph[b].kind);
            if (graph[a].kind > graph[b].kind) std::swap(a, b);
            const auto link = static_cast<std::int32_t>(m_ends.size());
            m_ends.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), domain});
            m_linksOfDevice[a].push_back(link);
            if (a != b) m_linksOfDevice[b].push_back(link);
        }
        m_deviceOfPath.reserve(m_linksOfDevice.size());
        for (std::int32_t device = 0; device < static_cast<std::int32_t>(m_expansion.vertexCount); ++device)
            m_deviceOfPath.emplace(pathOfDevice(m_expansion, device), device);
        m_work += kLinkSteps * static_cast<double>(m_expansion.vertexCount + m_expansion.edgeCount);
    }

    /// None when they are many, or not known at once.
    [[nodiscard]] std::optional<Devices> devicesOf(const std::string &target)
    {
        if (target.find(':') == std::string::npos) {
            const auto device = m_deviceOfPath.find(target);
            return device == m_deviceOfPath.end() ? std::nullopt : std::optional(Devices{device->second});
        }
        const auto gpus = m_targets.find(target);
        if (!gpus.ok() || gpus.value()->size() > kFewDevices) return std::nullopt;
        return *gpus.value();
    }

    /// No `others` means any.
    [[nodiscard]] std::vector<TargetLink> linksBetween(Devices named, const Devices &others, LinkDomain domain)
    {
        const Graph &graph = m_expansion.graph->graph;
        const std::size_t given = named.size();
        for (std::size_t i = 0; i < given && domain == LinkDomain::Nic; ++i)
            for (const std::int32_t link : m_linksOfDevice[at(named[i])]) {
                const Ends &ends = m_ends[at(link)];
                if (ends.domain == LinkDomain::Pcie && graph[at(ends.inner)].kind == NodeKind::Gpu && ends.inner == named[i]) named.push_back(ends.outer);
            }
        std::sort(named.begin(), named.end());
        Devices links;
        for (const std::int32_t each : named)
            links.insert(links.end(), m_linksOfDevice[at(each)].begin(), m_linksOfDevice[at(each)].end());
        std::sort(links.begin(), links.end());
        links.erase(std::unique(links.begin(), links.end()), links.end());
        m_work += kLinkSteps * static_cast<double>(links.size());
        const auto isIn = [](const Devices &list, std::int32_t end) { return std::binary_search(list.begin(), list.end(), end); };
        const auto isOther = [&](std::int32_t end) { return others.empty() || isIn(others, end); };
        const auto take = [&](bool lower, bool upper) {
            std::vector<TargetLink> found;
            for (const std::int32_t link : links) {
                const Ends &ends = m_ends[at(link)];
                if (ends.domain != domain) continue;
                if (lower && isIn(named, ends.inner) && isOther(ends.outer)) found.push_back({link, ends.inner});
                else if (upper && isIn(named, ends.outer) && isOther(ends.inner)) found.push_back({link, ends.outer});
            }
            return found;
        };
        std::vector<TargetLink> found = take(true, domain != LinkDomain::Uplink);
        return found.empty() && domain == LinkDomain::Uplink ? take(false, true) : found;
    }

    const Expansion &m_expansion;
    const Placement &m_placement;
    TargetFinder m_targets;
    int m_asked = 0;
    double m_work = 0.0;
    std::vector<Ends> m_ends;                                       ///< by link
    std::vector<std::vector<std::int32_t>> m_linksOfDevice;
    std::unordered_map<std::string, std::int32_t> m_deviceOfPath;
    std::map<std::tuple<std::string, LinkDomain, std::string>, Links> m_known;
    std::size_t m_kept = 0;
};

/// About 4 ns each: half a second's worth.
constexpr double kMostWork = 134'217'728.0;
constexpr double kChangeSteps = 8.0;

class StateBuilder final {
public:
    StateBuilder(const Expansion &expansion, const Placement &placement) : m_expansion(expansion), m_finder(expansion, placement) {}

    /// `number` in the list, `effect` among those that have one.
    std::optional<Error> add(const Perturbation &perturbation, std::size_t number, std::int32_t effect)
    {
        const std::string pointer = "/perturbations/" + std::to_string(number);
        const LinkPerturbation &change = perturbation.link;
        const auto found = m_finder.find(perturbation.target, change);
        if (!found.ok()) return placed(found.error(), pointer + found.error().place.pointer);
        const std::vector<TargetLink> &links = *found.value();
        m_work += kChangeSteps * static_cast<double>(links.size());
        if (const double work = m_work + m_finder.work(); work > kMostWork)
            return placed({ErrorCode::OutOfRange, {}, {"work of the perturbed links = " + std::to_string(static_cast<std::int64_t>(work)), 0.0, kMostWork}}, pointer);
        if (!hasEffect(perturbation)) return std::nullopt;
        if (m_state.nominal()) allocate();
        for (const TargetLink &each : links) {
            m_state.cause[at(each.link)] = effect;
            markGpus(each);
        }
        if (m_state.changed == kNone) m_state.changed = links.front().link;
        switch (perturbation.kind) {
        case PerturbationKind::DeadLink: return kill(change, links, pointer);
        case PerturbationKind::CompetingTraffic: return load(change, links, pointer);
        default: break;
        }
        for (const TargetLink &each : links) {
            slow(each.link, change.capacity);
            m_state.latencyS[at(each.link)] += change.extraLatencyS;
        }
        return std::nullopt;
    }

    LinkState take() { return std::move(m_state); }

private:
    void allocate()
    {
        const std::size_t count = at(m_expansion.edgeCount);
        m_state.alive.assign(count, 1.0);
        m_state.capacity.assign(count, 1.0);
        m_state.loadBytesPerS.assign(count, 0.0);
        m_state.latencyS.assign(count, 0.0);
        m_state.cause.assign(count, kNone);
        m_state.changedOfGpu.assign(at(m_expansion.gpuCount), kNone);
        m_links.reserve(count);
        for (const auto edge : boost::make_iterator_range(boost::edges(m_expansion.graph->graph)))
            m_links.push_back(&m_expansion.graph->graph[edge]);
    }

    void markGpus(const TargetLink &each)
    {
        const Graph &graph = m_expansion.graph->graph;
        const auto mark = [&](std::size_t device) {
            if (graph[device].kind == NodeKind::Gpu) m_state.changedOfGpu[device] = each.link;
        };
        const auto device = at(each.device);
        mark(device);
        if (graph[device].kind != NodeKind::Nic) return;
        for (const auto edge : boost::make_iterator_range(boost::out_edges(device, graph)))
            mark(boost::target(edge, graph));
    }

    void slow(std::int32_t link, double factor)
    {
        double &capacity = m_state.capacity[at(link)];
        capacity = std::max(capacity * factor, kLowestCapacity);
    }

    /// Of each member the first cables, in the order of its links.
    std::optional<Error> kill(const LinkPerturbation &change, const std::vector<TargetLink> &links,
                              const std::string &pointer)
    {
        const auto dead = static_cast<double>(change.cables.value_or(0));
        std::unordered_map<std::int32_t, double> cables, toGo;   // by device
        for (const TargetLink &each : links) {
            cables[each.device] += m_links[at(each.link)]->cables;
            toGo[each.device] = dead;
        }
        for (const TargetLink &each : links) {
            const double most = cables[each.device], own = m_links[at(each.link)]->cables;
            if (dead > most)
                return placed({ErrorCode::OutOfRange, {}, {std::to_string(*change.cables), std::int64_t{1}, most}},
                              pointer + "/cables");
            const double gone = change.cables ? std::min(toGo[each.device], own) : own;
            toGo[each.device] -= gone;
            double &alive = m_state.alive[at(each.link)];
            alive = std::max(0.0, alive - gone / own);
        }
        return std::nullopt;
    }

    std::optional<Error> load(const LinkPerturbation &change, const std::vector<TargetLink> &links,
                              const std::string &pointer)
    {
        const double bytesPerS = change.gbytesPerS.value_or(0.0) * 1e9;
        for (const TargetLink &each : links) {
            const EdgeProperties &link = *m_links[at(each.link)];
            const double most = bytesPerSecondFromGbps(link.cables * link.gbps) * (1.0 - kLowestCapacity);
            if (bytesPerS > most)
                return placed({ErrorCode::OutOfRange, {}, {*change.gbytesPerS, 0.0, most / 1e9}}, pointer + "/gbytes_per_s");
            slow(each.link, 1.0 - change.share.value_or(0.0));
            m_state.loadBytesPerS[at(each.link)] += bytesPerS;
        }
        return std::nullopt;
    }

    const Expansion &m_expansion;
    LinkFinder m_finder;
    double m_work = 0.0;
    LinkState m_state;
    std::vector<const EdgeProperties *> m_links;
};

} // namespace

Result<std::vector<TargetLink>> linksOfTarget(const Expansion &expansion, const Placement &placement,
                                              const std::string &target, LinkDomain domain, const std::string &to)
{
    const Graph &graph = expansion.graph->graph;
    auto named = devicesOf(expansion, placement, target);
    if (!named.ok()) return placed(named.error(), "/target");
    std::vector<char> others(at(expansion.vertexCount), 1);
    if (!to.empty()) {
        auto ends = devicesOf(expansion, placement, to);
        if (!ends.ok()) return placed(ends.error(), "/to");
        others = std::move(ends).value();
    }
    if (domain == LinkDomain::Nic) addNics(graph, named.value());
    std::vector<TargetLink> links = linksAt(graph, domain, named.value(), others, true, domain != LinkDomain::Uplink);
    if (links.empty() && domain == LinkDomain::Uplink) links = linksAt(graph, domain, named.value(), others, false, true);
    if (links.empty()) return placed({ErrorCode::NoSuchLink, {}, {to.empty() ? target : target + " → " + to}}, to.empty() ? "/link" : "/to");
    return links;
}

bool gpuHasLinks(const Expansion &expansion, GpuIndex gpu, LinkDomain domain)
{
    const Graph &graph = expansion.graph->graph;
    if (gpu < 0 || gpu >= expansion.gpuCount) return false;
    const auto ends = [&](std::size_t device) {
        const auto edges = boost::make_iterator_range(boost::out_edges(device, graph));
        return std::any_of(edges.begin(), edges.end(), [&](const auto &edge) {
            return domainOf(graph[edge], graph[device].kind, graph[boost::target(edge, graph)].kind) == domain;
        });
    };
    if (ends(at(gpu))) return true;
    if (domain != LinkDomain::Nic) return false;
    const auto edges = boost::make_iterator_range(boost::out_edges(at(gpu), graph));
    return std::any_of(edges.begin(), edges.end(), [&](const auto &edge) {
        const std::size_t other = boost::target(edge, graph);
        return graph[edge].kind == LinkKind::Pcie && graph[other].kind == NodeKind::Nic && ends(other);
    });
}

Result<LinkState> linkState(const PerturbationList &perturbations, const Expansion &expansion, const Placement &placement,
                            double hostBytesPerS)
{
    StateBuilder builder(expansion, placement);
    std::int32_t effect = 0;
    for (std::size_t i = 0; i < perturbations.size(); ++i) {
        if (concernsLinks(perturbations[i].kind))
            if (auto error = builder.add(perturbations[i], i, effect)) return *error;
        effect += hasEffect(perturbations[i]) ? 1 : 0;
    }
    LinkState state = builder.take();
    state.hostBytesPerS = hostBytesPerS;
    return state;
}

} // namespace clusterbeat
