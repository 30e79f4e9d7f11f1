// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"
#include "views/theme/theme.h"
#include "views/timeline/span_runs.h"
#include "views/timeline/timeline_layout.h"

#include <QHash>
#include <QImage>
#include <QStaticText>

#include <array>
#include <memory>
#include <span>
#include <vector>

class QPainter;

namespace clusterbeat {

struct DenseRange;

/// Paints the lanes of the focused replica and the rows of the others into an RGB32 image whose device pixel ratio is
/// set: first solid fills by scan lines, then hatches and labels with QPainter. Keeps the communication spans of the
/// focused replica and prepared labels between calls. O(pixels + spans in range).
class LanePainter final {
public:
    void setResult(std::shared_ptr<const IterationResult> result);
    void setFocus(std::int32_t replica);
    /// Which member's pieces a lane shows when zoomed in (the slow one on its stage).
    void setMembers(std::vector<std::int32_t> members) { m_members = std::move(members); }

    void paint(QImage &image, const TimelineLayout &layout, TimeRange range, const Theme &theme, bool compact);

    /// Of a stage of the focused replica, by begin.
    [[nodiscard]] std::span<const CommunicationSpan> communicationOf(std::int32_t stage) const
    {
        const auto s = static_cast<std::size_t>(stage);
        return s < m_communication.size() ? std::span<const CommunicationSpan>(m_communication[s]) : std::span<const CommunicationSpan>();
    }

    /// True when collectives inside an operation are wide enough to be drawn one by one.
    [[nodiscard]] bool unfolded(const TimeAxis &axis) const;

private:
    struct Patch {                       ///< drawn by QPainter after the solid fills; device pixels
        QRect rect;
        Category category = Category::Forward;
    };
    struct Label {
        QRect rect;
        Category category = Category::Forward;
        std::int32_t chunk = 0, microBatch = 0;
        OperationKind kind = OperationKind::Forward;
    };
    struct WaitText {
        QRect rect;
        TimeNs ns = 0;
        EventKind endedBy = EventKind::None;
    };
    using Sums = std::array<TimeNs, kCategoryCount>;
    void collectShapes();
    [[nodiscard]] const Sums &shapeSums(std::int32_t stage, std::int32_t index) const;
    void paintStage(QImage &image, std::int32_t stage, const TimeAxis &axis, const QRect &compute, const Theme &theme);
    void foldExposed(QImage &image, std::int32_t stage, const Span &span, const QRect &rect, const Theme &theme);
    void paintDense(QImage &image, std::int32_t stage, const TimeAxis &axis, const DenseRange &range, const QRect &area,
                    const Theme &theme) const;
    void paintCommunication(QImage &image, std::int32_t stage, const TimeAxis &axis, const QRect &area, const Theme &theme) const;
    void paintReplica(QImage &image, std::int32_t replica, const TimeAxis &axis, const QRect &area, const Theme &theme) const;
    void finish(QPainter &painter, const Theme &theme, bool compact, qreal ratio, bool tall);
    void paintNames(QPainter &painter, const Theme &theme, qreal ratio, bool tall);
    void paintWaits(QPainter &painter, const Theme &theme, qreal ratio) const;
    [[nodiscard]] QStaticText nameOf(const Label &label, bool withChunk, bool withKind, const QFont &font);

    std::shared_ptr<const IterationResult> m_result;
    std::int32_t m_focus = 0;
    std::vector<std::int32_t> m_members;
    std::array<std::vector<std::vector<Sums>>, 2> m_shapeSums;     ///< [OperationKind][stage][chunk]
    TimeNs m_typicalCollective = 0;                    ///< median exposed piece of an operation; 0 = none
    std::vector<std::vector<CommunicationSpan>> m_communication;   ///< by stage
    std::vector<Span> m_spans, m_pieces;               ///< scratch
    std::vector<PixelRun> m_runs;
    std::vector<Patch> m_patches;
    std::vector<Label> m_labels;
    std::vector<WaitText> m_waits, m_idles;            ///< idle: a bubble that says how long it is
    QHash<quint64, QStaticText> m_texts;
    int m_textPixels = 0;
    QString m_textLanguage;
    bool m_plainGround = false;                        ///< labels lie over pieces
};

/// What ends a wait, as a noun: "the gradient reduction"; empty for EventKind::None.
[[nodiscard]] QString waitedForText(EventKind event);
/// Category whose share is largest, per pixel of a map of replicas (rows) and the whole iteration (columns). RGB32.
[[nodiscard]] QImage replicaMap(const IterationResult &result, QSize pixels, const Theme &theme);

} // namespace clusterbeat
