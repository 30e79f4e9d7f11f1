// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"
#include "model/iteration/shape_parts.h"

#include <array>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace clusterbeat {

/// What one dimension's communication of an iteration is spent beside, seconds. busy = hidden + exposed + idle, and
/// busy = startup + transfer. Waiting for a peer is no part of it: it comes before.
struct CommunicationTimes {
    double busyS = 0.0;      ///< its wires carry it
    double hiddenS = 0.0;    ///< the GPU computes meanwhile
    double exposedS = 0.0;   ///< the compute stream waits for it: the breakdown's category
    double idleS = 0.0;      ///< the compute stream waits for something else, or another dimension, anyway
    double startupS = 0.0, transferS = 0.0;
    double peerWaitS = 0.0;
};
inline constexpr std::size_t kDimensionCount = 5;
using DimensionTimes = std::array<CommunicationTimes, kDimensionCount>;   ///< by Dimension

struct CommunicationSummary {
    DimensionTimes mean{};                                       ///< over all ranks
    std::array<CommunicationTimes, kDimensionCount> fullest{};   ///< of the rank whose busy time is longest
    std::array<RankIndex, kDimensionCount> fullestRank{};        ///< the first of those; kNone = the dimension is not used
};

/// What of one collective or transfer lies where, nanoseconds; they sum to its length.
struct CommunicationShare {
    TimeNs hidden = 0, exposed = 0, idle = 0;
};

/// Splits the communication of a run. Collectives inside an operation (TP, CP, EP, FSDP) are exposed as its shape says; the
/// rest of their busy time runs behind its compute, never more of it than there is. Gathers, reductions and transfers have
/// times of their own: what of them falls on an operation is behind its compute in proportion, since compute and
/// collectives of an operation alternate layer by layer; what falls on a wait for them is exposed. A transfer counts for the
/// rank that receives it, or when it keeps the sender's compute stream busy (`overlap.pipeline` false) for the sender.
/// The result outlives the account.
class CommunicationAccount final {
public:
    explicit CommunicationAccount(const IterationResult &result);

    /// O(operations * log operations).
    [[nodiscard]] DimensionTimes ofRank(std::int32_t stage, std::int32_t replica, std::int32_t member) const;
    /// O(operations * classes). Unfinished once `stop` is requested.
    [[nodiscard]] CommunicationSummary summary(const std::stop_token &stop = {}) const;
    /// Of a span of communicationOfGroup(), for a rank of the group; a send's exposed part is the receiver's.
    [[nodiscard]] CommunicationShare shareOf(std::int32_t stage, std::int32_t replica, std::int32_t member, const CommunicationSpan &span) const;
    /// Communication of all dimensions behind a rank's compute in [begin, end), nanoseconds; two at once count twice.
    [[nodiscard]] double hiddenBetween(std::int32_t stage, std::int32_t replica, std::int32_t member, TimeNs begin, TimeNs end) const;
    /// Behind the compute of one operation, by Dimension.
    [[nodiscard]] const std::array<double, kDimensionCount> &hiddenInside(std::int32_t stage, const ScheduledOperation &operation) const;

private:
    struct Streams {
        double busyNs = 0.0, hiddenNs = 0.0;
    };
    /// By Dimension, nanoseconds; `busy` without waits that only the unperturbed run explains.
    struct Sums {
        std::array<double, kDimensionCount> busy{}, hidden{};
    };
    struct Group;

    [[nodiscard]] double computeOf(const Group &group, std::int32_t slot) const;
    [[nodiscard]] double behindCompute(const Group &group, TimeNs begin, TimeNs end) const;
    template <typename Each>
    void forSync(const Group &group, Each &&each) const;
    template <typename Each>
    void forArrivals(const Group &group, Each &&each) const;
    [[nodiscard]] Streams syncOf(const Group &group) const;
    [[nodiscard]] Streams transfersOf(const Group &group) const;
    [[nodiscard]] std::array<double, kDimensionCount> exposedOf(const Group &group) const;
    [[nodiscard]] Sums sumsOf(const Group &group) const;
    [[nodiscard]] Sums insideOf(const Group &group) const;
    [[nodiscard]] double behindBefore(const Group &group, std::int32_t operation, TimeNs begin, TimeNs end) const;
    void fillHidden();
    void addStartup(DimensionTimes &times) const;
    [[nodiscard]] CommunicationShare shareOfSend(std::int32_t stage, std::int32_t replica, std::int32_t member, const CommunicationSpan &span) const;

    const IterationResult &m_result;
    ShapePartTable m_parts;
    std::vector<std::array<double, kDimensionCount>> m_hidden;   ///< [(stage * chunks + chunk) * 4 + kind], nanoseconds
};

/// The category of a dimension's exposed time.
[[nodiscard]] Category exposedCategory(Dimension dimension);

} // namespace clusterbeat
