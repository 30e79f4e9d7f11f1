// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/charts/validation_model.h"

#include "views/text/error_text.h"
#include "views/text/format.h"
#include "views/text/validation_text.h"

#include <QFont>

#include <algorithm>
#include <cmath>
#include <limits>

namespace clusterbeat {
namespace {

QString secondsOf(const std::optional<double> &seconds)
{
    return seconds ? fixedText(*seconds, 3) : QStringLiteral("–");
}
QString errorOf(const std::optional<double> &error)
{
    return error ? fixedText(*error * 100.0, 1, {}, Sign::Always) + QStringLiteral("\u00a0%") : QStringLiteral("–");
}
// Rows without the figure stand at the end of an ascending order.
double sortable(const std::optional<double> &value) { return value.value_or(std::numeric_limits<double>::max()); }

} // namespace

ValidationModel::ValidationModel(ViewState *state, QObject *parent) : QAbstractTableModel(parent), m_state(state) {}

void ValidationModel::clear()
{
    beginResetModel();
    m_rows.clear();
    endResetModel();
}

void ValidationModel::append(std::vector<ValidatedRow> rows)
{
    if (rows.empty()) return;
    const int first = static_cast<int>(m_rows.size());
    beginInsertRows({}, first, first + static_cast<int>(rows.size()) - 1);
    for (ValidatedRow &row : rows) m_rows.push_back(std::move(row));
    endInsertRows();
}

void ValidationModel::retranslate()
{
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (!m_rows.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int ValidationModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }
int ValidationModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString ValidationModel::textOf(const ValidatedRow &row, int column) const
{
    switch (column) {
    case Model: return QString::fromStdString(row.model.empty() ? row.id : row.model);
    case Accelerator: return QString::fromStdString(row.accelerator);
    case Gpus: return row.gpus > 0 ? integerText(row.gpus) : QStringLiteral("–");
    case Tier: return QString::fromStdString(row.tier);
    case Kind: return row.moe ? tr("experts") : tr("dense");
    case Measured: return secondsOf(row.measuredS);
    case Predicted: return secondsOf(row.predictedS);
    case Error: return errorOf(row.timeError);
    case Reason: return row.refused ? errorText(*row.refused) : reasonNames(row.reasons);
    case Source: return QString::fromStdString(row.source);
    default: return {};
    }
}

QVariant ValidationModel::sortKeyOf(const ValidatedRow &row, int column) const
{
    switch (column) {
    case Gpus: return static_cast<qlonglong>(row.gpus);
    case Measured: return sortable(row.measuredS);
    case Predicted: return sortable(row.predictedS);
    // The size of the error: the worst rows are what one sorts for.
    case Error: return row.timeError ? std::abs(*row.timeError) : -1.0;
    default: return textOf(row, column);
    }
}

QVariant ValidationModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const ValidatedRow &row = rowAt(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return textOf(row, column);
    case kSortRole: return sortKeyOf(row, column);
    case Qt::ToolTipRole:
        if (column == Reason) return row.refused ? errorText(*row.refused) : reasonsText(row.reasons);
        return column == Source || column == Model ? QVariant(textOf(row, column)) : QVariant();
    case Qt::TextAlignmentRole:
        if (column == Gpus || column == Measured || column == Predicted || column == Error)
            return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        return QVariant::fromValue(Qt::Alignment((column == Tier ? Qt::AlignHCenter : Qt::AlignLeft) | Qt::AlignVCenter));
    case Qt::ForegroundRole:
        if (column == Error && !row.inRange()) return m_state->theme().worse;
        if (column == Source || column == Kind || column == Tier) return m_state->theme().text2;
        return {};
    case Qt::FontRole:
        if (column == Error && !row.inRange()) {
            QFont strong = m_state->theme().font(Theme::Type::Control);
            strong.setWeight(QFont::DemiBold);
            return strong;
        }
        return {};
    default: return {};
    }
}

QVariant ValidationModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) {
        const bool figure = section == Gpus || section == Measured || section == Predicted || section == Error;
        return QVariant::fromValue(Qt::Alignment((figure ? Qt::AlignRight : section == Tier ? Qt::AlignHCenter : Qt::AlignLeft) | Qt::AlignVCenter));
    }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Model: return tr("Model");
    case Accelerator: return tr("Accelerator");
    case Gpus: return tr("GPUs");
    case Tier: return tr("Tier");
    case Kind: return tr("Kind");
    case Measured: return tr("Measured, s");
    case Predicted: return tr("Predicted, s");
    case Error: return tr("Error");
    case Reason: return tr("Why out of range");
    case Source: return tr("Source");
    default: return {};
    }
}

ValidationFilter::ValidationFilter(ValidationModel *model, QObject *parent) : QSortFilterProxyModel(parent), m_model(model)
{
    setSourceModel(model);
    setSortRole(ValidationModel::kSortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
}

void ValidationFilter::setConditions(const Conditions &conditions)
{
    if (conditions == m_conditions) return;
    m_conditions = conditions;
    invalidateFilter();
}

bool ValidationFilter::filterAcceptsRow(int sourceRow, const QModelIndex &) const
{
    const ValidatedRow &row = m_model->rowAt(sourceRow);
    const auto differs = [](const QString &wanted, const std::string &found) {
        return !wanted.isEmpty() && wanted != QString::fromStdString(found);
    };
    if (differs(m_conditions.tier, row.tier) || differs(m_conditions.accelerator, row.accelerator) ||
        differs(m_conditions.source, row.source))
        return false;
    if (m_conditions.moe && *m_conditions.moe != row.moe) return false;
    if (m_conditions.outOfRangeOnly && row.inRange()) return false;
    if (m_conditions.text.isEmpty()) return true;
    const QString all = QString::fromStdString(row.model + ' ' + row.source + ' ' + row.accelerator + ' ' + row.id);
    const QStringList words = m_conditions.text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::all_of(words.begin(), words.end(), [&](const QString &word) { return all.contains(word, Qt::CaseInsensitive); });
}

std::vector<ValidatedRow> ValidationFilter::shownRows() const
{
    std::vector<ValidatedRow> rows;
    for (int i = 0; i < rowCount(); ++i) rows.push_back(m_model->rowAt(mapToSource(index(i, 0)).row()));
    return rows;
}

} // namespace clusterbeat
