// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/shape_parts.h"

#include <array>

namespace clusterbeat {
namespace {

ShapeParts partsOf(const OperationShape &shape)
{
    std::array<ShapePart, kCategoryCount> sums{};
    for (const Segment &segment : shape.segments) {
        ShapePart &sum = sums[categoryIndex(segment.category)];
        const bool scales = scalesWithSpeed(segment.category);
        (scales ? sum.scaling : sum.fixed) += static_cast<double>(segment.ns);
        if (scales) sum.attention += static_cast<double>(segment.attention);
    }
    ShapeParts result;
    for (std::size_t c = 0; c < kCategoryCount; ++c) {
        ShapePart part = sums[c];
        if (part.scaling + part.fixed <= 0.0) continue;
        part.category = c;
        result.parts.push_back(part);
        result.scaling += part.scaling;
        result.attention += part.attention;
        result.fixed += part.fixed;
    }
    return result;
}

} // namespace

ShapePartTable::ShapePartTable(const IterationPlan &plan) : m_keys(static_cast<std::size_t>(plan.schedule.chunks) * kKinds)
{
    const std::size_t delayed = plan.links ? plan.links->shapes.size() : 0;
    m_parts.resize((static_cast<std::size_t>(plan.stages()) + delayed) * m_keys);
    for (std::size_t stage = 0; stage < static_cast<std::size_t>(plan.stages()); ++stage)
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            const auto &shapes = plan.shapesOf(static_cast<OperationKind>(kind));
            if (stage >= shapes.size()) continue;
            for (std::size_t chunk = 0; chunk < shapes[stage].size(); ++chunk)
                m_parts[stage * m_keys + chunk * kKinds + kind] = partsOf(shapes[stage][chunk]);
        }
    for (std::size_t i = 0; i < delayed; ++i)
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            const std::vector<OperationShape> &shapes = plan.links->shapes[i].of(static_cast<OperationKind>(kind));
            for (std::size_t chunk = 0; chunk < shapes.size(); ++chunk)
                m_parts[(static_cast<std::size_t>(plan.stages()) + i) * m_keys + chunk * kKinds + kind] = partsOf(shapes[chunk]);
        }
}

} // namespace clusterbeat
