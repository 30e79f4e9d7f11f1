// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/enum_names.h"
#include "model/scenario/limits.h"
#include "model/scenario/section_io.h"

#include <set>

namespace clusterbeat
{
namespace
{

bool isNodeId(std::string_view id)
{
    if (id.empty() || id.size() > 64) return false;
    for (const char c : id)
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) return false;
    return true;
}

void readId(ObjectReader &reader, std::set<std::string> &taken, std::string &id)
{
    reader.string("id", id);
    if (!reader.ok()) return;
    if (!isNodeId(id)) reader.fail(ErrorCode::WrongType, "id", {clipped(id), std::string("[a-z0-9-]+")});
    if (!taken.insert(id).second) reader.fail(ErrorCode::DuplicateKey, "id", {id});
}

BlueprintNode readNode(const JsonValue &json, const std::string &pointer, std::set<std::string> &taken,
                       std::optional<Error> &error)
{
    BlueprintNode node;
    ObjectReader reader(json, pointer, {"id", "kind", "name", "parent", "count", "limit", "position", "parameters"},
                        error);
    reader.require({"id", "kind"});
    readId(reader, taken, node.id);
    reader.choice("kind", kNodeKindNames, "node kind", node.kind);
    reader.string("name", node.name);
    reader.string("parent", node.parent);
    reader.integer("count", kCountRange, node.count);
    reader.integer("limit", {0, kCountRange.highest}, node.limit);
    if (reader.find("parameters") != nullptr)
        reader.fail(ErrorCode::UnsupportedFeature, "parameters",
                    {std::string("cluster.blueprint.nodes.parameters"), std::string()});
    if (const JsonValue *position = reader.find("position")) {
        ObjectReader point(*position, reader.pointerTo("position"), {"x", "y"}, error);
        point.number("x", {-1e9, 1e9}, node.x);
        point.number("y", {-1e9, 1e9}, node.y);
    }
    return node;
}

void readPattern(ObjectReader &reader, LinkPattern &pattern)
{
    const JsonValue *value = reader.find("pattern");
    if (value == nullptr) return;
    const bool later = value->type == JsonValue::Type::Object || value->text == "ring" || value->text == "torus" ||
                       value->text == "dragonfly";
    if (later)
        reader.fail(ErrorCode::UnsupportedFeature, "pattern",
                    {"cluster.blueprint.links.pattern = " + value->text,
                     std::string("pattern = all | one_to_one | rail | stripe")});
    reader.choice("pattern", kLinkPatternNames, "link pattern", pattern);
}

BlueprintLink readLink(const JsonValue &json, const std::string &pointer, std::set<std::string> &taken,
                       std::optional<Error> &error)
{
    BlueprintLink link;
    ObjectReader reader(json, pointer, {"id", "from", "to", "pattern", "cables", "gbps", "latency_s"}, error);
    reader.require({"id", "from", "to", "gbps"});
    readId(reader, taken, link.id);
    reader.string("from", link.from);
    reader.string("to", link.to);
    readPattern(reader, link.pattern);
    reader.number("cables", {1e-6, 1e6}, link.cables);
    reader.number("gbps", kRateRange, link.gbps);
    reader.number("latency_s", {0.0, 1.0}, link.latencyS);
    return link;
}

ClusterException readException(const JsonValue &json, const std::string &pointer, std::optional<Error> &error)
{
    ClusterException exception;
    ObjectReader reader(json, pointer, {"target", "kind", "part", "cables"}, error);
    reader.require({"target", "kind"});
    reader.string("target", exception.target);
    reader.oneOf("kind", kExceptionKinds, "exception kind", exception.kind);
    reader.string("part", exception.part);
    reader.integer("cables", {0, kCountRange.highest}, exception.cables);
    return exception;
}

void readAcceleratorKey(ObjectReader &reader, ClusterSection &cluster)
{
    const JsonValue *value = reader.find("accelerator");
    if (value == nullptr) return;
    if (value->type == JsonValue::Type::Object)
        cluster.accelerator = readAccelerator(*value, reader.pointerTo("accelerator"), reader.sink());
    else
        reader.string("accelerator", cluster.acceleratorName);
    // Inside the program "" is the default.
    if (value->type == JsonValue::Type::String && cluster.acceleratorName.empty())
        reader.fail(ErrorCode::UnknownName, "accelerator", {std::string(), std::string("accelerator"), std::string(), std::string()});
}

} // namespace

