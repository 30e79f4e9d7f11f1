// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/rates.h"

#include "model/base/math.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace clusterbeat {
namespace {

bool startsWithAny(std::string_view name, std::initializer_list<std::string_view> prefixes)
{
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](std::string_view prefix) { return name.starts_with(prefix); });
}

// NVIDIA architecture white papers: enabled multiprocessors of A100, H100 SXM, and both dies of B200 together.
double multiprocessors(GpuGeneration generation)
{
    switch (generation) {
    case GpuGeneration::Ampere: return 108.0;
    case GpuGeneration::Hopper: return 132.0;
    case GpuGeneration::Blackwell: return 148.0;
    case GpuGeneration::Other: return 0.0;
    }
    return 0.0;
}

// Measured matmul over dense peak where an accelerator has no measurement of its own: a sister's of its generation
// (A100 271.2/312, H100 794.5/989 and 1402.6/1979, GB200 1822/2500 and 3615.6/5000); else the mean of MI300X, MI325X,
// MI355X, Gaudi 2 and Gaudi 3 (0.51, 0.60, 0.63, 0.97, 0.74).
double fallbackCeiling(GpuGeneration generation, bool eightBit)
{
    switch (generation) {
    case GpuGeneration::Ampere: return 0.869;
    case GpuGeneration::Hopper: return eightBit ? 0.709 : 0.803;
    case GpuGeneration::Blackwell: return eightBit ? 0.723 : 0.729;
    case GpuGeneration::Other: return 0.69;
    }
    return 0.69;
}

double ceiling(const Accelerator &gpu, bool eightBit)
{
    const auto &measured = eightBit ? gpu.measuredMatmulFp8Tflops : gpu.measuredMatmulBf16Tflops;
    const double peak = eightBit ? gpu.peakFp8Tflops.value_or(0.0) : gpu.peakBf16Tflops;
    if (measured && *measured > 0.0 && peak > 0.0) return *measured / peak;
    return fallbackCeiling(generationOf(gpu), eightBit);
}

double sustained(GpuGeneration generation, const CostConstants &k)
{
    switch (generation) {
    case GpuGeneration::Ampere: return k.matmulSustainedAmpere;
    case GpuGeneration::Hopper: return k.matmulSustainedHopper;
    case GpuGeneration::Blackwell: return k.matmulSustainedBlackwell;
    case GpuGeneration::Other: return k.matmulSustainedOther;
    }
    return k.matmulSustainedOther;
}

struct PowerFactors {
    double matmul = 1.0, attention = 1.0;
};

bool isRackScale(const Accelerator &gpu) { return gpu.name.starts_with("GB"); }
bool isUltra(const Accelerator &gpu) { return startsWithAny(gpu.name, {"B300", "GB300"}); }

// Blackwell's matmul rate follows the board's power over the 1200 W of GB200. Elsewhere a limit below what the part's
// peak needs costs (limit/needed)^0.6; Hopper needs 700 W for 989 TFLOP/s, so that a 500 W H100 falls under the same
// rule as an explicit limit while the small H20 does not.
PowerFactors powerFactors(const ResolvedScenario &scenario, const CostConstants &k)
{
    const Accelerator &gpu = scenario.accelerator;
    const double limit = scenario.software.powerLimitW;
    if (gpu.tdpW <= 0.0) return {};
    const double power = limit > 0.0 ? std::min(limit, gpu.tdpW) : gpu.tdpW;
    switch (generationOf(gpu)) {
    case GpuGeneration::Blackwell: {
        const double capped = power < gpu.tdpW ? exactPow(power / gpu.tdpW, k.powerCapExponent) : 1.0;
        const double server = isRackScale(gpu) ? 1.0 : k.blackwellServerFactor;
        return {exactPow(power / 1200.0, k.blackwellPowerExponent) * server, capped};
    }
    case GpuGeneration::Hopper: {
        const double needed = 700.0 * gpu.peakBf16Tflops / 989.0;
        const double factor = power < needed ? exactPow(power / needed, k.powerCapExponent) : 1.0;
        return {factor, factor};
    }
    default: {
        const double factor = power < gpu.tdpW ? exactPow(power / gpu.tdpW, k.powerCapExponent) : 1.0;
        return {factor, factor};
    }
    }
}

// TFLOP/s of the precision before sustained clocks.
double precisionTflops(const Accelerator &gpu, Precision precision, const CostConstants &k)
{
    if (precision == Precision::Fp4 && gpu.peakFp4Tflops)
        return *gpu.peakFp4Tflops * ceiling(gpu, true) * k.fp4MatmulFactor;
    if ((precision == Precision::Fp8 || precision == Precision::Fp4) && gpu.peakFp8Tflops)
        return *gpu.peakFp8Tflops * ceiling(gpu, true);
    return gpu.peakBf16Tflops * ceiling(gpu, false);
}

constexpr double kUnknownMultiprocessors = 132.0;
constexpr double kTileElements = 128.0 * 256.0;

// A tile's prologue and the write of its 16-bit result at the multiprocessor's share of the memory bandwidth take the
// same time whatever the inner dimension: as long as this many elements of it.
double tileDepth(double flopsPerS, double hbmBytesPerS, double sms, const CostConstants &k)
{
    const double seconds = k.matmulTileLatencyS + 2.0 * kTileElements * sms / hbmBytesPerS;
    return seconds * flopsPerS / sms / (2.0 * kTileElements);
}

