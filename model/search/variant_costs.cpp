// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/search/variant_costs.h"

namespace clusterbeat
{
namespace
{

double tokensOf(const IterationResult &result)
{
    const TrainingSection &training = result.scenario->training;
    return static_cast<double>(training.globalBatch) * static_cast<double>(training.sequenceLength);
}

double ratio(double value, double to)
{
    return to > 0.0 ? value / to : 1.0;
}

} // namespace

FlagAlternative refusedAlternative(std::string json, Error error)
{
    FlagAlternative refused;
    refused.json = std::move(json);
    refused.error = std::move(error);
    return refused;
}

SimulationOutcome VariantSimulator::start(const Scenario &scenario)
{
    SimulationOutcome outcome = simulate(scenario, m_catalogue, m_cache, m_stop);
    m_now = outcome.result;
    return outcome;
}

std::optional<FlagAlternative> VariantSimulator::with(std::string json, const Scenario &variant)
{
    SimulationOutcome other = simulate(variant, m_catalogue, m_cache, m_stop);
    if (other.cancelled) return std::nullopt;
    if (!other.result) return refusedAlternative(std::move(json), std::move(*other.error));
    FlagAlternative alternative;
    alternative.json = std::move(json);
    alternative.change = other.result->iteration() - m_now->iteration();
    alternative.memoryChange = other.result->memory.peak.total() - m_now->memory.peak.total();
    alternative.fits = other.result->memory.fits;
    alternative.throughput = ratio(other.result->metrics.tokensPerS, m_now->metrics.tokensPerS);
    alternative.tokens = ratio(tokensOf(*other.result), tokensOf(*m_now));
    return alternative;
}

} // namespace clusterbeat
