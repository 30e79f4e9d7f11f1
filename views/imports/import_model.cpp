// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/imports/import_model.h"

#include "model/scenario/json_value.h"
#include "views/text/import_text.h"

#include <QCoreApplication>

#include <utility>

namespace clusterbeat {
namespace {

/// As `--set` takes it: JSON, or a bare word as a string.
QString jsonOf(const QString &text)
{
    const std::string written = text.trimmed().toStdString();
    if (parseJson(written).ok()) return QString::fromStdString(written);
    return QString::fromStdString(writeJson(JsonValue::ofString(written))).trimmed();
}

bool canChange(const ImportRow &row)
{
    return row.pointer.starts_with("/") && (row.origin == ImportOrigin::Read || row.origin == ImportOrigin::Assumed);
}

} // namespace

QString importOriginText(ImportOrigin origin)
{
    switch (origin) {
    case ImportOrigin::Read: return QCoreApplication::translate("Import", "read");
    case ImportOrigin::Assumed: return QCoreApplication::translate("Import", "assumed");
    case ImportOrigin::NotSimulated: return QCoreApplication::translate("Import", "not simulated");
    case ImportOrigin::NotUnderstood: return QCoreApplication::translate("Import", "not understood");
    case ImportOrigin::NoEffect: return QCoreApplication::translate("Import", "no effect");
    }
    return {};
}

ImportModel::ImportModel(ImportReport report, const Scenario &imported, QObject *parent) : QAbstractTableModel(parent), m_report(std::move(report))
{
    for (const std::string &value : scenarioValues(m_report, imported)) m_atImport.append(QString::fromStdString(value));
    setScenario(imported);
}

void ImportModel::setScenario(const Scenario &scenario)
{
    const std::vector<std::string> values = scenarioValues(m_report, scenario);
    m_values.clear();
    for (std::size_t i = 0; i < m_report.size(); ++i) {
        const auto at = static_cast<qsizetype>(i);
        const bool asImported = values[i].empty() && m_atImport[at].isEmpty();
        if (asImported) m_values.append(QString::fromStdString(m_report[i].value));
        else m_values.append(values[i].empty() ? QCoreApplication::translate("Import", "default") : QString::fromStdString(values[i]));
    }
    if (!m_report.empty()) Q_EMIT dataChanged(index(0, Value), index(rowCount() - 1, Value));
}

int ImportModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_report.size()); }

int ImportModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(ColumnCount); }

QVariant ImportModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const ImportRow &row = m_report[static_cast<std::size_t>(index.row())];
    if (role == OriginRole) return static_cast<int>(row.origin);
    if (role == Qt::ToolTipRole && index.column() == Value && canChange(row))
        return QCoreApplication::translate("Import", "F2 or a double click changes it; one undo step");
    if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
    switch (index.column()) {
    case What: return row.pointer.empty() ? QString::fromStdString(row.key) : QString::fromStdString(row.pointer.substr(1)).replace(QLatin1Char('/'), QStringLiteral(" › "));
    case Value: return m_values[index.row()];
    case Origin: return importOriginText(row.origin);
    case Key:
        if (row.key.empty()) return {};
        return row.line > 0 ? QCoreApplication::translate("Import", "%1, line %2").arg(QString::fromStdString(row.key)).arg(row.line) : QString::fromStdString(row.key);
    case Reason: return importWords(QString::fromStdString(row.reason));
    default: return {};
    }
}

QVariant ImportModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case What: return QCoreApplication::translate("Import", "What");
    case Value: return QCoreApplication::translate("Import", "Value");
    case Origin: return QCoreApplication::translate("Import", "Origin");
    case Key: return QCoreApplication::translate("Import", "In the file");
    case Reason: return QCoreApplication::translate("Import", "Why");
    default: return {};
    }
}

Qt::ItemFlags ImportModel::flags(const QModelIndex &index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && index.column() == Value && canChange(m_report[static_cast<std::size_t>(index.row())])) flags |= Qt::ItemIsEditable;
    return flags;
}

bool ImportModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable) || value.toString() == data(index, role).toString()) return false;
    const ImportRow &row = m_report[static_cast<std::size_t>(index.row())];
    Q_EMIT editRequested({QString::fromStdString(row.pointer), jsonOf(value.toString()),
                          QCoreApplication::translate("Import", "Change %1").arg(data(index.siblingAtColumn(What), Qt::DisplayRole).toString())});
    return true;
}

ImportFilter::ImportFilter(QObject *parent) : QSortFilterProxyModel(parent)
{
    setFilterCaseSensitivity(Qt::CaseInsensitive);
    setFilterKeyColumn(-1);
}

void ImportFilter::setOrigin(int origin)
{
    m_origin = origin;
    invalidateFilter();
}

bool ImportFilter::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    const bool ofOrigin = m_origin < 0 || index.data(ImportModel::OriginRole).toInt() == m_origin;
    return ofOrigin && QSortFilterProxyModel::filterAcceptsRow(row, parent);
}

} // namespace clusterbeat
