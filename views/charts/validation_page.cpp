// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/charts/validation_page.h"

#include "views/charts/validation_chart.h"
#include "views/shared/combo_accessible.h"
#include "views/shared/elided_label.h"
#include "views/text/format.h"
#include "views/text/validation_text.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace clusterbeat {
namespace {

constexpr double kChartShare = 0.42, kCompactChartShare = 0.38;
/// Widths of the columns at scale 1; the last takes what is left.
constexpr std::array<int, ValidationModel::ColumnCount> kWidths{146, 70, 88, 88, 130, 60, 46, 68, 160, 300};

QLabel *secondary(QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setProperty("role", QLatin1String("secondary"));
    return label;
}

QString percent(double fraction) { return percentText(fraction, {}, 1); }

} // namespace

ValidationPage::ValidationPage(ViewState *state, QWidget *parent)
    : QWidget(parent), m_state(state), m_model(new ValidationModel(state, this)), m_filter(new ValidationFilter(m_model, this)),
      m_chart(new ValidationChart(state, m_model, m_filter)), m_table(new QTableView), m_splitter(new QSplitter(Qt::Horizontal)),
      m_header(new QWidget(this)), m_filters(new QWidget(this)), m_details(new QWidget)
{
    setObjectName(QStringLiteral("validationPage"));
    for (QWidget *strip : {static_cast<QWidget *>(this), m_header, m_filters, m_details}) strip->setAttribute(Qt::WA_StyledBackground);
    installComboAccessibility();
    buildHeader(m_header);
    buildFilters(m_filters);
    buildTable();
    buildDetails(m_details);
    auto *left = new QWidget;
    auto *leftColumn = new QVBoxLayout(left);
    leftColumn->setContentsMargins(0, 0, 0, 0);
    leftColumn->setSpacing(0);
    leftColumn->addWidget(m_chart, 1);
    leftColumn->addWidget(m_details);
    m_splitter->addWidget(left);
    m_splitter->addWidget(m_table);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->setStretchFactor(0, 42);
    m_splitter->setStretchFactor(1, 58);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_header);
    column->addWidget(m_filters);
    column->addWidget(m_splitter, 1);

    const std::array<QWidget *, 13> order{m_search, m_tier, m_kind,    m_accelerator, m_sources, m_outOnly, m_clear,
                                          m_chart,  m_open, m_reasons, m_table,       m_cancel,  m_again};
    for (std::size_t i = 1; i < order.size(); ++i) setTabOrder(order[i - 1], order[i]);

    connect(m_chart, &ValidationChart::rowSelected, this, &ValidationPage::select);
    connect(m_chart, &ValidationChart::rowActivated, this, [this](int row) {
        select(row);
        openSelected();
    });
    connect(m_table, &QTableView::doubleClicked, this, &ValidationPage::openSelected);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ValidationPage::showSelection);
    connect(m_filter, &QAbstractItemModel::rowsRemoved, this, &ValidationPage::showSummary);
    connect(m_filter, &QAbstractItemModel::rowsInserted, this, &ValidationPage::showSummary);
    connect(m_filter, &QAbstractItemModel::modelReset, this, &ValidationPage::showSummary);
    connect(state, &ViewState::themeChanged, this, &ValidationPage::restyle);
    connect(state, &ViewState::compactChanged, this, &ValidationPage::restyle);
    retranslate();
    restyle();
}

void ValidationPage::buildHeader(QWidget *header)
{
    header->setObjectName(QStringLiteral("validationHeader"));
    m_title = new QLabel(header);
    m_summary = new ElidedLabel(header);
    m_error = new QLabel(header);
    m_error->setProperty("role", QLatin1String("error"));
    m_error->hide();
    m_progress = new QProgressBar(header);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(120);
    m_progress->hide();
    m_cancel = new QPushButton(header);
    m_cancel->hide();
    m_again = new QPushButton(header);
    auto *row = new QHBoxLayout(header);
    row->setContentsMargins(12, 6, 12, 6);
    row->setSpacing(12);
    row->addWidget(m_title);
    row->addWidget(m_summary, 1);
    row->addWidget(m_error);
    row->addWidget(m_progress);
    row->addWidget(m_cancel);
    row->addWidget(m_again);
    connect(m_cancel, &QPushButton::clicked, this, &ValidationPage::cancelRequested);
    connect(m_again, &QPushButton::clicked, this, &ValidationPage::computeRequested);
}

