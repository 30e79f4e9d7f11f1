// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/communication_account.h"
#include "model/iteration/iteration_result.h"
#include "views/shared/painted_accessible.h"
#include "views/shared/view_state.h"
#include "views/timeline/lane_painter.h"
#include "views/timeline/timeline_layout.h"

#include <QImage>
#include <QStringList>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace clusterbeat {

/// What an area selection covers: a time range of some neighbouring stages of one replica.
struct AreaSelection {
    TimeRange range;
    std::int32_t replica = 0, firstStage = 0, lastStage = 0;
    TimeNs hidden = 0;                               ///< communication behind the compute in it: no part of the sums
    CategoryTimes sums{};                            ///< over those stages (member 0 of each), they add up to range * stages
    friend bool operator==(const AreaSelection &, const AreaSelection &) = default;
};

/// One replica's stages as lanes, the other replicas as rows of shares, a map of all replicas at the right. The visible
/// range, playhead and selection are ViewState's. The lanes' picture is kept until the result, range, size, theme, focus,
/// scroll or selection changes; playhead, hover and area are drawn over it.
class TimelineView final : public QWidget, public PaintedItems {
    Q_OBJECT
public:
    explicit TimelineView(ViewState *state, QWidget *parent = nullptr);
    ~TimelineView() override;

    void setResult(std::shared_ptr<const IterationResult> result);
    [[nodiscard]] std::int32_t focusReplica() const { return m_layout.focus; }

    [[nodiscard]] int itemCount() const override;
    [[nodiscard]] QString itemName(int item) const override;
    [[nodiscard]] QRect itemRect(int item) const override;
    [[nodiscard]] int itemAt(QPoint point) const override;
    [[nodiscard]] int currentItem() const override;
    void activateItem(int item) override;

    [[nodiscard]] QSize sizeHint() const override;

public Q_SLOTS:
    void setFocusReplica(int replica);
    /// Moves the playhead to the previous (-1) or next (+1) event of the selected lane; `microBatch` skips to the next
    /// operation of another micro-batch.
    void stepEvent(int direction, bool microBatch = false);
    /// Shows the selected area or span; again: the whole iteration.
    void fitSelection();
    void zoomBy(double factor);
    void clearSelection();
    /// Every stage in sight at once, however low its lane.
    void setAllStages(bool all);

Q_SIGNALS:
    void areaSelected(const clusterbeat::AreaSelection &area);
    void areaCleared();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void keyReleaseEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    struct SelectedSpan {
        std::int32_t stage = 0;
        Span span;
        std::optional<CommunicationSpan> communication{};    ///< instead of the span

        friend bool operator==(const SelectedSpan &a, const SelectedSpan &b)
        {
            return a.stage == b.stage && a.span.begin == b.span.begin && a.span.end == b.span.end &&
                   a.communication.has_value() == b.communication.has_value();
        }
    };
    enum class Drag : quint8 { None, Playhead, Area, Pan, LaneMap };

    // state (timeline_view.cpp)
    void relayout();
    void invalidate();
    void followSelection();
    void keepMarks(bool sameShape);
    void onPlayhead();
    void setScroll(int scroll);
    [[nodiscard]] bool ready() const { return m_result && m_result->run.trace.iteration > 0; }
    [[nodiscard]] TimeAxis axis() const;             ///< of the widget's plot
    [[nodiscard]] std::int32_t stageOfGpu(GpuIndex gpu) const;      ///< in the focused replica, or kNone
    [[nodiscard]] std::int32_t selectedStage() const;
    [[nodiscard]] std::int32_t memberShown(std::int32_t stage) const;
    [[nodiscard]] std::int32_t slowStage() const;    ///< of the focused replica, or kNone
    [[nodiscard]] GpuIndex gpuOf(std::int32_t stage, std::int32_t replica, std::int32_t member) const;
    [[nodiscard]] std::int32_t classOf(std::int32_t replica) const;

    // events and areas (timeline_selection.cpp)
    [[nodiscard]] std::optional<Span> spanAt(std::int32_t stage, TimeNs t) const;
    [[nodiscard]] Span spanOfOperation(std::int32_t stage, std::int32_t operation) const;
    [[nodiscard]] std::optional<CommunicationSpan> communicationAt(std::int32_t stage, QPoint point) const;
    [[nodiscard]] const CommunicationAccount &account() const;
    [[nodiscard]] AreaSelection areaOf(QPoint from, QPoint to) const;
    void sumArea(AreaSelection &area) const;
    void selectSpan(std::int32_t stage, const Span &span);
    void selectStage(std::int32_t stage);
    void click(QPoint point);
    void setHover(QPoint point);

    // painting (timeline_paint.cpp, timeline_overlay.cpp)
    void renderLanes(qreal ratio);
    void paintRuler(QPainter &painter) const;
    void paintTickLabels(QPainter &painter) const;
    [[nodiscard]] QString playheadText() const;
    [[nodiscard]] QRect playheadPlate() const;       ///< in the ruler; empty when the playhead is out of sight
    void paintHead(QPainter &painter) const;
    void paintLabels(QPainter &painter) const;
    void paintReplicaLabels(QPainter &painter) const;
    void paintLaneMap(QPainter &painter);
    void paintMapMarks(QPainter &painter) const;
    void paintDependencies(QPainter &painter) const;
    void paintArea(QPainter &painter) const;
    void paintHover(QPainter &painter) const;
    void paintPlayhead(QPainter &painter) const;
    [[nodiscard]] QStringList spanLines(std::int32_t stage, const Span &span) const;
    [[nodiscard]] QString splitText(std::int32_t stage, const Span &span) const;
    QStringList paintHoveredLane(QPainter &painter, std::int32_t stage) const;
    [[nodiscard]] QString spanTitle(std::int32_t stage, const Span &span) const;
    [[nodiscard]] QString headText() const;

    // input (timeline_input.cpp)
    void showRange(TimeRange range);
    bool navigate(QKeyEvent *event);

    ViewState *m_state;
    std::shared_ptr<const IterationResult> m_result;
    TimelineLayout m_layout;
    LanePainter m_lanes;
    mutable std::unique_ptr<const CommunicationAccount> m_account;   ///< of the result; made when somebody points
    bool m_dirty = true, m_mapDirty = true, m_keyboardFocus = false, m_spaceDown = false, m_allStages = false;
    QImage m_image, m_map;
    TimeNs m_lastPlayhead = 0;
    std::optional<SelectedSpan> m_selected;
    std::optional<AreaSelection> m_area;
    Drag m_drag = Drag::None;
    QPoint m_pressed, m_last;
    bool m_moved = false;
    std::optional<QPoint> m_hover;
};

} // namespace clusterbeat

Q_DECLARE_METATYPE(clusterbeat::AreaSelection)
