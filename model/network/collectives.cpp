// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/network/network_model.h"

#include <algorithm>
#include <optional>

// Symbols: n members, D domains, g = members per domain, S bytes, Bnv = scaleupBytesPerS, Bnet = networkBytesPerS (of
// one member); a0, anv, anet = base, NVLink hop and network hop of the algorithm's protocol (NCCL, src/graph/tuning.cc).
//
// Bandwidth of a ring: B = Bnv inside one domain, else min(Bnv, g Bnet): g rings leave the domain through g NICs.
// Protocol Simple reaches B; LL128 0.92 B; LL 0.5 B (a tree B / 3.8), at most the generation's cap.
//
// Ring (Thakur, Rabenseifner, Gropp 2005):
//   reduce-scatter, all-gather   a0 + (n-D) anv + (D-1) anet + S (n-1)/n / B
//   all-reduce                   a0 + both passes
// Tree, all-reduce only (Sanders, Speck, Traeff 2009: two trees use both directions of every link; a chain inside):
//   a0 + 2 (g-1) anv + 2 ceil(log2 D) anet + 2 S / B
// Hierarchical: g rings across domains, each on S/g, and a ring inside the domain on S, one after the other:
//   reduce-scatter, all-gather   2 a0 + (D-1) anet + (S/g) (D-1)/D / Bnet + (g-1) anv + S (g-1)/g / Bnv
//   all-reduce                   both
// NVLS, all-reduce in one domain: each GPU sends S to the switch and S/n reduced, and receives as much:
//   anvls + S (1 + 1/n) / (e Bnv)
// NVLS tree, all-reduce over domains: the same inside on S, and trees of the g NICs on S/g each, pipelined:
//   anvls + 2 ceil(log2 D) anet + max(S (1 + 1/g) / (e Bnv), 2 (S/g) / Bnet); two domains just exchange: (S/g) / Bnet
// In-network (SHARP), all-reduce over domains: up the switches once and down once, beside the inside:
//   asharp + [anvls] + max((S/g) / (0.85 Bnet), inside), inside = NVLS's or a ring's 2 S (g-1)/g / Bnv
// PAT, all-gather and reduce-scatter with one member a domain (NCCL 2.23):
//   a0 + ceil(log2 D) anet + n arank + S (n-1)/n / (0.75 Bnet)
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

double ringFraction(CollectiveProtocol protocol, const CollectiveConstants &c)
{
    switch (protocol) {
    case CollectiveProtocol::Ll128: return c.ll128BandwidthFraction;
    case CollectiveProtocol::Ll: return c.llRingBandwidthFraction;
    default: return 1.0;
    }
}

double treeFraction(CollectiveProtocol protocol, const GroupPath &path, const CollectiveConstants &c)
{
    switch (protocol) {
    case CollectiveProtocol::Ll128:
        return path.domains <= 1 ? c.ll128TreeFractionOneDomain : c.ll128TreeFractionMoreDomains;
    case CollectiveProtocol::Ll: return c.llTreeBandwidthFraction;
    default: return c.treeBandwidthFraction;
    }
}

/// 0 = the protocol is not offered.
double protocolBandwidth(double bytesPerS, double fraction, CollectiveProtocol protocol, const GroupPath &path)
{
    const double reached = bytesPerS * fraction;
    return protocol == CollectiveProtocol::Ll ? std::min(reached, path.features.lowLatencyBytesPerS) : reached;
}

const ProtocolLatency &ringLatency(CollectiveProtocol protocol, const CollectiveConstants &c)
{
    return protocol == CollectiveProtocol::Ll ? c.ringLl
                                              : protocol == CollectiveProtocol::Ll128 ? c.ringLl128 : c.ringSimple;
}
const ProtocolLatency &treeLatency(CollectiveProtocol protocol, const CollectiveConstants &c)
{
    return protocol == CollectiveProtocol::Ll ? c.treeLl
                                              : protocol == CollectiveProtocol::Ll128 ? c.treeLl128 : c.treeSimple;
}

