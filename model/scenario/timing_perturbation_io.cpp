// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/timing_perturbation_io.h"

#include "model/scenario/enum_names.h"
#include "model/scenario/limits.h"

namespace clusterbeat
{
namespace
{

constexpr NumberRange kSpeedRange{1e-4, 1.0};
constexpr NumberRange kSigmaRange{0.0, 10.0};
constexpr NumberRange kWaitRange{0.0, 1e6};
constexpr NumberRange kPeriodRange{1e-3, 1e9};
constexpr IntegerRange kPrefetchRange{0, 1'000'000};

std::vector<std::string_view> keysOf(PerturbationKind kind)
{
    switch (kind) {
    case PerturbationKind::GcPause:
        return {"kind", "target", "pause_s", "every_s", "seed", "aligned", "enabled"};
    case PerturbationKind::DocumentImbalance:
        return {"kind", "target", "sigma", "seed", "enabled"};
    case PerturbationKind::SlowData:
        return {"kind", "target", "wait_s", "sigma_s", "prefetch", "seed", "enabled"};
    case PerturbationKind::Checkpoint:
        return {"kind", "target", "stall_s", "enabled"};
    case PerturbationKind::SlowStorage:
        return {"kind", "target", "speed", "enabled"};
    case PerturbationKind::WarmUp:
        return {"kind", "target", "operations", "micro_batches", "speed", "enabled"};
    default:
        return {"kind", "target", "sigma", "distribution", "seed", "enabled"};
    }
}

void readPause(ObjectReader &reader, TimingPerturbation &timing)
{
    reader.require({"pause_s", "every_s"});
    reader.number("pause_s", kWaitRange, timing.pauseS);
    reader.number("every_s", kPeriodRange, timing.everyS);
    reader.boolean("aligned", timing.aligned);
    if (timing.pauseS >= timing.everyS)
        reader.fail(ErrorCode::Contradiction, "pause_s",
                    {std::string("pause_s"), timing.pauseS, std::string("every_s"), timing.everyS});
}

void readWarmUp(ObjectReader &reader, Perturbation &perturbation)
{
    TimingPerturbation &timing = perturbation.timing;
    if (reader.find("micro_batches") == nullptr) reader.require({"operations"});
    reader.require({"speed"});
    reader.integer("operations", {0, kBatchRange.highest}, timing.operations);
    reader.integer("micro_batches", {0, kBatchRange.highest}, timing.microBatches);
    reader.number("speed", kSpeedRange, perturbation.speed);
    if (reader.find("operations") != nullptr && reader.find("micro_batches") != nullptr)
        reader.fail(ErrorCode::Contradiction, "operations",
                    {std::string("operations"), timing.operations, std::string("micro_batches"), timing.microBatches});
}

} // namespace

void readTimingPerturbation(const JsonValue &json, const std::string &pointer, Perturbation &perturbation,
                            std::optional<Error> &error)
{
    ObjectReader reader(json, pointer, keysOf(perturbation.kind), error);
    TimingPerturbation &timing = perturbation.timing;
    reader.string("target", perturbation.target);
    switch (perturbation.kind) {
    case PerturbationKind::GcPause:
        readPause(reader, timing);
        break;
    case PerturbationKind::DocumentImbalance:
        reader.number("sigma", kSigmaRange, perturbation.sigma);
        timing.drawDocuments = reader.find("sigma") == nullptr;
        break;
    case PerturbationKind::SlowData:
        reader.require({"wait_s"});
        reader.number("wait_s", kWaitRange, timing.waitS);
        reader.number("sigma_s", kWaitRange, timing.waitSigmaS);
        reader.integer("prefetch", kPrefetchRange, timing.prefetch);
        break;
    case PerturbationKind::Checkpoint:
        reader.number("stall_s", kWaitRange, timing.stallS);
        break;
    case PerturbationKind::SlowStorage:
        reader.require({"speed"});
        reader.number("speed", kSpeedRange, perturbation.speed);
        break;
    case PerturbationKind::WarmUp:
        readWarmUp(reader, perturbation);
        break;
    default:
        reader.require({"sigma"});
        reader.number("sigma", kSigmaRange, perturbation.sigma);
        reader.choice("distribution", kDistributionNames, "distribution", perturbation.distribution);
        break;
    }
    reader.integer("seed", kSeedRange, perturbation.seed);
    reader.boolean("enabled", perturbation.enabled);
}

} // namespace clusterbeat
