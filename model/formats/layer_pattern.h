// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/scenario.h"

#include <optional>
#include <string_view>
#include <vector>

namespace clusterbeat {

/// Which layers have experts, in the scenario's words. Not `exact` when no such rule says it: then as many layers have
/// experts, so that parameters are right, but the last ones.
struct ExpertPattern {
    std::int64_t denseLayers = 0, every = 1;
    bool exact = true;
    friend bool operator==(const ExpertPattern &, const ExpertPattern &) = default;
};
/// By layer; nullopt when none has experts. O(layers).
[[nodiscard]] std::optional<ExpertPattern> expertPattern(const std::vector<bool> &hasExperts);

/// A window of `size` on the layers that say so; nullopt when none does. O(layers).
[[nodiscard]] std::optional<AttentionWindow> windowPattern(std::int64_t size, const std::vector<bool> &windowed);

/// A Python expression of whole numbers, lists, +, * and brackets: "([0]*3+[1]*58)" or "2". Lists inside lists are
/// flattened. nullopt when it is something else, or longer than any model.
struct PythonList {
    std::optional<std::int64_t> number;      ///< a single number instead of a list
    std::vector<std::int64_t> items;
};
[[nodiscard]] std::optional<PythonList> readPythonList(std::string_view text);

/// Megatron-Core's layout of layers over pipeline stages and their chunks in the order of the model, "Et|(tt|)*6L": E the
/// embedding, t a layer, m a prediction module, L the output layer, | the next part, x*n or (…)*n repeated.
struct StageLayout {
    std::vector<std::int64_t> layers;                  ///< of each part
    std::optional<std::size_t> predictionPart;         ///< of the first m
    friend bool operator==(const StageLayout &, const StageLayout &) = default;
};
/// nullopt when it is something else, or longer than any model.
[[nodiscard]] std::optional<StageLayout> readStageLayout(std::string_view text);

} // namespace clusterbeat
