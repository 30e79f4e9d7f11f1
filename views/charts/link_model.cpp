// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/charts/link_model.h"

#include "views/text/communication_text.h"
#include "views/text/format.h"
#include "views/text/names.h"

#include <QCoreApplication>

#include <algorithm>

namespace clusterbeat {
namespace {

/// A link's name in the report: kind, " of " and a path or two paths around " to ", direction.
struct NameParts {
    QString first, second, direction;
};
NameParts partsOf(const LinkReport::Link &link)
{
    QString name = QString::fromStdString(link.name);
    NameParts parts;
    parts.direction = name.section(QLatin1Char(' '), -1);
    name = name.section(QLatin1Char(' '), 0, -2).section(QLatin1Char(' '), 1);
    if (name.startsWith(QLatin1String("of "))) name = name.mid(3);
    const qsizetype to = name.indexOf(QLatin1String(" to "));
    parts.first = to < 0 ? name : name.left(to);
    if (to >= 0) parts.second = name.mid(to + 4);
    return parts;
}

} // namespace

QString linkPlaceText(const LinkReport::Link &link)
{
    const NameParts parts = partsOf(link);
    const QString kind = linkKindName(link.kind);
    if (parts.second.isEmpty()) return fillText(QCoreApplication::translate("Links", "%1 of %2", "kind of link, GPU"), {kind, memberPathText(parts.first)});
    return fillText(QCoreApplication::translate("Links", "%1: %2 – %3", "kind of link, its two ends"), {kind, memberPathText(parts.first), memberPathText(parts.second)});
}

QString linkDirectionText(const LinkReport::Link &link)
{
    const QString direction = partsOf(link).direction;
    if (direction == QLatin1String("out")) return QCoreApplication::translate("Links", "out", "direction of a link");
    if (direction == QLatin1String("in")) return QCoreApplication::translate("Links", "in", "direction of a link");
    if (direction == QLatin1String("up")) return QCoreApplication::translate("Links", "up", "direction of a link");
    return QCoreApplication::translate("Links", "down", "direction of a link");
}

QStringList linkKindTexts(const LinkReport &report)
{
    QStringList texts;
    for (const LinkReport::Kind &kind : report.kinds)
        texts << fillText(QCoreApplication::translate("Links", "%1 %2, peak %3", "kind of link, mean load, fullest moment"),
                          {linkKindName(kind.kind), percentText(kind.usage.mean), percentText(kind.usage.peak)});
    return texts;
}

void LinkModel::setReport(std::shared_ptr<const LinkReport> report, TimeNs iteration)
{
    beginResetModel();
    m_report = std::move(report);
    m_iteration = iteration;
    endResetModel();
}

void LinkModel::retranslate()
{
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

const LinkReport::Link *LinkModel::linkAt(int row) const
{
    return row >= 0 && row < rowCount() ? &m_report->busiest[static_cast<std::size_t>(row)] : nullptr;
}

TimeNs LinkModel::fullestAt(int row) const
{
    const LinkReport::Link *link = linkAt(row);
    if (!link || link->usage.overTime.empty()) return 0;
    const auto &bins = link->usage.overTime;
    const auto bin = std::max_element(bins.begin(), bins.end()) - bins.begin();
    return static_cast<TimeNs>(static_cast<double>(m_iteration) * static_cast<double>(bin) / static_cast<double>(bins.size()));
}

int LinkModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_report ? 0 : static_cast<int>(m_report->busiest.size());
}
int LinkModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString LinkModel::text(int row, int column) const
{
    const LinkReport::Link &link = *linkAt(row);
    switch (column) {
    case Place: return linkPlaceText(link);
    case Direction: return linkDirectionText(link);
    case Load: return percentText(link.usage.mean);
    case Peak: return percentText(link.usage.peak);
    case At: return durationText(fullestAt(row));
    case Bytes: return bytesText(link.usage.bytes);
    case Carries: {
        QStringList parts;
        for (std::size_t d = 0; d < kDimensions; ++d)
            if (link.usage.byDimension[d] > 0.0) parts << dimensionAbbreviation(static_cast<Dimension>(d));
        return parts.join(QStringLiteral(", "));
    }
    case Alike: return integerText(link.alike);
    default: return {};
    }
}

QVariant LinkModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || !linkAt(index.row())) return {};
    const int column = index.column();
    if (role == Qt::DisplayRole) return text(index.row(), column);
    if (role == Qt::ToolTipRole && column == Place) return text(index.row(), column);
    if (role == Qt::TextAlignmentRole) {
        const bool figure = column == Load || column == Peak || column == At || column == Bytes || column == Alike;
        return QVariant::fromValue(Qt::Alignment((figure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    }
    return {};
}

QVariant LinkModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return role == Qt::DisplayRole ? QVariant(integerText(section + 1)) : QVariant();
    if (role == Qt::ToolTipRole) {
        if (section == Load) return tr("Mean over the iteration, of what the link can carry");
        if (section == Peak) return tr("In its fullest 64th of the iteration");
        if (section == Alike) return tr("Links that carry as much");
        return {};
    }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Place: return tr("Link");
    case Direction: return tr("Direction");
    case Load: return tr("Load");
    case Peak: return tr("Peak");
    case At: return tr("Peak at");
    case Bytes: return tr("Carries");
    case Carries: return tr("Of");
    case Alike: return tr("Alike");
    default: return {};
    }
}

} // namespace clusterbeat
