// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/catalogue_data.h"
#include "model/scenario/enum_names.h"
#include "model/scenario/object_reader.h"
#include "model/validation/relatives.h"

#include <nlohmann/json.hpp>

namespace clusterbeat {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMostNumber = 1e18;
constexpr std::int64_t kMostInteger = std::int64_t{1} << 53;
constexpr const char *kFileName = "reference_runs.json";

Json toJson(const ReferenceRun &run)
{
    const RunFeatures &f = run.features;
    return {{"id", run.id},
            {"source", run.source},
            {"tier", run.tier},
            {"model", run.model},
            {"measured_s", run.measuredS},
            {"predicted_ns", run.predictedNs},
            {"accelerator", f.accelerator},
            {"peak_bf16_tflops", f.peakBf16Tflops},
            {"hbm_tbytes_per_s", f.hbmTbytesPerS},
            {"scaleup_domain", f.scaleupDomain},
            {"precision", nameOf(kPrecisionNames, f.precision)},
            {"parameters", f.parameters},
            {"experts", f.experts},
            {"gpus", f.gpus},
            {"sequence_length", f.sequence},
            {"tensor", f.tensor},
            {"pipeline", f.pipeline},
            {"context", f.context},
            {"expert", f.expert},
            {"sharded_parameters", f.shardedParameters},
            {"attention_kernel", nameOf(kAttentionKernelNames, f.attentionKernel)},
            {"elementwise_factor", f.elementwiseFactor},
            {"tensor_overlap", f.tensorOverlap},
            {"data_overlap", f.dataOverlap},
            {"cuda_graphs", nameOf(kCudaGraphsNames, f.cudaGraphs)}};
}

ReferenceRun readRun(const JsonValue &json, const std::string &pointer, std::optional<Error> &error)
{
    ReferenceRun run;
    RunFeatures &f = run.features;
    ObjectReader reader(json, pointer,
                        {"id", "source", "tier", "model", "measured_s", "predicted_ns", "accelerator", "peak_bf16_tflops",
                         "hbm_tbytes_per_s", "scaleup_domain", "precision", "parameters", "experts", "gpus", "sequence_length",
                         "tensor", "pipeline", "context", "expert", "sharded_parameters", "attention_kernel",
                         "elementwise_factor", "tensor_overlap", "data_overlap", "cuda_graphs"},
                        error);
    reader.require({"id", "measured_s", "predicted_ns", "accelerator", "parameters", "gpus"});
    const IntegerRange count{0, kMostInteger};
    const NumberRange positive{1e-12, kMostNumber};
    reader.string("id", run.id);
    reader.string("source", run.source);
    reader.string("tier", run.tier);
    reader.string("model", run.model);
    reader.number("measured_s", positive, run.measuredS);
    reader.integer("predicted_ns", count, run.predictedNs);
    reader.string("accelerator", f.accelerator);
    reader.number("peak_bf16_tflops", positive, f.peakBf16Tflops);
    reader.number("hbm_tbytes_per_s", positive, f.hbmTbytesPerS);
    reader.integer("scaleup_domain", count, f.scaleupDomain);
    reader.choice("precision", kPrecisionNames, "precision", f.precision);
    reader.number("parameters", positive, f.parameters);
    reader.integer("experts", count, f.experts);
    reader.integer("gpus", count, f.gpus);
    reader.integer("sequence_length", count, f.sequence);
    reader.integer("tensor", count, f.tensor);
    reader.integer("pipeline", count, f.pipeline);
    reader.integer("context", count, f.context);
    reader.integer("expert", count, f.expert);
    reader.boolean("sharded_parameters", f.shardedParameters);
    reader.choice("attention_kernel", kAttentionKernelNames, "attention kernel", f.attentionKernel);
    reader.number("elementwise_factor", positive, f.elementwiseFactor);
    reader.boolean("tensor_overlap", f.tensorOverlap);
    reader.boolean("data_overlap", f.dataOverlap);
    reader.choice("cuda_graphs", kCudaGraphsNames, "CUDA graphs", f.cudaGraphs);
    return run;
}

} // namespace

std::string writeReferences(const ReferenceTable &table)
{
    std::string text = "{\"usual_distance\": " + Json(table.usualDistance).dump() + ",\n\"runs\": [";
    const char *separator = "\n";
    for (const ReferenceRun &run : table.runs) {
        text += separator + toJson(run).dump(-1, ' ', false, Json::error_handler_t::replace);
        separator = ",\n";
    }
    return text + "\n]}\n";
}

Result<ReferenceTable> readReferences(std::string_view json)
{
    const auto parsed = parseJson(json);
    if (!parsed.ok()) return parsed.error();
    ReferenceTable table;
    std::optional<Error> error;
    ObjectReader reader(parsed.value(), {}, {"usual_distance", "runs"}, error);
    reader.require({"usual_distance", "runs"});
    reader.number("usual_distance", {0.0, kMostNumber}, table.usualDistance);
    if (const JsonValue *runs = reader.find("runs"))
        if (reader.expect(*runs, JsonValue::Type::Array, "/runs"))
            for (std::size_t i = 0; i < runs->items.size() && !error; ++i)
                table.runs.push_back(readRun(runs->items[i], "/runs/" + std::to_string(i), error));
    if (error) return *error;
    return table;
}

Result<ReferenceTable> loadReferences()
{
    for (const EmbeddedFile &file : embeddedFiles())
        if (file.name == kFileName) return readReferences(file.text);
    return Error{ErrorCode::FileNotFound, {}, {std::string(kFileName)}};
}

} // namespace clusterbeat
