// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/megatron_options.h"

#include "model/formats/shell_environment.h"

#include <algorithm>
#include <array>

namespace clusterbeat {
namespace {

constexpr std::int64_t kMostOfAnything = 1'000'000'000;

/// Options that say nothing about the time or memory of an iteration: learning rates, data, logging, checkpoints, names.
constexpr std::array kIrrelevant{
    "lr", "min-lr", "decoupled", "adam", "sgd", "weight-decay", "start-weight-decay", "end-weight-decay", "clip-grad", "init-method",
    "train-iters", "train-samples", "train-tokens", "override-opt", "use-checkpoint", "save", "load", "no-save", "no-load", "ckpt",
    "async-save", "dist-ckpt", "auto-detect-ckpt", "finetune", "exit", "eval", "log", "tensorboard", "wandb", "timing-log", "tokenizer",
    "vocab-file", "vocab-extra", "merge-file", "tiktoken", "data-path", "data-cache", "data-impl", "data-args", "data-parallel-random",
    "train-data", "valid", "test-data", "train-weighted", "mock-data", "split", "num-workers", "dataloader", "reset-", "eod",
    "seed", "rotary", "position-embedding", "use-rotary", "rope", "use-rope", "max-position", "normalization", "norm-epsilon",
    "layernorm-epsilon", "attention-dropout", "hidden-dropout", "apply-layernorm", "disable-bias", "add-bias", "add-qkv", "qk-layernorm",
    "attention-softmax", "no-masked-softmax", "no-bias", "bias-", "distributed-backend", "distributed-timeout", "master", "node-rank",
    "rdzv", "max-restarts", "tee", "local-rank", "role", "module", "log-dir", "jobid", "wait", "kill", "job", "label", "export",
    "container", "mpi", "ntasks", "cpus", "cpu-bind", "output", "error", "time", "hostfile", "include", "exclude", "no-python", "no-mmap",
    "no-create", "mmap", "manual-gc", "empty-unused", "calculate-per-token", "profile", "use-pytorch-profiler", "loss-scale",
    "initial-loss", "min-loss", "hysteresis", "embed-layernorm", "sync-tp", "abort-on", "kill-switch", "deepspeed-config",
    "deepspeed-activation", "use-mcore", "transformer-impl", "use-legacy", "no-async", "checkpoint-in-cpu", "fp8-amax", "fp8-margin",
    "fp8-interval", "moe-router-load", "moe-aux", "moe-z-loss", "moe-router-pre", "moe-router-score", "moe-router-enable", "moe-router-bias",
    "moe-router-dtype", "moe-router-topk-scaling", "moe-router-num-groups", "moe-router-group", "mtp-loss", "rerun", "inference",
    "legacy", "attention-softmax-in-fp32", "make-vocab", "parallel-output", "deepspeed", "no-contiguous", "distribute-saved", "use-flash", "use-fused",
    "no-save", "use-torch-fsdp2", "moe-grouped-gemm", "moe-loss", "moe-min", "disable-moe", "moe-token-dispatcher", "create-moe", "no-rope-fusion", "no-persist", "sft", "patch-tokenizer",
    "extra-vocab", "max-padding", "dataset", "group-query", "use-cpu", "noisy", "no-pipeline", "no-query-key", "foreach", "data-sharding", "bert", "short-seq", "mask-prob", "DDP-impl", "weight-decay-incr", "num-dataset", "ffn-", "grad-reduce", "overlap-param-gather",
    "overlap-grad-reduce", "nproc", "nnodes", "standalone", "gpus", "nodes", "qk-clip", "qk-l2", "attention-backend", "cross-entropy-fusion-impl", "cross-entropy-loss", "te-", "tokens-", "no-weight-decay", "mtp", "router", "ref-", "nodelist", "unbuffered", "num-gpus", "num-nodes", "enable-experimental", "use-persistent", "non-persistent", "ci-", "freeze", "vision", "language-model", "img", "patch-", "prompt", "special-tokens", "pixel", "disable-vision", "allow-missing", "multimodal", "dataloader-seq", "image", "force-", "one-logger", "app-tag", "no-barrier", "barrier", "config-logger", "disable-straggler", "straggler", "heartbeat", "num-iterations", "pretrained", "no-check-for-nan", "check-for-nan", "use-cpu-init",
    "no-initialization", "account", "partition", "mscale", "beta-", "original-max", "spec", "untie"};

/// Options that change time or memory in a way that the simulator does not have; those that it has are read before.
constexpr std::array kNotSimulated{
    "moe-expert-capacity", "moe-train-capacity", "moe-pad-expert", "moe-token-drop", "moe-shared-expert-overlap", "moe-shared-expert-gate",
    "moe-permute", "moe-extended-tp", "moe-router-padding", "moe-router-fusion", "moe-flex", "moe-apply", "moe-zero-memory", "moe-fb-overlap",
    "moe-alltoall-overlap", "moe-allgather-overlap", "moe-hierarchical", "moe-bmm", "delay-wgrad", "defer-embedding-wgrad", "tp-comm-", "tp-2d",
    "tp-x", "tp-y", "use-ascend", "align-", "overlap-param-gather-with", "overlap-p2p", "ddp-", "use-megatron-fsdp", "use-custom-fsdp", "init-model-with",
    "num-distributed-optimizer-instances", "nccl", "use-sharp", "sharp", "high-priority", "fine-grained", "offload-", "cpu-offloading",
    "optimizer-offload", "optimizer-cpu", "overlap-cpu", "use-precision-aware", "exp-avg", "main-grads", "main-params", "fp8-", "fp4-", "first-last-layers-bf16",
    "num-layers-at-", "keep-fp8", "hierarchical-context", "cp-window", "use-cp-send", "window-", "softmax-type", "reset-attention", "combined-1f1b",
    "swap-", "recompute-in", "recompute-activation-function", "enable-recompute", "adaptive", "noop-layers", "num-layers-per-virtual", "variable-seq",
    "lora", "peft", "reuse-fp32", "zero-bubble", "enable-exact", "enable-optimizer-post", "allow-padding", "pp-partition", "scatter-gather",
    "no-scatter-gather", "no-gradient-accumulation-fusion", "no-async-tensor", "no-overlap-p2p", "partition-activations", "contiguous-checkpointing",
    "synchronize-each", "checkpoint-in-cpu", "universal", "compression", "curriculum", "random-ltd", "decoder-first", "decoder-last",
    "account-for", "external-cuda", "enable-cuda", "cuda-graph", "te-rng", "batch-p2p", "enable-msc", "deterministic", "use-ring-exchange",
    "rampup", "step-batch", "attention-output-gate", "moe-latent", "engram", "mhc", "distill"};

std::string normalised(std::string_view name)
{
    std::string result(name);
    std::replace(result.begin(), result.end(), '_', '-');
    return result;
}

bool isOption(const std::string &word) { return word.size() > 2 && word.starts_with("--") && word[2] != '-'; }

} // namespace

MegatronOptions::MegatronOptions(const std::vector<std::string> &words, ImportNotes &notes) : m_words(words), m_notes(notes)
{
    for (const std::string &word : words) {
        const bool shortOption = word == "-N" || word == "-n" || word == "-c" || word == "-m" || word == "-u";
        if (isOption(word) || (shortOption && m_options.empty())) {
            const std::size_t equals = word.find('=');
            Option option;
            option.written = word.substr(0, equals);
            option.name = normalised(option.written.substr(shortOption ? 0 : 2));
            if (equals != std::string::npos) option.values.push_back(word.substr(equals + 1));
            m_options.push_back(std::move(option));
        } else if (m_options.empty() || word.ends_with(".py")) {
            m_programWords.push_back(word);
        } else {
            m_options.back().values.push_back(word);
        }
    }
}

const MegatronOptions::Option *MegatronOptions::find(Names names)
{
    const Option *found = nullptr;
    for (Option &option : m_options) {
        if (std::find(names.begin(), names.end(), option.name) == names.end()) continue;
        option.used = true;
        found = &option;
    }
    return found;
}

bool MegatronOptions::has(Names names) { return find(names) != nullptr; }

std::string MegatronOptions::text(Names names)
{
    const Option *option = find(names);
    if (!option || option->values.empty()) return {};
    if (const auto name = unresolvedName(option->values.front())) {
        m_notes.unresolved(*name);
        return {};
    }
    return option->values.front();
}

std::vector<std::string> MegatronOptions::list(Names names)
{
    std::vector<std::string> values;
    const Option *option = find(names);
    for (std::size_t i = 0; option && i < option->values.size(); ++i) {
        if (const auto name = unresolvedName(option->values[i]))
            m_notes.unresolved(*name);
        else
            values.push_back(option->values[i]);
    }
    return values;
}

std::optional<std::int64_t> MegatronOptions::integer(Names names, std::int64_t lowest)
{
    const Option *option = find(names);
    if (!option) return std::nullopt;
    const std::string value = text(names);
    const auto fail = [&](ErrorCode code, std::vector<Argument> arguments) {
        if (!m_error) m_error = Error{code, {m_notes.file(), option->written, 0, 0}, std::move(arguments)};
        return std::nullopt;
    };
    if (value.empty()) {
        if (option->values.empty()) return fail(ErrorCode::ImportMissing, {option->written});
        return std::nullopt; // unresolved, and said
    }
    std::int64_t result = 0;
    const bool negative = value.front() == '-';
    for (const char c : std::string_view(value).substr(negative ? 1 : 0)) {
        if (c == '_') continue;
        if (c < '0' || c > '9') return fail(ErrorCode::NotAnInteger, {value.substr(0, 80)});
        result = std::min(result * 10 + (c - '0'), kMostOfAnything + 1);
    }
    if (negative) result = -result;
    if (result < lowest || result > kMostOfAnything) return fail(ErrorCode::OutOfRange, {value.substr(0, 80), lowest, kMostOfAnything});
    return result;
}

bool MegatronOptions::runs(std::string_view part) const
{
    const std::string name = program();
    for (std::size_t at = name.find(part); at != std::string::npos; at = name.find(part, at + 1)) {
        const auto ends = [&](std::size_t i) { return i >= name.size() || std::string_view("_-.").find(name[i]) != std::string_view::npos; };
        if ((at == 0 || ends(at - 1)) && ends(at + part.size())) return true;
    }
    return false;
}

std::string MegatronOptions::program() const
{
    std::string name;
    for (const std::string &word : m_programWords) {
        if (word.ends_with(".py")) name = word.substr(word.find_last_of('/') == std::string::npos ? 0 : word.find_last_of('/') + 1);
    }
    return name;
}

bool MegatronOptions::hasUnresolved() const
{
    return std::any_of(m_options.begin(), m_options.end(), [](const Option &option) {
        if (unresolvedName(option.name)) return true;
        for (std::size_t i = 1; i < option.values.size(); ++i)
            if (unresolvedName(option.values[i])) return true;
        return false;
    });
}

void MegatronOptions::report()
{
    // The longer prefix knows better: "overlap-param-gather-with" than "overlap-param-gather".
    const auto longest = [](const std::string &name, const auto &prefixes) {
        std::size_t length = 0;
        for (const std::string_view prefix : prefixes)
            if (name.starts_with(prefix)) length = std::max(length, prefix.size());
        return length;
    };
    for (const Option &option : m_options) {
        if (!option.written.starts_with("--")) continue;
        const std::size_t effect = longest(option.name, kNotSimulated);
        const bool irrelevant = longest(option.name, kIrrelevant) > effect;
        const std::string value = option.values.empty() || unresolvedName(option.values.front()) ? std::string() : option.values.front().substr(0, 200);
        if (option.used) m_notes.read(option.written, value);
        else if (!irrelevant && effect > 0) m_notes.notSimulated(option.written);
        else if (irrelevant) m_notes.noEffect(option.written, value);
        else m_notes.notUnderstood(option.written);
        // A bare $EXTRA_ARGS could hold any option.
        for (std::size_t i = option.used || irrelevant ? 1 : 0; i < option.values.size(); ++i) {
            const auto name = unresolvedName(option.values[i]);
            if (name && name->find('(') == std::string::npos && !option.values[i].ends_with(".py")) m_notes.unresolved(*name);
        }
    }
}

} // namespace clusterbeat
