// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/search/sweep.h"

namespace clusterbeat
{
namespace
{

std::vector<std::string> splitValues(std::string_view text)
{
    std::vector<std::string> values;
    std::string value;
    int depth = 0;
    bool quoted = false, escaped = false;
    for (const char c : text) {
        if (quoted) {
            quoted = escaped || c != '"';
            escaped = !escaped && c == '\\';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            ++depth;
        } else if (c == ']' || c == '}') {
            --depth;
        } else if (c == ',' && depth == 0) {
            values.push_back(std::move(value));
            value.clear();
            continue;
        }
        value += c;
    }
    values.push_back(std::move(value));
    return values;
}

template <typename T> void share(std::shared_ptr<const T> &section, const std::shared_ptr<const T> &with)
{
    if (section != with && *section == *with) section = with;
}

} // namespace

Result<SweepAxis> parseSweepAxis(std::string_view text)
{
    auto edit = parsePointerEdit(text);
    if (!edit.ok()) return edit.error();
    return SweepAxis{std::move(edit.value().pointer), splitValues(edit.value().value)};
}

Result<Sweep> Sweep::make(std::vector<SweepAxis> axes)
{
    std::int64_t points = 1;
    for (const SweepAxis &axis : axes) {
        const auto values = static_cast<std::int64_t>(axis.values.size());
        if (values > kMostSweepPoints / points)
            return Error{ErrorCode::OutOfRange,
                         Place{{}, axis.pointer, 0, 0},
                         {std::to_string(values), std::int64_t{1}, kMostSweepPoints / points}};
        points *= values;
    }
    return Sweep(std::move(axes), points);
}

std::vector<PointerEdit> Sweep::edits(std::int64_t point) const
{
    std::vector<PointerEdit> edits(m_axes.size());
    for (std::size_t i = m_axes.size(); i-- > 0;) {
        const auto values = static_cast<std::int64_t>(m_axes[i].values.size());
        edits[i] = {m_axes[i].pointer, m_axes[i].values[static_cast<std::size_t>(point % values)]};
        point /= values;
    }
    return edits;
}

PointRange shardOf(std::int64_t points, std::int64_t shard, std::int64_t shards)
{
    const auto cut = [&](std::int64_t i) { return points / shards * i + points % shards * i / shards; };
    return {cut(shard - 1), cut(shard)};
}

void shareSections(Scenario &scenario, const Scenario &with)
{
    share(scenario.model, with.model);
    share(scenario.training, with.training);
    share(scenario.layout, with.layout);
    share(scenario.software, with.software);
    share(scenario.cluster, with.cluster);
    share(scenario.perturbations, with.perturbations);
    share(scenario.campaign, with.campaign);
    share(scenario.prices, with.prices);
}

} // namespace clusterbeat
