// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"
#include "model/iteration/link_report.h"
#include "views/cluster/bands.h"
#include "views/cluster/heat_layout.h"
#include "views/cluster/heat_raster.h"
#include "views/shared/painted_accessible.h"
#include "views/shared/view_state.h"

#include <QImage>
#include <QPainterPath>
#include <QVariantAnimation>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QMenu;

namespace clusterbeat {

/// The map of ClusterView: switch tiers, bands, every GPU's state at the playhead, the selected replica's thread, the
/// culprit, the loupe. The map's picture is kept per (result, instant, zoom, size, theme); the rest is drawn over it.
class ClusterCanvas final : public QWidget, public PaintedItems {
    Q_OBJECT
public:
    ClusterCanvas(ViewState *state, QWidget *parent);
    ~ClusterCanvas() override;

    void setResult(std::shared_ptr<const IterationResult> result);
    void setLinks(std::shared_ptr<const LinkReport> links);
    [[nodiscard]] HeatLevel level() const { return m_level; }
    /// Zooms to a level around the selected GPU, else the culprit, else the centre.
    void setLevel(HeatLevel level);
    void fit();                                          ///< all of it; again: back to the zoom before
    /// Single GPUs around the selected one; again, or without a selection: as fit().
    void fitSelection();
    void revealGpu(GpuIndex gpu);

    [[nodiscard]] int itemCount() const override;
    [[nodiscard]] QString itemName(int item) const override;
    [[nodiscard]] QRect itemRect(int item) const override;
    [[nodiscard]] int itemAt(QPoint point) const override;
    [[nodiscard]] int currentItem() const override;
    void activateItem(int item) override;

Q_SIGNALS:
    void levelChanged(clusterbeat::HeatLevel level);
    void slowGpuRequested(const QString &memberPath, double speed);

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
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    // geometry (cluster_canvas.cpp)
    void relayout();
    [[nodiscard]] HeatMargins margins() const;
    void layoutBelow(int tierHeight);
    [[nodiscard]] int tierHeight() const { return m_tierHeight; }
    [[nodiscard]] QRect mapArea() const;                 ///< below the tiers, widget coordinates
    [[nodiscard]] QRect onMap(const QRect &scene) const { return m_transform.toViewport(scene).translated(mapArea().topLeft()); }
    [[nodiscard]] QRect serverRect(std::int32_t server) const;
    [[nodiscard]] QRect gpuCell(GpuIndex gpu) const;
    [[nodiscard]] GpuIndex gpuUnder(QPoint point) const;
    [[nodiscard]] std::int32_t serverOf(GpuIndex gpu) const;
    [[nodiscard]] std::int32_t rackOf(GpuIndex gpu) const;
    [[nodiscard]] GpuIndex culprit() const;
    [[nodiscard]] std::int32_t threadReplica() const;
    [[nodiscard]] RankIndex rankOf(GpuIndex gpu) const;
    [[nodiscard]] std::uint8_t stateOf(GpuIndex gpu);
    [[nodiscard]] QRect loupeArea() const;                         ///< null: no room
    void updateThread();
    [[nodiscard]] GpuIndex waitedForGpu(GpuIndex gpu);
    void updateStates();

    // zoom and input (cluster_input.cpp)
    void setTransform(const HeatTransform &transform, double outZoom = 1.0);
    void animateTo(const HeatTransform &target, double outZoom = 1.0);
    [[nodiscard]] std::int32_t serverTowards(std::int32_t from, int dx, int dy) const;
    void keepVisible(GpuIndex gpu);
    void addSlowActions(QMenu &menu, GpuIndex gpu);
    void zoomBy(double factor, QPointF anchor);
    [[nodiscard]] HeatTransform around(GpuIndex gpu, double zoom) const;
    bool navigate(const QKeyEvent &event);
    void moveCurrent(int dx, int dy);
    void selectGpu(GpuIndex gpu);
    void setHover(QPoint point);

    // painting (cluster_paint.cpp, cluster_overlay.cpp)
    void renderMap(qreal ratio);
    void renderChrome(qreal ratio);
    void paintPods(QPainter &painter);
    void paintTiers(QPainter &painter);
    void paintTierBox(QPainter &painter, const QRect &area, const QString &left, const QString &right, double load) const;
    void paintCore(QPainter &painter, const QRect &area);
    [[nodiscard]] QString podTitle(std::size_t pod) const;
    [[nodiscard]] double podLoad(std::size_t pod) const;
    [[nodiscard]] QStringList tierLines(QPoint point) const;
    [[nodiscard]] const LinkReport::Kind *linkKind(const char *kind) const;
    void paintBands(QPainter &painter);
    [[nodiscard]] QRect markedBandLabel(std::int32_t replica, int height) const;
    void paintGpuLabels(QPainter &painter);
    void paintGpuCell(QPainter &painter, const QRect &cell, GpuIndex gpu, int number, const Theme &theme) const;
    [[nodiscard]] QStringList cellLines(GpuIndex gpu, QSize cell, const QFontMetrics &metrics) const;
    [[nodiscard]] bool cellsSayWhatTheyDo() const;
    void paintThread(QPainter &painter) const;
    void paintMarks(QPainter &painter);
    void paintSelected(QPainter &painter, const QRectF &cell, const QRectF &bounds, const std::vector<QRectF> &avoid);
    QRectF paintCulprit(QPainter &painter, const QRectF &cell, const QRectF &bounds, const std::vector<QRectF> &avoid) const;
    void paintLoupe(QPainter &painter);
    void paintLoupeServer(QPainter &painter, const QRect &row, std::int32_t server);
    void paintHoverPlate(QPainter &painter);
    [[nodiscard]] QString coordinatesText(GpuIndex gpu) const;

    ViewState *m_state;
    std::shared_ptr<const IterationResult> m_result;
    std::shared_ptr<const LinkReport> m_links;           ///< load of the tiers, when it is known
    QRect m_coreBox;
    std::vector<QRect> m_podBoxes;                       ///< by pod; on the chrome
    HeatLayout m_layout;
    Bands m_bands;
    HeatTransform m_transform;
    double m_outZoom = 1.0;                              ///< zoomed out beyond the whole map: pods
    std::optional<HeatTransform> m_beforeFit;
    HeatLevel m_level = HeatLevel::Racks;
    HeatPalette m_palette;
    std::vector<std::uint8_t> m_states;
    bool m_statesDirty = true, m_mapDirty = true, m_chromeDirty = true;
    QImage m_map, m_chrome;
    std::vector<QRectF> m_bandLabels, m_podPlates;       ///< plates keep off them
    std::vector<std::vector<std::int32_t>> m_thread;     ///< servers of the selected replica, by stage
    QVariantAnimation m_motion;
    std::optional<QPoint> m_pan;
    QPoint m_pressed;
    std::optional<QPoint> m_hover;
    bool m_spaceDown = false, m_dragged = false, m_keyboardFocus = false;
    int m_tierHeight = 0;                                ///< above the map
    int m_gutter = 0;                                    ///< left of each tile, scene pixels
};

} // namespace clusterbeat
