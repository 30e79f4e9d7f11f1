// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/catalogue_constants.h"

#include <array>

namespace clusterbeat
{
namespace
{

struct ConstantField {
    std::string_view name;
    double CostConstants::*field;
};
constexpr ConstantField kConstants[] = {
    {"matmul_sustained_ampere", &CostConstants::matmulSustainedAmpere},
    {"matmul_sustained_hopper", &CostConstants::matmulSustainedHopper},
    {"matmul_sustained_blackwell", &CostConstants::matmulSustainedBlackwell},
    {"matmul_sustained_other", &CostConstants::matmulSustainedOther},
    {"blackwell_power_exponent", &CostConstants::blackwellPowerExponent},
    {"blackwell_server_factor", &CostConstants::blackwellServerFactor},
    {"fp4_matmul_factor", &CostConstants::fp4MatmulFactor},
    {"matmul_tile_latency_s", &CostConstants::matmulTileLatencyS},
    {"fa1_ampere", &CostConstants::fa1Ampere},
    {"fa1_hopper_ratio", &CostConstants::fa1HopperRatio},
    {"fa1_backward_ratio", &CostConstants::fa1BackwardRatio},
    {"fa2_backward_ratio", &CostConstants::fa2BackwardRatio},
    {"fa2_ampere", &CostConstants::fa2Ampere},
    {"fa2_hopper", &CostConstants::fa2Hopper},
    {"cudnn_hopper", &CostConstants::cudnnHopper},
    {"cudnn_blackwell", &CostConstants::cudnnBlackwell},
    {"cudnn_backward_ratio", &CostConstants::cudnnBackwardRatio},
    {"ultra_attention_forward", &CostConstants::ultraAttentionForward},
    {"ultra_attention_backward", &CostConstants::ultraAttentionBackward},
    {"attention_short_sequence_tokens", &CostConstants::attentionShortSequenceTokens},
    {"unfused_matmul_fraction", &CostConstants::unfusedMatmulFraction},
    {"misaligned_head_slowdown", &CostConstants::misalignedHeadSlowdown},
    {"cast_bytes_fp8", &CostConstants::castBytesFp8},
    {"cast_bytes_mxfp8", &CostConstants::castBytesMxfp8},
    {"cast_bytes_nvfp4", &CostConstants::castBytesNvfp4},
    {"hbm_efficiency", &CostConstants::hbmEfficiency},
    {"nvlink_efficiency", &CostConstants::nvlinkEfficiency},
    {"nic_efficiency", &CostConstants::nicEfficiency},
    {"all_to_all_efficiency", &CostConstants::allToAllEfficiency},
    {"tensor_overlap_hidden", &CostConstants::tensorOverlapHidden},
    {"expert_overlap_hidden", &CostConstants::expertOverlapHidden},
    {"data_overlap_window", &CostConstants::dataOverlapWindow},
    {"overlap_contention", &CostConstants::overlapContention},
    {"fsdp1_contention", &CostConstants::fsdp1Contention},
    {"context_exposed", &CostConstants::contextExposed},
    {"jitter_growth", &CostConstants::jitterGrowth},
    {"iteration_host_s", &CostConstants::iterationHostS},
    {"collective_latency_nvlink_s", &CostConstants::collectiveLatencyNvlinkS},
    {"point_to_point_latency_s", &CostConstants::pointToPointLatencyS},
    {"blocking_transfer_s", &CostConstants::blockingTransferS},
    {"optimizer_bytes_per_parameter", &CostConstants::optimizerBytesPerParameter},
    {"accumulation_bytes_per_parameter", &CostConstants::accumulationBytesPerParameter},
    {"host_dense_layer_s", &CostConstants::hostDenseLayerS},
    {"host_fp8_layer_s", &CostConstants::hostFp8LayerS},
    {"host_fsdp1_factor", &CostConstants::hostFsdp1Factor},
    {"host_moe_layer_s", &CostConstants::hostMoeLayerS},
    {"host_per_expert_s", &CostConstants::hostPerExpertS},
    {"host_expert_overlap_factor", &CostConstants::hostExpertOverlapFactor},
    {"full_graph_host_factor", &CostConstants::fullGraphHostFactor},
    {"moe_memory_factor", &CostConstants::moeMemoryFactor},
    {"token_drop_factor", &CostConstants::tokenDropFactor},
    {"paged_stash_factor", &CostConstants::pagedStashFactor},
    {"grouped_matmul_efficiency_fp8", &CostConstants::groupedMatmulEfficiencyFp8},
    {"unfused_expert_activation_bytes", &CostConstants::unfusedExpertActivationBytes},
    {"power_cap_exponent", &CostConstants::powerCapExponent},
    {"shard_copy_forward_bytes", &CostConstants::shardCopyForwardBytes},
    {"shard_copy_backward_bytes", &CostConstants::shardCopyBackwardBytes},
    {"contention_bytes_per_s", &CostConstants::contentionBytesPerS},
    {"context_bytes", &CostConstants::contextBytes},
    {"buffer_bytes", &CostConstants::bufferBytes},
    {"fragmentation", &CostConstants::fragmentation},
};

} // namespace

std::vector<std::string_view> costConstantNames()
{
    std::vector<std::string_view> names;
    for (const ConstantField &constant : kConstants)
        names.push_back(constant.name);
    return names;
}

std::optional<double> costConstant(const CostConstants &constants, std::string_view name)
{
    for (const ConstantField &constant : kConstants)
        if (constant.name == name) return constants.*constant.field;
    return std::nullopt;
}

bool setCostConstant(CostConstants &constants, std::string_view name, double value)
{
    for (const ConstantField &constant : kConstants)
        if (constant.name == name) return constants.*constant.field = value, true;
    return false;
}

namespace
{

/// Rows {name, value, unit, meaning, source}; `fieldOf` gives the place of a name, null for an unknown one.
template <typename FieldOf>
void readRows(const JsonValue &json, std::optional<Error> &error, const std::vector<std::string_view> &names,
              FieldOf fieldOf)
{
    for (std::size_t i = 0; i < json.items.size() && !error; ++i) {
        ObjectReader reader(json.items[i], '/' + std::to_string(i), {"name", "value", "unit", "meaning", "source"},
                            error);
        reader.require({"name", "value", "unit", "meaning", "source"});
        std::string name;
        double value = 0.0;
        reader.string("name", name);
        reader.number("value", {-1e300, 1e300}, value);
        if (double *field = fieldOf(name))
            *field = value;
        else
            reader.fail(ErrorCode::UnknownName, "name", {name, std::string("constant"), closestName(name, names)});
    }
}

} // namespace

CostConstants readConstants(const JsonValue &costs, const JsonValue &collectives, std::optional<Error> &error)
{
    CostConstants constants;
    readRows(costs, error, costConstantNames(), [&](std::string_view name) -> double * {
        for (const ConstantField &constant : kConstants)
            if (constant.name == name) return &(constants.*constant.field);
        return nullptr;
    });
    readRows(collectives, error, collectiveConstantNames(),
             [&](std::string_view name) { return collectiveConstant(constants.collectives, name); });
    return constants;
}

} // namespace clusterbeat