Accelerator readAccelerator(const JsonValue &json, const std::string &pointer, std::optional<Error> &error)
{
    Accelerator a;
    ObjectReader reader(json, pointer,
                        {"name", "peak_bf16_tflops", "peak_fp8_tflops", "peak_fp4_tflops", "hbm_gb", "hbm_tbytes_per_s",
                         "scaleup_gbytes_per_s", "scaleup_domain", "nic_gbps", "tdp_w", "measured_matmul_bf16_tflops",
                         "measured_matmul_fp8_tflops", "price_low_usd", "price_high_usd", "price_source", "source",
                         "confidence", "note"},
                        error);
    reader.require(
        {"name", "peak_bf16_tflops", "hbm_gb", "hbm_tbytes_per_s", "scaleup_gbytes_per_s", "scaleup_domain"});
    reader.string("name", a.name);
    reader.number("peak_bf16_tflops", kRateRange, a.peakBf16Tflops);
    reader.number("peak_fp8_tflops", kRateRange, a.peakFp8Tflops);
    reader.number("peak_fp4_tflops", kRateRange, a.peakFp4Tflops);
    reader.number("hbm_gb", {1.0, 1e6}, a.hbmGb);
    reader.number("hbm_tbytes_per_s", {1e-3, 1e6}, a.hbmTbytesPerS);
    reader.number("scaleup_gbytes_per_s", kRateRange, a.scaleupGbytesPerS);
    reader.integer("scaleup_domain", {1, kMaxGpus}, a.scaleupDomain);
    reader.number("nic_gbps", kRateRange, a.nicGbps);
    reader.number("tdp_w", {1.0, 1e6}, a.tdpW);
    reader.number("measured_matmul_bf16_tflops", kRateRange, a.measuredMatmulBf16Tflops);
    reader.number("measured_matmul_fp8_tflops", kRateRange, a.measuredMatmulFp8Tflops);
    reader.number("price_low_usd", kRateRange, a.priceLowUsd);
    reader.number("price_high_usd", kRateRange, a.priceHighUsd);
    reader.string("price_source", a.priceSource);
    reader.string("source", a.source);
    reader.string("confidence", a.confidence);
    reader.string("note", a.note);
    return a;
}

Blueprint readBlueprint(const JsonValue &json, const std::string &pointer, std::optional<Error> &error)
{
    Blueprint blueprint;
    ObjectReader reader(json, pointer, {"nodes", "links"}, error);
    reader.require({"nodes"});
    std::set<std::string> nodeIds;
    std::set<std::string> linkIds;
    if (const JsonValue *nodes = reader.find("nodes");
        nodes != nullptr && reader.expect(*nodes, JsonValue::Type::Array, reader.pointerTo("nodes")))
        for (std::size_t i = 0; i < nodes->items.size() && reader.ok(); ++i)
            blueprint.nodes.push_back(
                readNode(nodes->items[i], reader.pointerTo("nodes") + '/' + std::to_string(i), nodeIds, error));
    if (const JsonValue *links = reader.find("links");
        links != nullptr && reader.expect(*links, JsonValue::Type::Array, reader.pointerTo("links")))
        for (std::size_t i = 0; i < links->items.size() && reader.ok(); ++i)
            blueprint.links.push_back(
                readLink(links->items[i], reader.pointerTo("links") + '/' + std::to_string(i), linkIds, error));
    return blueprint;
}

ClusterSection readCluster(const JsonValue &json, const std::string &pointer, std::optional<Error> &error)
{
    ClusterSection cluster;
    ObjectReader reader(json, pointer,
                        {"template", "accelerator", "gpus", "gpus_per_server", "scaleup_domain", "gpus_used_per_domain",
                         "nic_gbps_per_gpu", "servers_per_rack", "racks_per_pod", "leaf", "pod_oversubscription",
                         "core_oversubscription", "link_latency_s", "in_network_reduction", "ecmp", "ecmp_paths",
                         "ecmp_seed", "blueprint", "exceptions", "preset"},
                        error);
    reader.string("template", cluster.templateName);
    readAcceleratorKey(reader, cluster);
    reader.integer("gpus", kCountRange, cluster.gpus);
    reader.integer("gpus_per_server", {1, kMaxGpus}, cluster.gpusPerServer);
    reader.integer("scaleup_domain", {1, kMaxGpus}, cluster.scaleupDomain);
    reader.integer("gpus_used_per_domain", {1, kMaxGpus}, cluster.gpusUsedPerDomain);
    reader.number("nic_gbps_per_gpu", {kRateRange.lowest, 1e6}, cluster.nicGbpsPerGpu);
    reader.integer("servers_per_rack", {1, kMaxGpus}, cluster.serversPerRack);
    reader.integer("racks_per_pod", {1, kMaxGpus}, cluster.racksPerPod);
    reader.oneOf("leaf", kLeafNames, "leaf", cluster.leaf);
    reader.number("pod_oversubscription", kOversubscriptionRange, cluster.podOversubscription);
    reader.number("core_oversubscription", kOversubscriptionRange, cluster.coreOversubscription);
    reader.boolean("in_network_reduction", cluster.inNetworkReduction);
    reader.oneOf("ecmp", kEcmpNames, "ecmp", cluster.ecmp);
    reader.integer("ecmp_paths", kEcmpPathsRange, cluster.ecmpPaths);
    reader.integer("ecmp_seed", kSeedRange, cluster.ecmpSeed);
    reader.number("link_latency_s", {0.0, 1.0}, cluster.linkLatencyS);
    if (const JsonValue *blueprint = reader.find("blueprint")) {
        if (reader.find("template") != nullptr)
            reader.fail(ErrorCode::Contradiction, "blueprint",
                        {std::string("template"), cluster.templateName, std::string("blueprint"), std::string("drawn")});
        cluster.templateName.clear();
        cluster.blueprint =
            std::make_shared<const Blueprint>(readBlueprint(*blueprint, reader.pointerTo("blueprint"), error));
    }
    if (const JsonValue *exceptions = reader.find("exceptions");
        exceptions != nullptr && reader.expect(*exceptions, JsonValue::Type::Array, reader.pointerTo("exceptions")))
        for (std::size_t i = 0; i < exceptions->items.size() && reader.ok(); ++i)
            cluster.exceptions.push_back(
                readException(exceptions->items[i], reader.pointerTo("exceptions") + '/' + std::to_string(i), error));
    return cluster;
}

} // namespace clusterbeat
