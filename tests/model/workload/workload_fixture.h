// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/plan.h"
#include "model/network/network_model.h"
#include "model/scenario/catalogue.h"
#include "model/scenario/resolve.h"

#include <QtGlobal>

#include <algorithm>
#include <cmath>
#include <string>

/// Scenarios made by hand: the cost model's tests hang on neither the file format nor the network model.
namespace clusterbeat::test {

/// Within a share of the expected value; says both otherwise.
inline bool near(double actual, double expected, double tolerance)
{
    if (std::abs(actual - expected) <= tolerance * std::abs(expected)) return true;
    qWarning("actual %.12g, expected %.12g", actual, expected);
    return false;
}

/// Seconds of one category in an operation.
inline double ofCategory(const OperationShape &shape, Category category)
{
    TimeNs sum = 0;
    for (const Segment &segment : shape.segments)
        sum += segment.category == category ? segment.ns : 0;
    return toSeconds(sum);
}

inline Accelerator accelerator(const char *name, double bf16, double hbmGb, double hbmTb, double nvlink, double nic,
                               double tdp)
{
    Accelerator gpu;
    gpu.name = name;
    gpu.peakBf16Tflops = bf16;
    gpu.hbmGb = hbmGb;
    gpu.hbmTbytesPerS = hbmTb;
    gpu.scaleupGbytesPerS = nvlink;
    gpu.nicGbps = nic;
    gpu.tdpW = tdp;
    return gpu;
}

inline Accelerator a100()
{
    Accelerator gpu = accelerator("A100-SXM4-80GB", 312, 80, 2.0, 300, 200, 400);
    gpu.measuredMatmulBf16Tflops = 271.2;
    return gpu;
}

inline Accelerator h100()
{
    Accelerator gpu = accelerator("H100-SXM5-80GB", 989, 80, 3.35, 450, 400, 700);
    gpu.peakFp8Tflops = 1979;
    gpu.measuredMatmulBf16Tflops = 794.5;
    gpu.measuredMatmulFp8Tflops = 1402.6;
    return gpu;
}

inline Accelerator gb300()
{
    Accelerator gpu = accelerator("GB300-NVL72", 2500, 288, 8.0, 900, 800, 1400);
    gpu.peakFp8Tflops = 5000;
    gpu.peakFp4Tflops = 15000;
    gpu.scaleupDomain = 72;
    return gpu;
}

inline Accelerator gb200()
{
    Accelerator gpu = accelerator("GB200-NVL72", 2500, 192, 8.0, 900, 400, 1200);
    gpu.peakFp8Tflops = 5000;
    gpu.measuredMatmulFp8Tflops = 3615.6;
    gpu.measuredMatmulBf16Tflops = 1822;
    gpu.scaleupDomain = 72;
    return gpu;
}

inline ModelSection modelOf(std::int64_t layers, std::int64_t hidden, std::int64_t ffn, std::int64_t heads,
                            std::int64_t kvHeads, std::int64_t headDim, std::int64_t vocab, bool gated)
{
    ModelSection m;
    m.layers = layers;
    m.hidden = hidden;
    m.ffnHidden = ffn;
    m.heads = heads;
    m.kvHeads = kvHeads;
    m.headDim = headDim;
    m.vocab = vocab;
    m.gatedFfn = gated;
    m.activation = gated ? "silu" : "gelu";
    m.tiedEmbeddings = !gated;
    return m;
}

inline ModelSection gpt22b() { return modelOf(48, 6144, 24576, 64, 64, 96, 51200, false); }
inline ModelSection gpt175b() { return modelOf(96, 12288, 49152, 96, 96, 128, 51200, false); }
inline ModelSection gpt530b() { return modelOf(105, 20480, 81920, 128, 128, 160, 51200, false); }
inline ModelSection gpt1t() { return modelOf(128, 25600, 102400, 160, 160, 160, 51200, false); }
inline ModelSection llama405b() { return modelOf(126, 16384, 53248, 128, 8, 128, 128256, true); }
inline ModelSection llama2Of70b() { return modelOf(80, 8192, 28672, 64, 8, 128, 32000, true); }

inline ModelSection qwen3Of235b()
{
    ModelSection m = modelOf(94, 4096, 1536, 64, 4, 128, 151936, true);
    m.moe = MoeShape{128, 8, 0, 1536, 0, 1};
    return m;
}

/// The rest follows: data from gpus, micro-batches from the batch, layers evenly over chunks, the remainder first.
struct ScenarioSpec {
    ModelSection model;
    Accelerator accelerator;
    std::string profile = "nemo24";
    std::int64_t gpus = 8, tensor = 1, pipeline = 1, virtualPipeline = 1, context = 1;
    std::int64_t expert = 1, expertTensor = 1;
    bool sequenceParallel = true;
    std::int64_t zeroStage = 1;
    std::int64_t sequence = 2048, microBatch = 1, globalBatch = 8;
    Precision precision = Precision::Bf16;
    RecomputeMode recompute = RecomputeMode::None;
};

inline ResolvedScenario scenarioOf(const ScenarioSpec &spec, const Catalogue &catalogue)
{
    ResolvedScenario scenario;
    scenario.model = spec.model;
    scenario.accelerator = spec.accelerator;
    scenario.software = catalogue.profile(spec.profile)->flags;
    scenario.training.sequenceLength = spec.sequence;
    scenario.training.globalBatch = spec.globalBatch;
    scenario.training.microBatch = spec.microBatch;
    scenario.training.precision = spec.precision;
    scenario.training.recompute = Recompute{spec.recompute, 0, {}};
    Degrees &degrees = scenario.degrees;
    degrees.tensor = spec.tensor;
    degrees.pipeline = spec.pipeline;
    degrees.virtualPipeline = spec.virtualPipeline;
    degrees.context = spec.context;
    degrees.expert = spec.expert;
    degrees.expertTensor = spec.expertTensor;
    degrees.data = spec.gpus / (spec.tensor * spec.pipeline * spec.context);
    degrees.sequenceParallel = spec.sequenceParallel && spec.tensor > 1;
    degrees.zeroStage = spec.zeroStage;
    degrees.shardGroup = degrees.data * degrees.context;
    degrees.schedule = spec.virtualPipeline > 1 ? ScheduleKind::Interleaved : ScheduleKind::OneFOneB;
    degrees.overlapData = scenario.software.dataOverlap;
    degrees.overlapPipeline = scenario.software.pipelineOverlap;
    const std::int64_t chunks = spec.pipeline * spec.virtualPipeline;
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
        degrees.layersPerChunk.push_back(spec.model.layers / chunks + (chunk < spec.model.layers % chunks ? 1 : 0));
    scenario.microBatches = spec.globalBatch / (degrees.data * spec.microBatch);
    return scenario;
}

/// NVLink and one NIC a GPU at the calibration's efficiencies, domains of 8 or 64.
inline NetworkModel networkOf(const ResolvedScenario &scenario, const CostConstants &constants)
{
    const double nvlink = scenario.accelerator.scaleupGbytesPerS * 1e9 * constants.nvlinkEfficiency;
    const double nic = scenario.accelerator.nicGbps * 1e9 / 8.0 * constants.nicEfficiency;
    const Degrees &degrees = scenario.degrees;
    const std::int64_t domain = scenario.accelerator.scaleupDomain > 8 ? 64 : 8;
    const auto path = [&](std::int64_t members, std::int64_t stride) {
        GroupPath group;
        group.members = static_cast<std::int32_t>(members);
        group.membersPerDomain = static_cast<std::int32_t>(std::min(members, std::max<std::int64_t>(1, domain / stride)));
        group.domains = group.members / group.membersPerDomain;
        group.scaleupBytesPerS = nvlink;
        group.networkBytesPerS = nic;
        group.bottleneck = "nic";
        return group;
    };
    NetworkModel network;
    network.tensor = path(degrees.tensor, 1);
    network.context = path(degrees.context, degrees.tensor);
    network.data = path(degrees.data * degrees.context, degrees.tensor);
    if (scenario.model.moe) {
        const std::int64_t stage = degrees.tensor * degrees.context * degrees.data;
        const std::int64_t run = degrees.expert * degrees.expertTensor;
        network.expert = path(degrees.expert, degrees.expertTensor);
        network.expertTensor = path(degrees.expertTensor, 1);
        network.expertData = path(stage / run, run);
    }
    network.pipeline.assign(static_cast<std::size_t>(degrees.pipeline * degrees.data),
                            TransferPath{nic, constants.pointToPointLatencyS, "nic"});
    return network;
}

} // namespace clusterbeat::test
