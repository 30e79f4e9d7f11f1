// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"
#include "views/shared/view_state.h"
#include "views/text/why_text.h"

#include <QColor>
#include <QWidget>

#include <optional>
#include <vector>

namespace clusterbeat {

/// The category whose colour a step of the chain wears.
[[nodiscard]] Category categoryOfStep(const WhyStep &step, const IterationResult &result);
/// Which steps a short chain keeps when there is room for `limit`: the first and the last ones, so that the root stays.
[[nodiscard]] std::vector<std::size_t> keptSteps(std::size_t count, std::size_t limit);

/// The chain of causes as a list: dot, one line what, one line how much; the last is the root. Click or Enter jumps there.
/// Its height is fixed, so that what is below it does not jump while the beat plays; of a longer chain the beginning and
/// the steps towards the root are kept.
class WhyChain final : public QWidget {
    Q_OBJECT
public:
    explicit WhyChain(ViewState *state, QWidget *parent = nullptr);
    /// `collective`: the GPU is in the exposed communication of an operation; the first step says so instead of "computes".
    void setSteps(const std::vector<WhyStep> &steps, std::shared_ptr<const IterationResult> result, std::optional<Category> collective = {});
    /// Another GPU or other letters: the first row is the current one, and the height is measured anew.
    void restart();
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {100, sizeHint().height()}; }

Q_SIGNALS:
    void stepActivated(const clusterbeat::WhyStep &step);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;

private:
    struct Row {
        WhyStep step;
        WhyText text;
        Category category = Category::Bubble;
    };
    [[nodiscard]] std::size_t rowLimit() const;
    [[nodiscard]] int rowHeight() const;
    [[nodiscard]] int rowAt(int y) const;
    void paintRow(QPainter &painter, const Row &row, const QRect &rect, bool first, bool last, bool current) const;

    ViewState *m_state;
    std::vector<Row> m_rows;
    int m_current = 0, m_hovered = -1;
};

} // namespace clusterbeat
