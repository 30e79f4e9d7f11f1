// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/charts/search_model.h"

#include "model/scenario/enum_names.h"
#include "views/text/format.h"
#include "views/text/knob_text.h"
#include "views/text/names.h"

#include <QCoreApplication>

#include <algorithm>

namespace clusterbeat {
namespace {

QString say(const char *source) { return QCoreApplication::translate("Search", source); }

QString recomputeOf(const LayoutChoice &choice)
{
    const std::string json = choice.recompute == RecomputeMode::Layers ? "{\"layers\":" + std::to_string(choice.recomputeLayers) + '}'
                                                                       : '"' + std::string(nameOf(kRecomputeNames, choice.recompute)) + '"';
    return knobValueText(KnobId::Recompute, json);
}

} // namespace

QString layoutChoiceText(const LayoutChoice &choice)
{
    const auto degree = [](const char *name, std::int64_t value) { return QString::fromUtf8(name) + QLatin1Char(' ') + QString::number(value); };
    QStringList parts{degree("TP", choice.tensor), degree("PP", choice.pipeline)};
    if (choice.virtualPipeline > 1) parts.last() += QStringLiteral(" × ") + QString::number(choice.virtualPipeline);
    if (choice.context > 1) parts << degree("CP", choice.context);
    if (choice.expert > 1) parts << degree("EP", choice.expert);
    if (choice.expertTensor > 1) parts << degree("ETP", choice.expertTensor);
    parts << degree("DP", choice.data) << degree("ZeRO", choice.zeroStage);
    if (choice.shardGroup > 0) parts.last() += QLatin1Char('/') + QString::number(choice.shardGroup);
    parts << fillText(say(QT_TRANSLATE_NOOP("Search", "micro-batch %1")), {QString::number(choice.microBatch)});
    return parts.join(QStringLiteral(" · "));
}

QString lossText(const LossReason &reason)
{
    switch (reason.kind) {
    case LossReason::Kind::Best: return say(QT_TRANSLATE_NOOP("Search", "the fastest"));
    case LossReason::Kind::Ties: return say(QT_TRANSLATE_NOOP("Search", "as fast as the first"));
    case LossReason::Kind::Slower:
        return fillText(say(QT_TRANSLATE_NOOP("Search", "%1 %2")), {categoryName(reason.category), secondsText(reason.seconds, QLocale(), Sign::Always, 3)});
    case LossReason::Kind::DoesNotFit:
        return fillText(say(QT_TRANSLATE_NOOP("Search", "lacks %1 of memory")), {bytesText(static_cast<double>(reason.bytes))});
    }
    return {};
}

void SearchModel::setResult(std::shared_ptr<const SearchResult> result)
{
    beginResetModel();
    m_result = std::move(result);
    m_rows.clear();
    if (m_result)
        for (const auto *list : {&m_result->ranked, &m_result->pareto, &m_result->tooLarge})
            for (const FoundLayout &found : *list) {
                const bool known = std::any_of(m_rows.begin(), m_rows.end(), [&](const FoundLayout *row) { return row->choice == found.choice; });
                if (!known) m_rows.push_back(&found);
            }
    endResetModel();
}

const FoundLayout *SearchModel::layoutAt(int row) const
{
    return row >= 0 && row < static_cast<int>(m_rows.size()) ? m_rows[static_cast<std::size_t>(row)] : nullptr;
}

int SearchModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }
int SearchModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString SearchModel::text(const FoundLayout &found, int column) const
{
    switch (column) {
    case Iteration: return secondsText(toSeconds(found.detail.iteration), QLocale(), Sign::Natural, 3);
    case Mfu: return percentText(found.detail.mfu, QLocale(), 1);
    case Memory: return bytesText(static_cast<double>(found.detail.memory.total()));
    case Gpus: return integerText(found.detail.gpus);
    case Layout: return layoutChoiceText(found.choice);
    case Schedule: return scheduleName(found.choice.schedule);
    case RecomputeColumn: return recomputeOf(found.choice);
    case Loses: return lossText(found.reason);
    default: return {};
    }
}

QVariant SearchModel::data(const QModelIndex &index, int role) const
{
    const FoundLayout *found = layoutAt(index.row());
    if (!found) return {};
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole) return text(*found, index.column());
    if (role == Qt::TextAlignmentRole) return QVariant(index.column() <= Gpus ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    return {};
}

QVariant SearchModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole) return {};
    if (orientation == Qt::Vertical) return section + 1;
    switch (section) {
    case Iteration: return say(QT_TRANSLATE_NOOP("Search", "Iteration"));
    case Mfu: return QStringLiteral("MFU");
    case Memory: return say(QT_TRANSLATE_NOOP("Search", "Memory"));
    case Gpus: return knobName(KnobId::Gpus);
    case Layout: return knobSectionName(KnobSection::Layout);
    case Schedule: return knobName(KnobId::Schedule);
    case RecomputeColumn: return knobName(KnobId::Recompute);
    case Loses: return say(QT_TRANSLATE_NOOP("Search", "Why not first"));
    default: return {};
    }
}

} // namespace clusterbeat
