// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/scenario_json.h"
#include "model/search/search_layouts.h"

#include <QTest>

namespace clusterbeat::test
{

inline const Catalogue &catalogue()
{
    static const Result<Catalogue> loaded = loadCatalogue();
    return loaded.value();
}

/// Two servers of 8 with a slow network, a model that fits some layouts only.
inline Scenario smallScenario(const std::vector<PointerEdit> &edits = {})
{
    constexpr const char *kText = R"({"clusterbeat": 1,
      "model": {"layers": 16, "hidden": 8192, "ffn_hidden": 28672, "heads": 64, "kv_heads": 8, "vocab": 32000},
      "training": {"sequence_length": 8192, "global_batch": 8},
      "layout": {"tensor": 2},
      "software": {"attention_kernel": "unfused"},
      "cluster": {"accelerator": "H100-SXM5-80GB", "gpus": 16, "nic_gbps_per_gpu": 100}})";
    auto scenario = readScenario(kText, catalogue(), edits);
    if (!scenario.ok()) qFatal("the fixture's scenario is wrong");
    return std::move(scenario).value();
}

} // namespace clusterbeat::test
