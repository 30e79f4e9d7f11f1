// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/enum_names.h"
#include "model/scenario/limits.h"
#include "model/scenario/link_perturbation_io.h"
#include "model/scenario/section_io.h"
#include "model/scenario/timing_perturbation_io.h"

#include <algorithm>
#include <array>

namespace clusterbeat
{
namespace
{

/// Kinds that the file format names and the simulator does not know yet.
constexpr std::array<std::string_view, 1> kLaterKinds{"dead_server"};

/// The kind decides which keys are known, so it is read before the rest.
std::optional<PerturbationKind> readKind(const JsonValue &json, const std::string &pointer, std::optional<Error> &error)
{
    const auto failAt = [&](ErrorCode code, const std::string &place, std::vector<Argument> arguments) {
        if (!error) error = Error{code, Place{{}, place, 0, 0}, std::move(arguments)};
        return std::nullopt;
    };
    if (json.type != JsonValue::Type::Object)
        return failAt(ErrorCode::WrongType, pointer, {std::string(json.typeName()), std::string("object")});
    const JsonValue *kind = json.find("kind");
    if (kind == nullptr) return failAt(ErrorCode::MissingKey, pointer + "/kind", {std::string("kind")});
    if (kind->type != JsonValue::Type::String)
        return failAt(ErrorCode::WrongType, pointer + "/kind", {std::string(kind->typeName()), std::string("string")});
    std::vector<std::string_view> names(kLaterKinds.begin(), kLaterKinds.end());
    for (const auto &[name, value] : kPerturbationNames) {
        if (name == kind->text) return value;
        names.push_back(name);
    }
    if (std::find(kLaterKinds.begin(), kLaterKinds.end(), kind->text) != kLaterKinds.end())
        return failAt(ErrorCode::UnsupportedFeature, pointer + "/kind",
                      {"perturbations.kind = " + kind->text, std::string("kind = slow_gpu | dead_link")});
    return failAt(ErrorCode::UnknownName, pointer + "/kind",
                  {clipped(kind->text), std::string("perturbation kind"), closestName(kind->text, names)});
}

Perturbation readPerturbation(const JsonValue &json, const std::string &pointer, std::optional<Error> &error)
{
    Perturbation perturbation;
    const auto kind = readKind(json, pointer, error);
    if (!kind) return perturbation;
    perturbation.kind = *kind;
    if (*kind == PerturbationKind::SlowGpu) {
        ObjectReader reader(json, pointer, {"kind", "target", "speed", "enabled"}, error);
        reader.require({"target", "speed"});
        reader.string("target", perturbation.target);
        reader.number("speed", {1e-4, 1.0}, perturbation.speed);
        reader.boolean("enabled", perturbation.enabled);
    } else if (concernsLinks(*kind)) {
        readLinkPerturbation(json, pointer, perturbation, error);
    } else {
        readTimingPerturbation(json, pointer, perturbation, error);
    }
    return perturbation;
}

} // namespace

PerturbationList readPerturbations(const JsonValue &json, const std::string &pointer, std::optional<Error> &error)
{
    PerturbationList list;
    if (error) return list;
    if (json.type != JsonValue::Type::Array) {
        error =
            Error{ErrorCode::WrongType, Place{{}, pointer, 0, 0}, {std::string(json.typeName()), std::string("array")}};
        return list;
    }
    for (std::size_t i = 0; i < json.items.size() && !error; ++i)
        list.push_back(readPerturbation(json.items[i], pointer + '/' + std::to_string(i), error));
    return list;
}

CampaignSection readCampaign(const JsonValue &json, const std::string &pointer, std::optional<Error> &error)
{
    CampaignSection campaign;
    ObjectReader reader(
        json, pointer,
        {"days", "training_tokens", "failure_rates", "checkpoint", "spares", "restart", "storage", "power", "preset"},
        error);
    reader.number("days", {1e-3, 1e5}, campaign.days);
    reader.number("training_tokens", {1.0, 1e18}, campaign.trainingTokens);
    reader.integer("spares", {0, kMaxGpus}, campaign.spares);
    if (const JsonValue *rates = reader.find("failure_rates")) {
        ObjectReader part(*rates, reader.pointerTo("failure_rates"), {"per_gpu_day"}, error);
        part.number("per_gpu_day", {0.0, 1e3}, campaign.failuresPerGpuDay);
    }
    if (const JsonValue *checkpoint = reader.find("checkpoint")) {
        ObjectReader part(*checkpoint, reader.pointerTo("checkpoint"), {"interval_s", "write_s"}, error);
        part.number("interval_s", {1e-3, 1e9}, campaign.checkpointIntervalS);
        part.number("write_s", kSecondsRange, campaign.checkpointWriteS);
    }
    if (const JsonValue *restart = reader.find("restart")) {
        ObjectReader part(*restart, reader.pointerTo("restart"), {"duration_s"}, error);
        part.number("duration_s", kSecondsRange, campaign.restartS);
    }
    if (const JsonValue *storage = reader.find("storage")) {
        ObjectReader part(*storage, reader.pointerTo("storage"), {"gbytes_per_s"}, error);
        part.number("gbytes_per_s", kRateRange, campaign.storageGbytesPerS);
    }
    if (const JsonValue *power = reader.find("power")) {
        ObjectReader part(*power, reader.pointerTo("power"), {"pue", "host_w_per_gpu"}, error);
        part.number("pue", {1.0, 10.0}, campaign.pue);
        part.number("host_w_per_gpu", {0.0, 1e5}, campaign.hostWPerGpu);
    }
    return campaign;
}

PricesSection readPrices(const JsonValue &json, const std::string &pointer, std::optional<Error> &error)
{
    PricesSection prices;
    ObjectReader reader(json, pointer, {"gpu_hour_usd", "preset"}, error);
    reader.number("gpu_hour_usd", {0.0, 1e6}, prices.gpuHourUsd);
    return prices;
}

} // namespace clusterbeat
