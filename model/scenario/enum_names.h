// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/scenario.h"

#include <array>
#include <string_view>

/// How the file format spells each enumeration; the reader, the writer and the catalogue share it.
namespace clusterbeat
{

template <typename Enum> struct NamedValue {
    std::string_view name;
    Enum value;
};

inline constexpr std::array<NamedValue<Precision>, 4> kPrecisionNames{
    {{"bf16", Precision::Bf16}, {"fp16", Precision::Fp16}, {"fp8", Precision::Fp8}, {"fp4", Precision::Fp4}}};
inline constexpr std::array<NamedValue<RecomputeMode>, 3> kRecomputeNames{
    {{"none", RecomputeMode::None}, {"selective", RecomputeMode::Selective}, {"full", RecomputeMode::Full}}};
inline constexpr std::array<NamedValue<ReduceEvery>, 2> kReduceEveryNames{
    {{"chunk_end", ReduceEvery::ChunkEnd}, {"micro_batch", ReduceEvery::MicroBatch}}};
inline constexpr std::array<NamedValue<Dimension>, 5> kDimensionNames{{{"tensor", Dimension::Tensor},
                                                                       {"context", Dimension::Context},
                                                                       {"expert", Dimension::Expert},
                                                                       {"data", Dimension::Data},
                                                                       {"pipeline", Dimension::Pipeline}}};
inline constexpr std::array<NamedValue<ContextExchange>, 2> kContextExchangeNames{
    {{"all_gather", ContextExchange::AllGather}, {"ring", ContextExchange::Ring}}};
inline constexpr std::array<NamedValue<ScheduleKind>, 10> kScheduleNames{{{"gpipe", ScheduleKind::GPipe},
                                                                          {"1f1b", ScheduleKind::OneFOneB},
                                                                          {"interleaved", ScheduleKind::Interleaved},
                                                                          {"zb-h1", ScheduleKind::ZbH1},
                                                                          {"zb-h2", ScheduleKind::ZbH2},
                                                                          {"zb-v", ScheduleKind::ZbV},
                                                                          {"zb-auto", ScheduleKind::ZbAuto},
                                                                          {"dualpipe", ScheduleKind::DualPipe},
                                                                          {"dualpipe-v", ScheduleKind::DualPipeV},
                                                                          {"custom", ScheduleKind::Custom}}};
inline constexpr std::array<NamedValue<AttentionKernel>, 5> kAttentionKernelNames{
    {{"unfused", AttentionKernel::Unfused},
     {"fa1", AttentionKernel::Fa1},
     {"fa2", AttentionKernel::Fa2},
     {"fa3", AttentionKernel::Fa3},
     {"cudnn", AttentionKernel::CuDnn}}};
inline constexpr std::array<NamedValue<CudaGraphs>, 3> kCudaGraphsNames{
    {{"none", CudaGraphs::None}, {"partial", CudaGraphs::Partial}, {"full", CudaGraphs::Full}}};
inline constexpr std::array<NamedValue<FsdpFlavour>, 5> kFsdpNames{{{"none", FsdpFlavour::None},
                                                                    {"fsdp1", FsdpFlavour::Fsdp1},
                                                                    {"fsdp2", FsdpFlavour::Fsdp2},
                                                                    {"xla", FsdpFlavour::Xla},
                                                                    {"deepspeed", FsdpFlavour::DeepSpeed}}};
inline constexpr std::array<NamedValue<NodeKind>, 11> kNodeKindNames{{{"site", NodeKind::Site},
                                                                      {"pod", NodeKind::Pod},
                                                                      {"rack", NodeKind::Rack},
                                                                      {"server", NodeKind::Server},
                                                                      {"gpu", NodeKind::Gpu},
                                                                      {"nvswitch", NodeKind::NvSwitch},
                                                                      {"nic", NodeKind::Nic},
                                                                      {"leaf", NodeKind::Leaf},
                                                                      {"spine", NodeKind::Spine},
                                                                      {"core", NodeKind::Core},
                                                                      {"storage", NodeKind::Storage}}};
inline constexpr std::array<NamedValue<LinkPattern>, 4> kLinkPatternNames{{{"all", LinkPattern::All},
                                                                           {"one_to_one", LinkPattern::OneToOne},
                                                                           {"rail", LinkPattern::Rail},
                                                                           {"stripe", LinkPattern::Stripe}}};
inline constexpr std::array<NamedValue<PerturbationKind>, 11> kPerturbationNames{
    {{"slow_gpu", PerturbationKind::SlowGpu},
     {"jitter", PerturbationKind::Jitter},
     {"degraded_link", PerturbationKind::DegradedLink},
     {"dead_link", PerturbationKind::DeadLink},
     {"competing_traffic", PerturbationKind::CompetingTraffic},
     {"gc_pause", PerturbationKind::GcPause},
     {"document_imbalance", PerturbationKind::DocumentImbalance},
     {"slow_data", PerturbationKind::SlowData},
     {"checkpoint", PerturbationKind::Checkpoint},
     {"slow_storage", PerturbationKind::SlowStorage},
     {"warm_up", PerturbationKind::WarmUp}}};
inline constexpr std::array<NamedValue<JitterDistribution>, 3> kDistributionNames{
    {{"normal", JitterDistribution::Normal},
     {"lognormal", JitterDistribution::Lognormal},
     {"exponential", JitterDistribution::Exponential}}};
inline constexpr std::array<NamedValue<LinkDomain>, 4> kLinkDomainNames{{{"nvlink", LinkDomain::NvLink},
                                                                         {"pcie", LinkDomain::Pcie},
                                                                         {"nic", LinkDomain::Nic},
                                                                         {"uplink", LinkDomain::Uplink}}};

/// Strings that are closed lists but need no enumeration of their own.
inline constexpr std::array<std::string_view, 8> kActivationNames{"silu", "swiglu", "gelu",      "geglu",
                                                                  "relu", "relu2",  "gelu_tanh", "quick_gelu"};
inline constexpr std::array<std::string_view, 5> kFp8RecipeNames{"delayed", "current", "mxfp8", "rowwise", "nvfp4"};
inline constexpr std::array<std::string_view, 3> kMoeDispatcherNames{"alltoall", "deepep", "hybridep"};
/// Megatron-Core's --recompute-modules.
inline constexpr std::array<std::string_view, 7> kRecomputeModules{"core_attn", "moe_act", "layernorm",     "mla_up_proj",
                                                                   "mlp",       "moe",     "shared_experts"};
inline constexpr std::array<std::string_view, 2> kLeafNames{"rail", "rack"};
inline constexpr std::array<std::string_view, 2> kEcmpNames{"even", "hash"};
inline constexpr std::array<std::string_view, 3> kExceptionKinds{"absent", "part", "cables"};

template <typename Table, typename Enum> [[nodiscard]] constexpr std::string_view nameOf(const Table &table, Enum value)
{
    for (const auto &entry : table)
        if (entry.value == value) return entry.name;
    return {};
}

} // namespace clusterbeat
