// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "views/charts/validation_model.h"
#include "views/shared/view_state.h"

#include <QWidget>

#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QSplitter;
class QTableView;

namespace clusterbeat {

class ValidationChart;

/// The page that compares predictions with published runs: filters and a summary above, the scatter plot beside the
/// table of the same rows, the chosen row in full below the plot. It shows what it is given and asks for the rest.
class ValidationPage final : public QWidget {
    Q_OBJECT
public:
    explicit ValidationPage(ViewState *state, QWidget *parent = nullptr);

    /// A new run of the comparison begins: no rows yet.
    void begin();
    void append(std::vector<ValidatedRow> rows);
    void setProgress(int done, int total);
    /// The rows so far are all there will be.
    void finish(bool cancelled);
    void showError(const QString &sentence);
    /// The keyboard goes to the plot.
    void focusPlot();

    [[nodiscard]] ValidationModel *model() { return m_model; }
    [[nodiscard]] ValidationFilter *filter() { return m_filter; }
    [[nodiscard]] QTableView *table() { return m_table; }
    /// The chosen row's id; "" = none.
    [[nodiscard]] QString selectedId() const;
    [[nodiscard]] QString summary() const;

Q_SIGNALS:
    void computeRequested();
    void cancelRequested();
    /// The row should become the document.
    void openRequested(const QString &id);

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void buildHeader(QWidget *header);
    void buildFilters(QWidget *bar);
    void buildTable();
    void buildDetails(QWidget *panel);
    void retranslate();
    void restyle();
    void fillChoices();
    void applyFilter();
    void select(int row);
    void showSelection();
    void showSummary();
    void openSelected();
    [[nodiscard]] int selectedRow() const;

    ViewState *m_state;
    ValidationModel *m_model;
    ValidationFilter *m_filter;
    ValidationChart *m_chart;
    QTableView *m_table;
    QSplitter *m_splitter;
    QWidget *m_header, *m_filters, *m_details;
    QLabel *m_title, *m_summary, *m_error;
    QProgressBar *m_progress;
    QPushButton *m_cancel, *m_again;
    QLineEdit *m_search;
    QComboBox *m_tier, *m_kind, *m_accelerator, *m_sources;
    QCheckBox *m_outOnly;
    QPushButton *m_clear;
    QLabel *m_run, *m_times, *m_source, *m_place, *m_why;
    QScrollArea *m_reasons;
    QPushButton *m_open;
    bool m_running = false, m_cancelled = false, m_placed = false;
};

} // namespace clusterbeat
