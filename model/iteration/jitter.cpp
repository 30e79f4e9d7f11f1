// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/jitter.h"

#include "model/base/math.h"
#include "model/base/random.h"

#include <algorithm>
#include <cmath>

namespace clusterbeat {
namespace {

constexpr std::uint64_t kMemberPurpose = 0x6a69747465720001ULL;
constexpr std::uint64_t kSlowestPurpose = 0x6a69747465720002ULL;
constexpr std::uint64_t kWhoPurpose = 0x6a69747465720003ULL;
constexpr double kLowestFactor = 0.05;
/// The largest double below 1: no distribution here is finite at 1.
constexpr double kMostProbability = 1.0 - 0x1p-53;
/// What the derived members stay below the slowest one at least.
constexpr double kBelow = 1.0 - 0x1p-40;
constexpr std::size_t kCells = JitterTables::kCells;
constexpr std::size_t kTailCells = kCells / 64;
constexpr double kStep = 1.0 / static_cast<double>(kCells);

std::uint64_t counterOf(std::int32_t operation) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(operation)); }

struct Cell {
    explicit Cell(double u) : index(static_cast<std::size_t>(u * static_cast<double>(kCells))), part(u * static_cast<double>(kCells) - static_cast<double>(index)) {}
    [[nodiscard]] bool isTail() const { return index < kTailCells || index >= kCells - kTailCells; }
    std::size_t index;
    double part;
};

double between(double left, double right, double part) { return left + part * (right - left); }
double edge(std::size_t cell) { return static_cast<double>(cell) * kStep; }

/// Integrals of the quantiles from 0 to each step, by trapezoids; the first cell, where they may be infinite, by halves.
std::vector<double> integralsOf(const IterationPlan::Jitter &jitter, const std::vector<double> &quantiles)
{
    constexpr int halvings = 40;
    std::vector<double> integrals(kCells + 1, 0.0);
    double width = kStep;
    for (int i = 0; i < halvings; ++i) {
        width *= 0.5;
        integrals[1] += width * jitterQuantile(jitter, 1.5 * width);
    }
    for (std::size_t i = 1; i + 1 < kCells; ++i)
        integrals[i + 1] = integrals[i] + 0.5 * kStep * (quantiles[i] + quantiles[i + 1]);
    integrals[kCells] = integrals[kCells - 1];
    width = kStep;
    for (int i = 0; i < halvings; ++i) {
        width *= 0.5;
        integrals[kCells] += width * jitterQuantile(jitter, 1.0 - 1.5 * width);
    }
    return integrals;
}

} // namespace

double jitterQuantile(const IterationPlan::Jitter &jitter, double probability)
{
    const double p = std::min(probability, kMostProbability);
    switch (jitter.distribution) {
    case JitterDistribution::Lognormal: {
        // exp(N(mu, s)) has mean exp(mu + s^2/2) and squared coefficient of variation exp(s^2) - 1.
        const double variance = exactLog(1.0 + jitter.sigma * jitter.sigma);
        return std::max(kLowestFactor, exactExp(std::sqrt(variance) * inverseNormal(p) - 0.5 * variance));
    }
    case JitterDistribution::Exponential: return std::max(kLowestFactor, 1.0 - jitter.sigma * (exactLog(1.0 - p) + 1.0));
    case JitterDistribution::Normal: break;
    }
    return std::max(kLowestFactor, 1.0 + jitter.sigma * inverseNormal(p));
}

double slowestProbability(double uniform, std::size_t members)
{
    if (members <= 1) return uniform;
    return std::min(exactPow(uniform, 1.0 / static_cast<double>(members)), kMostProbability);
}

JitterTables::JitterTables(const IterationPlan::Jitter &jitter, const std::vector<std::size_t> &counts) : m_quantiles(kCells + 1, 0.0)
{
    for (std::size_t i = 1; i < kCells; ++i)
        m_quantiles[i] = jitterQuantile(jitter, edge(i));
    const std::vector<double> integrals = integralsOf(jitter, m_quantiles);
    for (const std::size_t count : counts) {
        Rows &rows = m_rows[count];
        if (!rows.empty() || count == 0) continue;
        rows.resize(kCells + 1);
        for (std::size_t i = 1; i < kCells; ++i) {
            const double p = slowestProbability(edge(i), count);
            const Cell cell(p);
            rows[i] = {jitterQuantile(jitter, p), p, between(integrals[cell.index], integrals[cell.index + 1], cell.part) / p};
        }
        rows[0].others = rows[1].others;
        rows[kCells].others = integrals[kCells];
    }
}

const JitterTables::Rows *JitterTables::ofCount(std::size_t count) const
{
    const auto found = m_rows.find(count);
    return found == m_rows.end() ? nullptr : &found->second;
}