void ValidationPage::buildFilters(QWidget *bar)
{
    bar->setObjectName(QStringLiteral("validationFilters"));
    m_search = new QLineEdit(bar);
    m_search->setClearButtonEnabled(true);
    m_tier = new QComboBox(bar);
    m_kind = new QComboBox(bar);
    m_accelerator = new QComboBox(bar);
    m_sources = new QComboBox(bar);
    m_outOnly = new QCheckBox(bar);
    m_clear = new QPushButton(bar);
    m_clear->setProperty("flat", true);
    QSizePolicy kept = m_clear->sizePolicy();
    kept.setRetainSizeWhenHidden(true);
    m_clear->setSizePolicy(kept);
    m_clear->hide();
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 0, 12, 8);
    row->setSpacing(8);
    row->addWidget(m_search, 3);
    for (QComboBox *combo : {m_tier, m_kind, m_accelerator, m_sources}) {
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setMinimumContentsLength(combo == m_tier ? 6 : combo == m_kind ? 8 : 10);
        row->addWidget(combo, combo == m_sources ? 4 : 2);
        connect(combo, &QComboBox::currentIndexChanged, this, &ValidationPage::applyFilter);
    }
    row->addWidget(m_outOnly);
    row->addWidget(m_clear);
    connect(m_search, &QLineEdit::textChanged, this, &ValidationPage::applyFilter);
    connect(m_outOnly, &QCheckBox::toggled, this, &ValidationPage::applyFilter);
    connect(m_clear, &QPushButton::clicked, this, [this] {
        m_search->clear();
        for (QComboBox *combo : {m_tier, m_kind, m_accelerator, m_sources}) combo->setCurrentIndex(0);
        m_outOnly->setChecked(false);
    });
}