using Answer = std::optional<CollectiveTime>;

Answer ring(CollectiveProtocol protocol, CollectiveKind kind, double bytes, const GroupPath &path,
            const CollectiveConstants &c)
{
    const RingBandwidth bandwidth = ringBandwidth(path);
    const double reached = protocolBandwidth(bandwidth.bytesPerS, ringFraction(protocol, c), protocol, path);
    if (protocol != CollectiveProtocol::Simple && !(reached > 0.0)) return std::nullopt;
    const double passes = kind == CollectiveKind::AllReduce ? 2.0 : 1.0;
    const ProtocolLatency &latency = ringLatency(protocol, c);
    const double hops =
        real(path.members - path.domains) * latency.nvlinkHopS + real(path.domains - 1) * latency.netHopS;
    return CollectiveTime{latency.baseS + passes * hops,
                          passes * bytes * real(path.members - 1) / real(path.members) / reached,
                          CollectiveAlgorithm::Ring, bandwidth.bottleneck, protocol};
}

Answer tree(CollectiveProtocol protocol, double bytes, const GroupPath &path, const CollectiveConstants &c)
{
    const RingBandwidth bandwidth = ringBandwidth(path);
    const double reached = protocolBandwidth(bandwidth.bytesPerS, treeFraction(protocol, path, c), protocol, path);
    if (!(reached > 0.0)) return std::nullopt;
    const ProtocolLatency &latency = treeLatency(protocol, c);
    const std::int32_t inside = path.domains <= 1 ? path.members : path.membersPerDomain;
    const double startup = latency.baseS + 2.0 * real(inside - 1) * latency.nvlinkHopS +
                           2.0 * ceilLog2(path.domains) * latency.netHopS;
    return CollectiveTime{startup, 2.0 * bytes / reached, CollectiveAlgorithm::Tree, bandwidth.bottleneck, protocol};
}

CollectiveTime hierarchical(CollectiveKind kind, double bytes, const GroupPath &path, const CollectiveConstants &c)
{
    const double passes = kind == CollectiveKind::AllReduce ? 2.0 : 1.0;
    const double g = real(path.membersPerDomain), domains = real(path.domains);
    const double across = bytes / g * (domains - 1.0) / domains / path.networkBytesPerS;
    const double inside = bytes * (g - 1.0) / g / path.scaleupBytesPerS;
    const ProtocolLatency &latency = c.ringSimple;
    const double startup =
        passes * (2.0 * latency.baseS + (domains - 1.0) * latency.netHopS + (g - 1.0) * latency.nvlinkHopS);
    return {startup, passes * (across + inside), CollectiveAlgorithm::Hierarchical,
            inside > across ? "nvlink" : path.bottleneck, CollectiveProtocol::Simple};
}

/// Seconds of NVLink when the NVSwitch reduces for the members of one domain.
double nvlsSeconds(double bytes, const GroupPath &path)
{
    const double members = real(path.domains <= 1 ? path.members : path.membersPerDomain);
    return bytes * (1.0 + 1.0 / members) / (path.features.nvlsEfficiency * path.scaleupBytesPerS);
}

CollectiveTime nvls(double bytes, const GroupPath &path, const CollectiveConstants &c)
{
    return {c.nvlsLatencyS, nvlsSeconds(bytes, path), CollectiveAlgorithm::Nvls, "nvlink", CollectiveProtocol::Simple};
}

CollectiveTime nvlsTree(double bytes, const GroupPath &path, const CollectiveConstants &c)
{
    const double inside = nvlsSeconds(bytes, path);
    const double passes = path.domains == 2 ? 1.0 : 2.0;
    const double across = passes * bytes / real(path.membersPerDomain) / path.networkBytesPerS;
    const double startup = c.nvlsTreeBaseS + c.nvlsLatencyS + 2.0 * ceilLog2(path.domains) * c.nvlsTreeNetHopS;
    return {startup, std::max(inside, across), CollectiveAlgorithm::NvlsTree,
            inside > across ? "nvlink" : path.bottleneck, CollectiveProtocol::Simple};
}

