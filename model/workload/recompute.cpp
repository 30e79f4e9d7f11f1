// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/recompute.h"

#include "model/workload/experts.h"
#include "model/workload/layer_blocks.h"
#include "model/workload/parameters.h"

#include <algorithm>

namespace clusterbeat
{
namespace
{

// Matmuls that torchtitan's "selective op" recompute repeats.
constexpr double kSelectiveOpShare = 1.0 / 3.0;

// The attention core runs its forward again, whatever its kernel: a fused one's backward computes the scores anew all the
// same. torchtitan saves the attention's output and repeats matmuls instead.
void addCore(LayerSegments &segments, const ResolvedScenario &scenario)
{
    const LayerBlocks &blocks = segments.blocks;
    if (scenario.software.fsdp == FsdpFlavour::Fsdp2 && scenario.software.attentionKernel != AttentionKernel::Unfused) {
        segments.recomputeAttention = kSelectiveOpShare * blocks.attentionForward.matmul;
        segments.recomputeMlp = kSelectiveOpShare * blocks.mlpForward.matmul;
        return;
    }
    segments.recomputeAttention = blocks.attentionForward.attention;
}

} // namespace

bool recomputesModule(const ResolvedScenario &scenario, std::string_view module)
{
    if (!scenario.training.recompute) return false;
    const Recompute &recompute = *scenario.training.recompute;
    if (recompute.mode == RecomputeMode::Selective) return module == "core_attn";
    if (recompute.mode != RecomputeMode::Modules) return false;
    return std::find(recompute.modules.begin(), recompute.modules.end(), module) != recompute.modules.end();
}

LayerRecompute recomputeOf(const ResolvedScenario &scenario, std::int64_t indexInStage)
{
    const Recompute recompute = scenario.training.recompute.value_or(Recompute{});
    switch (recompute.mode) {
    case RecomputeMode::None: return LayerRecompute::None;
    case RecomputeMode::Selective: return LayerRecompute::Selective;
    case RecomputeMode::Full: return LayerRecompute::Full;
    case RecomputeMode::Layers:
        return indexInStage < recompute.layers ? LayerRecompute::Full : LayerRecompute::None;
    case RecomputeMode::Modules: return recompute.modules.empty() ? LayerRecompute::None : LayerRecompute::Selective;
    }
    return LayerRecompute::None;
}

// A checkpointed module runs its whole forward again, collectives included; layernorm, moe_act and mla_up_proj have
// none.
RepeatedCollectives repeatedCollectives(const ResolvedScenario &scenario, std::int64_t layer, LayerRecompute recompute)
{
    if (recompute == LayerRecompute::Full) return {true, false, false};
    if (recompute == LayerRecompute::None) return {};
    const bool experts = isMoeLayer(scenario.model, layer);
    const bool half = experts ? recomputesModule(scenario, "moe") || recomputesModule(scenario, "shared_experts")
                              : recomputesModule(scenario, "mlp");
    return {false, half && tensorBlocksOf(scenario, layer) > 1.0, experts && recomputesModule(scenario, "moe")};
}

// The modules of Megatron-Core's --recompute-modules: parts of the forward as the layer's blocks count them. A whole
// MLP or MoE module starts behind its norm and ends before the residual.
void addSelectiveRecompute(LayerSegments &segments, const ResolvedScenario &scenario, const CostConstants &constants)
{
    const GpuRates rates = gpuRates(scenario, constants);
    const bool experts = segments.hasExperts;
    const bool wholeMlp = recomputesModule(scenario, experts ? "moe" : "mlp");
    if (recomputesModule(scenario, "core_attn")) addCore(segments, scenario);
    if (recomputesModule(scenario, "mla_up_proj")) segments.recomputeAttention += latentUpSeconds(scenario, rates);
    if (recomputesModule(scenario, "layernorm")) {
        segments.recomputeAttention += normSeconds(scenario, rates);
        if (!segments.parallelBlock) segments.recomputeMlp += normSeconds(scenario, rates);
    }
    if (wholeMlp) {
        segments.recomputeMlp += segments.blocks.mlpForward.compute() - normAndResidualSeconds(scenario, rates);
        return;
    }
    if (!experts) return;
    if (recomputesModule(scenario, "moe_act"))
        segments.recomputeMlp += expertActivationSeconds(scenario, constants, rates);
    if (recomputesModule(scenario, "shared_experts")) segments.recomputeMlp += sharedExpertSeconds(scenario, rates);
}

} // namespace clusterbeat
