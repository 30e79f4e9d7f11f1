// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/measured_profile.h"

#include <algorithm>

namespace clusterbeat {
namespace {

std::string lower(std::string_view text)
{
    std::string out(text);
    for (char &c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// What stands before a note in parentheses.
std::string_view withoutNote(std::string_view text)
{
    const std::size_t note = text.find('(');
    if (note != std::string_view::npos) text = text.substr(0, note);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

std::int64_t firstNumber(std::string_view text)
{
    std::int64_t number = 0;
    bool found = false;
    for (const char c : text) {
        if (c >= '0' && c <= '9' && number < 1'000'000) {
            number = number * 10 + (c - '0');
            found = true;
        } else if (found) {
            break;
        }
    }
    return number;
}

} // namespace

std::string profileOfSource(std::string_view source, std::string_view id)
{
    const std::string name = lower(source);
    const std::string row = lower(id);
    if (contains(name, "narayanan")) return contains(row, "zero-3") ? "deepspeed-zero3" : "megatron21";
    if (contains(name, "korthikanti")) return "megatron22";
    if (contains(name, "bigscience") || contains(name, "mt-nlg")) return "megatron-ds";
    if (contains(name, "zero bubble")) return "zero-bubble";
    if (contains(name, "megascale")) return contains(row, "megatron-lm") ? "megatron23" : "megascale";
    if (contains(name, "mlperf")) return "mlperf";
    if (contains(name, "megatron-bridge")) return "mbridge";
    if (contains(row, "maxtext")) return "maxtext";
    if (contains(name, "nemo") || contains(name, "dgx cloud")) return "nemo24";
    if (contains(name, "mosaicml") || contains(name, "llm-foundry")) return "mosaic";
    if (contains(name, "torchtitan")) return "torchtitan";
    if (contains(name, "fms-fsdp") || contains(name, "foundation-model-stack")) return "fms";
    if (contains(name, "llama 3 herd")) return "llama3";
    return {};
}

PrecisionText precisionFromText(std::string_view text)
{
    // "FP8-CS (FP8-MX)": alternatives of one figure; the first is meant. Only fp4's name may stand in the note.
    const std::string all = lower(text);
    const std::string first = lower(withoutNote(text));
    if (contains(all, "nvfp4") || contains(first, "fp4")) return {Precision::Fp4, "nvfp4"};
    if (contains(first, "mxfp8") || contains(first, "fp8-mx")) return {Precision::Fp8, "mxfp8"};
    if (contains(first, "fp8-cs")) return {Precision::Fp8, "current"};
    if (contains(first, "fp8") || contains(first, "float8"))
        return {Precision::Fp8, contains(all, "current") ? "current" : ""};
    if (contains(first, "fp16")) return {Precision::Fp16, {}};
    return {Precision::Bf16, {}};
}

Recompute recomputeFromText(std::string_view text, std::int64_t layers, std::int64_t stages)
{
    const std::string mode = lower(withoutNote(text));
    Recompute recompute;
    if (mode.starts_with("full")) {
        const std::int64_t count = firstNumber(mode);
        recompute.mode = count > 0 ? RecomputeMode::Layers : RecomputeMode::Full;
        recompute.layers = count;
    } else if (mode.starts_with("selective layer")) {
        // Every other layer of each stage.
        recompute.mode = RecomputeMode::Layers;
        recompute.layers = std::max<std::int64_t>(1, layers / std::max<std::int64_t>(stages, 1) / 2);
    } else if (mode.starts_with("selective")) {
        const std::size_t open = mode.find('[');
        const std::size_t close = mode.find(']');
        recompute.mode = RecomputeMode::Selective;
        if (open != std::string::npos && close != std::string::npos && close > open) {
            recompute.mode = RecomputeMode::Modules;
            recompute.modules = {mode.substr(open + 1, close - open - 1)};
        }
    }
    return recompute;
}

std::optional<ScheduleKind> scheduleFromText(std::string_view text)
{
    const std::string name = lower(text);
    if (name.starts_with("interleaved") || name.starts_with("1f1b-i")) return ScheduleKind::Interleaved;
    if (name.starts_with("1f1b")) return ScheduleKind::OneFOneB;
    if (name.starts_with("gpipe")) return ScheduleKind::GPipe;
    if (name.starts_with("zb-h1")) return ScheduleKind::ZbH1;
    if (name.starts_with("zb-h2")) return ScheduleKind::ZbH2;
    if (name.starts_with("zb-v")) return ScheduleKind::ZbV;
    if (name.starts_with("zb-")) return ScheduleKind::ZbAuto; // ZB-1p, ZB-2p: searched orders
    if (name.starts_with("dualpipev")) return ScheduleKind::DualPipeV;
    if (name.starts_with("dualpipe")) return ScheduleKind::DualPipe;
    return std::nullopt;
}

std::int64_t releaseMonth(std::string_view source)
{
    const auto digit = [&](std::size_t i) { return i < source.size() && source[i] >= '0' && source[i] <= '9'; };
    const auto pair = [&](std::size_t i) { return (source[i] - '0') * 10 + (source[i + 1] - '0'); };
    for (std::size_t i = 0; i + 5 <= source.size(); ++i) {
        const bool shaped = digit(i) && digit(i + 1) && source[i + 2] == '.' && digit(i + 3) && digit(i + 4);
        if (!shaped || digit(i + 5) || (i > 0 && (digit(i - 1) || source[i - 1] == '.'))) continue;
        const int year = pair(i), month = pair(i + 3);
        if (year >= 20 && month >= 1 && month <= 12) return (2000 + year) * 12 + month - 1;
    }
    return 0;
}

} // namespace clusterbeat
