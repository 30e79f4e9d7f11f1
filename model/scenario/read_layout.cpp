// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/enum_names.h"
#include "model/scenario/limits.h"
#include "model/scenario/section_io.h"

#include <algorithm>

namespace clusterbeat
{
namespace
{

/// A permutation of the five dimensions, innermost first. "expert" may be left out: it is folded into the others and
/// then stands after "context".
std::array<Dimension, 5> readOrder(const JsonValue &json, const std::string &pointer, ObjectReader &parent)
{
    std::array<Dimension, 5> order{};
    if (!parent.expect(json, JsonValue::Type::Array, pointer)) return order;
    std::vector<Dimension> dimensions;
    for (std::size_t i = 0; i < json.items.size() && parent.ok(); ++i) {
        Dimension dimension{};
        const std::string place = pointer + '/' + std::to_string(i);
        parent.choiceOf(json.items[i], place, kDimensionNames, "dimension", dimension);
        if (std::find(dimensions.begin(), dimensions.end(), dimension) != dimensions.end() && parent.ok())
            parent.sink() = Error{ErrorCode::DuplicateKey, Place{{}, place, 0, 0}, {json.items[i].text}};
        dimensions.push_back(dimension);
    }
    if (std::find(dimensions.begin(), dimensions.end(), Dimension::Expert) == dimensions.end()) {
        const auto context = std::find(dimensions.begin(), dimensions.end(), Dimension::Context);
        dimensions.insert(context == dimensions.end() ? context : context + 1, Dimension::Expert);
    }
    for (const auto &[name, dimension] : kDimensionNames)
        if (std::find(dimensions.begin(), dimensions.end(), dimension) == dimensions.end() && parent.ok())
            parent.sink() = Error{ErrorCode::MissingKey, Place{{}, pointer, 0, 0}, {std::string(name)}};
    if (parent.ok()) std::copy_n(dimensions.begin(), order.size(), order.begin());
    return order;
}

void readVirtualPipeline(ObjectReader &reader, LayoutSection &layout)
{
    const JsonValue *value = reader.find("virtual_pipeline");
    if (value != nullptr && value->type == JsonValue::Type::String && value->text == "max") {
        layout.virtualPipeline = 0;
        return;
    }
    reader.integer("virtual_pipeline", kLayersRange, layout.virtualPipeline);
}

/// One list of cells a rank; what the cells say is the resolver's business.
void readScheduleOrders(ObjectReader &reader, LayoutSection &layout)
{
    const JsonValue *orders = reader.find("schedule_orders");
    const std::string place = reader.pointerTo("schedule_orders");
    if (orders == nullptr || !reader.expect(*orders, JsonValue::Type::Array, place)) return;
    for (std::size_t rank = 0; rank < orders->items.size() && reader.ok(); ++rank) {
        const JsonValue &row = orders->items[rank];
        const std::string rowPlace = place + '/' + std::to_string(rank);
        if (!reader.expect(row, JsonValue::Type::Array, rowPlace)) return;
        auto &cells = layout.scheduleOrders.emplace_back();
        for (std::size_t i = 0; i < row.items.size(); ++i) {
            if (!reader.expect(row.items[i], JsonValue::Type::String, rowPlace + '/' + std::to_string(i))) return;
            cells.push_back(row.items[i].text);
        }
    }
}

void readOverlap(ObjectReader &reader, LayoutSection &layout)
{
    const JsonValue *value = reader.find("overlap");
    if (value == nullptr) return;
    ObjectReader overlap(*value, reader.pointerTo("overlap"), {"data", "pipeline"}, reader.sink());
    overlap.boolean("data", layout.overlapData);
    overlap.boolean("pipeline", layout.overlapPipeline);
}

} // namespace

LayoutSection readLayout(const JsonValue &json, const std::string &pointer, std::optional<Error> &error)
{
    LayoutSection layout;
    ObjectReader reader(json, pointer,
                        {"tensor", "pipeline", "virtual_pipeline", "context", "expert", "expert_tensor", "data",
                         "sequence_parallel", "zero_stage", "shard_group", "schedule", "activation_limit",
                         "schedule_orders", "micro_batch_group",
                         "layers_per_stage", "embedding_as_layer", "head_as_layer", "mtp_stage", "context_exchange",
                         "order", "overlap", "preset"},
                        error);
    reader.integer("tensor", kDegreeRange, layout.tensor);
    reader.integer("pipeline", kDegreeRange, layout.pipeline);
    readVirtualPipeline(reader, layout);
    reader.integer("context", kDegreeRange, layout.context);
    reader.integer("expert", kDegreeRange, layout.expert);
    reader.integer("expert_tensor", kDegreeRange, layout.expertTensor);
    reader.integer("data", kDegreeRange, layout.data);
    reader.boolean("sequence_parallel", layout.sequenceParallel);
    reader.integer("zero_stage", {0, 3}, layout.zeroStage);
    reader.integer("shard_group", kDegreeRange, layout.shardGroup);
    reader.choice("schedule", kScheduleNames, "schedule", layout.schedule);
    reader.number("activation_limit", {1e-3, 1e6}, layout.activationLimit);
    reader.integer("micro_batch_group", kDegreeRange, layout.microBatchGroup);
    readScheduleOrders(reader, layout);
    reader.boolean("embedding_as_layer", layout.embeddingAsLayer);
    reader.boolean("head_as_layer", layout.headAsLayer);
    reader.integer("mtp_stage", {0, kDegreeRange.highest}, layout.mtpStage);
    reader.choice("context_exchange", kContextExchangeNames, "context_exchange", layout.contextExchange);
    readOverlap(reader, layout);
    if (const JsonValue *layers = reader.find("layers_per_stage")) {
        const std::string place = reader.pointerTo("layers_per_stage");
        if (reader.expect(*layers, JsonValue::Type::Array, place))
            for (std::size_t i = 0; i < layers->items.size() && reader.ok(); ++i) {
                const auto count =
                    reader.integerOf(layers->items[i], place + '/' + std::to_string(i), {0, kLayersRange.highest});
                layout.layersPerStage.push_back(count.value_or(0));
            }
    }
    if (const JsonValue *order = reader.find("order"))
        layout.order = readOrder(*order, reader.pointerTo("order"), reader);
    return layout;
}

SoftwareSection readSoftware(const JsonValue &json, const std::string &pointer, std::optional<Error> &error)
{
    SoftwareSection software;
    ObjectReader reader(json, pointer,
                        {"profile", "attention_kernel", "elementwise_factor", "tensor_overlap", "cuda_graphs",
                         "fused_cross_entropy", "fp8_recipe", "moe_dispatcher", "expert_overlap", "token_drop",
                         "expert_activation_fused", "grouped_matmul_fused", "nvls", "pat", "fsdp", "power_limit_w", "preset"},
                        error);
    reader.string("profile", software.profile);
    reader.choice("attention_kernel", kAttentionKernelNames, "attention_kernel", software.attentionKernel);
    reader.number("elementwise_factor", {0.01, 100.0}, software.elementwiseFactor);
    reader.boolean("tensor_overlap", software.tensorOverlap);
    reader.choice("cuda_graphs", kCudaGraphsNames, "cuda_graphs", software.cudaGraphs);
    reader.boolean("fused_cross_entropy", software.fusedCrossEntropy);
    reader.oneOf("fp8_recipe", kFp8RecipeNames, "fp8_recipe", software.fp8Recipe);
    reader.oneOf("moe_dispatcher", kMoeDispatcherNames, "moe_dispatcher", software.moeDispatcher);
    reader.boolean("expert_overlap", software.expertOverlap);
    reader.boolean("token_drop", software.tokenDrop);
    reader.boolean("expert_activation_fused", software.expertActivationFused);
    reader.boolean("grouped_matmul_fused", software.groupedMatmulFused);
    reader.boolean("nvls", software.nvls);
    reader.boolean("pat", software.pat);
    reader.choice("fsdp", kFsdpNames, "fsdp", software.fsdp);
    reader.number("power_limit_w", {1.0, 1e5}, software.powerLimitW);
    return software;
}

SoftwareFlags readSoftwareFlags(const JsonValue &json, const std::string &pointer, std::optional<Error> &error)
{
    SoftwareFlags flags;
    ObjectReader reader(json, pointer,
                        {"attention_kernel", "elementwise_factor", "tensor_overlap", "tensor_deferred", "data_overlap", "pipeline_overlap",
                         "fsdp", "gradient_all_reduce", "gradient_bytes", "parameter_gather_bytes", "cross_entropy_bytes_per_logit",
                         "cuda_graphs", "fp8_recipe", "moe_dispatcher", "expert_overlap", "token_drop",
                         "expert_activation_fused", "grouped_matmul_fused", "accumulation_bytes_per_parameter",
                         "power_limit_w", "nvls", "pat", "iteration_host_s"},
                        error);
    reader.choice("attention_kernel", kAttentionKernelNames, "attention_kernel", flags.attentionKernel);
    reader.number("elementwise_factor", {0.01, 100.0}, flags.elementwiseFactor);
    reader.boolean("tensor_overlap", flags.tensorOverlap);
    reader.boolean("tensor_deferred", flags.tensorDeferred);
    reader.boolean("data_overlap", flags.dataOverlap);
    reader.boolean("pipeline_overlap", flags.pipelineOverlap);
    reader.choice("fsdp", kFsdpNames, "fsdp", flags.fsdp);
    reader.boolean("gradient_all_reduce", flags.gradientAllReduce);
    reader.integer("gradient_bytes", {2, 4}, flags.gradientBytes);
    reader.integer("parameter_gather_bytes", {1, 2}, flags.parameterGatherBytes);
    reader.number("cross_entropy_bytes_per_logit", {0.0, 1e3}, flags.crossEntropyBytesPerLogit);
    reader.choice("cuda_graphs", kCudaGraphsNames, "cuda_graphs", flags.cudaGraphs);
    reader.oneOf("fp8_recipe", kFp8RecipeNames, "fp8_recipe", flags.fp8Recipe);
    reader.oneOf("moe_dispatcher", kMoeDispatcherNames, "moe_dispatcher", flags.moeDispatcher);
    reader.boolean("expert_overlap", flags.expertOverlap);
    reader.boolean("token_drop", flags.tokenDrop);
    reader.boolean("expert_activation_fused", flags.expertActivationFused);
    reader.boolean("grouped_matmul_fused", flags.groupedMatmulFused);
    reader.boolean("nvls", flags.nvls);
    reader.boolean("pat", flags.pat);
    reader.number("accumulation_bytes_per_parameter", {0.0, 1e3}, flags.accumulationBytesPerParameter);
    reader.number("power_limit_w", {0.0, 1e5}, flags.powerLimitW);
    reader.number("iteration_host_s", {0.0, 60.0}, flags.iterationHostS);
    return flags;
}

} // namespace clusterbeat
