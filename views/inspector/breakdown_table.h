// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/trace.h"
#include "model/workload/memory.h"
#include "views/shared/view_state.h"

#include <QWidget>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace clusterbeat {

/// One row: milliseconds now and the change; both columns add up to the sum row as printed.
struct BreakdownRow {
    std::int32_t category = -1;          ///< -1 = the sum
    std::int64_t milliseconds = 0;
    std::int64_t change = 0;
    friend bool operator==(const BreakdownRow &, const BreakdownRow &) = default;
};
/// Rows of categories that are there now or were there, in the order of the pulse; the sum last. Rounded by largest
/// remainder, so that each column adds up; a category that did not change shows no change. Pure.
[[nodiscard]] std::vector<BreakdownRow> breakdownRows(const std::array<double, kCategoryCount> &nowS,
                                                      const std::optional<std::array<double, kCategoryCount>> &beforeS);

/// Bar and rows: swatch, name, seconds, change.
class BreakdownTable final : public QWidget {
    Q_OBJECT
public:
    explicit BreakdownTable(ViewState *state, QWidget *parent = nullptr);
    void setBreakdown(const std::array<double, kCategoryCount> &nowS, const std::optional<std::array<double, kCategoryCount>> &beforeS);
    void retranslate();
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    [[nodiscard]] int rowHeight() const;
    [[nodiscard]] int barHeight() const;
    void paintBar(QPainter &painter) const;

    ViewState *m_state;
    std::vector<BreakdownRow> m_rows;
    bool m_compared = false;
};

/// The fill of a part of memory (0 parameters … 4 buffers): a neutral ramp, for the category hues mean time.
[[nodiscard]] QColor memoryShade(const Theme &theme, std::size_t part);

/// Memory of a stage as one neutral bar against the capacity, its parts below.
class MemoryBar final : public QWidget {
    Q_OBJECT
public:
    explicit MemoryBar(ViewState *state, QWidget *parent = nullptr);
    void setMemory(const MemoryParts &parts, Bytes capacity);
    void retranslate();
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Part {
        QString name;
        Bytes bytes;
    };
    [[nodiscard]] std::array<Part, 5> parts() const;
    [[nodiscard]] int rowHeight() const;

    ViewState *m_state;
    MemoryParts m_parts;
    Bytes m_capacity = 0;
};

} // namespace clusterbeat
