// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/text/flag_text.h"

#include <QCoreApplication>

#include <array>
#include <string_view>

namespace clusterbeat {
namespace {

struct FlagWords {
    std::string_view pointer;
    const char *name, *description;
};
constexpr std::array kFlags{
    FlagWords{"/software/attention_kernel", QT_TRANSLATE_NOOP("Flags", "Attention kernel"),
              QT_TRANSLATE_NOOP("Flags", "Which implementation computes attention.")},
    FlagWords{"/software/cuda_graphs", QT_TRANSLATE_NOOP("Flags", "CUDA graphs"),
              QT_TRANSLATE_NOOP("Flags", "Kernels launched as recorded graphs cost the host less time.")},
    FlagWords{"/software/fp8_recipe", QT_TRANSLATE_NOOP("Flags", "Low-precision recipe"),
              QT_TRANSLATE_NOOP("Flags", "How tensors are scaled and cast for 8-bit and 4-bit matmuls.")},
    FlagWords{"/software/moe_dispatcher", QT_TRANSLATE_NOOP("Flags", "Expert dispatcher"),
              QT_TRANSLATE_NOOP("Flags", "How tokens travel to their experts and back.")},
    FlagWords{"/software/expert_overlap", QT_TRANSLATE_NOOP("Flags", "Expert overlap"),
              QT_TRANSLATE_NOOP("Flags", "Hides the experts' all-to-alls behind other micro-batches.")},
    FlagWords{"/software/token_drop", QT_TRANSLATE_NOOP("Flags", "Token drop"),
              QT_TRANSLATE_NOOP("Flags", "Experts of fixed capacity: no waiting for the fullest, some tokens are lost.")},
    FlagWords{"/software/expert_activation_fused", QT_TRANSLATE_NOOP("Flags", "Fused expert activation"),
              QT_TRANSLATE_NOOP("Flags", "The experts' activation function in one kernel.")},
    FlagWords{"/software/grouped_matmul_fused", QT_TRANSLATE_NOOP("Flags", "Fused grouped matmuls"),
              QT_TRANSLATE_NOOP("Flags", "Quantisation, activation and expert matmuls in one kernel.")},
    FlagWords{"/software/tensor_overlap", QT_TRANSLATE_NOOP("Flags", "Tensor overlap"),
              QT_TRANSLATE_NOOP("Flags", "Hides tensor-parallel collectives behind matmuls.")},
    FlagWords{"/software/nvls", QT_TRANSLATE_NOOP("Flags", "NVLS"),
              QT_TRANSLATE_NOOP("Flags", "The NVSwitch adds up all-reduces.")},
    FlagWords{"/software/pat", QT_TRANSLATE_NOOP("Flags", "PAT"),
              QT_TRANSLATE_NOOP("Flags", "Aggregated trees for all-gathers and reduce-scatters across many servers.")},
    FlagWords{"/layout/overlap/data", QT_TRANSLATE_NOOP("Flags", "Data overlap"),
              QT_TRANSLATE_NOOP("Flags", "Hides gradient and parameter collectives behind compute.")},
    FlagWords{"/layout/overlap/pipeline", QT_TRANSLATE_NOOP("Flags", "Pipeline overlap"),
              QT_TRANSLATE_NOOP("Flags", "Stages send while they compute.")},
    FlagWords{"/software/fsdp", QT_TRANSLATE_NOOP("Flags", "FSDP"),
              QT_TRANSLATE_NOOP("Flags", "Which implementation shards the parameters.")},
    FlagWords{"/training/gradient_bytes", QT_TRANSLATE_NOOP("Flags", "Gradients"),
              QT_TRANSLATE_NOOP("Flags", "Bytes of a gradient in memory and on the wire.")}};

struct ValueWords {
    std::string_view json;
    const char *name;
};
constexpr std::array kValues{ValueWords{"true", QT_TRANSLATE_NOOP("Flags", "on")},
                             ValueWords{"false", QT_TRANSLATE_NOOP("Flags", "off")},
                             ValueWords{"\"unfused\"", QT_TRANSLATE_NOOP("Flags", "not fused")},
                             ValueWords{"\"fa1\"", QT_TRANSLATE_NOOP("Flags", "FlashAttention 1")},
                             ValueWords{"\"fa2\"", QT_TRANSLATE_NOOP("Flags", "FlashAttention 2")},
                             ValueWords{"\"fa3\"", QT_TRANSLATE_NOOP("Flags", "FlashAttention 3")},
                             ValueWords{"\"cudnn\"", QT_TRANSLATE_NOOP("Flags", "cuDNN")},
                             ValueWords{"\"none\"", QT_TRANSLATE_NOOP("Flags", "none")},
                             ValueWords{"\"partial\"", QT_TRANSLATE_NOOP("Flags", "of layers")},
                             ValueWords{"\"full\"", QT_TRANSLATE_NOOP("Flags", "whole iteration")},
                             ValueWords{"\"delayed\"", QT_TRANSLATE_NOOP("Flags", "delayed scaling")},
                             ValueWords{"\"current\"", QT_TRANSLATE_NOOP("Flags", "current scaling")},
                             ValueWords{"\"mxfp8\"", QT_TRANSLATE_NOOP("Flags", "MXFP8")},
                             ValueWords{"\"rowwise\"", QT_TRANSLATE_NOOP("Flags", "row by row")},
                             ValueWords{"\"nvfp4\"", QT_TRANSLATE_NOOP("Flags", "NVFP4")},
                             ValueWords{"\"alltoall\"", QT_TRANSLATE_NOOP("Flags", "all to all")},
                             ValueWords{"\"deepep\"", QT_TRANSLATE_NOOP("Flags", "DeepEP")},
                             ValueWords{"\"hybridep\"", QT_TRANSLATE_NOOP("Flags", "HybridEP")},
                             ValueWords{"\"fsdp1\"", QT_TRANSLATE_NOOP("Flags", "FSDP 1")},
                             ValueWords{"\"fsdp2\"", QT_TRANSLATE_NOOP("Flags", "FSDP 2")},
                             ValueWords{"\"xla\"", QT_TRANSLATE_NOOP("Flags", "XLA")},
                             ValueWords{"\"deepspeed\"", QT_TRANSLATE_NOOP("Flags", "DeepSpeed")},
                             ValueWords{"2", QT_TRANSLATE_NOOP("Flags", "2 bytes")},
                             ValueWords{"4", QT_TRANSLATE_NOOP("Flags", "4 bytes")}};

const FlagWords *wordsOf(const std::string &pointer)
{
    for (const FlagWords &flag : kFlags)
        if (flag.pointer == pointer) return &flag;
    return nullptr;
}

} // namespace

QString flagName(const std::string &pointer)
{
    const FlagWords *words = wordsOf(pointer);
    return words ? QCoreApplication::translate("Flags", words->name) : QString::fromStdString(pointer);
}

QString flagDescription(const std::string &pointer)
{
    const FlagWords *words = wordsOf(pointer);
    return words ? QCoreApplication::translate("Flags", words->description) : QString();
}

QString flagValueName(const std::string &pointer, const std::string &json)
{
    if (pointer == "/software/fsdp" && json == "\"none\"") return QCoreApplication::translate("Flags", "plain");
    for (const ValueWords &value : kValues)
        if (value.json == json) return QCoreApplication::translate("Flags", value.name);
    return QString::fromStdString(json);
}

} // namespace clusterbeat