void ValidationPage::buildTable()
{
    m_table->setModel(m_filter);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(ValidationModel::Error, Qt::DescendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setSectionsMovable(true);
    auto *open = new QShortcut(m_table);
    open->setKeys({Qt::Key_Return, Qt::Key_Enter});
    open->setContext(Qt::WidgetShortcut);
    connect(open, &QShortcut::activated, this, &ValidationPage::openSelected);
}

void ValidationPage::buildDetails(QWidget *panel)
{
    panel->setObjectName(QStringLiteral("validationDetails"));
    m_run = new ElidedLabel(panel);
    m_run->setProperty("role", QLatin1String("strong"));
    m_times = new QLabel(panel);
    for (QLabel **label : {&m_source, &m_place}) {
        *label = new ElidedLabel(panel);
        (*label)->setProperty("role", QLatin1String("secondary"));
    }
    m_reasons = new QScrollArea(panel);
    m_reasons->setObjectName(QStringLiteral("seeThrough"));
    m_reasons->setWidgetResizable(true);
    m_reasons->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *body = new QWidget(m_reasons);
    body->setObjectName(QStringLiteral("validationReasons"));
    auto *bodyColumn = new QVBoxLayout(body);
    bodyColumn->setContentsMargins(0, 0, 0, 0);
    m_why = secondary(body);
    bodyColumn->addWidget(m_why);
    bodyColumn->addStretch(1);
    m_reasons->setWidget(body);
    for (QLabel *label : {m_run, m_times, m_source, m_place, m_why}) label->setTextFormat(Qt::PlainText);
    for (QLabel *label : {m_times, m_why}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_why->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_open = new QPushButton(panel);
    auto *head = new QHBoxLayout;
    head->setSpacing(12);
    head->addWidget(m_run, 1);
    head->addWidget(m_open);
    auto *column = new QVBoxLayout(panel);
    column->setContentsMargins(12, 8, 12, 10);
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(m_times);
    column->addWidget(m_source);
    column->addWidget(m_place);
    column->addWidget(m_reasons, 1);
    connect(m_open, &QPushButton::clicked, this, &ValidationPage::openSelected);
}

void ValidationPage::retranslate()
{
    setAccessibleName(tr("Validation against published runs"));
    m_title->setText(tr("Predicted against measured"));
    m_cancel->setText(tr("Cancel"));
    m_again->setText(tr("Compute Again"));
    m_again->setToolTip(tr("Simulates every published run again"));
    m_progress->setAccessibleName(tr("Runs simulated"));
    m_search->setPlaceholderText(tr("Filter by model, source or id"));
    m_search->setAccessibleName(tr("Filter by model, source or id"));
    m_tier->setAccessibleName(tr("Tier"));
    m_kind->setAccessibleName(tr("Kind of model"));
    m_accelerator->setAccessibleName(tr("Accelerator"));
    m_sources->setAccessibleName(tr("Source"));
    m_outOnly->setText(tr("Out of range only"));
    m_clear->setText(tr("Clear"));
    m_clear->setAccessibleName(tr("Clear every filter"));
    m_reasons->setAccessibleName(tr("Why out of range"));
    m_open->setText(tr("Open as Scenario"));
    m_open->setToolTip(tr("Makes this run the document (Enter)"));
    m_table->setAccessibleName(tr("Published runs"));
    m_splitter->setAccessibleName(tr("Plot at the left, table at the right"));
    m_model->retranslate();
    m_chart->retranslate();
    fillChoices();
    showSelection();
    showSummary();
}

void ValidationPage::restyle()
{
    const Theme &theme = m_state->theme();
    const double scale = theme.scale();
    m_title->setFont(theme.font(Theme::Type::ObjectTitle));
    const QString panel = theme.panel.name(), line = theme.line.name();
    // Cells stand under their heads; the arrow of the sorted column stands above its name, not on it.
    setStyleSheet(QStringLiteral("#validationHeader, #validationFilters, #validationPage { background: %1; } "
                                 "#validationDetails { background: %1; border-top: 1px solid %2; } "
                                 "#validationReasons { background: transparent; } "
                                 "QTableView { border: none; border-left: 1px solid %2; } "
                                 "QTableView::item { border: 0px; padding: 0 8px; } "
                                 "QHeaderView::section { border-top: 1px solid %2; padding: 4px 0 4px 11px; } "
                                 "QHeaderView::down-arrow, QHeaderView::up-arrow { width: 12px; height: 10px; "
                                 "subcontrol-origin: border; subcontrol-position: top center; } "
                                 "QHeaderView::down-arrow { image: url(:/theme/chevron-down-%3.svg); } "
                                 "QHeaderView::up-arrow { image: url(:/theme/chevron-up-%3.svg); }")
                      .arg(panel, line, theme.dark() ? QStringLiteral("dark") : QStringLiteral("light")));
    m_table->verticalHeader()->setDefaultSectionSize(qRound((m_state->compact() ? 22 : 24) * scale));
    m_details->setFixedHeight(qRound((m_state->compact() ? 156 : 176) * scale));
    for (int column = 0; column < ValidationModel::ColumnCount; ++column)
        m_table->setColumnWidth(column, qRound(kWidths[static_cast<std::size_t>(column)] * scale));
    m_progress->setFixedWidth(qRound(120 * scale));
}

void ValidationPage::fillChoices()
{
    std::set<std::string> tiers, accelerators, sources;
    for (const ValidatedRow &row : m_model->rows()) {
        tiers.insert(row.tier);
        accelerators.insert(row.accelerator);
        sources.insert(row.source);
    }
    const auto fill = [](QComboBox *combo, const QString &any, const std::set<std::string> &values, const auto &text) {
        const QSignalBlocker quiet(combo);
        const QVariant chosen = combo->currentData();
        combo->clear();
        combo->addItem(any, QString());
        for (const std::string &value : values) combo->addItem(text(QString::fromStdString(value)), QString::fromStdString(value));
        combo->setCurrentIndex(std::max(0, combo->findData(chosen)));
    };
    const auto same = [](const QString &value) { return value; };
    fill(m_tier, tr("Every tier"), tiers, [](const QString &tier) { return tierName(tier); });
    fill(m_kind, tr("Every kind"), {"dense", "moe"}, [](const QString &kind) { return modelKindName(kind == QLatin1String("moe")); });
    fill(m_accelerator, tr("Every accelerator"), accelerators, same);
    fill(m_sources, tr("Every source"), sources, same);
    m_sources->view()->setTextElideMode(Qt::ElideMiddle);
}

void ValidationPage::applyFilter()
{
    const int chosen = selectedRow();
    ValidationFilter::Conditions conditions;
    conditions.tier = m_tier->currentData().toString();
    conditions.accelerator = m_accelerator->currentData().toString();
    conditions.source = m_sources->currentData().toString();
    if (const QString kind = m_kind->currentData().toString(); !kind.isEmpty()) conditions.moe = kind == QLatin1String("moe");
    conditions.outOfRangeOnly = m_outOnly->isChecked();
    conditions.text = m_search->text().trimmed();
    m_filter->setConditions(conditions);
    m_clear->setVisible(!(conditions == ValidationFilter::Conditions{}));
    select(chosen);
    showSummary();
}

void ValidationPage::begin()
{
    m_running = true;
    m_cancelled = false;
    m_error->hide();
    m_model->clear();
    m_progress->setRange(0, 0);
    m_progress->show();
    m_cancel->show();
    m_again->hide();
    showSelection();
    showSummary();
}

void ValidationPage::focusPlot() { m_chart->setFocus(Qt::OtherFocusReason); }

void ValidationPage::append(std::vector<ValidatedRow> rows) { m_model->append(std::move(rows)); }

void ValidationPage::setProgress(int done, int total)
{
    m_progress->setRange(0, total);
    m_progress->setValue(done);
}

void ValidationPage::finish(bool cancelled)
{
    m_running = false;
    m_cancelled = cancelled;
    const bool hadFocus = m_cancel->hasFocus();
    m_progress->hide();
    m_cancel->hide();
    m_again->show();
    if (hadFocus) m_again->setFocus(Qt::OtherFocusReason);
    fillChoices();
    if (selectedRow() < 0 && m_filter->rowCount() > 0) m_table->selectRow(0);
    showSummary();
}

void ValidationPage::showError(const QString &sentence)
{
    m_error->setText(sentence);
    m_error->show();
}

int ValidationPage::selectedRow() const
{
    const QModelIndex current = m_table->selectionModel()->currentIndex();
    return current.isValid() ? m_filter->mapToSource(current).row() : -1;
}

QString ValidationPage::selectedId() const
{
    const int row = selectedRow();
    return row < 0 ? QString() : QString::fromStdString(m_model->rowAt(row).id);
}

QString ValidationPage::summary() const { return m_summary->text(); }

void ValidationPage::select(int row)
{
    if (row < 0 || row >= m_model->rowCount()) return;
    const QModelIndex shown = m_filter->mapFromSource(m_model->index(row, 0));
    if (!shown.isValid()) return;
    m_table->setCurrentIndex(shown);
    m_table->selectRow(shown.row());
    m_table->scrollTo(shown);
}

void ValidationPage::showSelection()
{
    const int row = selectedRow();
    m_chart->setSelectedRow(row);
    m_open->setEnabled(row >= 0 && !m_model->rowAt(row).refused);
    if (row < 0) {
        m_run->setText(m_running ? tr("Simulating the published runs…") : tr("No run is chosen"));
        for (QLabel *label : {m_times, m_source, m_place, m_why}) label->clear();
        return;
    }
    const ValidatedRow &shown = m_model->rowAt(row);
    m_run->setText(runText(shown));
    m_times->setText(timesText(shown));
    m_source->setText(QString::fromStdString(shown.source));
    m_place->setText(tierName(QString::fromStdString(shown.tier)) + QStringLiteral(" · ") + QString::fromStdString(shown.id));
    QStringList why;
    for (const RowReason &reason : shown.reasons) why << reasonText(reason);
    if (!shown.note.empty()) why << tr("Remark of the table: %1").arg(QString::fromStdString(shown.note));
    if (why.isEmpty() && shown.timeError) why << tr("In range: within %1 of the measurement.").arg(percentText(toleranceOfTier(shown.tier), {}, 0));
    m_why->setText(why.join(QLatin1Char('\n')));
    m_reasons->widget()->layout()->activate();
    m_reasons->ensureVisible(0, 0);
}

// "348 of 348 runs · mean error: tier A 4.3 %, tier B 4.5 % … · out of range 45".
void ValidationPage::showSummary()
{
    const ValidationSummary summary = summaryOf(m_filter->shownRows());
    QStringList parts{tr("%1 of %2 runs").arg(integerText(m_filter->rowCount()), integerText(m_model->rowCount()))};
    QStringList tiers;
    for (const auto &[tier, group] : summary.byTier)
        if (group.time.rows > 0) tiers << tr("tier %1 %2").arg(QString::fromStdString(tier), percent(group.time.mean));
    if (!tiers.isEmpty()) parts << tr("mean error: %1").arg(tiers.join(QStringLiteral(", ")));
    if (summary.all.outOfRange > 0) parts << tr("%1 out of range").arg(integerText(static_cast<qint64>(summary.all.outOfRange)));
    if (summary.all.refused > 0) parts << tr("%1 refused").arg(integerText(static_cast<qint64>(summary.all.refused)));
    if (m_cancelled) parts << tr("cancelled");
    m_summary->setText(parts.join(QStringLiteral(" · ")));
    m_summary->setAccessibleName(m_summary->text());
}

void ValidationPage::openSelected()
{
    if (m_open->isEnabled()) Q_EMIT openRequested(selectedId());
}

void ValidationPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if (std::exchange(m_placed, true)) return;
    const int left = qRound(width() * (m_state->compact() ? kCompactChartShare : kChartShare));
    m_splitter->setSizes({left, width() - left});
}

void ValidationPage::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

} // namespace clusterbeat