MatmulRate matmulRate(const ResolvedScenario &scenario, const CostConstants &k, Precision precision)
{
    const GpuGeneration generation = generationOf(scenario.accelerator);
    const double tflops = precisionTflops(scenario.accelerator, precision, k);
    const double flops = tflops * 1e12 * sustained(generation, k) * powerFactors(scenario, k).matmul;
    const double hbm = scenario.accelerator.hbmTbytesPerS * 1e12 * k.hbmEfficiency;
    const double sms = multiprocessors(generation);
    return {flops, tileDepth(flops, hbm, sms > 0.0 ? sms : kUnknownMultiprocessors, k), sms, hbm};
}

// FlashAttention 3 on H100 (Shah et al. 2024): 740 TFLOP/s in 16 bits and 1,200 in fp8, shares 0.748 and 0.606 of the
// two peaks. Only its forward has fp8; quantising rides on the rotary embedding's pass.
constexpr double kNarrowAttentionShare = (1200.0 / 1979.0) / (740.0 / 989.0);

// With heads below 128 wide the exponentials, one a score, take longer beside fewer matmul FLOPs. Where they set the pace,
// on Blackwell, the rate falls as d / 128; on Hopper FlashAttention 3 loses a quarter at 64 (Shah et al. 2024, fig. 5).
double narrowHeadFactor(const ModelSection &model, GpuGeneration generation)
{
    const double width = model.mla ? 128.0 : static_cast<double>(model.headDim);
    if (width >= 128.0 || width <= 0.0) return 1.0;
    return exactPow(width / 128.0, generation == GpuGeneration::Blackwell ? 1.0 : 0.4);
}

// Share of the dense bf16 peak that a fused kernel's forward reaches, and backward rate over forward rate.
AttentionRate attentionRate(const ResolvedScenario &scenario, const CostConstants &k)
{
    const GpuGeneration generation = generationOf(scenario.accelerator);
    const bool ampere = generation == GpuGeneration::Ampere;
    double share = 0.0;
    double backward = scenario.software.attentionKernel == AttentionKernel::Fa1 ? k.fa1BackwardRatio : k.fa2BackwardRatio;
    switch (scenario.software.attentionKernel) {
    case AttentionKernel::Unfused: return {};
    case AttentionKernel::Fa1: share = ampere ? k.fa1Ampere : k.fa1Ampere * k.fa1HopperRatio; break;
    case AttentionKernel::Fa2: share = ampere ? k.fa2Ampere : k.fa2Hopper; break;
    case AttentionKernel::Fa3:
    case AttentionKernel::CuDnn:
        // FlashAttention 3 needs Hopper's asynchronous copies; on Ampere the best kernels are of FlashAttention 2's
        // kind.
        if (ampere) {
            share = k.fa2Ampere;
        } else {
            share = generation == GpuGeneration::Hopper ? k.cudnnHopper : k.cudnnBlackwell;
            backward = k.cudnnBackwardRatio;
            share *= narrowHeadFactor(scenario.model, generation);
        }
        break;
    }
    double forward = scenario.accelerator.peakBf16Tflops * 1e12 * share * powerFactors(scenario, k).attention;
    if (isUltra(scenario.accelerator)) {
        forward *= k.ultraAttentionForward;
        backward *= k.ultraAttentionBackward / k.ultraAttentionForward;
    }
    const bool narrow = scenario.training.attentionPrecision == Precision::Fp8 && scenario.accelerator.peakFp8Tflops;
    const double peaks = narrow ? *scenario.accelerator.peakFp8Tflops / scenario.accelerator.peakBf16Tflops : 1.0;
    return {forward * peaks * (narrow ? kNarrowAttentionShare : 1.0), forward * backward};
}

double castBytes(const ResolvedScenario &scenario, const CostConstants &k)
{
    switch (scenario.training.precision) {
    case Precision::Bf16:
    case Precision::Fp16: return 0.0;
    case Precision::Fp8: return scenario.software.fp8Recipe == "mxfp8" ? k.castBytesMxfp8 : k.castBytesFp8;
    case Precision::Fp4: return k.castBytesNvfp4;
    }
    return 0.0;
}

} // namespace

GpuGeneration generationOf(const Accelerator &accelerator)
{
    const std::string_view name = accelerator.name;
    if (startsWithAny(name, {"A100", "A800"})) return GpuGeneration::Ampere;
    if (startsWithAny(name, {"H100", "H200", "H800", "H20", "GH200"})) return GpuGeneration::Hopper;
    if (startsWithAny(name, {"B100", "B200", "B300", "GB200", "GB300"})) return GpuGeneration::Blackwell;
    return GpuGeneration::Other;
}

GpuRates gpuRates(const ResolvedScenario &scenario, const CostConstants &constants)
{
    GpuRates rates;
    rates.matmul = matmulRate(scenario, constants, scenario.training.precision);
    rates.matmul16 = matmulRate(scenario, constants, Precision::Bf16);
    rates.attention = attentionRate(scenario, constants);
    rates.hbmBytesPerS = rates.matmul.hbmBytesPerS;
    rates.castBytesPerElement = castBytes(scenario, constants);
    return rates;
}

} // namespace clusterbeat
