// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/units.h"
#include "model/iteration/link_report.h"

#include <QAbstractTableModel>

#include <memory>

namespace clusterbeat {

/// The busiest links of an iteration, fullest first, one of those that carry the same.
class LinkModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Place, Direction, Load, Peak, At, Bytes, Carries, Alike, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void setReport(std::shared_ptr<const LinkReport> report, TimeNs iteration);
    void retranslate();
    [[nodiscard]] const LinkReport::Link *linkAt(int row) const;
    /// When the link's fullest part of the iteration begins.
    [[nodiscard]] TimeNs fullestAt(int row) const;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString text(int row, int column) const;

    std::shared_ptr<const LinkReport> m_report;
    TimeNs m_iteration = 0;
};

/// "NVLink of pod 0 / rack 0 / server 1 / GPU 5", "leaf to spine: pod 0 / leaf 3 → pod 0 / spine 2".
[[nodiscard]] QString linkPlaceText(const LinkReport::Link &link);
/// "out", "in", "up", "down".
[[nodiscard]] QString linkDirectionText(const LinkReport::Link &link);
/// "NVLink 13 %, peak 18 %", one for each kind, from the GPU outwards.
[[nodiscard]] QStringList linkKindTexts(const LinkReport &report);

} // namespace clusterbeat
