// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/megatron_cluster.h"

#include "model/base/integers.h"
#include "model/formats/megatron_launch.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace clusterbeat {
namespace {

constexpr std::int64_t kGpusPerServer = 8;
constexpr const char *kDefaultAccelerator = "H100-SXM5-80GB";

std::string lower(std::string_view text)
{
    std::string result(text);
    for (char &c : result) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return result;
}

std::optional<std::int64_t> worldSizeVariable(const ShellScript &script)
{
    const auto it = script.variables.find("WORLD_SIZE");
    const bool number = it != script.variables.end() && it->second.find_first_not_of("0123456789") == std::string::npos;
    return number ? lastNumber(it->second) : std::nullopt;
}

/// An accelerator of the catalogue named in a text ("a100", "gpu_h100"): the one with most memory below 100 GB, the
/// usual one of its generation.
const Accelerator *namedAccelerator(std::string_view text, const Catalogue &catalogue)
{
    const std::string low = lower(text);
    constexpr std::array kGenerations{"gb300", "gb200", "b300", "b200", "h200", "h800", "h100", "h20", "a100", "mi300x", "mi250x"};
    for (const std::string_view generation : kGenerations) {
        if (low.find(generation) == std::string::npos) continue;
        const Accelerator *best = nullptr;
        for (const Accelerator &accelerator : catalogue.accelerators) {
            const std::string name = lower(accelerator.name);
            if (!name.starts_with(generation)) continue;
            const bool usual = name.find("80gb") != std::string::npos;
            if (!best || usual) best = &accelerator;
        }
        if (best) return best;
    }
    return nullptr;
}

void chooseAccelerator(const ShellScript &script, const Catalogue &catalogue, ClusterSection &cluster, ImportNotes &notes)
{
    const Accelerator *found = nullptr;
    for (const auto &[name, value] : script.batchOptions) {
        const bool relevant = name == "--constraint" || name == "-C" || name == "--gres" || name == "--gpus-per-node" || name == "--partition" ||
                              name == "-p" || name == "--account";
        if (relevant && !found) found = namedAccelerator(value, catalogue);
    }
    std::string_view reason = why::kFromBatchScript;
    if (!found) {
        const std::string &file = notes.file();
        const std::size_t slash = file.find_last_of("/\\");
        found = namedAccelerator(file.substr(slash == std::string::npos ? 0 : slash + 1), catalogue);
        reason = why::kFromFileName;
    }
    cluster.acceleratorName = found ? found->name : kDefaultAccelerator;
    notes.defaultTaken("/cluster/accelerator", cluster.acceleratorName, found ? reason : why::kNotInFile);
}

} // namespace

ClusterSection readMegatronCluster(const ShellScript &script, MegatronOptions &options, const Catalogue &catalogue, ImportNotes &notes)
{
    ClusterSection cluster;
    cluster.templateName = "auto";
    chooseAccelerator(script, catalogue, cluster, notes);

    LauncherCounts counts = readLaunchers(options.words(), script, notes);
    // What only counts GPUs is no option of the training.
    (void)options.has({"nproc-per-node", "num-gpus", "gpus-per-node", "nnodes", "num-nodes", "nodes", "gpus", "gres", "gpus-per-task", "ntasks-per-node",
                       "np", "npernode", "ppn", "perhost", "host", "hosts", "map-by", "num-processes", "num-machines"});
    auto &[servers, perServer, gpus, serversFromBatch, perServerFromBatch, gpusFromBatch] = counts;
    if (servers && serversFromBatch) notes.defaultTaken("/cluster/gpus", std::to_string(*servers) + " servers", why::kFromBatchScript);
    if (perServer && perServerFromBatch) notes.defaultTaken("/cluster/gpus_per_server", *perServer, why::kFromBatchScript);
    const auto world = worldSizeVariable(script);
    if (perServer && *perServer != kGpusPerServer && *perServer < 1024) cluster.gpusPerServer = *perServer;
    if (gpus && !(servers && perServer)) {
        cluster.gpus = *gpus;
        if (gpusFromBatch) notes.defaultTaken("/cluster/gpus", *gpus, why::kFromBatchScript);
    } else if (servers || perServer) {
        if (!perServer) notes.defaultTaken("/cluster/gpus_per_server", kGpusPerServer, why::kNotInFile);
        if (!servers) notes.defaultTaken("/cluster/gpus", "1 server", why::kNotInFile);
        cluster.gpus = saturatingProduct(servers.value_or(1), perServer.value_or(kGpusPerServer));
    } else if (world) {
        cluster.gpus = *world;
        notes.defaultTaken("/cluster/gpus", *world, why::kInferred);
    }
    return cluster;
}

void growWorld(std::int64_t perReplica, ClusterSection &cluster, LayoutSection &layout, ImportNotes &notes)
{
    if (cluster.gpus >= perReplica) return;
    if (cluster.gpus > 0) notes.add({NoticeCode::WorldGrown, {notes.file(), "", 0, 0}, {cluster.gpus, perReplica}});
    else notes.defaultTaken("/cluster/gpus", perReplica, why::kNotInFile);
    cluster.gpus = perReplica;
    layout.data = 1;
}

} // namespace clusterbeat
