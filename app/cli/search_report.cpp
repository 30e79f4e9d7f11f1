// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/search_report.h"

#include "model/scenario/enum_names.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace clusterbeat
{
namespace
{

using Json = nlohmann::ordered_json;

double gb(Bytes bytes)
{
    return static_cast<double>(bytes) / kBytesPerGb;
}

/// As in the scenario file.
Json layoutJson(const LayoutChoice &choice)
{
    Json json = {{"tensor", choice.tensor},
                 {"pipeline", choice.pipeline},
                 {"virtual_pipeline", choice.virtualPipeline},
                 {"context", choice.context},
                 {"expert", choice.expert},
                 {"data", choice.data},
                 {"zero_stage", choice.zeroStage},
                 {"schedule", nameOf(kScheduleNames, choice.schedule)}};
    if (choice.expertTensor > 1) json["expert_tensor"] = choice.expertTensor;
    if (choice.shardGroup > 0) json["shard_group"] = choice.shardGroup;
    return json;
}

Json recomputeJson(const LayoutChoice &choice)
{
    if (choice.recompute == RecomputeMode::Layers) return {{"layers", choice.recomputeLayers}};
    return nameOf(kRecomputeNames, choice.recompute);
}

std::string recomputeText(const LayoutChoice &choice)
{
    if (choice.recompute == RecomputeMode::Layers) return std::to_string(choice.recomputeLayers) + " layers";
    return std::string(nameOf(kRecomputeNames, choice.recompute));
}

/// "3" or, over part of the replicas, "3/8".
std::string zeroText(const LayoutChoice &choice)
{
    return std::to_string(choice.zeroStage) + (choice.shardGroup > 0 ? '/' + std::to_string(choice.shardGroup) : "");
}

/// "8" or, experts split over tensor ranks, "8x2".
std::string expertText(const LayoutChoice &choice)
{
    return std::to_string(choice.expert) + (choice.expertTensor > 1 ? 'x' + std::to_string(choice.expertTensor) : "");
}

Json reasonJson(const LossReason &reason)
{
    switch (reason.kind) {
    case LossReason::Kind::Best:
        return {{"kind", "best"}};
    case LossReason::Kind::Ties:
        return {{"kind", "ties"}};
    case LossReason::Kind::Slower:
        return {{"kind", "slower"},
                {"category", kCategoryKeys[categoryIndex(reason.category)]},
                {"seconds", reason.seconds}};
    case LossReason::Kind::DoesNotFit:
        return {{"kind", "does_not_fit"}, {"bytes", reason.bytes}};
    }
    return nullptr;
}

Json listJson(const std::vector<FoundLayout> &list)
{
    Json json = Json::array();
    for (const FoundLayout &found : list) {
        const LayoutDetail &detail = found.detail;
        const MemoryParts &memory = detail.memory;
        Json breakdown = Json::object();
        for (std::size_t c = 0; c < kCategoryCount; ++c)
            breakdown[std::string(kCategoryKeys[c])] = detail.breakdownS[c];
        json.push_back({{"iteration_s", toSeconds(detail.iteration)},
                        {"tokens_per_s", detail.tokensPerS},
                        {"mfu", detail.mfu},
                        {"gpus", detail.gpus},
                        {"layout", layoutJson(found.choice)},
                        {"training",
                         {{"micro_batch", found.choice.microBatch},
                          {"recompute", recomputeJson(found.choice)}}},
                        {"memory_bytes",
                         {{"parameters", memory.parameters},
                          {"gradients", memory.gradients},
                          {"optimizer", memory.optimizer},
                          {"activations", memory.activations},
                          {"buffers", memory.buffers},
                          {"total", memory.total()},
                          {"capacity", detail.capacity},
                          {"fits", memory.total() <= detail.capacity}}},
                        {"breakdown_s", std::move(breakdown)},
                        {"loses", reasonJson(found.reason)}});
    }
    return json;
}

std::string reasonText(const LossReason &reason)
{
    char text[80] = "best";
    switch (reason.kind) {
    case LossReason::Kind::Best:
        break;
    case LossReason::Kind::Ties:
        return "as fast as the best";
    case LossReason::Kind::Slower:
        std::snprintf(text, sizeof text, "%s +%.3f s", kCategoryKeys[categoryIndex(reason.category)].data(),
                      reason.seconds);
        break;
    case LossReason::Kind::DoesNotFit:
        std::snprintf(text, sizeof text, "does not fit by %.1f GB", gb(reason.bytes));
        break;
    }
    return text;
}

std::string listText(const char *title, const std::vector<FoundLayout> &list)
{
    if (list.empty()) return {};
    char line[240];
    std::string text = std::string("\n") + title + "\n";
    std::snprintf(line, sizeof line, "%4s %10s %6s %9s %7s %6s %5s %5s %5s %5s %6s %4s %5s %-11s %-9s  %s\n", "",
                  "iteration", "MFU", "memory GB", "GPUs", "tensor", "pipe", "virt", "ctx", "exp", "data", "zero",
                  "micro", "schedule", "recompute", "loses by");
    text += line;
    int number = 0;
    for (const FoundLayout &found : list) {
        const LayoutChoice &c = found.choice;
        const auto whole = [](std::int64_t value) { return static_cast<long long>(value); };
        std::snprintf(line, sizeof line,
                      "%4d %8.4f s %5.1f%% %9.1f %7lld %6lld %5lld %5lld %5lld %5s %6lld %4s %5lld %-11s %-9s  ",
                      ++number, toSeconds(found.detail.iteration), found.detail.mfu * 100,
                      gb(found.detail.memory.total()), whole(found.detail.gpus), whole(c.tensor), whole(c.pipeline),
                      whole(c.virtualPipeline), whole(c.context), expertText(c).c_str(), whole(c.data),
                      zeroText(c).c_str(),
                      whole(c.microBatch), nameOf(kScheduleNames, c.schedule).data(),
                      recomputeText(c).c_str());
        text += line + reasonText(found.reason) + '\n';
    }
    return text;
}

} // namespace

std::string searchJson(const SearchResult &result)
{
    const Json json = {{"valid", result.valid},
                       {"simulated", result.executed},
                       {"layouts", listJson(result.ranked)},
                       {"pareto", listJson(result.pareto)},
                       {"does_not_fit", listJson(result.tooLarge)}};
    return json.dump(2) + "\n";
}

std::string searchTable(const SearchResult &result)
{
    std::string text = std::to_string(result.valid) + " valid layouts, " + std::to_string(result.executed) +
                       " simulated, the others ruled out by bounds\n";
    if (result.ranked.empty()) text += "none fits the memory\n";
    text += listText("fastest that fit", result.ranked);
    text += listText("least memory for the time", result.pareto);
    text += listText(result.ranked.empty() ? "closest to fitting" : "would be faster, but do not fit", result.tooLarge);
    return text;
}

} // namespace clusterbeat
