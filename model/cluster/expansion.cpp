// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/cluster/expansion.h"

#include "model/base/index.h"
#include "model/cluster/blueprint_index.h"
#include "model/cluster/cluster_graph.h"

#include <boost/range/iterator_range.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

namespace clusterbeat {
namespace {

/// Instances of one device node (GPU, NIC, switch …) in container order.
struct Devices {
    std::vector<std::int32_t> container;
    std::vector<std::int32_t> replica;
    std::vector<std::int32_t> vertex;
    [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(container.size()); }
};

LinkKind linkKindOf(NodeKind a, NodeKind b)
{
    if (a > b) std::swap(a, b); // NodeKind lists GPU, NvSwitch, NIC, leaf, spine, core from the inside out
    if (a == NodeKind::Gpu && (b == NodeKind::NvSwitch || b == NodeKind::Gpu)) return LinkKind::NvLink;
    if (a == NodeKind::NvSwitch && b == NodeKind::NvSwitch) return LinkKind::NvLink;
    if (a == NodeKind::Gpu && b == NodeKind::Nic) return LinkKind::Pcie;
    if (a == NodeKind::Nic && (b == NodeKind::Leaf || b == NodeKind::Spine || b == NodeKind::Core))
        return LinkKind::NicLeaf;
    if (a == NodeKind::Leaf && b == NodeKind::Spine) return LinkKind::LeafSpine;
    if ((a == NodeKind::Spine || a == NodeKind::Leaf) && b == NodeKind::Core) return LinkKind::SpineCore;
    return LinkKind::Other;
}

class Expander final {
public:
    Expander(const Blueprint &blueprint, const BlueprintIndex &index)
        : m_blueprint(blueprint), m_index(index), m_expansion(std::make_shared<Expansion>()), m_nodeOfContainer(),
          m_devices(blueprint.nodes.size())
    {
    }

    Result<std::shared_ptr<const Expansion>> run()
    {
        addContainers();
        addDevices();
        numberGpus();
        const std::int64_t vertices = numberVertices();
        auto graph = std::make_shared<ClusterGraph>(at(vertices));
        fillVertices(*graph);
        for (std::size_t link = 0; link < m_blueprint.links.size(); ++link)
            if (!addLink(link, graph->graph)) return tooManyEdges(link);
        m_expansion->vertexCount = vertices;
        m_expansion->edgeCount = static_cast<std::int64_t>(boost::num_edges(graph->graph));
        findDomains(graph->graph);
        m_expansion->graph = std::move(graph);
        return std::shared_ptr<const Expansion>(m_expansion);
    }

private:
    [[nodiscard]] std::vector<Container> &containers() { return m_expansion->containers; }
    [[nodiscard]] const BlueprintNode &node(std::size_t i) const { return m_blueprint.nodes[i]; }

    void addContainers();
    void addDevices();
    void numberGpus();
    std::int64_t numberVertices();
    void fillVertices(ClusterGraph &graph) const;
    bool addLink(std::size_t link, Graph &graph);
    bool addCables(const BlueprintLink &link, std::pair<std::int32_t, std::int32_t> from,
                   std::pair<std::int32_t, std::int32_t> to, Graph &graph);
    std::vector<std::int32_t> commonContainers(const Devices &devices, std::int32_t common) const;
    void findDomains(const Graph &graph);
    static Error tooManyEdges(std::size_t link);

