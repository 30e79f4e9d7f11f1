// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/communication_table.h"

#include "views/beat/breakdown.h"
#include "views/text/communication_text.h"
#include "views/text/format.h"
#include "views/text/names.h"

#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace clusterbeat {
namespace {

constexpr double kQuantum = 0.001;
constexpr std::array kOrder{Dimension::Tensor, Dimension::Context, Dimension::Expert, Dimension::Pipeline, Dimension::Data};

/// Rounded so that hidden, exposed and idle sum to busy as printed, and start-up and transfer too.
std::vector<std::int64_t> rounded(const CommunicationTimes &times)
{
    const std::array parts{times.hiddenS, times.exposedS, times.idleS};
    const std::vector<std::int64_t> units = largestRemainder(parts, kQuantum);
    const std::int64_t busy = units[0] + units[1] + units[2];
    const auto startup = std::min(busy, static_cast<std::int64_t>(times.startupS / kQuantum + 0.5));
    return {busy, units[0], units[1], units[2], startup, busy - startup, static_cast<std::int64_t>(times.peerWaitS / kQuantum + 0.5)};
}

} // namespace

void CommunicationModel::setTimes(std::shared_ptr<const IterationResult> result, const DimensionTimes &times)
{
    beginResetModel();
    m_result = std::move(result);
    m_dimensions.clear();
    m_milliseconds.clear();
    std::vector<std::int64_t> sum(Algorithm, 0);
    for (const Dimension dimension : kOrder) {
        const CommunicationTimes &each = times[static_cast<std::size_t>(dimension)];
        if (!(each.busyS > 0.0)) continue;
        m_dimensions.push_back(dimension);
        m_milliseconds.push_back(rounded(each));
        for (std::size_t row = 0; row < sum.size(); ++row) sum[row] += m_milliseconds.back()[row];
    }
    m_milliseconds.push_back(std::move(sum));
    endResetModel();
}

void CommunicationModel::retranslate()
{
    beginResetModel();
    endResetModel();
}

int CommunicationModel::rowCount(const QModelIndex &parent) const { return parent.isValid() || m_dimensions.empty() ? 0 : RowCount; }
int CommunicationModel::columnCount(const QModelIndex &parent) const { return parent.isValid() || m_dimensions.empty() ? 0 : static_cast<int>(m_dimensions.size()) + 1; }

const DimensionReport *CommunicationModel::reportOf(int column) const
{
    if (!m_result || column >= static_cast<int>(m_dimensions.size())) return nullptr;
    const auto found = std::find_if(m_result->communication.begin(), m_result->communication.end(), [&](const DimensionReport &report) {
        return report.dimension == m_dimensions[static_cast<std::size_t>(column)];
    });
    return found == m_result->communication.end() ? nullptr : &*found;
}

QString CommunicationModel::wayOf(int column, Row row, bool whole) const
{
    const DimensionReport *report = reportOf(column);
    if (!report) return {};
    if (row == Link) return report->bottleneck.empty() ? QString() : linkKindName(report->bottleneck);
    return whole ? wayText(report->dimension, *m_result) : algorithmName(report->algorithm);
}

QString CommunicationModel::figure(int column, Row row) const
{
    return fixedText(static_cast<double>(m_milliseconds[static_cast<std::size_t>(column)][static_cast<std::size_t>(row)]) / 1000.0, 3);
}

QVariant CommunicationModel::data(const QModelIndex &index, int role) const
{
    const auto row = static_cast<Row>(index.row());
    const bool way = row == Algorithm || row == Link;
    if (role == Qt::DisplayRole) return way ? wayOf(index.column(), row, false) : figure(index.column(), row);
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role == Qt::ToolTipRole) return way ? wayOf(index.column(), row, true) : headerData(index.row(), Qt::Vertical, Qt::ToolTipRole);
    if (role == Qt::AccessibleTextRole)
        return fillText(tr("%1, %2: %3"), {headerData(index.column(), Qt::Horizontal, Qt::ToolTipRole).toString(),
                                           headerData(index.row(), Qt::Vertical, Qt::DisplayRole).toString(), data(index, Qt::DisplayRole).toString()});
    return {};
}

