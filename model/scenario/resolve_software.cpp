// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/object_reader.h"
#include "model/scenario/resolve_parts.h"

namespace clusterbeat
{
namespace
{

// Cross entropy over the vocabulary: traffic of the unfused and the fused kernel (bytes per logit, forward and
// backward).
constexpr double kUnfusedCrossEntropyBytes = 40.0;
constexpr double kFusedCrossEntropyBytes = 14.0;

double crossEntropyBytes(double ofProfile, bool fused)
{
    const bool profileIsFused = ofProfile <= kFusedCrossEntropyBytes;
    if (profileIsFused == fused) return ofProfile;
    return fused ? kFusedCrossEntropyBytes : kUnfusedCrossEntropyBytes;
}

} // namespace

SoftwareFlags mergeSoftware(const SoftwareProfile &profile, const SoftwareSection &section)
{
    SoftwareFlags flags = profile.flags;
    flags.attentionKernel = section.attentionKernel.value_or(flags.attentionKernel);
    flags.elementwiseFactor = section.elementwiseFactor.value_or(flags.elementwiseFactor);
    flags.tensorOverlap = section.tensorOverlap.value_or(flags.tensorOverlap);
    flags.cudaGraphs = section.cudaGraphs.value_or(flags.cudaGraphs);
    if (section.fusedCrossEntropy)
        flags.crossEntropyBytesPerLogit =
            crossEntropyBytes(flags.crossEntropyBytesPerLogit, *section.fusedCrossEntropy);
    flags.fp8Recipe = section.fp8Recipe.value_or(flags.fp8Recipe);
    flags.moeDispatcher = section.moeDispatcher.value_or(flags.moeDispatcher);
    flags.expertOverlap = section.expertOverlap.value_or(flags.expertOverlap);
    flags.tokenDrop = section.tokenDrop.value_or(flags.tokenDrop);
    flags.expertActivationFused = section.expertActivationFused.value_or(flags.expertActivationFused);
    flags.groupedMatmulFused = section.groupedMatmulFused.value_or(flags.groupedMatmulFused);
    flags.nvls = section.nvls.value_or(flags.nvls);
    flags.pat = section.pat.value_or(flags.pat);
    flags.fsdp = section.fsdp.value_or(flags.fsdp);
    flags.powerLimitW = section.powerLimitW.value_or(flags.powerLimitW);
    return flags;
}

std::optional<Error> resolveSoftware(const Scenario &scenario, const Catalogue &catalogue, ResolvedScenario &resolved)
{
    const SoftwareSection &section = *scenario.software;
    const SoftwareProfile *profile = catalogue.profile(section.profile);
    if (profile == nullptr) {
        std::vector<std::string_view> names;
        for (const SoftwareProfile &known : catalogue.profiles)
            names.push_back(known.name);
        return ruleError(
            ErrorCode::UnknownName, "/software/profile",
            unknownNameArguments(section.profile, "profile", names));
    }
    SoftwareFlags &flags = resolved.software;
    flags = mergeSoftware(*profile, section);
    TrainingSection &training = resolved.training;
    // What the training and layout sections say outright wins over the profile.
    flags.gradientBytes = training.gradientBytes.value_or(flags.gradientBytes);
    flags.parameterGatherBytes = training.parameterGatherBytes.value_or(flags.parameterGatherBytes);
    flags.dataOverlap = scenario.layout->overlapData.value_or(flags.dataOverlap);
    flags.pipelineOverlap = scenario.layout->overlapPipeline.value_or(flags.pipelineOverlap);
    training.gradientBytes = flags.gradientBytes;
    training.parameterGatherBytes = flags.parameterGatherBytes;
    if (!training.recompute) training.recompute = Recompute{};
    if (!training.reduceEvery) training.reduceEvery = ReduceEvery::ChunkEnd;
    if (!training.optimizerSync) training.optimizerSync = true;
    return std::nullopt;
}

} // namespace clusterbeat
