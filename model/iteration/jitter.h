// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/plan.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace clusterbeat {

/// Factor of compute of mean 1 and standard deviation sigma that a jitter's distribution has at a probability, never below
/// 1/20: 1 + sigma * z of the normal, the lognormal, or 1 + sigma * (e - 1) of the exponential distribution. Monotone.
[[nodiscard]] double jitterQuantile(const IterationPlan::Jitter &jitter, double probability);

/// The slowest of n independent draws is at or below x with probability F(x)^n, so it lies where the distribution has the
/// probability u^(1/n) of one uniform u (the first order statistic from above; H. A. David and H. N. Nagaraja, "Order
/// Statistics", 3rd ed. 2003, section 2.1). Given that it is at p, the others are independent and uniform below p.
[[nodiscard]] double slowestProbability(double uniform, std::size_t members);

/// Values of those functions at 4,096 equal steps of u; between them linear (absolute error below 2e-5 sigma), exact in
/// both tails of 1/64. Without a table the same bits are computed at each call.
class JitterTables final {
public:
    static constexpr std::size_t kCells = 4096;
    /// `counts`: how many members of a group the jitter affects, every number that occurs. O(kCells) each.
    JitterTables(const IterationPlan::Jitter &jitter, const std::vector<std::size_t> &counts);

    struct Row {
        double slowest = 1.0, probability = 0.0;
        double others = 1.0;     ///< mean of the others, given the slowest
    };
    using Rows = std::vector<Row>;
    /// Null for a count that was not given.
    [[nodiscard]] const Rows *ofCount(std::size_t count) const;
    [[nodiscard]] bool knows(const std::vector<std::size_t> &counts) const;
    [[nodiscard]] const std::vector<double> &quantiles() const { return m_quantiles; }

private:
    std::vector<double> m_quantiles;   ///< at p = 0 … 1, the ends not used
    std::map<std::size_t, Rows> m_rows;
};

/// The draws of one jitter in one group: the slowest member's factor by one draw for each operation, which member it is by
/// a second; the others' are derived when asked for, all of them below it. Pure function of (seed, group or GPU,
/// operation). O(group) to make, O(1) a call with tables.
class GroupDraws final {
public:
    GroupDraws(const IterationPlan &plan, const IterationPlan::Jitter &jitter, std::int32_t stage, std::int32_t replica);

    /// Members that the jitter affects.
    [[nodiscard]] std::size_t count() const { return m_count; }
    [[nodiscard]] bool hasTable() const { return m_rows != nullptr; }
    [[nodiscard]] double slowest(std::int32_t operation) const;
    /// The slowest and the mean that the other affected members have on average beside it. With tables only.
    struct Expected {
        double slowest = 1.0, others = 1.0;
    };
    [[nodiscard]] Expected expected(std::int32_t operation) const;
    [[nodiscard]] std::int32_t slowestMember(std::int32_t operation) const;
    /// 1 of a member that is not affected.
    [[nodiscard]] double of(std::int32_t member, std::int32_t operation) const;
    /// Each member's factor times its draw: of() of all at once.
    void multiply(std::int32_t operation, std::vector<double> &factors) const;

private:
    /// What one operation's draws are below: the slowest member, its draw, and the probability that it is at.
    struct Top {
        std::int32_t member = 0;
        double factor = 1.0, probability = 1.0;
    };
    [[nodiscard]] Top topOf(std::int32_t operation) const;
    [[nodiscard]] double below(const Top &top, std::int32_t member, std::int32_t operation) const;
    [[nodiscard]] bool affects(std::int32_t member) const;
    /// Number of the slowest among the affected members.
    [[nodiscard]] std::size_t slowestNumber(std::int32_t operation) const;
    [[nodiscard]] JitterTables::Row row(std::size_t cell) const;

    const IterationPlan &m_plan;
    const IterationPlan::Jitter &m_jitter;
    std::size_t m_first;                            ///< position of the group's first member
    std::size_t m_count = 0;
    const JitterTables::Rows *m_rows = nullptr;
    std::uint64_t m_slowestStream, m_whoStream;
};

} // namespace clusterbeat
