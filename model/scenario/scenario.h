// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/cluster/blueprint.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The document's value types, one struct per top-level section of a *.clusterbeat.json file. They hold what the
/// file says, not what follows from it: an empty optional means "not said, use the documented default".
/// What follows is scenario/resolve.h's work.
namespace clusterbeat {

// ---- model -----------------------------------------------------------------------------------------------------
struct MoeShape {
    std::int64_t experts = 0, topK = 0, sharedExperts = 0, expertFfnHidden = 0, denseLayers = 0, every = 1;
    friend bool operator==(const MoeShape &, const MoeShape &) = default;
};
struct MlaShape {
    std::int64_t qLoraRank = 0, kvLoraRank = 0, nopeHeadDim = 0, ropeHeadDim = 0, vHeadDim = 0;
    friend bool operator==(const MlaShape &, const MlaShape &) = default;
};
/// Which layers are windowed: `every` n-th from the first; or with `globalEvery` n all but each n-th (the layers n - 1,
/// 2n - 1, …); or with `globalLayers` all but those. At most one of the three is set.
struct AttentionWindow {
    std::int64_t size = 0, every = 1;
    std::int64_t globalEvery = 0;            ///< 0 = not said
    std::vector<std::int64_t> globalLayers{}; ///< from 0, ascending; empty = not said
    friend bool operator==(const AttentionWindow &, const AttentionWindow &) = default;
};
struct ModelSection {
    std::int64_t layers = 0, hidden = 0, heads = 0, vocab = 0;   ///< required
    std::int64_t ffnHidden = 0;              ///< 0 = not said: 4 hidden, or with gated_ffn 8/3 hidden rounded up to a multiple of 256
    std::int64_t kvHeads = 0;                ///< 0 = not said: heads
    std::int64_t headDim = 0;                ///< 0 = not said: hidden / heads, which must divide
    bool gatedFfn = true;
    std::string activation = "silu";
    bool tiedEmbeddings = false;
    bool parallelBlock = false;
    std::optional<AttentionWindow> attentionWindow;
    std::int64_t mtpLayers = 0;
    std::optional<MoeShape> moe;
    std::optional<MlaShape> mla;
    friend bool operator==(const ModelSection &, const ModelSection &) = default;
};

// ---- training --------------------------------------------------------------------------------------------------
enum class Precision : std::uint8_t { Bf16, Fp16, Fp8, Fp4 };
enum class RecomputeMode : std::uint8_t { None, Selective, Full, Layers, Modules };
struct Recompute {
    RecomputeMode mode = RecomputeMode::None;
    std::int64_t layers = 0;                 ///< per pipeline stage, mode Layers
    std::vector<std::string> modules;        ///< mode Modules
    friend bool operator==(const Recompute &, const Recompute &) = default;
};
enum class ReduceEvery : std::uint8_t { ChunkEnd, MicroBatch };
struct DocumentLengths {
    double mean = 0.0, sigma = 0.0;          ///< tokens
    bool masked = false;
    friend bool operator==(const DocumentLengths &, const DocumentLengths &) = default;
};
struct TrainingSection {
    std::int64_t sequenceLength = 8192;
    std::int64_t globalBatch = 2048;         ///< sequences
    std::int64_t microBatch = 1;             ///< sequences
    Precision precision = Precision::Bf16;
    std::optional<Precision> attentionPrecision;
    bool causalAttention = true;
    std::optional<Recompute> recompute;      ///< default none
    std::string optimizer = "adam";
    bool optimizerOffload = false;
    std::int64_t offloadLayers = 0;
    std::optional<std::int64_t> gradientBytes;         ///< 2 or 4; default by software profile
    std::optional<std::int64_t> parameterGatherBytes;  ///< 1 or 2
    std::optional<ReduceEvery> reduceEvery;
    std::optional<bool> optimizerSync;
    std::optional<DocumentLengths> documents;
    std::optional<double> routingImbalance;
    friend bool operator==(const TrainingSection &, const TrainingSection &) = default;
};

// ---- layout ----------------------------------------------------------------------------------------------------
enum class Dimension : std::uint8_t { Tensor, Context, Expert, Data, Pipeline };
/// How context ranks exchange keys and values: all of them gathered before the attention, or passed around a ring of
/// neighbours behind it, block by block.
enum class ContextExchange : std::uint8_t { AllGather, Ring };
enum class ScheduleKind : std::uint8_t { GPipe, OneFOneB, Interleaved, ZbH1, ZbH2, ZbV, ZbAuto, DualPipe, DualPipeV, Custom };
struct LayoutSection {
    std::int64_t tensor = 1, pipeline = 1, context = 1, expert = 1, expertTensor = 1;
    std::optional<std::int64_t> virtualPipeline;       ///< chunks per rank; 0 = "max" (one layer each); default 1
    std::optional<std::int64_t> data;                  ///< default floor(gpus / (tensor*pipeline*context))
    std::optional<bool> sequenceParallel;              ///< default: tensor > 1
    std::optional<std::int64_t> zeroStage;             ///< 0..3, default 1
    std::optional<std::int64_t> shardGroup;
    std::optional<ScheduleKind> schedule;              ///< default: interleaved when virtualPipeline > 1, else 1f1b
    std::optional<double> activationLimit;
    std::vector<std::vector<std::string>> scheduleOrders; ///< custom: every rank's operations in order, as cells of PyTorch's schedule CSV
    std::optional<std::int64_t> microBatchGroup;       ///< interleaved: micro-batches that a chunk runs in a row; default pipeline
    std::vector<std::int64_t> layersPerStage;          ///< empty or pipeline*virtualPipeline entries, model order
    std::optional<bool> embeddingAsLayer, headAsLayer;
    std::optional<std::int64_t> mtpStage;              ///< pipeline stage of the prediction modules; default the last layers' own
    std::optional<ContextExchange> contextExchange;    ///< default all_gather
    std::optional<std::array<Dimension, 5>> order;     ///< innermost first; default tensor, context, expert, data, pipeline
    std::optional<bool> overlapData, overlapPipeline;  ///< default by software profile
    friend bool operator==(const LayoutSection &, const LayoutSection &) = default;
};

// ---- software --------------------------------------------------------------------------------------------------
enum class AttentionKernel : std::uint8_t { Unfused, Fa1, Fa2, Fa3, CuDnn };
enum class CudaGraphs : std::uint8_t { None, Partial, Full };
enum class FsdpFlavour : std::uint8_t { None, Fsdp1, Fsdp2, Xla, DeepSpeed };
/// A profile's name and the single flags that the file overrides; the merged set is SoftwareFlags (workload/software.h).
struct SoftwareSection {
    std::string profile = "nemo24";
    std::optional<AttentionKernel> attentionKernel;
    std::optional<double> elementwiseFactor;
    std::optional<bool> tensorOverlap;
    std::optional<CudaGraphs> cudaGraphs;
    std::optional<bool> fusedCrossEntropy;
    std::optional<std::string> fp8Recipe;              ///< "delayed" "current" "mxfp8" "rowwise" "nvfp4"
    std::optional<std::string> moeDispatcher;          ///< "alltoall" "deepep" "hybridep"
    std::optional<bool> expertOverlap;
    std::optional<bool> tokenDrop;
    std::optional<bool> expertActivationFused;         ///< false: a clamped or otherwise unusual activation in single kernels
    std::optional<bool> nvls;                          ///< the NVSwitch reduces (NCCL NVLS), Hopper and later
    std::optional<bool> pat;                           ///< parallel aggregated trees (NCCL 2.23) with one member a domain
    std::optional<bool> groupedMatmulFused;            ///< quantisation, activation and expert matmuls in one kernel
    std::optional<FsdpFlavour> fsdp;
    std::optional<double> powerLimitW;
    friend bool operator==(const SoftwareSection &, const SoftwareSection &) = default;
};

// ---- cluster ---------------------------------------------------------------------------------------------------
/// Fields of reference tables for one accelerator; peaks are dense. Inline object or by catalogue name.
struct Accelerator {
    std::string name;
    double peakBf16Tflops = 0.0;                       ///< dense; fp16 the same
    std::optional<double> peakFp8Tflops, peakFp4Tflops;
    double hbmGb = 0.0;                                ///< as sold: an "80 GB" H100 holds 80 GiB less the context
    double hbmTbytesPerS = 0.0;
    double scaleupGbytesPerS = 0.0;                    ///< one way, per GPU
    std::int64_t scaleupDomain = 8;                    ///< GPUs
    double nicGbps = 0.0;                              ///< per GPU; 0 = none of its own (the cluster must say)
    double tdpW = 0.0;                                 ///< 0 = not published
    std::optional<double> measuredMatmulBf16Tflops, measuredMatmulFp8Tflops;
    std::optional<double> priceLowUsd, priceHighUsd;   ///< of one, street prices
    std::string priceSource;
    std::string source, confidence, note;              ///< where the figures are from; "high" "medium" "low"
    friend bool operator==(const Accelerator &, const Accelerator &) = default;
};
struct ClusterException {
    std::string target;                                ///< member path or query
    std::string kind;                                  ///< "absent" | "part" | "cables"
    std::string part;
    std::int64_t cables = 0;
    friend bool operator==(const ClusterException &, const ClusterException &) = default;
};
inline constexpr const char *kDefaultAccelerator = "H100-SXM5-80GB";
struct ClusterSection {
    std::string templateName = "auto";                 ///< "auto" | "clos-rail" | …; "" when blueprint is set
    std::string acceleratorName;                       ///< catalogue name; "" when `accelerator` is inline, or not said: kDefaultAccelerator
    std::optional<Accelerator> accelerator;            ///< inline object
    std::int64_t gpus = 0;                             ///< 0 = not said: only beside a blueprint, which has its own
    std::optional<std::int64_t> gpusPerServer, scaleupDomain, gpusUsedPerDomain;
    std::optional<double> nicGbpsPerGpu;
    // clos-rail's own parameters (cluster/templates.h documents and defaults them)
    std::optional<std::int64_t> serversPerRack, racksPerPod;
    std::optional<std::string> leaf;                   ///< "rail": NIC i of a pod's servers share leaf i; "rack": one leaf a rack
    std::optional<double> podOversubscription;         ///< leaf -> spine inside a pod, 1 = full bisection
    std::optional<double> coreOversubscription;        ///< pod -> core, 7 = 1:7
    std::optional<double> linkLatencyS;
    std::optional<bool> inNetworkReduction;            ///< the network's switches reduce (SHARP); default false
    std::optional<std::string> ecmp;                   ///< "even": flows share all equal-cost ways; "hash": each takes a few of them
    std::optional<std::int64_t> ecmpPaths, ecmpSeed;   ///< with "hash": ways of one flow, default 1; seed, default 0
    std::shared_ptr<const Blueprint> blueprint;        ///< drawn by hand instead of a template
    std::vector<ClusterException> exceptions;
    /// The blueprint by value, too.
    friend bool operator==(const ClusterSection &a, const ClusterSection &b);
};

// ---- perturbations ---------------------------------------------------------------------------------------------
enum class PerturbationKind : std::uint8_t {
    SlowGpu, Jitter, DegradedLink, DeadLink, CompetingTraffic,
    GcPause, DocumentImbalance, SlowData, Checkpoint, SlowStorage, WarmUp,
};
enum class JitterDistribution : std::uint8_t { Normal, Lognormal, Exponential };
/// gc_pause, document_imbalance, slow_data, checkpoint and warm_up.
struct TimingPerturbation {
    double pauseS = 0.0, everyS = 0.0;                 ///< gc_pause: 0 <= pause_s < every_s
    bool aligned = false;                              ///< gc_pause: all hosts at the same instants
    bool drawDocuments = false;                        ///< document_imbalance without sigma: lengths drawn as training.documents says
    double waitS = 0.0, waitSigmaS = 0.0;              ///< slow_data: to load one micro-batch, mean and standard deviation
    std::int64_t prefetch = 2;                         ///< slow_data: micro-batches loaded ahead; 0 = when needed
    std::optional<double> stallS;                      ///< checkpoint; default campaign.checkpoint.write_s
    std::int64_t operations = 0, microBatches = 0;     ///< warm_up, one of them
    friend bool operator==(const TimingPerturbation &, const TimingPerturbation &) = default;
};
/// Which links of the target: GPU to NVSwitch or GPU, GPU to NIC, NIC to switch, switch to the tier above it.
enum class LinkDomain : std::uint8_t { NvLink, Pcie, Nic, Uplink };
/// degraded_link, dead_link and competing_traffic.
struct LinkPerturbation {
    LinkDomain domain = LinkDomain::Nic;
    std::string to;                                    ///< member path of the other end; "" = all links of the domain
    double capacity = 1.0;                             ///< degraded_link: 0 < capacity <= 1, 1 = nominal
    double extraLatencyS = 0.0;                        ///< degraded_link
    std::optional<std::int64_t> cables;                ///< dead_link: how many of each member's, the first ones; default all
    std::optional<double> share, gbytesPerS;           ///< competing_traffic, one of them: of the capacity, or of each link; both directions
    friend bool operator==(const LinkPerturbation &, const LinkPerturbation &) = default;
};
struct Perturbation {
    PerturbationKind kind = PerturbationKind::SlowGpu;
    std::string target;                                ///< member path or query; "" = every GPU, but for slow_gpu and links
    double speed = 1.0;                                ///< slow_gpu, warm_up, slow_storage: 0 < speed <= 1, 1 = nominal
    double sigma = 0.0;                                ///< jitter, document_imbalance: relative standard deviation of one operation's compute, of a micro-batch's attention
    std::int64_t seed = 0;                             ///< of whatever is drawn; 0 … 2^53
    JitterDistribution distribution = JitterDistribution::Normal;
    LinkPerturbation link;
    TimingPerturbation timing;
    bool enabled = true;                               ///< "enabled": false keeps it in the list without effect
    friend bool operator==(const Perturbation &, const Perturbation &) = default;
};
using PerturbationList = std::vector<Perturbation>;
[[nodiscard]] constexpr bool concernsLinks(PerturbationKind kind)
{
    return kind == PerturbationKind::DegradedLink || kind == PerturbationKind::DeadLink || kind == PerturbationKind::CompetingTraffic;
}
/// False for what is disabled or nominal (speed 1, sigma 0, capacity 1, no load): it cannot change a byte of the result.
[[nodiscard]] bool hasEffect(const Perturbation &perturbation);

// ---- campaign, prices ------------------------------------------------------------------------------------------
/// Read, checked and written back; what is used so far: days, failures per GPU day, checkpoint and restart (goodput estimate).
struct CampaignSection {
    double days = 54.0;
    double failuresPerGpuDay = 419.0 / (54.0 * 16384.0);  ///< Llama 3 (2024), table 5: 419 unexpected in 54 days on 16,384
    double checkpointIntervalS = 900.0;
    double checkpointWriteS = 5.0;                        ///< stall of one checkpoint
    double restartS = 360.0;                              ///< detection and restart
    double trainingTokens = 15.6e12;                      ///< tokens of the whole run (cost over the run)
    double pue = 1.2;
    double hostWPerGpu = 575.0;                           ///< (10.2 kW DGX H100 - 8 x 700 W) / 8
    std::optional<std::int64_t> spares;                   ///< GPUs kept ready; not simulated yet
    std::optional<double> storageGbytesPerS;              ///< of the checkpoint store; not simulated yet
    friend bool operator==(const CampaignSection &, const CampaignSection &) = default;
};
struct PricesSection {
    double gpuHourUsd = 2.0;
    friend bool operator==(const PricesSection &, const PricesSection &) = default;
};

// ---- the document ----------------------------------------------------------------------------------------------
inline constexpr std::int64_t kScenarioVersion = 1;

/// Sections are immutable and shared: copying a Scenario is cheap, a changed section gets a new pointer, and the
/// pointer's identity is the cache key of the stages that depend on it.
struct Scenario {
    std::string name;
    std::string notes;
    std::shared_ptr<const ModelSection> model = std::make_shared<const ModelSection>();
    std::shared_ptr<const TrainingSection> training = std::make_shared<const TrainingSection>();
    std::shared_ptr<const LayoutSection> layout = std::make_shared<const LayoutSection>();
    std::shared_ptr<const SoftwareSection> software = std::make_shared<const SoftwareSection>();
    std::shared_ptr<const ClusterSection> cluster = std::make_shared<const ClusterSection>();
    std::shared_ptr<const PerturbationList> perturbations = std::make_shared<const PerturbationList>();
    std::shared_ptr<const CampaignSection> campaign = std::make_shared<const CampaignSection>();
    std::shared_ptr<const PricesSection> prices = std::make_shared<const PricesSection>();
};
/// By value of every section, not by pointer.
[[nodiscard]] bool sameContent(const Scenario &a, const Scenario &b);

} // namespace clusterbeat
