// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/layout/custom_schedule.h"

#include "model/base/index.h"
#include "model/layout/dependencies.h"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

namespace clusterbeat
{
namespace
{

constexpr std::string_view kOverlap = "OVERLAP_F_B";
constexpr std::array<std::string_view, 7> kCommunication{"UNSHARD", "RESHARD", "REDUCE_GRAD", "SEND_F",
                                                         "RECV_F",  "SEND_B",  "RECV_B"};
constexpr std::string_view kLetters = "FBIW"; // as OperationKind
constexpr std::size_t kMostDigits = 9;

/// An operation as the file names it.
struct Named {
    std::int32_t part = 0, microBatch = 0;
    OperationKind kind = OperationKind::Forward;
};
/// The same with its place in the file and in the rank's order.
struct Listed {
    Named op;
    std::int32_t rank = 0, cell = 0, index = 0;
};

std::string textOf(const Named &op)
{
    return std::to_string(op.part) + kLetters[static_cast<std::size_t>(op.kind)] + std::to_string(op.microBatch);
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

/// Digits from the front of `text`, which loses them.
std::string_view takeDigits(std::string_view &text)
{
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    const std::string_view digits = text.substr(0, end);
    text.remove_prefix(end);
    return digits;
}
std::int32_t numberOf(std::string_view digits)
{
    std::int32_t number = 0;
    for (const char digit : digits)
        number = number * 10 + (digit - '0');
    return number;
}

/// Operations of one cell, or the problem.
struct Cell {
    std::vector<Named> operations;
    const char *problem = nullptr;
};

Cell single(std::string_view text)
{
    const std::string_view part = takeDigits(text);
    if (part.empty() || text.empty()) return {{}, "syntax"};
    const std::size_t letter = kLetters.find(text.front());
    text.remove_prefix(1);
    const std::string_view microBatch = takeDigits(text);
    if (letter == std::string_view::npos || microBatch.empty() || !text.empty()) return {{}, "syntax"};
    if (part.size() > kMostDigits || microBatch.size() > kMostDigits) return {{}, "range"};
    return {{{numberOf(part), numberOf(microBatch), static_cast<OperationKind>(letter)}}, nullptr};
}

Cell parseCell(std::string_view text)
{
    text = trimmed(text);
    if (text.empty() || text.front() != '(') return single(text);
    const std::size_t close = text.find(')'), middle = text.find(';');
    if (close == std::string_view::npos || middle == std::string_view::npos || middle > close ||
        trimmed(text.substr(close + 1)) != kOverlap)
        return {{}, "syntax"};
    Cell cell = single(trimmed(text.substr(1, middle - 1)));
    const Cell second = single(trimmed(text.substr(middle + 1, close - middle - 1)));
    if (cell.problem) return cell;
    if (second.problem) return second;
    const OperationKind kind = second.operations.front().kind;
    const bool backward = kind == OperationKind::Backward || kind == OperationKind::InputGradient;
    if (cell.operations.front().kind != OperationKind::Forward || !backward) return {{}, "syntax"};
    cell.operations.push_back(second.operations.front());
    return cell;
}

bool isCommunication(std::string_view text)
{
    text = trimmed(text);
    if (takeDigits(text).empty()) return false;
    for (const std::string_view name : kCommunication) {
        if (!text.starts_with(name)) continue;
        std::string_view rest = text.substr(name.size());
        (void)takeDigits(rest);
        if (rest.empty()) return true;
    }
    return false;
}

/// Turns cells into a schedule step by step; the first problem ends it.
class Builder
{
public:
    Builder(const ScheduleCells &cells, const std::string &pointer) : m_cells(cells), m_pointer(pointer) {}

    Result<PipelineSchedule> build()
    {
        if (!read() || !sortByOperation() || !placeParts() || !completeParts() || !executable())
            return *m_error;
        return std::move(m_schedule);
    }

private:
    bool fail(std::string pointer, std::vector<Argument> arguments)
    {
        if (!m_error) m_error = Error{ErrorCode::BadSchedule, Place{{}, m_pointer + pointer, 0, 0}, std::move(arguments)};
        return false;
    }
    [[nodiscard]] static std::string at2(std::int32_t rank, std::int32_t cell)
    {
        return '/' + std::to_string(rank) + '/' + std::to_string(cell);
    }
    [[nodiscard]] static std::string placeOf(const Listed &listed) { return at2(listed.rank, listed.cell); }

    bool read()
    {
        if (m_cells.empty()) return fail({}, {std::string("missing"), std::string("0F0")});
        m_schedule.stages = static_cast<std::int32_t>(m_cells.size());
        m_schedule.order.resize(m_cells.size());
        for (std::size_t rank = 0; rank < m_cells.size(); ++rank)
            for (std::size_t i = 0; i < m_cells[rank].size(); ++i)
                if (!readCell(static_cast<std::int32_t>(rank), static_cast<std::int32_t>(i))) return false;
        if (m_list.empty()) return fail({}, {std::string("missing"), std::string("0F0")});
        return true;
    }
    bool readCell(std::int32_t rank, std::int32_t index)
    {
        const std::string &text = m_cells[at(rank)][at(index)];
        const Cell cell = parseCell(text);
        if (cell.problem) return fail(at2(rank, index), {std::string(cell.problem), text.substr(0, 40)});
        auto &order = m_schedule.order[at(rank)];
        for (const Named &op : cell.operations) {
            m_list.push_back({op, rank, index, static_cast<std::int32_t>(order.size())});
            order.push_back({op.kind, 0, op.microBatch, false});
        }
        if (cell.operations.size() == 2) order[order.size() - 2].joinsNext = true;
        return true;
    }

    /// By part and micro-batch, forward first, then in the order of the file.
    bool sortByOperation()
    {
        const auto key = [](const Listed &l) {
            return std::tuple(l.op.part, l.op.microBatch, l.op.kind, l.rank, l.index);
        };
        std::sort(m_list.begin(), m_list.end(), [&](const Listed &a, const Listed &b) { return key(a) < key(b); });
        for (std::size_t i = 1; i < m_list.size(); ++i) {
            const Named &a = m_list[i - 1].op, &b = m_list[i].op;
            if (a.part != b.part || a.microBatch != b.microBatch || a.kind != b.kind) continue;
            return fail(placeOf(m_list[i]), {std::string("duplicate"), textOf(b), std::int64_t{m_list[i - 1].rank},
                                             std::int64_t{m_list[i - 1].cell}});
        }
        for (const Listed &listed : m_list)
            m_schedule.microBatches = std::max(m_schedule.microBatches, listed.op.microBatch + 1);
        return true;
    }

    /// Which rank runs which part; chunks in the order of the model.
    bool placeParts()
    {
        std::vector<std::vector<std::int32_t>> ranksOf; // [part]
        for (const Listed &listed : m_list) {
            const auto part = at(listed.op.part);
            if (part > ranksOf.size()) return missing({}, static_cast<std::int32_t>(ranksOf.size()), 0, OperationKind::Forward);
            if (part == ranksOf.size()) ranksOf.emplace_back();
            auto &ranks = ranksOf[part];
            if (std::find(ranks.begin(), ranks.end(), listed.rank) != ranks.end()) continue;
            ranks.push_back(listed.rank);
            if (ranks.size() > 2 || (ranks.size() == 2 && !mirrored(listed.op.part, ranks)))
                return fail(placeOf(listed), {std::string("two_ranks"), textOf(listed.op), std::int64_t{ranks.front()}});
        }
        const bool twice = std::any_of(ranksOf.begin(), ranksOf.end(), [](const auto &ranks) { return ranks.size() == 2; });
        if (twice) return placeBothWays(static_cast<std::int32_t>(ranksOf.size()));
        std::vector<std::int32_t> chunks(m_cells.size(), 0);
        m_map.places.reserve(ranksOf.size());
        for (const auto &ranks : ranksOf)
            m_map.places.push_back({ranks.front(), chunks[at(ranks.front())]++});
        for (std::size_t rank = 1; rank < chunks.size(); ++rank)
            if (chunks[rank] != chunks[0])
                return fail('/' + std::to_string(rank), {std::string("uneven"), std::string(), std::int64_t{chunks[rank]}, std::int64_t{chunks[0]}});
        m_schedule.chunks = chunks[0];
        nameFlow();
        for (const Listed &listed : m_list)
            m_schedule.order[at(listed.rank)][at(listed.index)].chunk = m_map.places[at(listed.op.part)].chunk;
        return true;
    }
    [[nodiscard]] bool mirrored(std::int32_t part, const std::vector<std::int32_t> &ranks) const
    {
        return m_schedule.stages % 2 == 0 && ranks[0] + ranks[1] == m_schedule.stages - 1 && (ranks[0] == part || ranks[1] == part);
    }
    /// DualPipe: rank g runs part g for the first half of the micro-batches, part p-1-g for the second.
    bool placeBothWays(std::int32_t parts)
    {
        m_schedule.flow = PipelineFlow::Bidirectional;
        m_schedule.chunks = 2;
        const std::int32_t half = m_schedule.microBatches / 2;
        if (parts < m_schedule.stages) return missing({}, parts, 0, OperationKind::Forward);
        for (const Listed &listed : m_list) {
            const std::int32_t chunk = listed.rank == listed.op.part ? 0 : 1;
            if (m_schedule.microBatches % 2 != 0 || (chunk == 0) != (listed.op.microBatch < half) || parts > m_schedule.stages ||
                (chunk == 1 && listed.rank != m_schedule.stages - 1 - listed.op.part))
                return fail(placeOf(listed), {std::string("two_ranks"), textOf(listed.op), std::int64_t{m_schedule.stages - 1 - listed.rank}});
            auto &operation = m_schedule.order[at(listed.rank)][at(listed.index)];
            operation.chunk = chunk;
            operation.microBatch = listed.op.microBatch - (chunk == 1 ? half : 0);
        }
        return true;
    }
    void nameFlow()
    {
        const std::int32_t p = m_schedule.stages;
        for (const PipelineFlow flow : {PipelineFlow::Loop, PipelineFlow::V}) {
            if (flow == PipelineFlow::V && m_schedule.chunks != 2) continue;
            bool same = true;
            for (std::size_t part = 0; part < m_map.places.size() && same; ++part)
                same = modelIndex(flow, p, m_map.places[part]) == static_cast<std::int32_t>(part);
            if (!same) continue;
            m_schedule.flow = flow;
            return;
        }
        m_schedule.flow = PipelineFlow::Mapped;
        m_map.parts.resize(m_map.places.size());
        for (std::size_t part = 0; part < m_map.places.size(); ++part)
            m_map.parts[at(m_map.places[part].stage * m_schedule.chunks + m_map.places[part].chunk)] = static_cast<std::int32_t>(part);
        addLinks();
        m_schedule.map = std::make_shared<const StageMap>(m_map);
    }
    void addLinks()
    {
        std::vector<std::pair<std::int32_t, std::int32_t>> links;
        for (std::size_t part = 1; part < m_map.places.size(); ++part) {
            const auto [low, high] = std::minmax(m_map.places[part - 1].stage, m_map.places[part].stage);
            const bool neighbours = high - low <= 1 || (low == 0 && high == m_schedule.stages - 1);
            if (!neighbours) links.emplace_back(low, high);
        }
        std::sort(links.begin(), links.end());
        links.erase(std::unique(links.begin(), links.end()), links.end());
        for (const auto &[low, high] : links)
            m_map.links.push_back({low, high});
    }

    bool missing(std::string pointer, std::int32_t part, std::int32_t microBatch, OperationKind kind)
    {
        return fail(std::move(pointer), {std::string("missing"), textOf({part, microBatch, kind})});
    }

    /// Every micro-batch of every part: F, and B or both I and W; B beside W is the older notation of I.
    bool completeParts()
    {
        std::size_t i = 0;
        std::int32_t expected = 0, part = 0;
        const auto rowOf = [&](std::size_t k) { return '/' + std::to_string(m_list[k].rank); };
        while (i < m_list.size()) {
            const Named op = m_list[i].op;
            if (op.part != part && expected < m_schedule.microBatches) return missing(rowOf(i - 1), part, expected, OperationKind::Forward);
            if (op.part != part) {
                part = op.part;
                expected = 0;
            }
            if (op.microBatch != expected) return missing(rowOf(i), part, expected, OperationKind::Forward);
            const std::size_t begin = i;
            while (i < m_list.size() && m_list[i].op.part == op.part && m_list[i].op.microBatch == op.microBatch)
                ++i;
            if (!completeMicroBatch(begin, i)) return false;
            ++expected;
        }
        if (expected < m_schedule.microBatches) return missing(rowOf(i - 1), part, expected, OperationKind::Forward);
        return true;
    }
    bool completeMicroBatch(std::size_t begin, std::size_t end)
    {
        std::array<std::size_t, 4> found{};
        found.fill(end);
        for (std::size_t i = begin; i < end; ++i)
            found[static_cast<std::size_t>(m_list[i].op.kind)] = i;
        const auto has = [&](OperationKind kind) { return found[static_cast<std::size_t>(kind)] < end; };
        const Listed &any = m_list[begin];
        const std::string row = '/' + std::to_string(any.rank);
        const auto lacks = [&](OperationKind kind) { return missing(row, any.op.part, any.op.microBatch, kind); };
        if (!has(OperationKind::Forward)) return lacks(OperationKind::Forward);
        if (has(OperationKind::Backward) && has(OperationKind::InputGradient)) {
            const Listed &second = m_list[found[static_cast<std::size_t>(OperationKind::InputGradient)]];
            const Listed &first = m_list[found[static_cast<std::size_t>(OperationKind::Backward)]];
            return fail(placeOf(second), {std::string("duplicate"), textOf(second.op), std::int64_t{first.rank}, std::int64_t{first.cell}});
        }
        if (has(OperationKind::Backward) && has(OperationKind::WeightGradient)) {
            const Listed &input = m_list[found[static_cast<std::size_t>(OperationKind::Backward)]];
            m_schedule.order[at(input.rank)][at(input.index)].kind = OperationKind::InputGradient;
        } else if (has(OperationKind::InputGradient) != has(OperationKind::WeightGradient)) {
            return lacks(has(OperationKind::InputGradient) ? OperationKind::WeightGradient : OperationKind::InputGradient);
        } else if (!has(OperationKind::Backward) && !has(OperationKind::InputGradient)) {
            return lacks(OperationKind::Backward);
        }
        // Forward, backward or input gradient, weight gradient: in this order, all on one rank.
        const std::size_t gradient = std::min(found[static_cast<std::size_t>(OperationKind::Backward)], found[static_cast<std::size_t>(OperationKind::InputGradient)]);
        return followsOn(found[0], gradient) && (!has(OperationKind::WeightGradient) || followsOn(gradient, found[3]));
    }
    bool followsOn(std::size_t first, std::size_t then)
    {
        const Listed &a = m_list[first], &b = m_list[then];
        if (a.rank != b.rank) return fail(placeOf(b), {std::string("two_ranks"), textOf(b.op), std::int64_t{a.rank}});
        if (b.index > a.index) return true;
        return fail(placeOf(b), {std::string("before_input"), textOf(b.op), textOf(a.op)});
    }

    /// Ranks that wait for each other; named by the first rank that cannot go on.
    bool executable()
    {
        const Dependencies dependencies = dependenciesOf(m_schedule);
        if (dependencies.executable()) return true;
        std::vector<std::int32_t> next(m_schedule.order.size(), 0);
        for (const OperationRef &ref : dependencies.order)
            next[at(ref.stage)] = ref.operation + 1;
        std::vector<std::vector<const Listed *>> listed(m_schedule.order.size());
        for (std::size_t rank = 0; rank < listed.size(); ++rank)
            listed[rank].resize(m_schedule.order[rank].size());
        for (const Listed &l : m_list)
            listed[at(l.rank)][at(l.index)] = &l;
        const auto pending = [&](const OperationRef &input) {
            return input.exists() && next[at(input.stage)] <= dependencies.completesWith[at(input.stage)][at(input.operation)];
        };
        for (std::size_t rank = 0; rank < next.size(); ++rank) {
            if (at(next[rank]) >= listed[rank].size()) continue;
            const std::size_t k = at(next[rank]);
            const OperationRef own = dependencies.upstream[rank][k], partner = dependencies.partnerUpstream[rank][k];
            const OperationRef input = pending(own) ? own : partner;
            const Listed &waiting = *listed[rank][k], &source = *listed[at(input.stage)][at(input.operation)];
            const Listed &standing = *listed[at(input.stage)][at(next[at(input.stage)])];
            return fail(placeOf(waiting), {std::string("deadlock"), textOf(waiting.op), textOf(source.op), std::int64_t{input.stage}, textOf(standing.op)});
        }
        return fail({}, {std::string("deadlock"), std::string(), std::string(), std::int64_t{0}, std::string()});
    }

    const ScheduleCells &m_cells;
    const std::string &m_pointer;
    PipelineSchedule m_schedule;
    StageMap m_map;
    std::vector<Listed> m_list;
    std::optional<Error> m_error;
};

} // namespace

ScheduleCell kindOfCell(std::string_view cell)
{
    if (trimmed(cell).empty()) return ScheduleCell::Empty;
    if (isCommunication(cell)) return ScheduleCell::Communication;
    return parseCell(cell).problem ? ScheduleCell::Unknown : ScheduleCell::Operations;
}

Result<PipelineSchedule> customSchedule(const ScheduleCells &cells, const std::string &pointer)
{
    return Builder(cells, pointer).build();
}

ScheduleCells cellsOf(const PipelineSchedule &schedule)
{
    const bool bothWays = schedule.flow == PipelineFlow::Bidirectional;
    ScheduleCells cells;
    for (std::int32_t stage = 0; stage < schedule.stages; ++stage) {
        std::vector<std::string> row;
        const auto text = [&](const ScheduledOperation &operation) {
            const std::int32_t part = schedule.map ? schedule.map->parts[at(stage * schedule.chunks + operation.chunk)]
                                                   : modelIndex(schedule.flow, schedule.stages, {stage, operation.chunk});
            const std::int32_t shift = bothWays && operation.chunk == 1 ? schedule.microBatches / 2 : 0;
            return textOf({part, operation.microBatch + shift, operation.kind});
        };
        const auto &order = schedule.order[at(stage)];
        for (std::size_t k = 0; k < order.size(); ++k) {
            const bool joined = order[k].joinsNext && k + 1 < order.size();
            if (joined) row.push_back('(' + text(order[k]) + ';' + text(order[k + 1]) + ')' + std::string(kOverlap));
            else row.push_back(text(order[k]));
            if (joined) ++k;
        }
        cells.push_back(std::move(row));
    }
    return cells;
}

} // namespace clusterbeat