    const Blueprint &m_blueprint;
    const BlueprintIndex &m_index;
    std::shared_ptr<Expansion> m_expansion;
    std::vector<std::int32_t> m_nodeOfContainer;
    std::vector<Devices> m_devices; // by node; empty for containers
    const Devices *m_from = nullptr, *m_to = nullptr;
    std::int64_t m_fromPerParent = 1;
};

/// Breadth first, so that children of a container are contiguous. A limit is used up in container order.
void Expander::addContainers()
{
    std::vector<std::vector<std::size_t>> inside(m_blueprint.nodes.size() + 1); // [parent + 1]
    for (std::size_t i = 0; i < m_blueprint.nodes.size(); ++i)
        if (isContainer(node(i).kind) && static_cast<std::int32_t>(i) != m_index.site)
            inside[at(m_index.parent[i] + 1)].push_back(i);
    std::vector<std::int64_t> left = m_index.instances;

    Container site;
    if (m_index.site != kNone) site.nodeId = node(at(m_index.site)).id;
    containers().push_back(site);
    m_nodeOfContainer.push_back(m_index.site);
    for (std::size_t c = 0; c < containers().size(); ++c) {
        containers()[c].firstChild = static_cast<std::int32_t>(containers().size());
        for (const std::size_t child : inside[at(m_nodeOfContainer[c] + 1)]) {
            const std::int64_t count = std::min(node(child).count, left[child]);
            left[child] -= count;
            for (std::int64_t replica = 0; replica < count; ++replica) {
                Container container;
                container.kind = node(child).kind;
                container.nodeId = node(child).id;
                container.replica = static_cast<std::int32_t>(replica);
                container.parent = static_cast<std::int32_t>(c);
                containers().push_back(std::move(container));
                m_nodeOfContainer.push_back(static_cast<std::int32_t>(child));
            }
        }
        containers()[c].childCount = static_cast<std::int32_t>(containers().size()) - containers()[c].firstChild;
    }
}

void Expander::addDevices()
{
    std::vector<std::vector<std::size_t>> inside(m_blueprint.nodes.size() + 1);
    for (std::size_t i = 0; i < m_blueprint.nodes.size(); ++i) {
        if (isContainer(node(i).kind)) continue;
        inside[at(m_index.parent[i] + 1)].push_back(i);
        for (auto *numbers : {&m_devices[i].container, &m_devices[i].replica})
            numbers->reserve(at(m_index.instances[i]));
    }
    std::vector<std::int64_t> left = m_index.instances;
    for (std::size_t c = 0; c < containers().size(); ++c)
        for (const std::size_t child : inside[at(m_nodeOfContainer[c] + 1)]) {
            const std::int64_t count = std::min(node(child).count, left[child]);
            left[child] -= count;
            for (std::int64_t replica = 0; replica < count; ++replica) {
                m_devices[child].container.push_back(static_cast<std::int32_t>(c));
                m_devices[child].replica.push_back(static_cast<std::int32_t>(replica));
            }
            if (node(child).kind == NodeKind::Gpu) containers()[c].gpuCount += static_cast<std::int32_t>(count);
        }
}

/// A container's own GPUs come first, then those of its children in order, so every container's are contiguous.
void Expander::numberGpus()
{
    std::vector<std::int32_t> next(containers().size());
    for (std::size_t c = 0; c < containers().size(); ++c)
        next[c] = containers()[c].gpuCount;
    for (std::size_t c = containers().size(); c-- > 1;)
        containers()[at(containers()[c].parent)].gpuCount += containers()[c].gpuCount;
    for (std::size_t c = 0; c < containers().size(); ++c) {
        std::int32_t first = containers()[c].firstGpu + next[c];
        next[c] = containers()[c].firstGpu;
        for (std::int32_t child = 0; child < containers()[c].childCount; ++child) {
            Container &container = containers()[at(containers()[c].firstChild + child)];
            container.firstGpu = first;
            first += container.gpuCount;
        }
    }
    m_expansion->gpuCount = containers()[0].gpuCount;
    m_expansion->serverOfGpu.resize(at(m_expansion->gpuCount));
    for (std::size_t i = 0; i < m_devices.size(); ++i) {
        if (node(i).kind != NodeKind::Gpu) continue;
        for (const std::int32_t c : m_devices[i].container) {
            const GpuIndex gpu = next[at(c)]++;
            m_devices[i].vertex.push_back(gpu);
            m_expansion->serverOfGpu[at(gpu)] = c;
        }
    }
}

std::int64_t Expander::numberVertices()
{
    std::int32_t vertex = m_expansion->gpuCount;
    for (std::size_t i = 0; i < m_devices.size(); ++i) {
        if (node(i).kind == NodeKind::Gpu) continue;
        m_devices[i].vertex.resize(m_devices[i].container.size());
        std::iota(m_devices[i].vertex.begin(), m_devices[i].vertex.end(), vertex);
        vertex += m_devices[i].size();
    }
    return vertex;
}

void Expander::fillVertices(ClusterGraph &graph) const
{
    for (const BlueprintNode &drawn : m_blueprint.nodes)
        graph.nodeIds.push_back(drawn.id);
    for (std::size_t i = 0; i < m_devices.size(); ++i)
        for (std::size_t k = 0; k < m_devices[i].vertex.size(); ++k)
            graph.graph[at(m_devices[i].vertex[k])] = {node(i).kind, static_cast<std::int32_t>(i),
                                                       m_devices[i].container[k], m_devices[i].replica[k]};
}

/// For each device the instance of container node `common` around it (0 when that is the added site).
std::vector<std::int32_t> Expander::commonContainers(const Devices &devices, std::int32_t common) const
{
    std::vector<std::int32_t> result(devices.container);
    for (std::int32_t &c : result)
        while (m_nodeOfContainer[at(c)] != common && c != 0)
            c = m_expansion->containers[at(c)].parent;
    return result;
}

/// False when the expansion has too many links.
bool Expander::addLink(std::size_t number, Graph &graph)
{
    const BlueprintIndex::Link &ends = m_index.links[number];
    m_from = &m_devices[at(ends.from)];
    m_to = &m_devices[at(ends.to)];
    m_fromPerParent = node(at(ends.from)).count;
    // Devices are in container order, so those of one common container are a run in both lists.
    const std::vector<std::int32_t> fromCommon = commonContainers(*m_from, ends.common);
    const std::vector<std::int32_t> toCommon = commonContainers(*m_to, ends.common);
    std::int32_t f = 0, t = 0;
    const auto endOfRun = [](const std::vector<std::int32_t> &list, std::int32_t i) {
        const std::int32_t value = list[at(i)];
        while (i < static_cast<std::int32_t>(list.size()) && list[at(i)] == value)
            ++i;
        return i;
    };
    while (f < m_from->size() && t < m_to->size()) {
        const std::int32_t a = fromCommon[at(f)], b = toCommon[at(t)];
        const std::int32_t fromEnd = endOfRun(fromCommon, f), toEnd = endOfRun(toCommon, t);
        if (a == b && !addCables(m_blueprint.links[number], {f, fromEnd}, {t, toEnd}, graph)) return false;
        if (a <= b) f = fromEnd;
        if (b <= a) t = toEnd;
    }
    return true;
}

bool Expander::addCables(const BlueprintLink &link, std::pair<std::int32_t, std::int32_t> from,
                         std::pair<std::int32_t, std::int32_t> to, Graph &graph)
{
    const std::int64_t fromCount = from.second - from.first, toCount = to.second - to.first;
    const bool all = link.pattern == LinkPattern::All;
    const std::int64_t more = all ? fromCount * toCount : fromCount;
    if (static_cast<std::int64_t>(boost::num_edges(graph)) + more > kMostEdges) return false;
    const auto connect = [&](std::int64_t f, std::int64_t t) {
        const std::int32_t a = m_from->vertex[at(from.first + f)], b = m_to->vertex[at(to.first + t)];
        boost::add_edge(
            at(a), at(b),
            EdgeProperties{link.cables, link.gbps, link.latencyS, linkKindOf(graph[at(a)].kind, graph[at(b)].kind)},
            graph);
    };
    const std::int64_t rails = std::min(m_fromPerParent, toCount), blocks = toCount / rails;
    std::int64_t parents = 0; // of the devices in this run, numbered as they come
    if (link.pattern == LinkPattern::Rail)
        for (std::int32_t f = from.first; f < from.second; ++f)
            parents += f == from.first || m_from->container[at(f)] != m_from->container[at(f) - 1];
    std::int64_t parent = -1;
    for (std::int64_t f = 0; f < fromCount; ++f) {
        const std::size_t device = at(from.first + f);
        if (f == 0 || m_from->container[device] != m_from->container[device - 1]) ++parent;
        switch (link.pattern) {
        case LinkPattern::All:
            for (std::int64_t t = m_from == m_to ? f + 1 : 0; t < toCount; ++t)
                connect(f, t);
            break;
        case LinkPattern::OneToOne:
            if (f < toCount) connect(f, f);
            break;
        case LinkPattern::Rail:
            connect(f, m_from->replica[device] % rails + rails * (parent * blocks / parents));
            break;
        case LinkPattern::Stripe: connect(f, f % toCount); break;
        }
    }
    return true;
}

Error Expander::tooManyEdges(std::size_t link)
{
    Error error;
    error.code = ErrorCode::OutOfRange;
    error.place.pointer = "/cluster/blueprint/links/" + std::to_string(link);
    error.arguments = {kMostEdges + 1, std::int64_t{0}, kMostEdges};
    return error;
}

/// Components of the NVLink links, by disjoint sets with path halving.
void Expander::findDomains(const Graph &graph)
{
    std::vector<std::int32_t> root(boost::num_vertices(graph));
    std::iota(root.begin(), root.end(), 0);
    const auto find = [&](std::int32_t v) {
        while (root[at(v)] != v)
            v = root[at(v)] = root[at(root[at(v)])];
        return v;
    };
    for (const auto edge : boost::make_iterator_range(boost::edges(graph))) {
        if (graph[edge].kind != LinkKind::NvLink) continue;
        const std::int32_t a = find(static_cast<std::int32_t>(boost::source(edge, graph)));
        const std::int32_t b = find(static_cast<std::int32_t>(boost::target(edge, graph)));
        root[at(std::max(a, b))] = std::min(a, b); // the smallest number wins: a GPU, the first of its domain
    }
    m_expansion->domainOfGpu.resize(at(m_expansion->gpuCount));
    for (GpuIndex gpu = 0; gpu < m_expansion->gpuCount; ++gpu) {
        const GpuIndex first = find(gpu);
        m_expansion->domainOfGpu[at(gpu)] =
            first == gpu ? m_expansion->domainCount++ : m_expansion->domainOfGpu[at(first)];
    }
}

} // namespace

Result<std::shared_ptr<const Expansion>> expand(const Blueprint &blueprint)
{
    auto index = indexBlueprint(blueprint);
    if (!index.ok()) return index.error();
    return Expander(blueprint, index.value()).run();
}

} // namespace clusterbeat