QVariant CommunicationModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal) {
        const bool all = section >= static_cast<int>(m_dimensions.size());
        if (role == Qt::DisplayRole) return all ? tr("All", "dimensions") : dimensionAbbreviation(m_dimensions[static_cast<std::size_t>(section)]);
        if (role == Qt::ToolTipRole) return all ? tr("All dimensions; they may communicate at the same time") : dimensionName(m_dimensions[static_cast<std::size_t>(section)]);
        if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
        return {};
    }
    if (role == Qt::ToolTipRole) switch (section) {
        case Busy: return tr("Seconds that its wires carry data: hidden + exposed + beside waits, or start-up + transfer");
        case Hidden: return tr("The GPU computes meanwhile: this time costs nothing");
        case Exposed: return tr("The GPU waits for it: this time is part of the iteration");
        case Idle: return tr("The GPU waits for something else meanwhile, so it costs nothing more");
        case Startup: return tr("Fixed cost of the steps, whatever the bytes");
        case Transfer: return tr("Bytes over bandwidth");
        case PeerWait: return tr("Waiting until the last peer has come, before the data flow; not part of busy");
        case Algorithm: return tr("How the collectives run");
        case Link: return tr("The kind of link that limits it");
        default: return {};
        }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Busy: return tr("Busy");
    case Hidden: return tr("Hidden");
    case Exposed: return tr("Exposed");
    case Idle: return tr("Beside waits");
    case Startup: return tr("Start-up");
    case Transfer: return tr("Transfer");
    case PeerWait: return tr("Peer wait");
    case Algorithm: return tr("Algorithm");
    case Link: return tr("Slowest link");
    default: return {};
    }
}

CommunicationTable::CommunicationTable(ViewState *state, QWidget *parent)
    : QWidget(parent), m_state(state), m_model(new CommunicationModel(this)), m_table(new QTableView(this))
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_table);
    m_table->setModel(m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setTextElideMode(Qt::ElideRight);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setCornerButtonEnabled(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setMinimumSectionSize(24);
    m_table->horizontalHeader()->setSectionsClickable(false);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setSectionsClickable(false);
    m_table->verticalHeader()->setHighlightSections(false);
    m_table->verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    restyle();
    retranslate();
}

void CommunicationTable::setTimes(std::shared_ptr<const IterationResult> result, const DimensionTimes &times)
{
    const int rows = m_model->rowCount();
    m_model->setTimes(std::move(result), times);
    if (rows != m_model->rowCount()) updateGeometry();
}

void CommunicationTable::retranslate()
{
    m_table->setAccessibleName(tr("Communication by dimension, seconds"));
    m_model->retranslate();
}

void CommunicationTable::restyle()
{
    const Theme &theme = m_state->theme();
    const int row = static_cast<int>((m_state->compact() ? 18 : 20) * theme.scale());
    // Rows are as low as the breakdown's: the usual padding would cut letters, the usual size names.
    const int pixels = theme.font(m_state->compact() ? Theme::Type::Axis : Theme::Type::Label, m_state->compact()).pixelSize();
    m_table->setStyleSheet(QStringLiteral("QTableView { font-size: %1px; } QTableView::item { padding: 0px; } "
                                          "QHeaderView::section { padding: 0px 2px; font-size: %1px; }").arg(pixels));
    m_table->verticalHeader()->setMinimumSectionSize(row);
    m_table->verticalHeader()->setDefaultSectionSize(row);
    m_table->horizontalHeader()->setFixedHeight(row);
    updateGeometry();
}

QSize CommunicationTable::sizeHint() const
{
    const int row = m_table->verticalHeader()->defaultSectionSize();
    return {260, m_model->rowCount() == 0 ? 0 : (m_model->rowCount() + 1) * row + 2};
}

} // namespace clusterbeat
