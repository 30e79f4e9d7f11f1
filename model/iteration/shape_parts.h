// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/plan.h"

#include <vector>

namespace clusterbeat {

/// What one category takes of a shape: the part that a slow GPU lengthens, how much of that is attention, and the rest.
struct ShapePart {
    std::size_t category = 0;
    double scaling = 0.0, attention = 0.0, fixed = 0.0;
};
/// A shape's time by category, its order inside forgotten.
struct ShapeParts {
    std::vector<ShapePart> parts;
    double scaling = 0.0, attention = 0.0, fixed = 0.0;   ///< sums over the parts
};

/// Of all operations of a plan, added up once. O(shapes * segments).
class ShapePartTable final {
public:
    explicit ShapePartTable(const IterationPlan &plan);
    /// Number of a kind and chunk, below keys(); operations of one key have the same shape on a stage.
    [[nodiscard]] std::size_t keyOf(const ScheduledOperation &operation) const
    {
        return static_cast<std::size_t>(operation.chunk) * kKinds + static_cast<std::size_t>(operation.kind);
    }
    [[nodiscard]] std::size_t keys() const { return m_keys; }
    [[nodiscard]] const ShapeParts &of(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::size_t key) const
    {
        const std::int32_t delayed = plan.links && !plan.links->shapes.empty() ? plan.links->shapesOf[plan.group(stage, replica)] : -1;
        const auto row = static_cast<std::size_t>(delayed < 0 ? stage : plan.stages() + delayed);
        return m_parts[row * m_keys + key];
    }

private:
    static constexpr std::size_t kKinds = 4;
    std::size_t m_keys;
    std::vector<ShapeParts> m_parts;    ///< [stage, then LinkDelays::shapes][key]
};

} // namespace clusterbeat
