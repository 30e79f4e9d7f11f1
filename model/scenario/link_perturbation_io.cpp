// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/link_perturbation_io.h"

#include "model/scenario/enum_names.h"
#include "model/scenario/limits.h"

namespace clusterbeat
{
namespace
{

std::vector<std::string_view> keysOf(PerturbationKind kind)
{
    std::vector<std::string_view> keys{"kind", "target", "link", "to", "enabled"};
    if (kind == PerturbationKind::DegradedLink) keys.insert(keys.end(), {"capacity", "extra_latency_s"});
    if (kind == PerturbationKind::DeadLink) keys.push_back("cables");
    if (kind == PerturbationKind::CompetingTraffic) keys.insert(keys.end(), {"share", "gbytes_per_s"});
    return keys;
}

} // namespace

void readLinkPerturbation(const JsonValue &json, const std::string &pointer, Perturbation &perturbation,
                          std::optional<Error> &error)
{
    LinkPerturbation &link = perturbation.link;
    ObjectReader reader(json, pointer, keysOf(perturbation.kind), error);
    reader.require({"target", "link"});
    reader.string("target", perturbation.target);
    reader.choice("link", kLinkDomainNames, "link", link.domain);
    reader.string("to", link.to);
    if (perturbation.kind == PerturbationKind::DegradedLink) {
        reader.require({"capacity"});
        reader.number("capacity", {1e-4, 1.0}, link.capacity);
        reader.number("extra_latency_s", {0.0, 1.0}, link.extraLatencyS);
    } else if (perturbation.kind == PerturbationKind::DeadLink) {
        reader.integer("cables", kCountRange, link.cables);
    } else {
        if (reader.find("gbytes_per_s") == nullptr) reader.require({"share"});
        reader.number("share", {0.0, 0.9999}, link.share);
        reader.number("gbytes_per_s", {0.0, 1e9}, link.gbytesPerS);
        if (link.share && link.gbytesPerS)
            reader.fail(ErrorCode::Contradiction, "share",
                        {std::string("share"), *link.share, std::string("gbytes_per_s"), *link.gbytesPerS});
    }
    reader.boolean("enabled", perturbation.enabled);
}

} // namespace clusterbeat
