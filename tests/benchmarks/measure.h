// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace clusterbeat {

/// Wall times of one kind of work, printed against its budget. Benchmarks print; they never fail a build.
class Measurement final {
public:
    Measurement(std::string name, double budgetMs) : m_name(std::move(name)), m_budgetMs(budgetMs) {}

    template <typename Work> void run(int times, Work &&work)
    {
        for (int i = 0; i < times; ++i)
            once(work);
    }
    template <typename Work> void once(Work &&work)
    {
        const auto begin = std::chrono::steady_clock::now();
        work();
        m_ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
    void add(double milliseconds) { m_ms.push_back(milliseconds); }

    /// "name  median  p95  worst  budget": the budget is for the median, or as the name says.
    void print() const
    {
        std::vector<double> sorted = m_ms;
        std::sort(sorted.begin(), sorted.end());
        const auto at = [&](double share) { return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))]; };
        std::printf("%-58s median %8.2f ms   p95 %8.2f ms   worst %8.2f ms   budget %6.0f ms   n = %zu\n", m_name.c_str(), at(0.5), at(0.95),
                    at(1.0), m_budgetMs, sorted.size());
    }

private:
    std::string m_name;
    double m_budgetMs;
    std::vector<double> m_ms;
};

} // namespace clusterbeat
