// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/resolve_parts.h"

namespace clusterbeat
{
namespace
{

/// Collects the first refusal; `instead` is what to write, "" to leave the key out.
class Refusals final
{
public:
    void when(bool condition, std::string_view pointer, std::string feature, std::string instead)
    {
        if (condition && !m_error)
            m_error = ruleError(ErrorCode::UnsupportedFeature, std::string(pointer),
                                {std::move(feature), std::move(instead)});
    }
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }

private:
    std::optional<Error> m_error;
};

void refuseTraining(const TrainingSection &training, Refusals &refusals)
{
    refusals.when(training.attentionPrecision == Precision::Fp4, "/training/attention_precision",
                  "training.attention_precision = fp4", "attention_precision = fp8");
}

} // namespace

std::optional<Error> refuseUnsupported(const Scenario &scenario)
{
    Refusals refusals;
    refuseTraining(*scenario.training, refusals);
    refusals.when(!scenario.cluster->exceptions.empty(), "/cluster/exceptions", "cluster.exceptions", {});
    refusals.when(scenario.campaign->spares.has_value(), "/campaign/spares", "campaign.spares", {});
    refusals.when(scenario.campaign->storageGbytesPerS.has_value(), "/campaign/storage", "campaign.storage", {});
    return refusals.error();
}

} // namespace clusterbeat
