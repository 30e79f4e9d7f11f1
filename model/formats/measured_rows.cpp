// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/measured_rows.h"

#include "model/base/units.h"
#include "model/formats/bridge_recipe.h"
#include "model/formats/bridge_recipe_table.h"
#include "model/formats/measured_profile.h"
#include "model/scenario/json_value.h"
#include "model/scenario/resolve.h"
#include "model/scenario/scenario_json.h"

#include <cmath>

namespace clusterbeat {
namespace {

const JsonValue *member(const JsonValue &object, std::string_view key)
{
    const JsonValue *value = object.find(key);
    return value == nullptr || value->type == JsonValue::Type::Null ? nullptr : value;
}

/// A row's section; an empty object when it has none.
const JsonValue &section(const JsonValue &row, std::string_view key)
{
    static const JsonValue empty = JsonValue::object();
    const JsonValue *value = member(row, key);
    return value != nullptr && value->type == JsonValue::Type::Object ? *value : empty;
}

std::string text(const JsonValue &object, std::string_view key)
{
    const JsonValue *value = member(object, key);
    return value != nullptr && value->type == JsonValue::Type::String ? value->text : std::string();
}

std::optional<double> number(const JsonValue &object, std::string_view key)
{
    const JsonValue *value = member(object, key);
    if (value == nullptr || value->type != JsonValue::Type::Number) return std::nullopt;
    return value->number;
}

std::optional<std::int64_t> integer(const JsonValue &object, std::string_view key)
{
    const std::optional<double> value = number(object, key);
    if (!value || *value != std::floor(*value) || std::abs(*value) > 9e15) return std::nullopt;
    return static_cast<std::int64_t>(*value);
}

std::optional<bool> flag(const JsonValue &object, std::string_view key)
{
    const JsonValue *value = member(object, key);
    if (value == nullptr || value->type != JsonValue::Type::Boolean) return std::nullopt;
    return value->boolean;
}

/// First key of a section without which nothing can be simulated, as a pointer below the row.
std::optional<Error> missingFact(const JsonValue &row, const std::string &pointer)
{
    struct Fact {
        const char *section, *key;
    };
    constexpr Fact kFacts[] = {{"model", "layers"}, {"model", "hidden"},  {"model", "heads"},    {"model", "vocab"},
                               {"hardware", "gpu"}, {"parallel", "gpus"}, {"train", "gbs_seqs"}, {"train", "seq"}};
    for (const Fact &fact : kFacts) {
        if (member(section(row, fact.section), fact.key) != nullptr) continue;
        Error error;
        error.code = ErrorCode::MissingKey;
        error.place.pointer = pointer + "/" + fact.section;
        error.arguments = {std::string(fact.key)};
        return error;
    }
    return std::nullopt;
}

ModelSection modelOf(const JsonValue &row, const std::string &profile)
{
    const JsonValue &json = section(row, "model");
    ModelSection model;
    model.layers = integer(json, "layers").value_or(0);
    model.hidden = integer(json, "hidden").value_or(0);
    model.ffnHidden = integer(json, "ffn").value_or(0);
    model.heads = integer(json, "heads").value_or(0);
    model.kvHeads = integer(json, "kv_heads").value_or(0);
    model.headDim = integer(json, "head_dim").value_or(0);
    model.vocab = integer(json, "vocab").value_or(0);
    const std::string activation = text(json, "act");
    model.gatedFfn = activation.empty() || activation == "swiglu" || activation == "geglu";
    model.activation = activation == "squared_relu" ? "relu2" : activation.empty() ? "silu" : activation;
    model.tiedEmbeddings = flag(json, "tied_embeddings").value_or(false);
    model.parallelBlock = profile == "megascale"; // its runs use parallel blocks (NSDI 2024, section 3.1)
    model.mtpLayers = integer(json, "mtp_layers").value_or(0);
    // Every other layer of GPT-OSS attends to 128 tokens only (OpenAI 2025, model card, section 2.2).
    if (text(json, "name").starts_with("GPT-OSS")) model.attentionWindow = AttentionWindow{128, 2};
    if (const JsonValue *moe = member(json, "moe"); moe != nullptr && moe->type == JsonValue::Type::Object) {
        MoeShape shape;
        shape.experts = integer(*moe, "experts").value_or(0);
        shape.topK = integer(*moe, "top_k").value_or(0);
        shape.sharedExperts = integer(*moe, "shared").value_or(0);
        shape.expertFfnHidden = integer(*moe, "moe_ffn").value_or(0);
        shape.denseLayers = integer(*moe, "first_dense").value_or(0);
        shape.every = integer(*moe, "moe_every").value_or(1);
        model.moe = shape;
    }
    if (const JsonValue *mla = member(json, "mla"); mla != nullptr && mla->type == JsonValue::Type::Object) {
        model.mla = MlaShape{integer(*mla, "q_lora").value_or(0), integer(*mla, "kv_lora").value_or(0),
                             integer(*mla, "qk_nope").value_or(0), integer(*mla, "qk_rope").value_or(0),
                             integer(*mla, "v").value_or(0)};
    }
    return model;
}

TrainingSection trainingOf(const JsonValue &row, const std::string &profile)
{
    const JsonValue &json = section(row, "train");
    TrainingSection training;
    training.sequenceLength = integer(json, "seq").value_or(0);
    training.globalBatch = integer(json, "gbs_seqs").value_or(0);
    training.microBatch = integer(json, "mbs").value_or(1);
    training.precision = precisionFromText(text(json, "precision")).precision;
    training.recompute =
        recomputeFromText(text(json, "recompute"), integer(section(row, "model"), "layers").value_or(0),
                          integer(section(row, "parallel"), "pp").value_or(1));
    // NVIDIA's fp8 recipes gather parameters as fp8.
    const bool narrow = training.precision == Precision::Fp8 || training.precision == Precision::Fp4;
    if (narrow && (profile == "nemo24" || profile == "mlperf" || profile == "mbridge"))
        training.parameterGatherBytes = 1;
    // Megatron-Bridge's runs force an even load of the experts; NeMo 24's recipes leave it to the router, whose busiest
    // rank then has about a fifth more than the mean (assumed).
    if (profile == "nemo24" && member(section(row, "model"), "moe") != nullptr) training.routingImbalance = 1.2;
    // Zero-bubble runs replace the optimizer's barrier by post-validation (Qi et al. 2023, section 4).
    if (text(section(row, "parallel"), "schedule").starts_with("ZB-")) training.optimizerSync = false;
    return training;
}

// "zero" is a stage, or "FSDP group 128, DP 8".
void readSharding(const JsonValue &json, LayoutSection &layout)
{
    if (const auto stage = integer(json, "zero")) layout.zeroStage = stage;
    const std::string group = text(json, "zero");
    constexpr std::string_view kPrefix = "FSDP group ";
    if (!group.starts_with(kPrefix)) return;
    layout.zeroStage = 3;
    std::int64_t size = 0;
    for (std::size_t i = kPrefix.size(); i < group.size() && group[i] >= '0' && group[i] <= '9' && size < 1'000'000'000;
         ++i)
        size = size * 10 + (group[i] - '0');
    layout.shardGroup = size;
}

LayoutSection layoutOf(const JsonValue &row)
{
    const JsonValue &json = section(row, "parallel");
    LayoutSection layout;
    layout.tensor = integer(json, "tp").value_or(1);
    layout.pipeline = integer(json, "pp").value_or(1);
    layout.context = integer(json, "cp").value_or(1);
    layout.expert = integer(json, "ep").value_or(1);
    layout.data = integer(json, "dp");
    if (!layout.data) {
        const double group = static_cast<double>(layout.tensor) * static_cast<double>(layout.pipeline) *
                             static_cast<double>(layout.context);
        const double gpus = number(json, "gpus").value_or(0.0);
        if (group >= 1.0 && gpus >= group && gpus < 1e9) layout.data = static_cast<std::int64_t>(gpus / group);
    }
    layout.sequenceParallel = flag(json, "sp");
    layout.schedule = scheduleFromText(text(json, "schedule"));
    // ZB-1p and ZB-2p are the orders searched under once and twice 1F1B's activations (Qi et al. 2023, section 3).
    if (layout.schedule == ScheduleKind::ZbAuto) layout.activationLimit = text(json, "schedule").starts_with("ZB-2p") ? 2.0 : 1.0;
    const std::int64_t chunks = integer(json, "vpp").value_or(text(json, "vpp").starts_with("max") ? 0 : 1);
    if (chunks != 1) layout.virtualPipeline = chunks;
    // Tables name the schedule of a family of runs; without chunks or stages an interleaved one is plain.
    if (layout.schedule == ScheduleKind::Interleaved && (chunks == 1 || layout.pipeline == 1)) layout.schedule.reset();
    readSharding(json, layout);
    return layout;
}

SoftwareSection softwareOf(const JsonValue &row, const std::string &profile)
{
    SoftwareSection software;
    software.profile = profile;
    const std::string recipe = precisionFromText(text(section(row, "train"), "precision")).fp8Recipe;
    if (!recipe.empty()) software.fp8Recipe = recipe;
    const JsonValue &parallel = section(row, "parallel");
    if (const auto asynchronous = flag(parallel, "async_tp")) software.tensorOverlap = asynchronous;
    if (const auto overlap = flag(parallel, "tp_comm_overlap")) software.tensorOverlap = overlap;
    if (flag(section(row, "train"), "compile") == false) software.elementwiseFactor = 2.0;
    if (profile == "mbridge") {
        const std::string source = text(row, "source"), model = text(section(row, "model"), "name");
        const std::string gpu = text(section(row, "hardware"), "gpu");
        BridgeRun run{source, model, gpu, precisionFromText(text(section(row, "train"), "precision")).precision,
                      member(section(row, "model"), "moe") != nullptr};
        run.pipeline = integer(parallel, "pp").value_or(1);
        run.virtualPipeline = integer(parallel, "vpp").value_or(1);
        run.expert = integer(parallel, "ep").value_or(1);
        applyBridgeRecipe(run, software);
    }
    return software;
}

// Jobs over several 72-GPU domains use a power of two in each.
void takePowerOfEachDomain(ClusterSection &cluster, std::int64_t domain)
{
    if (domain <= 0 || cluster.gpus <= domain) return;
    std::int64_t used = 1;
    while (used * 2 <= domain) used *= 2;
    if (used != domain) cluster.gpusUsedPerDomain = used;
}

// An accelerator that the catalogue does not know is described by the row's own figures.
ClusterSection clusterOf(const JsonValue &row, const Catalogue &catalogue)
{
    const JsonValue &json = section(row, "hardware");
    ClusterSection cluster;
    cluster.gpus = integer(section(row, "parallel"), "gpus").value_or(0);
    cluster.nicGbpsPerGpu = number(json, "nic_gbps_per_gpu");
    const std::string name = text(json, "gpu");
    const Accelerator *known = catalogue.accelerator(name);
    if (known != nullptr || !number(json, "peak_bf16_tflops")) {
        cluster.acceleratorName = name;
        if (known != nullptr) takePowerOfEachDomain(cluster, known->scaleupDomain);
        return cluster;
    }
    Accelerator gpu;
    gpu.name = name;
    gpu.peakBf16Tflops = number(json, "peak_bf16_tflops").value_or(0.0);
    gpu.peakFp8Tflops = number(json, "peak_fp8_tflops");
    gpu.peakFp4Tflops = number(json, "peak_fp4_tflops");
    gpu.hbmGb = number(json, "hbm_gb").value_or(0.0);
    gpu.hbmTbytesPerS = number(json, "hbm_tbps").value_or(0.0);
    gpu.scaleupGbytesPerS = number(json, "scaleup_GBps_uni").value_or(0.0);
    gpu.scaleupDomain = integer(json, "scaleup_domain").value_or(8);
    gpu.nicGbps = number(json, "nic_gbps_per_gpu").value_or(0.0);
    cluster.accelerator = gpu;
    takePowerOfEachDomain(cluster, gpu.scaleupDomain);
    return cluster;
}

// Printed seconds; else inverted from printed TFLOP/s with the source's own formula; else from tokens per second.
std::optional<double> iterationSeconds(const JsonValue &row)
{
    const JsonValue &measured = section(row, "measured");
    if (const auto printed = number(measured, "iter_time_s")) return printed;
    if (const auto inverted = number(measured, "iter_time_s_inverted")) return inverted;
    if (const auto derived = number(section(row, "derived"), "iter_time_s_from_tps")) return derived;
    const auto tokens = number(section(row, "train"), "gbs_tokens");
    const auto rate = number(measured, "tokens_per_s_per_gpu");
    const auto gpus = number(section(row, "parallel"), "gpus");
    if (tokens && rate && gpus && *rate > 0.0 && *gpus > 0.0) return *tokens / (*rate * *gpus);
    return std::nullopt;
}

// Korthikanti's figure is in GiB, by part; the others print one total in "GB", which tools count as GiB.
std::optional<double> memoryBytes(const JsonValue &row)
{
    const JsonValue &measured = section(row, "measured");
    const JsonValue &parts = section(measured, "mem_profiled_gib");
    const auto activations = number(parts, "activations");
    const auto states = number(parts, "params_opt");
    if (activations && states) return (*activations + *states) * kBytesPerGib;
    for (const char *key : {"mem_gb_per_gpu", "mem_gb", "mem_max_reserved_or_alloc_gb"})
        if (const auto total = number(measured, key)) return *total * kBytesPerGib;
    return std::nullopt;
}

// The recipe that a run of Megatron-Bridge followed, when the public ones of its release hold it.
void followRecipe(const JsonValue &row, const std::vector<BridgeRecipe> &recipes, SoftwareSection &software,
                  TrainingSection &training, LayoutSection &layout, ModelSection &model)
{
    const std::string name = text(section(row, "model"), "name"), gpu = text(section(row, "hardware"), "gpu");
    const std::string fp8Recipe = software.fp8Recipe.value_or("");
    BridgeLayout run{name, gpu, training.precision, fp8Recipe, bridgeRelease(text(row, "source"))};
    run.gpus = integer(section(row, "parallel"), "gpus").value_or(0);
    run.tensor = layout.tensor;
    run.pipeline = layout.pipeline;
    run.virtualPipeline = layout.virtualPipeline.value_or(1);
    run.context = layout.context;
    run.expert = layout.expert;
    run.globalBatch = training.globalBatch;
    run.microBatch = training.microBatch;
    if (const BridgeRecipe *recipe = recipeOfRun(recipes, run)) applyRecipe(*recipe, software, training, layout, model);
}

Scenario scenarioOf(const JsonValue &row, const std::string &id, const std::string &profile, const Catalogue &catalogue,
                    const std::vector<BridgeRecipe> &recipes)
{
    Scenario scenario;
    scenario.name = id;
    scenario.notes = text(row, "source");
    ModelSection model = modelOf(row, profile);
    TrainingSection training = trainingOf(row, profile);
    LayoutSection layout = layoutOf(row);
    SoftwareSection software = softwareOf(row, profile);
    if (profile == "mbridge") followRecipe(row, recipes, software, training, layout, model);
    scenario.model = std::make_shared<const ModelSection>(std::move(model));
    scenario.training = std::make_shared<const TrainingSection>(std::move(training));
    scenario.layout = std::make_shared<const LayoutSection>(std::move(layout));
    scenario.software = std::make_shared<const SoftwareSection>(std::move(software));
    scenario.cluster = std::make_shared<const ClusterSection>(clusterOf(row, catalogue));
    return scenario;
}

bool saysAssumed(const JsonValue &json, std::string_view key)
{
    const std::string said = text(json, key);
    for (const char *word : {"(assumed", "(not stated", "(not verified"})
        if (said.find(word) != std::string::npos) return true;
    return false;
}

// What had to be filled in: the table says so in the knob's text, or the knob is absent where it matters.
std::vector<std::string> assumedKnobs(const JsonValue &row)
{
    const JsonValue &train = section(row, "train"), &parallel = section(row, "parallel");
    const bool stages = integer(parallel, "pp").value_or(1) > 1;
    std::vector<std::string> knobs;
    if (member(train, "recompute") == nullptr || saysAssumed(train, "recompute")) knobs.emplace_back("recompute");
    if (saysAssumed(train, "precision")) knobs.emplace_back("precision");
    if (member(train, "mbs") == nullptr) knobs.emplace_back("micro_batch");
    if (stages && member(parallel, "vpp") == nullptr && member(parallel, "schedule") == nullptr)
        knobs.emplace_back("virtual_pipeline");
    if (integer(parallel, "tp").value_or(1) > 1 && member(parallel, "sp") == nullptr)
        knobs.emplace_back("sequence_parallel");
    if (member(section(row, "hardware"), "nic_gbps_per_gpu") == nullptr) knobs.emplace_back("nic_gbps_per_gpu");
    return knobs;
}

/// A table's numbers are anybody's: what the scenario file would not take, a row cannot have either.
std::optional<Error> whyRefused(const Scenario &scenario, const Catalogue &catalogue)
{
    if (const auto read = readScenario(writeScenario(scenario), catalogue); !read.ok()) {
        Error error = read.error();
        error.place = Place{{}, error.place.pointer, 0, 0}; // its lines are those of no file
        return error;
    }
    if (const auto resolved = resolve(scenario, catalogue); !resolved.ok()) return resolved.error();
    return std::nullopt;
}

MeasuredRow readRow(const JsonValue &json, const std::string &pointer, const Catalogue &catalogue,
                    const std::vector<BridgeRecipe> &recipes)
{
    MeasuredRow row;
    row.id = text(json, "id");
    row.source = text(json, "source");
    row.tier = text(json, "tier");
    row.gpuName = text(section(json, "hardware"), "gpu");
    row.modelName = text(section(json, "model"), "name");
    row.note = text(json, "note");
    row.assumed = assumedKnobs(json);
    row.releaseMonth = releaseMonth(row.source);
    row.moe = member(section(json, "model"), "moe") != nullptr;
    row.iterationS = iterationSeconds(json);
    row.memoryBytes = memoryBytes(json);
    row.refused = missingFact(json, pointer);
    if (row.refused) return row;
    // A foreign table may name its profile; else its source does; else the default of scenario files.
    std::string profile = text(json, "software_profile");
    if (profile.empty()) profile = profileOfSource(row.source, row.id);
    if (profile.empty()) profile = SoftwareSection{}.profile;
    Scenario scenario = scenarioOf(json, row.id, profile, catalogue, recipes);
    row.refused = whyRefused(scenario, catalogue);
    if (!row.refused) row.scenario = std::move(scenario);
    return row;
}

Error wrongType(std::string pointer, const JsonValue &found, const char *expected)
{
    Error error;
    error.code = ErrorCode::WrongType;
    error.place.pointer = std::move(pointer);
    error.arguments = {std::string(found.typeName()), std::string(expected)};
    return error;
}

} // namespace

Result<std::vector<MeasuredRow>> readMeasuredRows(std::string_view json, const Catalogue &catalogue,
                                                  std::string_view only)
{
    const Result<JsonValue> parsed = parseJson(json);
    if (!parsed.ok()) return parsed.error();
    const JsonValue &table = parsed.value();
    if (table.type != JsonValue::Type::Array) return wrongType({}, table, "array");
    const Result<std::vector<BridgeRecipe>> recipes = readBridgeRecipes(catalogue.bridgeRecipesJson);
    if (!recipes.ok()) return recipes.error();
    std::vector<MeasuredRow> rows;
    for (std::size_t i = 0; i < table.items.size(); ++i) {
        const JsonValue &row = table.items[i];
        const std::string pointer = "/" + std::to_string(i);
        if (row.type != JsonValue::Type::Object) return wrongType(pointer, row, "object");
        const std::string id = text(row, "id");
        const bool ready = flag(row, "resim_ready").value_or(true);
        if ((ready && id.starts_with(only)) || (!only.empty() && id == only))
            rows.push_back(readRow(row, pointer, catalogue, recipes.value()));
    }
    return rows;
}

} // namespace clusterbeat
