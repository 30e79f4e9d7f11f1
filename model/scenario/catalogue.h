// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/network/collective_constants.h"
#include "model/scenario/scenario.h"
#include "model/workload/software.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat {

/// Constants of the calibrated cost model by name, each with unit, meaning and source in resources/catalogue/constants.json.
struct CostConstants {
    // filled by catalogue.cpp from constants.json; a name that the file lacks is an error of the build's tests
    double matmulSustainedAmpere = 0, matmulSustainedHopper = 0, matmulSustainedBlackwell = 0, matmulSustainedOther = 0;
    double blackwellPowerExponent = 0, blackwellServerFactor = 0, fp4MatmulFactor = 0, matmulTileLatencyS = 0;
    double fa1Ampere = 0, fa1HopperRatio = 0, fa1BackwardRatio = 0, fa2BackwardRatio = 0, fa2Ampere = 0, fa2Hopper = 0;
    double cudnnHopper = 0, cudnnBlackwell = 0, cudnnBackwardRatio = 0, ultraAttentionForward = 0, ultraAttentionBackward = 0, attentionShortSequenceTokens = 0;
    double unfusedMatmulFraction = 0, misalignedHeadSlowdown = 0;
    double castBytesFp8 = 0, castBytesMxfp8 = 0, castBytesNvfp4 = 0;
    double hbmEfficiency = 0, nvlinkEfficiency = 0, nicEfficiency = 0, allToAllEfficiency = 0;
    double tensorOverlapHidden = 0, expertOverlapHidden = 0, dataOverlapWindow = 0;
    double overlapContention = 0, fsdp1Contention = 0, contextExposed = 0;
    double jitterGrowth = 0, iterationHostS = 0, collectiveLatencyNvlinkS = 0, pointToPointLatencyS = 0, blockingTransferS = 0;
    CollectiveConstants collectives;   ///< from collectives.json
    double optimizerBytesPerParameter = 0, accumulationBytesPerParameter = 0;
    double hostDenseLayerS = 0, hostFp8LayerS = 0, hostFsdp1Factor = 0, hostMoeLayerS = 0, hostPerExpertS = 0;
    double hostExpertOverlapFactor = 0, fullGraphHostFactor = 0;
    double moeMemoryFactor = 0, tokenDropFactor = 0, pagedStashFactor = 0, groupedMatmulEfficiencyFp8 = 0, unfusedExpertActivationBytes = 0;
    double powerCapExponent = 0;
    double shardCopyForwardBytes = 0, shardCopyBackwardBytes = 0, contentionBytesPerS = 0;
    double contextBytes = 0, bufferBytes = 0, fragmentation = 0;   ///< memory: CUDA/NCCL context, communication buffers, allocator share
};

/// What one or several keys of a preset rest on.
struct PresetSource {
    std::string figures;       ///< keys, e.g. "model.*"
    std::string source;
};
struct ScenarioPreset {
    std::string name;          ///< "llama3-405b-16k"
    std::string title;         ///< "Llama 3 405B on 16,384 H100"
    std::string json;          ///< a whole scenario file
    std::vector<PresetSource> sources;
};

/// Everything that is shipped as data. Parsed once from the embedded JSON; passed as an argument, never global.
struct Catalogue {
    std::vector<Accelerator> accelerators;
    std::vector<ScenarioPreset> presets;       ///< in listed order; the first is the default scenario
    std::vector<SoftwareProfile> profiles;
    CostConstants constants;
    std::string bridgeRecipesJson;             ///< resources/catalogue/bridge_recipes.json (formats/bridge_recipe_table.h reads it)
    std::string measuredRowsJson;              ///< resources/catalogue/measured_rows.json as it is (formats/measured_rows.h reads it)

    [[nodiscard]] const Accelerator *accelerator(std::string_view name) const;
    [[nodiscard]] const ScenarioPreset *preset(std::string_view name) const;
    [[nodiscard]] const SoftwareProfile *profile(std::string_view name) const;
};

/// Names of the constants in the order of CostConstants, as constants.json spells them.
[[nodiscard]] std::vector<std::string_view> costConstantNames();
/// A constant by that name; nullopt, and false without a change, for an unknown one.
[[nodiscard]] std::optional<double> costConstant(const CostConstants &constants, std::string_view name);
bool setCostConstant(CostConstants &constants, std::string_view name, double value);

/// Parses the embedded catalogue. An error here is a bug in resources/catalogue (a test opens it).
[[nodiscard]] Result<Catalogue> loadCatalogue();

} // namespace clusterbeat
