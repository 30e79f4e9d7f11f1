// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/document/what_ifs.h"

#include <algorithm>
#include <cmath>

namespace clusterbeat::what_ifs {
namespace {

constexpr double kJitterSigma = 0.03;
constexpr int kSeed = 7;
// A full collection of Python's garbage took 0.1 to 0.35 s in a server's process (sglang, pull request 36366). Every
// 300 s is torchtitan's interval of 50 iterations (pull request 148) at the default scenario's 6 s, where it costs about
// a tenth: planned collection gained 12.6 % in ByteDance's jobs (Lin et al., OSDI 2025).
constexpr double kPauseS = 0.1, kPauseEveryS = 300.0;
// Illustrations: no run publishes them. README says so.
constexpr double kDocumentSigma = 0.5;
constexpr double kLoaderBehind = 1.25;
constexpr double kWarmUpSpeed = 0.5;

} // namespace

PerturbationList withLinks(PerturbationList list, const std::string &target, LinkDomain domain, double capacity)
{
    const auto isThis = [&](const Perturbation &p) {
        const bool kind = p.kind == PerturbationKind::DegradedLink || p.kind == PerturbationKind::DeadLink;
        return kind && p.target == target && p.link.domain == domain && p.link.to.empty();
    };
    const auto first = std::find_if(list.begin(), list.end(), isThis);
    Perturbation changed;
    changed.target = target;
    changed.link.domain = domain;
    changed.kind = capacity > 0.0 ? PerturbationKind::DegradedLink : PerturbationKind::DeadLink;
    if (capacity > 0.0) changed.link.capacity = capacity;
    if (capacity > 0.0 && capacity < 1.0 && first != list.end() && first->kind == PerturbationKind::DegradedLink)
        changed.link.extraLatencyS = first->link.extraLatencyS;
    const auto place = first - list.begin();
    list.erase(std::remove_if(first, list.end(), isThis), list.end());
    if (capacity < 1.0) list.insert(list.begin() + place, std::move(changed));
    return list;
}

bool isActive(const PerturbationList &list, PerturbationKind kind)
{
    return std::any_of(list.begin(), list.end(), [kind](const Perturbation &p) { return p.kind == kind && p.enabled; });
}

PerturbationList withKind(PerturbationList list, bool on, const Perturbation &usual)
{
    const auto isThis = [&](const Perturbation &p) {
        // Storage slows checkpoints only; without one the list would be an error.
        const bool storage = usual.kind == PerturbationKind::Checkpoint && p.kind == PerturbationKind::SlowStorage;
        return p.kind == usual.kind || (storage && !on);
    };
    if (!on) {
        list.erase(std::remove_if(list.begin(), list.end(), isThis), list.end());
        return list;
    }
    bool there = false;
    for (Perturbation &each : list) {
        if (!isThis(each)) continue;
        each.enabled = there = true;
    }
    if (!there) list.push_back(usual);
    return list;
}

Perturbation usual(PerturbationKind kind, double microBatchS)
{
    Perturbation added;
    added.kind = kind;
    switch (kind) {
    case PerturbationKind::Jitter:
        added.sigma = kJitterSigma;
        added.seed = kSeed;
        break;
    case PerturbationKind::GcPause:
        added.timing.pauseS = kPauseS;
        added.timing.everyS = kPauseEveryS;
        added.seed = kSeed;
        break;
    case PerturbationKind::DocumentImbalance:
        added.sigma = kDocumentSigma;
        added.seed = kSeed;
        break;
    case PerturbationKind::SlowData:
        // To the millisecond, for the file's readers.
        added.timing.waitS = std::max(0.001, std::round(microBatchS * kLoaderBehind * 1000.0) / 1000.0);
        break;
    case PerturbationKind::WarmUp:
        added.timing.microBatches = 1;
        added.speed = kWarmUpSpeed;
        break;
    default: break;
    }
    return added;
}

} // namespace clusterbeat::what_ifs