CollectiveTime inNetwork(double bytes, const GroupPath &path, const CollectiveConstants &c)
{
    const double g = real(path.membersPerDomain);
    const bool withNvls = path.features.nvlsEfficiency > 0.0 && path.membersPerDomain > 1;
    const double ringInside = g > 1.0 ? 2.0 * bytes * (g - 1.0) / g / path.scaleupBytesPerS : 0.0;
    const double inside = withNvls ? std::min(nvlsSeconds(bytes, path), ringInside) : ringInside;
    const double across = bytes / g / (c.inNetworkBandwidthFraction * path.networkBytesPerS);
    const double chain = 2.0 * (g - 1.0) * c.ringSimple.nvlinkHopS;
    return {c.inNetworkLatencyS + (withNvls ? c.nvlsLatencyS : chain), std::max(inside, across),
            CollectiveAlgorithm::InNetwork, inside > across ? "nvlink" : path.bottleneck, CollectiveProtocol::Simple};
}

CollectiveTime pat(double bytes, const GroupPath &path, const CollectiveConstants &c)
{
    const double n = real(path.members);
    return {c.patBaseS + ceilLog2(path.domains) * c.patNetHopS + n * c.patRankS,
            bytes * (n - 1.0) / n / (c.patBandwidthFraction * path.networkBytesPerS), CollectiveAlgorithm::Pat,
            path.bottleneck, CollectiveProtocol::Simple};
}

CollectiveTime allToAll(double bytes, const GroupPath &path, const CollectiveConstants &c)
{
    const std::int32_t near = path.domains <= 1 ? path.members : path.membersPerDomain;
    const double n = real(path.members), peers = real(near - 1), far = real(path.members - near);
    const double inside = near > 1 ? bytes * peers / n / path.scaleupBytesPerS : 0.0;
    const double across = far > 0.0 ? bytes * far / n / path.networkBytesPerS : 0.0;
    const ProtocolLatency &latency = c.ringSimple;
    return {latency.baseS + peers * latency.nvlinkHopS + far * latency.netHopS, std::max(inside, across),
            CollectiveAlgorithm::AllToAll, inside > across ? "nvlink" : path.bottleneck, CollectiveProtocol::Simple};
}

void keepFaster(Answer &best, const Answer &other)
{
    if (other && (!best || other->totalS() < best->totalS())) best = other;
}

constexpr CollectiveProtocol kProtocols[] = {CollectiveProtocol::Simple, CollectiveProtocol::Ll128,
                                             CollectiveProtocol::Ll};

/// Empty where the algorithm does not apply to the kind, the group or what the hardware offers.
Answer answerOf(CollectiveAlgorithm algorithm, CollectiveKind kind, double bytes, const GroupPath &path,
                const CollectiveConstants &c, std::optional<CollectiveProtocol> only = std::nullopt)
{
    const auto allowed = [&](CollectiveProtocol protocol) { return !only || *only == protocol; };
    const bool reduceAll = kind == CollectiveKind::AllReduce;
    const bool several = path.domains > 1, peers = several ? path.membersPerDomain > 1 : path.members > 1;
    const bool withNvls = reduceAll && path.features.nvlsEfficiency > 0.0 && peers;
    Answer best;
    switch (algorithm) {
    case CollectiveAlgorithm::Ring:
        for (const CollectiveProtocol protocol : kProtocols)
            if (allowed(protocol)) keepFaster(best, ring(protocol, kind, bytes, path, c));
        break;
    case CollectiveAlgorithm::Tree:
        for (const CollectiveProtocol protocol : kProtocols)
            if (reduceAll && allowed(protocol)) keepFaster(best, tree(protocol, bytes, path, c));
        break;
    case CollectiveAlgorithm::Hierarchical:
        if (several && peers) best = hierarchical(kind, bytes, path, c);
        break;
    case CollectiveAlgorithm::Nvls:
        if (withNvls && !several) best = nvls(bytes, path, c);
        break;
    case CollectiveAlgorithm::NvlsTree:
        if (withNvls && several) best = nvlsTree(bytes, path, c);
        break;
    case CollectiveAlgorithm::InNetwork:
        if (reduceAll && several && path.features.inNetwork) best = inNetwork(bytes, path, c);
        break;
    case CollectiveAlgorithm::Pat:
        if (!reduceAll && several && !peers && path.features.pat) best = pat(bytes, path, c);
        break;
    case CollectiveAlgorithm::None:
    case CollectiveAlgorithm::PointToPoint:
    case CollectiveAlgorithm::AllToAll: break;
    }
    return best;
}

