// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/search/search_layouts.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace clusterbeat {

/// The layouts that a search has found: those that fit, fastest first, then the others of the front of time and memory,
/// then those that would be faster and do not fit. Each once.
class SearchModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Iteration, Mfu, Memory, Gpus, Loses, Layout, Schedule, RecomputeColumn, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void setResult(std::shared_ptr<const SearchResult> result);
    [[nodiscard]] const FoundLayout *layoutAt(int row) const;
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString text(const FoundLayout &found, int column) const;

    std::shared_ptr<const SearchResult> m_result;
    std::vector<const FoundLayout *> m_rows;
};

/// "TP 8 · PP 16 × 8 · DP 128 · ZeRO 1 · micro-batch 1"
[[nodiscard]] QString layoutChoiceText(const LayoutChoice &choice);
[[nodiscard]] QString lossText(const LossReason &reason);

} // namespace clusterbeat
