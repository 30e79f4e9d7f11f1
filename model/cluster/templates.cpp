// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/cluster/templates.h"

#include "model/cluster/expansion.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace clusterbeat {
namespace {

constexpr const char *kClosRail = "clos-rail";

Error errorAt(ErrorCode code, const char *key, std::vector<Argument> arguments)
{
    Error error;
    error.code = code;
    error.place.pointer = std::string("/cluster/") + key;
    error.arguments = std::move(arguments);
    return error;
}

std::int64_t ceilDivide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::optional<Error> checkParameters(const ClusterParameters &p)
{
    if (p.gpus > kMostGpus) return errorAt(ErrorCode::TooManyGpus, "gpus", {p.gpus, kMostGpus});
    const std::pair<const char *, std::int64_t> whole[] = {{"gpus", p.gpus},
                                                           {"gpus_per_server", p.gpusPerServer},
                                                           {"scaleup_domain", p.scaleupDomain},
                                                           {"servers_per_rack", p.serversPerRack},
                                                           {"racks_per_pod", p.racksPerPod}};
    for (const auto &[key, value] : whole)
        if (value < 1 || value > kMostGpus)
            return errorAt(ErrorCode::OutOfRange, key, {value, std::int64_t{1}, kMostGpus});
    const std::pair<const char *, double> positive[] = {{"nic_gbps_per_gpu", p.nicGbps},
                                                        {"scaleup_gbytes_per_s", p.scaleupGbytesPerS},
                                                        {"pod_oversubscription", p.podOversubscription},
                                                        {"core_oversubscription", p.coreOversubscription}};
    for (const auto &[key, value] : positive)
        if (!std::isfinite(value) || value <= 0.0 || value > 1e6)
            return errorAt(ErrorCode::OutOfRange, key, {value, 0.0, 1e6});
    if (!std::isfinite(p.linkLatencyS) || p.linkLatencyS < 0.0 || p.linkLatencyS > 1.0)
        return errorAt(ErrorCode::OutOfRange, "link_latency_s", {p.linkLatencyS, 0.0, 1.0});
    if (p.leaf != "rail" && p.leaf != "rack")
        return errorAt(ErrorCode::UnknownName, "leaf", {p.leaf, std::string("leaf"), std::string("rail")});
    if (p.scaleupDomain != 1 && p.scaleupDomain % p.gpusPerServer != 0)
        return errorAt(
            ErrorCode::NotDivisible, "scaleup_domain",
            {std::string("scaleup_domain"), p.scaleupDomain, std::string("gpus_per_server"), p.gpusPerServer});
    return std::nullopt;
}

/// Numbers that follow from the parameters. Counts are those of a full pod, rack and server, or of what there is.
struct Shape {
    std::int64_t gpusPerServer, serversPerRack, racksPerPod;
    std::int64_t servers, racks, pods;
    bool domainIsRack, domainIsGpu;
    bool railLeaf;
    std::int64_t leavesPerRail = 1;
    double leafDown = 0.0; // NICs on a full leaf
    double leafUp = 0.0;   // uplink cables of a leaf, at the NICs' speed
    std::int64_t spines = 0;

    explicit Shape(const ClusterParameters &p)
        : gpusPerServer(std::min(p.gpusPerServer, p.gpus)), serversPerRack(p.serversPerRack),
          racksPerPod(p.racksPerPod), domainIsRack(p.scaleupDomain > p.gpusPerServer),
          domainIsGpu(p.scaleupDomain == 1), railLeaf(p.leaf == "rail")
    {
        if (domainIsRack) serversPerRack = p.scaleupDomain / p.gpusPerServer;
        servers = ceilDivide(p.gpus, p.gpusPerServer);
        racks = ceilDivide(servers, serversPerRack);
        pods = ceilDivide(racks, racksPerPod);
        serversPerRack = std::min(serversPerRack, servers);
        racksPerPod = std::min(racksPerPod, racks);
        const std::int64_t serversPerPod = std::min(serversPerRack * racksPerPod, servers);
        leavesPerRail = ceilDivide(serversPerPod, kLeafDownPorts);
        leafDown =
            static_cast<double>(railLeaf ? ceilDivide(serversPerPod, leavesPerRail) : serversPerRack * gpusPerServer);
        leafUp = leafDown / p.podOversubscription;
        spines = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(leafUp)), 1, kMostSpines);
        if (leavesPerPod() * pods == 1) spines = 0;
    }
    /// GPUs without NVLink meet on a leaf even inside one server.
    [[nodiscard]] bool networked() const { return servers > 1 || (domainIsGpu && gpusPerServer > 1); }
    [[nodiscard]] std::int64_t leavesPerPod() const { return railLeaf ? gpusPerServer * leavesPerRail : racksPerPod; }
    [[nodiscard]] double nicsPerPod() const
    {
        return static_cast<double>(std::min(racksPerPod * serversPerRack, servers) * gpusPerServer);
    }
};