CollectiveTime timeWith(CollectiveAlgorithm algorithm, CollectiveKind kind, double bytes, const GroupPath &path,
                        const CostConstants &constants, std::optional<CollectiveProtocol> only = std::nullopt)
{
    if (path.members <= 1 || !(bytes > 0.0)) return {0.0, 0.0, CollectiveAlgorithm::None, ""};
    const CollectiveConstants &c = constants.collectives;
    if (kind == CollectiveKind::AllToAll) return allToAll(bytes, path, c);
    if (const Answer answer = answerOf(algorithm, kind, bytes, path, c, only)) return *answer;
    return *answerOf(CollectiveAlgorithm::Ring, kind, bytes, path, c, only);
}

/// Along the ring, the tree or to a peer every byte passes the slow link once a pass.
CollectiveTime withExtraLatency(CollectiveTime time, CollectiveKind kind, const GroupPath &path)
{
    if (time.algorithm != CollectiveAlgorithm::None)
        time.startupS += (kind == CollectiveKind::AllReduce ? 2.0 : 1.0) * path.extraLatencyS;
    return time;
}

} // namespace

CollectiveTime collectiveTimeWith(CollectiveAlgorithm algorithm, CollectiveKind kind, double bytes,
                                  const GroupPath &path, const CostConstants &constants)
{
    return withExtraLatency(timeWith(algorithm, kind, bytes, path, constants), kind, path);
}

CollectiveTime collectiveTime(CollectiveKind kind, double bytes, const GroupPath &path, const CostConstants &constants)
{
    if (path.chosenScaleupBytesPerS > 0.0 || path.chosenNetworkBytesPerS > 0.0) {
        GroupPath usual = path;
        usual.scaleupBytesPerS = path.chosenScaleupBytesPerS;
        usual.networkBytesPerS = path.chosenNetworkBytesPerS;
        usual.chosenScaleupBytesPerS = usual.chosenNetworkBytesPerS = usual.extraLatencyS = 0.0;
        const CollectiveTime chosen = collectiveTime(kind, bytes, usual, constants);
        return withExtraLatency(timeWith(chosen.algorithm, kind, bytes, path, constants, chosen.protocol), kind, path);
    }
    CollectiveTime best = collectiveTimeWith(CollectiveAlgorithm::Ring, kind, bytes, path, constants);
    if (kind == CollectiveKind::AllToAll || best.algorithm == CollectiveAlgorithm::None) return best;
    for (const CollectiveAlgorithm algorithm :
         {CollectiveAlgorithm::Tree, CollectiveAlgorithm::Hierarchical, CollectiveAlgorithm::Nvls,
          CollectiveAlgorithm::NvlsTree, CollectiveAlgorithm::InNetwork, CollectiveAlgorithm::Pat}) {
        const Answer other = answerOf(algorithm, kind, bytes, path, constants.collectives);
        if (other && other->totalS() < best.totalS()) best = *other;
    }
    return best;
}

} // namespace clusterbeat
