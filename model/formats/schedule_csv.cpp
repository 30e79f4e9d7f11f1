// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/schedule_csv.h"

#include "model/scenario/scenario_json.h"

#include <algorithm>
#include <memory>

namespace clusterbeat
{
namespace
{

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Walks the cells of a text without quotes inside cells: none of the notation needs them.
class CellReader
{
public:
    explicit CellReader(std::string_view text) : m_rest(text)
    {
        if (m_rest.starts_with(kByteOrderMark)) m_rest.remove_prefix(kByteOrderMark.size());
    }
    /// The next cell of this line; false at the line's end.
    bool nextCell(std::string_view &cell)
    {
        if (m_lineDone) return false;
        const std::size_t end = std::min(m_rest.find_first_of(",\n"), m_rest.size());
        cell = m_rest.substr(0, end);
        m_column = m_next;
        m_next += static_cast<int>(end) + 1;
        m_lineDone = end == m_rest.size() || m_rest[end] == '\n';
        m_atEnd = end == m_rest.size();
        m_rest.remove_prefix(std::min(end + 1, m_rest.size()));
        while (!cell.empty() && cell.front() == ' ') cell.remove_prefix(1);
        while (!cell.empty() && (cell.back() == '\r' || cell.back() == ' ')) cell.remove_suffix(1);
        if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
        return true;
    }
    /// Goes to the next line; false at the end of the text.
    bool nextLine()
    {
        if (m_atEnd || m_rest.empty()) return false;
        m_lineDone = false;
        m_next = 1;
        ++m_line;
        return true;
    }
    [[nodiscard]] int line() const { return m_line; }
    [[nodiscard]] int column() const { return m_column; }

private:
    std::string_view m_rest;
    bool m_lineDone = true, m_atEnd = false;
    int m_line = 0, m_column = 1, m_next = 1;
};

} // namespace

Result<ScheduleCells> readScheduleCsv(std::string_view text, const std::string &fileName)
{
    const auto size = static_cast<std::int64_t>(text.size());
    const Place file{fileName, {}, 0, 0};
    if (text.empty()) return Error{ErrorCode::FileEmpty, file, {fileName}};
    if (size > kMaxScenarioBytes) return Error{ErrorCode::FileTooLarge, file, {fileName, size, kMaxScenarioBytes}};
    if (text.find('\0') != std::string_view::npos) return Error{ErrorCode::UnknownFormat, file, {fileName}};
    ScheduleCells rows;
    CellReader reader(text);
    while (reader.nextLine()) {
        auto &row = rows.emplace_back();
        std::string_view cell;
        while (reader.nextCell(cell)) {
            const ScheduleCell kind = kindOfCell(cell);
            if (kind == ScheduleCell::Unknown)
                return Error{ErrorCode::BadSchedule, Place{fileName, {}, reader.line(), reader.column()},
                             {std::string("syntax"), std::string(cell.substr(0, 40))}};
            if (kind == ScheduleCell::Operations) row.emplace_back(cell);
        }
    }
    while (!rows.empty() && rows.back().empty())
        rows.pop_back();
    if (rows.empty()) return Error{ErrorCode::FileEmpty, file, {fileName}};
    return rows;
}

bool looksLikeScheduleCsv(std::string_view text)
{
    CellReader reader(text);
    std::string_view cell;
    while (reader.nextLine())
        while (reader.nextCell(cell))
            if (const ScheduleCell kind = kindOfCell(cell); kind != ScheduleCell::Empty) return kind != ScheduleCell::Unknown;
    return false;
}

std::string writeScheduleCsv(const PipelineSchedule &schedule)
{
    std::string text;
    for (const auto &row : cellsOf(schedule)) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0) text += ',';
            text += row[i];
        }
        text += '\n';
    }
    return text;
}

Scenario withSchedule(const Scenario &scenario, ScheduleCells cells)
{
    auto layout = std::make_shared<LayoutSection>(*scenario.layout);
    layout->schedule = ScheduleKind::Custom;
    layout->pipeline = static_cast<std::int64_t>(cells.size());
    layout->virtualPipeline.reset();
    layout->activationLimit.reset();
    layout->microBatchGroup.reset();
    layout->scheduleOrders = std::move(cells);
    const auto schedule = customSchedule(layout->scheduleOrders, "/layout/schedule_orders");
    if (schedule.ok()) {
        const bool bothWays = schedule.value().flow == PipelineFlow::Bidirectional;
        const auto parts = static_cast<std::size_t>(schedule.value().stages) * static_cast<std::size_t>(bothWays ? 1 : schedule.value().chunks);
        if (layout->layersPerStage.size() != parts) layout->layersPerStage.clear();
    }
    Scenario result = scenario;
    result.layout = std::move(layout);
    return result;
}

} // namespace clusterbeat
