// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/bridge_recipe.h"

namespace clusterbeat
{
namespace
{

constexpr std::int64_t kRelease2511 = 251100;
constexpr std::int64_t kRelease2602 = 260299; // and its patches
constexpr std::int64_t kRelease2604 = 260400;
constexpr std::int64_t kRelease2606 = 260600;

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::int64_t twoDigits(std::string_view text, std::size_t at)
{
    if (at + 1 >= text.size() || !isDigit(text[at]) || !isDigit(text[at + 1])) return -1;
    return (text[at] - '0') * 10 + (text[at + 1] - '0');
}

struct Kind {
    bool blackwell = false, hopper = false, nvl72 = false;
    bool qwen235 = false, deepSeek = false, gptOss = false, kimi = false, llama8 = false;
};

Kind kindOf(const BridgeRun &run)
{
    Kind kind;
    kind.nvl72 = run.gpu.starts_with("GB");
    kind.blackwell = kind.nvl72 || run.gpu.starts_with("B");
    kind.hopper = run.gpu.starts_with("H");
    kind.qwen235 = contains(run.model, "235B");
    kind.deepSeek = contains(run.model, "DeepSeek");
    kind.gptOss = contains(run.model, "GPT-OSS") || contains(run.model, "GPT_OSS") || contains(run.model, "gpt-oss");
    kind.kimi = contains(run.model, "Kimi");
    kind.llama8 = contains(run.model, "8B");
    return kind;
}

// Deduplicating dispatch is the rule from 25.11 on; the exceptions are by model and GPU.
void chooseDispatcher(const BridgeRun &run, const Kind &kind, std::int64_t release, SoftwareSection &software)
{
    const bool b300 = run.gpu.starts_with("B300");
    const bool b200 = run.gpu.starts_with("B200");
    software.moeDispatcher = release < kRelease2511 ? "alltoall" : "hybridep";
    if (kind.qwen235 && (b200 || b300)) {
        software.moeDispatcher = "alltoall";
        if (b300 && release <= kRelease2602 && run.virtualPipeline == 4) software.expertOverlap = true;
    }
    if (kind.qwen235 && kind.hopper) {
        software.moeDispatcher = "alltoall";
        software.expertOverlap = true;
    }
    if (kind.deepSeek && kind.hopper) software.moeDispatcher = "deepep";
    if (kind.deepSeek && b200 && run.pipeline == 8 && run.expert == 32) {
        software.moeDispatcher = "deepep";
        software.expertOverlap = true;
    }
    if (kind.gptOss) {
        software.expertActivationFused = false;
        if (!(b300 && release >= kRelease2604)) software.moeDispatcher = "alltoall";
    }
}

} // namespace

std::int64_t bridgeRelease(std::string_view source)
{
    for (std::size_t i = 0; i + 4 < source.size(); ++i) {
        const std::int64_t year = twoDigits(source, i), month = twoDigits(source, i + 3);
        const bool starts = i == 0 || !isDigit(source[i - 1]);
        if (!starts || year < 0 || month < 0 || source[i + 2] != '.') continue;
        const bool patched = i + 5 < source.size() && source[i + 5] == '.';
        const std::int64_t patch = patched ? twoDigits(source, i + 6) : 0;
        return year * 10000 + month * 100 + (patch > 0 ? patch : 0);
    }
    return 0;
}

void applyBridgeRecipe(const BridgeRun &run, SoftwareSection &software)
{
    const Kind kind = kindOf(run);
    if (!run.moe) {
        if (kind.blackwell && kind.llama8) software.cudaGraphs = CudaGraphs::Full;
        return;
    }
    const std::int64_t release = bridgeRelease(run.source);
    software.tokenDrop = release > 0 && release < kRelease2511;
    chooseDispatcher(run, kind, release, software);
    // Graphed iterations with fused grouped MLPs, where the layout changed for them; GPT-OSS's clamped activation stays
    // outside the fused kernel.
    const bool block = run.precision == Precision::Fp4 || (run.precision == Precision::Fp8 && kind.blackwell);
    const bool same = kind.kimi || (kind.deepSeek && run.gpu.starts_with("B300"));
    if (release >= kRelease2606 && block && kind.blackwell && !same) {
        software.cudaGraphs = CudaGraphs::Full;
        software.groupedMatmulFused = !kind.gptOss;
        software.expertOverlap = true;
    }
}

} // namespace clusterbeat
