// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/resolve.h"

#include "model/scenario/resolve_parts.h"

namespace clusterbeat
{
namespace
{

constexpr std::int64_t kFfnMultiple = 256;

/// Perturbations without effect are dropped here, so that they cannot change a byte of the result.
PerturbationList effective(const PerturbationList &list)
{
    PerturbationList result;
    for (const Perturbation &perturbation : list) {
        if (hasEffect(perturbation)) result.push_back(perturbation);
    }
    return result;
}

std::optional<Error> fill(const Scenario &scenario, const Catalogue &catalogue, ResolvedScenario &resolved)
{
    resolved.training = *scenario.training;
    if (auto error = refuseUnsupported(scenario)) return error;
    if (auto error = resolveModel(scenario, resolved)) return error;
    if (auto error = resolveSoftware(scenario, catalogue, resolved)) return error;
    if (auto error = resolveCluster(scenario, catalogue, resolved)) return error;
    if (auto error = resolveLayout(scenario, resolved)) return error;
    resolved.perturbations = effective(*scenario.perturbations);
    resolved.campaign = *scenario.campaign;
    resolved.prices = *scenario.prices;
    return std::nullopt;
}

} // namespace

std::optional<Error> resolveModel(const Scenario &scenario, ResolvedScenario &resolved)
{
    ModelSection &model = resolved.model;
    model = *scenario.model;
    if (model.layers < 1) return ruleError(ErrorCode::MissingKey, "/model/layers", {std::string("layers")});
    if (model.hidden < 1) return ruleError(ErrorCode::MissingKey, "/model/hidden", {std::string("hidden")});
    if (model.heads < 1) return ruleError(ErrorCode::MissingKey, "/model/heads", {std::string("heads")});
    if (model.vocab < 1) return ruleError(ErrorCode::MissingKey, "/model/vocab", {std::string("vocab")});
    if (model.ffnHidden == 0)
        model.ffnHidden = model.gatedFfn ? (8 * model.hidden + 3 * kFfnMultiple - 1) / (3 * kFfnMultiple) * kFfnMultiple
                                         : 4 * model.hidden;
    if (model.kvHeads == 0) model.kvHeads = model.heads;
    if (model.headDim == 0) {
        if (model.hidden % model.heads != 0)
            return ruleError(ErrorCode::NotDivisible, "/model/heads",
                             {std::string("hidden"), model.hidden, std::string("heads"), model.heads});
        model.headDim = model.hidden / model.heads;
    }
    if (model.heads % model.kvHeads != 0)
        return ruleError(ErrorCode::NotDivisible, "/model/kv_heads",
                         {std::string("heads"), model.heads, std::string("kv_heads"), model.kvHeads});
    if (model.moe && model.moe->topK > model.moe->experts)
        return ruleError(ErrorCode::OutOfRange, "/model/moe/top_k",
                         {std::to_string(model.moe->topK), std::int64_t{1}, model.moe->experts});
    return std::nullopt;
}

Result<ResolvedScenario> resolve(const Scenario &scenario, const Catalogue &catalogue)
{
    Result<ResolvedScenario> result{ResolvedScenario{}};
    if (auto error = fill(scenario, catalogue, result.value())) return *error;
    return result;
}

} // namespace clusterbeat
