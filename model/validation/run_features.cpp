// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/validation/run_features.h"

#include "model/base/math.h"
#include "model/workload/flops.h"

#include <cmath>

namespace clusterbeat {
namespace {

constexpr double kSpeedDoubling = 1.0, kParametersDoubling = 0.5, kSizeDoubling = 0.25;
constexpr double kOtherAccelerator = 0.25, kOtherKind = 2.0, kOtherSharding = 1.0, kOtherFlag = 0.25;
constexpr double kLn2 = 0.69314718055994530942;

double doublings(double a, double b)
{
    if (!(a > 0.0) || !(b > 0.0)) return a == b ? 0.0 : 1.0;
    return std::fabs(exactLog(a / b)) / kLn2;
}
double doublings(std::int64_t a, std::int64_t b) { return doublings(static_cast<double>(a), static_cast<double>(b)); }

double bitsOf(Precision precision)
{
    switch (precision) {
    case Precision::Fp8: return 8.0;
    case Precision::Fp4: return 4.0;
    case Precision::Bf16:
    case Precision::Fp16: break;
    }
    return 16.0;
}

double hardwareDistance(const RunFeatures &a, const RunFeatures &b)
{
    return kSpeedDoubling * (doublings(a.peakBf16Tflops, b.peakBf16Tflops) + doublings(a.hbmTbytesPerS, b.hbmTbytesPerS)) +
           kSizeDoubling * doublings(a.scaleupDomain, b.scaleupDomain) +
           (a.accelerator == b.accelerator ? 0.0 : kOtherAccelerator);
}

double modelDistance(const RunFeatures &a, const RunFeatures &b)
{
    double distance = doublings(bitsOf(a.precision), bitsOf(b.precision)) +
                      kParametersDoubling * doublings(a.parameters, b.parameters) +
                      kSizeDoubling * doublings(a.sequence, b.sequence);
    if ((a.experts > 0) != (b.experts > 0))
        distance += kOtherKind;
    else if (a.experts > 0)
        distance += kSizeDoubling * doublings(a.experts, b.experts);
    return distance;
}

double layoutDistance(const RunFeatures &a, const RunFeatures &b)
{
    return kSizeDoubling * (doublings(a.gpus, b.gpus) + doublings(a.tensor, b.tensor) + doublings(a.pipeline, b.pipeline) +
                            doublings(a.context, b.context) + doublings(a.expert, b.expert)) +
           (a.shardedParameters == b.shardedParameters ? 0.0 : kOtherSharding);
}

double softwareDistance(const RunFeatures &a, const RunFeatures &b)
{
    const int flags = static_cast<int>(a.attentionKernel != b.attentionKernel) +
                      static_cast<int>(a.elementwiseFactor != b.elementwiseFactor) +
                      static_cast<int>(a.tensorOverlap != b.tensorOverlap) +
                      static_cast<int>(a.dataOverlap != b.dataOverlap) + static_cast<int>(a.cudaGraphs != b.cudaGraphs);
    return kOtherFlag * flags;
}

} // namespace

RunFeatures featuresOf(const ResolvedScenario &scenario)
{
    RunFeatures features;
    features.accelerator = scenario.accelerator.name;
    features.peakBf16Tflops = scenario.accelerator.peakBf16Tflops;
    features.hbmTbytesPerS = scenario.accelerator.hbmTbytesPerS;
    features.scaleupDomain = scenario.accelerator.scaleupDomain;
    features.precision = scenario.training.precision;
    features.parameters = modelFlops(scenario.model, scenario.training, scenario.degrees.pipeline).parameters;
    features.experts = scenario.model.moe ? scenario.model.moe->experts : 0;
    features.gpus = scenario.degrees.ranks();
    features.sequence = scenario.training.sequenceLength;
    features.tensor = scenario.degrees.tensor;
    features.pipeline = scenario.degrees.pipeline;
    features.context = scenario.degrees.context;
    features.expert = scenario.degrees.expert;
    features.shardedParameters = scenario.degrees.zeroStage >= 3;
    features.attentionKernel = scenario.software.attentionKernel;
    features.elementwiseFactor = scenario.software.elementwiseFactor;
    features.tensorOverlap = scenario.software.tensorOverlap;
    features.dataOverlap = scenario.software.dataOverlap;
    features.cudaGraphs = scenario.software.cudaGraphs;
    return features;
}

double distanceOf(const RunFeatures &a, const RunFeatures &b)
{
    return hardwareDistance(a, b) + modelDistance(a, b) + layoutDistance(a, b) + softwareDistance(a, b);
}

} // namespace clusterbeat
