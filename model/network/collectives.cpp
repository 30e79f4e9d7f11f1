// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/network/network_model.h"

#include <algorithm>

// Symbols: n members, D domains, g = members per domain, S bytes, Bnv = scaleupBytesPerS, Bnet = networkBytesPerS (of
// one member), a0 = ncclRingBaseS, anv = ncclNvlinkHopS, anet = ncclNetHopS.
//
// Bandwidth of a ring: B = Bnv inside one domain, else min(Bnv, g Bnet): g rings leave the domain through g NICs.
//
// Ring (Thakur, Rabenseifner, Gropp 2005; latencies of NCCL's tuning model, Simple protocol):
//   reduce-scatter, all-gather   a0 + (n-D) anv + (D-1) anet + S (n-1)/n / B
//   all-reduce                   both
// Tree, all-reduce only (Sanders, Speck, Traeff 2009: two trees use both directions of every link):
//   a0 + 2 (ceil log2 g) anv + 2 (ceil log2 D) anet + 2 S / B
// Hierarchical: g rings across domains, each on S/g, and a ring inside the domain on S, one after the other:
//   reduce-scatter, all-gather   2 a0 + (D-1) anet + (S/g) (D-1)/D / Bnet + (g-1) anv + S (g-1)/g / Bnv
//   all-reduce                   both
// All-to-all, both networks at once, one message to each peer:
//   a0 + (g-1) anv + (n-g) anet + max(S (g-1)/n / Bnv, S (n-g)/n / Bnet)

namespace clusterbeat {
namespace {

double ceilLog2(std::int32_t n)
{
    std::int32_t levels = 0;
    while ((std::int64_t{1} << levels) < n)
        ++levels;
    return levels;
}

double real(std::int32_t n) { return static_cast<double>(n); }

/// The part of a collective between domains is as fast as the slower of the domain's inside and its NICs together.
struct RingBandwidth {
    double bytesPerS;
    std::string bottleneck;
};
RingBandwidth ringBandwidth(const GroupPath &path)
{
    if (path.domains <= 1) return {path.scaleupBytesPerS, "nvlink"};
    const double across = real(path.membersPerDomain) * path.networkBytesPerS;
    if (path.membersPerDomain > 1 && path.scaleupBytesPerS < across) return {path.scaleupBytesPerS, "nvlink"};
    return {across, path.bottleneck};
}

CollectiveTime ring(CollectiveKind kind, double bytes, const GroupPath &path, const CostConstants &constants)
{
    const RingBandwidth bandwidth = ringBandwidth(path);
    const double passes = kind == CollectiveKind::AllReduce ? 2.0 : 1.0;
    CollectiveTime time;
    time.algorithm = CollectiveAlgorithm::Ring;
    time.bottleneck = bandwidth.bottleneck;
    time.startupS = passes * (constants.ncclRingBaseS + real(path.members - path.domains) * constants.ncclNvlinkHopS +
                              real(path.domains - 1) * constants.ncclNetHopS);
    time.transferS = passes * bytes * real(path.members - 1) / real(path.members) / bandwidth.bytesPerS;
    return time;
}

CollectiveTime tree(double bytes, const GroupPath &path, const CostConstants &constants)
{
    const RingBandwidth bandwidth = ringBandwidth(path);
    const std::int32_t inside = path.domains <= 1 ? path.members : path.membersPerDomain;
    CollectiveTime time;
    time.algorithm = CollectiveAlgorithm::Tree;
    time.bottleneck = bandwidth.bottleneck;
    time.startupS = constants.ncclRingBaseS + 2.0 * ceilLog2(inside) * constants.ncclNvlinkHopS +
                    2.0 * ceilLog2(path.domains) * constants.ncclNetHopS;
    time.transferS = 2.0 * bytes / bandwidth.bytesPerS;
    return time;
}

CollectiveTime hierarchical(CollectiveKind kind, double bytes, const GroupPath &path, const CostConstants &constants)
{
    const double passes = kind == CollectiveKind::AllReduce ? 2.0 : 1.0;
    const double g = real(path.membersPerDomain), domains = real(path.domains);
    const double across = bytes / g * (domains - 1.0) / domains / path.networkBytesPerS;
    const double inside = bytes * (g - 1.0) / g / path.scaleupBytesPerS;
    CollectiveTime time;
    time.algorithm = CollectiveAlgorithm::Hierarchical;
    time.bottleneck = inside > across ? "nvlink" : path.bottleneck;
    time.startupS = passes * (2.0 * constants.ncclRingBaseS + (domains - 1.0) * constants.ncclNetHopS +
                              (g - 1.0) * constants.ncclNvlinkHopS);
    time.transferS = passes * (across + inside);
    return time;
}

CollectiveTime allToAll(double bytes, const GroupPath &path, const CostConstants &constants)
{
    const std::int32_t near = path.domains <= 1 ? path.members : path.membersPerDomain;
    const double n = real(path.members), peers = real(near - 1), far = real(path.members - near);
    const double inside = near > 1 ? bytes * peers / n / path.scaleupBytesPerS : 0.0;
    const double across = far > 0.0 ? bytes * far / n / path.networkBytesPerS : 0.0;
    CollectiveTime time;
    time.algorithm = CollectiveAlgorithm::AllToAll;
    time.bottleneck = inside > across ? "nvlink" : path.bottleneck;
    time.startupS = constants.ncclRingBaseS + peers * constants.ncclNvlinkHopS + far * constants.ncclNetHopS;
    time.transferS = std::max(inside, across);
    return time;
}

bool hasHierarchy(const GroupPath &path) { return path.domains > 1 && path.membersPerDomain > 1; }

} // namespace

CollectiveTime collectiveTimeWith(CollectiveAlgorithm algorithm, CollectiveKind kind, double bytes,
                                  const GroupPath &path, const CostConstants &constants)
{
    if (path.members <= 1 || !(bytes > 0.0)) return {0.0, 0.0, CollectiveAlgorithm::None, ""};
    if (kind == CollectiveKind::AllToAll) return allToAll(bytes, path, constants);
    if (algorithm == CollectiveAlgorithm::Tree && kind == CollectiveKind::AllReduce)
        return tree(bytes, path, constants);
    if (algorithm == CollectiveAlgorithm::Hierarchical && hasHierarchy(path))
        return hierarchical(kind, bytes, path, constants);
    return ring(kind, bytes, path, constants);
}

CollectiveTime collectiveTime(CollectiveKind kind, double bytes, const GroupPath &path, const CostConstants &constants)
{
    CollectiveTime best = collectiveTimeWith(CollectiveAlgorithm::Ring, kind, bytes, path, constants);
    for (const CollectiveAlgorithm algorithm : {CollectiveAlgorithm::Tree, CollectiveAlgorithm::Hierarchical}) {
        const CollectiveTime other = collectiveTimeWith(algorithm, kind, bytes, path, constants);
        if (other.totalS() < best.totalS()) best = other;
    }
    return best;
}

} // namespace clusterbeat