bool JitterTables::knows(const std::vector<std::size_t> &counts) const
{
    return std::all_of(counts.begin(), counts.end(), [&](std::size_t count) { return count == 0 || ofCount(count) != nullptr; });
}

GroupDraws::GroupDraws(const IterationPlan &plan, const IterationPlan::Jitter &jitter, std::int32_t stage, std::int32_t replica)
    : m_plan(plan), m_jitter(jitter), m_first(plan.position(stage, replica, 0)),
      m_slowestStream(randomStream({jitter.seed, m_first, kSlowestPurpose})), m_whoStream(randomStream({jitter.seed, m_first, kWhoPurpose}))
{
    for (std::int32_t member = 0; member < plan.groupSize; ++member)
        m_count += affects(member) ? 1U : 0U;
    if (jitter.tables) m_rows = jitter.tables->ofCount(m_count);
}

bool GroupDraws::affects(std::int32_t member) const
{
    return m_jitter.affected.empty() || m_jitter.affected[m_first + static_cast<std::size_t>(member)] != 0;
}

JitterTables::Row GroupDraws::row(std::size_t cell) const
{
    if (m_rows) return (*m_rows)[cell];
    const double p = slowestProbability(edge(cell), m_count);
    return {jitterQuantile(m_jitter, p), p, 1.0};
}

double GroupDraws::slowest(std::int32_t operation) const
{
    const double u = randomUniform(m_slowestStream, counterOf(operation));
    const Cell cell(u);
    if (cell.isTail()) return jitterQuantile(m_jitter, slowestProbability(u, m_count));
    return between(row(cell.index).slowest, row(cell.index + 1).slowest, cell.part);
}

GroupDraws::Expected GroupDraws::expected(std::int32_t operation) const
{
    const double u = randomUniform(m_slowestStream, counterOf(operation));
    const Cell cell(u);
    const JitterTables::Row &left = (*m_rows)[cell.index], &right = (*m_rows)[cell.index + 1];
    const double others = between(left.others, right.others, cell.part);
    if (cell.isTail()) return {jitterQuantile(m_jitter, slowestProbability(u, m_count)), others};
    return {between(left.slowest, right.slowest, cell.part), others};
}

std::size_t GroupDraws::slowestNumber(std::int32_t operation) const
{
    return static_cast<std::size_t>(randomUniform(m_whoStream, counterOf(operation)) * static_cast<double>(m_count));
}

std::int32_t GroupDraws::slowestMember(std::int32_t operation) const
{
    std::size_t before = slowestNumber(operation);
    if (m_jitter.affected.empty()) return static_cast<std::int32_t>(before);
    for (std::int32_t member = 0; member < m_plan.groupSize; ++member)
        if (affects(member) && before-- == 0) return member;
    return 0;
}

GroupDraws::Top GroupDraws::topOf(std::int32_t operation) const
{
    const double u = randomUniform(m_slowestStream, counterOf(operation));
    const Cell cell(u);
    Top top;
    top.member = slowestMember(operation);
    if (cell.isTail()) {
        top.probability = slowestProbability(u, m_count);
        top.factor = jitterQuantile(m_jitter, top.probability);
        return top;
    }
    const JitterTables::Row left = row(cell.index), right = row(cell.index + 1);
    top.probability = between(left.probability, right.probability, cell.part);
    top.factor = between(left.slowest, right.slowest, cell.part);
    return top;
}

double GroupDraws::below(const Top &top, std::int32_t member, std::int32_t operation) const
{
    const std::uint64_t stream = randomStream({m_jitter.seed, m_first + static_cast<std::size_t>(member), kMemberPurpose});
    const double p = top.probability * randomUniform(stream, counterOf(operation));
    const Cell own(p);
    const double *quantiles = m_jitter.tables ? m_jitter.tables->quantiles().data() : nullptr;
    const double value = own.isTail() ? jitterQuantile(m_jitter, p)
                         : quantiles  ? between(quantiles[own.index], quantiles[own.index + 1], own.part)
                                      : between(jitterQuantile(m_jitter, edge(own.index)), jitterQuantile(m_jitter, edge(own.index + 1)), own.part);
    // Linear steps err by 2e-5 sigma, which could lift a close second above the slowest.
    return value > top.factor ? std::max(kLowestFactor, top.factor * kBelow) : value;
}

double GroupDraws::of(std::int32_t member, std::int32_t operation) const
{
    if (!affects(member)) return 1.0;
    const Top top = topOf(operation);
    return top.member == member ? top.factor : below(top, member, operation);
}

void GroupDraws::multiply(std::int32_t operation, std::vector<double> &factors) const
{
    const Top top = topOf(operation);
    for (std::int32_t member = 0; member < m_plan.groupSize; ++member)
        if (affects(member)) factors[static_cast<std::size_t>(member)] *= top.member == member ? top.factor : below(top, member, operation);
}

} // namespace clusterbeat