/// HGX H100: 4 switches for 8 GPUs; NVL72: 9 trays of two.
std::int64_t nvSwitches(std::int64_t domain)
{
    return std::max<std::int64_t>(1, domain <= 8 ? domain / 2 : domain / 8);
}

/// The slowest PCI Express x16 slot (raw 128, 256, 512, 1024 Gb/s for generations 3 to 6) that feeds the NIC.
double pcieGbps(double nicGbps)
{
    double gbps = 128.0;
    while (gbps < nicGbps && gbps < 1024.0)
        gbps *= 2.0;
    return std::max(gbps, nicGbps);
}

void addNodes(Blueprint &blueprint, const ClusterParameters &p, const Shape &shape)
{
    const auto add = [&](const char *id, NodeKind kind, const char *name, const char *parent, std::int64_t count,
                         std::int64_t limit, double x, double y) {
        blueprint.nodes.push_back({id, kind, name, parent, count, limit, x, y});
    };
    add("site", NodeKind::Site, "Site", "", 1, 0, 0.0, 0.0);
    add("pod", NodeKind::Pod, "Pod", "site", shape.pods, 0, 0.0, 160.0);
    add("rack", NodeKind::Rack, "Rack", "pod", shape.racksPerPod, shape.racks, 0.0, 320.0);
    add("server", NodeKind::Server, "Server", "rack", shape.serversPerRack, shape.servers, 0.0, 480.0);
    add("gpu", NodeKind::Gpu, "GPU", "server", shape.gpusPerServer, p.gpus, 0.0, 640.0);
    if (p.scaleupDomain > 1)
        add("nvswitch", NodeKind::NvSwitch, "NVSwitch", shape.domainIsRack ? "rack" : "server",
            nvSwitches(p.scaleupDomain), 0, 160.0, 560.0);
    add("nic", NodeKind::Nic, "NIC", "server", shape.gpusPerServer, p.gpus, 320.0, 640.0);
    if (!shape.networked()) return;
    add("leaf", NodeKind::Leaf, "Leaf", shape.railLeaf ? "pod" : "rack", shape.railLeaf ? shape.leavesPerPod() : 1, 0,
        320.0, 400.0);
    if (shape.spines > 0) add("spine", NodeKind::Spine, "Spine", "pod", shape.spines, 0, 320.0, 240.0);
    if (shape.pods > 1) add("core", NodeKind::Core, "Core", "site", shape.spines, 0, 320.0, 80.0);
}

void addLinks(Blueprint &blueprint, const ClusterParameters &p, const Shape &shape)
{
    const auto add = [&](const char *id, const char *from, const char *to, LinkPattern pattern, double cables,
                         double gbps) {
        blueprint.links.push_back({id, from, to, pattern, cables, gbps, p.linkLatencyS});
    };
    if (p.scaleupDomain > 1)
        add("nvlink", "gpu", "nvswitch", LinkPattern::All, 1.0,
            p.scaleupGbytesPerS * 8.0 / static_cast<double>(nvSwitches(p.scaleupDomain)));
    add("pcie", "gpu", "nic", LinkPattern::OneToOne, 1.0, pcieGbps(p.nicGbps));
    if (!shape.networked()) return;
    add("nic-leaf", "nic", "leaf", shape.railLeaf ? LinkPattern::Rail : LinkPattern::All, 1.0, p.nicGbps);
    if (shape.spines == 0) return;
    const auto spines = static_cast<double>(shape.spines);
    add("leaf-spine", "leaf", "spine", LinkPattern::All, shape.leafUp / spines, p.nicGbps);
    if (shape.pods > 1)
        add("spine-core", "spine", "core", LinkPattern::Stripe, shape.nicsPerPod() / p.coreOversubscription / spines,
            p.nicGbps);
}

} // namespace

std::vector<std::string> clusterTemplateNames() { return {kClosRail}; }

Result<Blueprint> blueprintFromTemplate(const ClusterParameters &parameters)
{
    if (parameters.templateName != kClosRail)
        return errorAt(ErrorCode::UnknownName, "template",
                       {parameters.templateName, std::string("template"), std::string(kClosRail)});
    if (auto error = checkParameters(parameters)) return *error;
    const Shape shape(parameters);
    Blueprint blueprint;
    addNodes(blueprint, parameters, shape);
    addLinks(blueprint, parameters, shape);
    return blueprint;
}

} // namespace clusterbeat
