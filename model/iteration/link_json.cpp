// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/link_json.h"

#include "model/cluster/bisection.h"

#include <nlohmann/json.hpp>

namespace clusterbeat {
namespace {

using Json = nlohmann::ordered_json;

void addUsage(Json &json, const LinkUsage &usage)
{
    json["bytes"] = usage.bytes;
    Json parts = Json::object();
    for (std::size_t d = 0; d < kDimensions; ++d)
        if (usage.byDimension[d] > 0.0) parts[std::string(nameOf(static_cast<Dimension>(d)))] = usage.byDimension[d];
    json["bytes_by_dimension"] = std::move(parts);
    json["mean_utilisation"] = usage.mean;
    json["peak_utilisation"] = usage.peak;
    json["utilisation"] = usage.overTime;
}

const char *nameOf(NodeKind tier) { return tier == NodeKind::Pod ? "pod" : tier == NodeKind::Rack ? "rack" : "server"; }

} // namespace

std::string_view nameOf(Dimension dimension)
{
    switch (dimension) {
    case Dimension::Tensor: return "tensor";
    case Dimension::Context: return "context";
    case Dimension::Expert: return "expert";
    case Dimension::Data: return "data";
    case Dimension::Pipeline: return "pipeline";
    }
    return "";
}

void addCluster(Json &json, const Expansion &expansion)
{
    Json cuts = Json::array();
    for (const Bisection &each : bisections(expansion))
        cuts.push_back({{"tier", nameOf(each.tier)}, {"gbytes_per_s", each.gbytesPerS}, {"gbytes_per_s_per_gpu", each.perGpu()}, {"cut", each.cut}});
    json["cluster"] = {{"bisection", std::move(cuts)}};
}

void addLinks(Json &json, const LinkReport &report, const IterationResult &result)
{
    for (const DimensionReport &each : result.communication)
        json["communication"][std::string(nameOf(each.dimension))]["bottleneck_link"] = report.bottleneck[static_cast<std::size_t>(each.dimension)];
    Json kinds = Json::array(), busiest = Json::array();
    for (const LinkReport::Kind &each : report.kinds) {
        Json kind{{"kind", each.kind}, {"links", each.links}};
        addUsage(kind, each.usage);
        kind["busiest"] = each.busiest.empty() ? Json(nullptr) : Json{{"link", each.busiest}, {"bytes", each.busiestBytes}};
        kinds.push_back(std::move(kind));
    }
    for (const LinkReport::Link &each : report.busiest) {
        Json link{{"link", each.name}, {"kind", each.kind}, {"alike", each.alike}};
        addUsage(link, each.usage);
        busiest.push_back(std::move(link));
    }
    json["links"] = {{"bin_s", toSeconds(result.iteration()) / report.bins}, {"kinds", std::move(kinds)}, {"busiest", std::move(busiest)}};
}

} // namespace clusterbeat
