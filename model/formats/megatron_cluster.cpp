// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/megatron_cluster.h"

#include "model/base/integers.h"
#include "model/formats/megatron_launch.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

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

/// What a text calls a GPU, in words that end at anything but letters and digits: "gpu:a100:8", "h100-80gb", "mi250".
struct NamedGpu {
    std::string name;                                  ///< as written, "" when the text names none
    const Accelerator *accelerator = nullptr;          ///< null when the catalogue lacks it
};

std::vector<std::string> tokensOf(std::string_view text)
{
    std::vector<std::string> tokens(1);
    for (const char c : lower(text)) {
        const bool part = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (part) tokens.back() += c;
        else if (!tokens.back().empty()) tokens.emplace_back();
    }
    if (tokens.back().empty()) tokens.pop_back();
    return tokens;
}

/// "40", "40g" or "40gb".
bool saysGigabytes(const std::string &token, double gigabytes)
{
    const std::string number = std::to_string(static_cast<std::int64_t>(gigabytes));
    return token == number || token == number + "g" || token == number + "gb";
}

/// Of the same generation the one with the memory that the text names, else the usual one with 80 GB, else the first.
const Accelerator *ofGeneration(const std::string &generation, const std::vector<std::string> &tokens, const Catalogue &catalogue)
{
    const Accelerator *best = nullptr;
    for (const Accelerator &accelerator : catalogue.accelerators) {
        const std::vector<std::string> name = tokensOf(accelerator.name);
        const bool ascend = name.size() > 1 && name[0] == "ascend" && (generation == name[1] || generation == "ascend" + name[1]);
        // Vendors sell MI250X and schedulers call it mi250; two letters and a digit are not enough for that.
        const bool shortened = generation.starts_with("mi") && name[0] == generation + "x";
        if (name[0] != generation && !shortened && !ascend) continue;
        const bool said = std::any_of(tokens.begin(), tokens.end(), [&](const std::string &token) { return saysGigabytes(token, accelerator.hbmGb); });
        if (said) return &accelerator;
        if (!best || lower(accelerator.name).find("80gb") != std::string::npos) best = best && lower(best->name).find("80gb") != std::string::npos ? best : &accelerator;
    }
    return best;
}

NamedGpu namedGpu(std::string_view text, const Catalogue &catalogue)
{
    /// Sold as accelerators for training, and not in the catalogue.
    constexpr std::array kOthers{"v100", "p100", "k80", "a800", "a30", "a40", "a10", "a10g", "a6000", "a5000", "l4", "l40", "l40s", "t4", "h100nvl",
                                 "rtx3090", "rtx4090", "rtx5090", "rtx6000", "rtx8000", "mi50", "mi60", "mi100", "mi210", "mi300a", "gaudi", "gaudi2", "gaudi3",
                                 "pvc", "max1550", "910a", "z100", "k100", "k100ai", "bw1000", "titan", "gtx1080ti", "rtx2080ti", "a100x", "quadro"};
    const std::vector<std::string> tokens = tokensOf(text);
    for (const std::string &token : tokens) {
        if (const Accelerator *known = ofGeneration(token, tokens, catalogue)) return {token, known};
        if (std::find(kOthers.begin(), kOthers.end(), token) != kOthers.end()) return {token, nullptr};
    }
    return {};
}

/// The type between colons, "gpu:TYPE:8" or "TYPE:8", whatever it is.
std::string typeOfRequest(std::string_view value)
{
    std::vector<std::string> parts(1);
    for (const char c : value) {
        if (c == ':' || c == ',') parts.emplace_back();
        else parts.back() += c;
    }
    for (const std::string &part : parts) {
        const bool number = part.find_first_not_of("0123456789") == std::string::npos;
        if (parts.size() > 1 && !number && lower(part) != "gpu" && !part.starts_with("$") && part.find('\x01') == std::string::npos) return part;
    }
    return {};
}

void chooseAccelerator(const ShellScript &script, const Catalogue &catalogue, ClusterSection &cluster, ImportNotes &notes)
{
    NamedGpu found;
    for (const auto &[name, value] : script.batchOptions) {
        const bool request = name == "--gres" || name == "--gpus-per-node" || name == "--gpus" || name == "-G" || name == "--gpus-per-task" ||
                             name == "--gpus-per-socket";
        const bool relevant = request || name == "--constraint" || name == "-C" || name == "--partition" || name == "-p" || name == "--account";
        if (!relevant || !found.name.empty()) continue;
        found = namedGpu(value, catalogue);
        if (request && found.name.empty()) found.name = typeOfRequest(value);
    }
    std::string_view reason = why::kFromBatchScript;
    if (found.name.empty()) {
        const std::string &file = notes.file();
        const std::size_t slash = file.find_last_of("/\\");
        found = namedGpu(file.substr(slash == std::string::npos ? 0 : slash + 1), catalogue);
        reason = why::kFromFileName;
    }
    cluster.acceleratorName = found.accelerator ? found.accelerator->name : kDefaultAccelerator;
    if (found.accelerator || found.name.empty())
        notes.defaultTaken("/cluster/accelerator", cluster.acceleratorName, found.accelerator ? reason : why::kNotInFile);
    else
        notes.defaultTaken("/cluster/accelerator", cluster.acceleratorName + " for " + found.name.substr(0, 40), why::kNotInCatalogue);
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

void growWorld(std::int64_t smallest, std::int64_t perReplica, ClusterSection &cluster, LayoutSection &layout, ImportNotes &notes)
{
    if (cluster.gpus >= smallest) return;
    if (cluster.gpus > 0) notes.add({NoticeCode::WorldGrown, {notes.file(), "", 0, 0}, {cluster.gpus, smallest}});
    else notes.defaultTaken("/cluster/gpus", smallest, why::kSmallestWorld);
    cluster.gpus = smallest;
    layout.data = smallest / perReplica;
}

} // namespace clusterbeat
