// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/search/search_layouts.h"

#include "model/search/layout_bounds.h"
#include "model/search/parallel.h"

#include <algorithm>
#include <limits>
#include <map>
#include <queue>

namespace clusterbeat
{
namespace
{

/// Layouts that are looked at together: the thresholds change between batches only, so what is simulated does not
/// depend on how many threads share one.
constexpr std::size_t kBatch = 32;
constexpr std::size_t kFamiliesAtOnce = 4;
constexpr std::size_t kBoundsBlock = 64;
constexpr TimeNs kNever = std::numeric_limits<TimeNs>::max();

struct Bounded {
    LayoutChoice choice;
    TimeNs time = kNever; ///< lower bounds; not known before the family is opened
    Bytes memory = 0;
    bool fits = false; ///< known to fit
};

/// Layouts with the same work in every layer.
struct Family {
    TimeNs time = 0; ///< lower bound of all members
    std::vector<std::size_t> members;
};

/// What to look at next: a layout to simulate, or a family to open.
struct Item {
    TimeNs time = 0;
    bool isFamily = false;
    std::size_t index = 0;
    friend auto operator<=>(const Item &, const Item &) = default;
};

/// An executed layout; `index` is the place in the order of candidates.
struct Executed {
    TimeNs time = kNever;
    Bytes memory = 0;
    std::size_t index = 0;
    bool valid = false;
    [[nodiscard]] auto rank() const { return std::tuple(time, memory, index); }
};

class Search
{
public:
    Search(const LayoutResolver &resolver, const CostConstants &constants, const Expansion &expansion,
           const SearchOptions &options, const std::stop_token &stop, const ProgressSink &progress)
        : m_options(options), m_stop(stop), m_progress(progress), m_resolver(resolver),
          m_evaluator(resolver, constants, expansion), m_scratch(options.threads, resolver.base()),
          m_bounds(options.threads, LayoutBounds(constants, fastestLinks(expansion, constants)))
    {
    }

    /// nullopt when cancelled.
    std::optional<SearchResult> run()
    {
        findFamilies();
        rankFitting();
        listTooLarge();
        if (m_stop.stop_requested()) return std::nullopt;
        SearchResult result;
        result.valid = m_candidates.size();
        result.executed = m_executed;
        result.ranked = details(m_top);
        std::erase_if(m_front, [&](const Executed &e) { return static_cast<double>(e.time) > slowestOfFront(); });
        result.pareto = details(m_front);
        result.tooLarge = details(m_tooLarge);
        if (m_stop.stop_requested()) return std::nullopt;
        explain(result);
        return result;
    }

private:
    void report(SimulationStage stage, std::size_t done, std::size_t all) const
    {
        if (m_progress) m_progress(stage, static_cast<int>(1000 * done / std::max<std::size_t>(1, all)));
    }

    void findFamilies()
    {
        report(SimulationStage::Resolve, 0, 1);
        using Key =
            std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, RecomputeMode>;
        std::map<Key, std::size_t> known;
        for (const LayoutChoice &c : validLayouts(m_resolver, m_options.space)) {
            const auto [entry, isNew] =
                known.try_emplace(
                {c.tensor, c.context, c.expert, c.expertTensor, c.microBatch, c.recompute}, m_families.size());
            if (isNew) m_families.emplace_back();
            m_families[entry->second].members.push_back(m_candidates.size());
            m_candidates.push_back({c});
        }
        forEachIndex(m_families.size(), m_options.threads, 1, m_stop, [&](unsigned worker, std::size_t i) {
            Family &family = m_families[i];
            family.time =
                m_bounds[worker].familyTime(m_candidates[family.members.front()].choice, m_resolver, m_scratch[worker]);
        });
    }

    /// The family's work on the GPUs that the layout uses.
    [[nodiscard]] TimeNs sharedOut(const Family &family, const LayoutChoice &c) const
    {
        const auto ranks = static_cast<double>(c.tensor * c.context * c.data * c.pipeline);
        return static_cast<TimeNs>(static_cast<double>(family.time) * static_cast<double>(m_resolver.usableGpus()) /
                                   ranks);
    }

    void open(const std::vector<std::size_t> &families)
    {
        std::vector<std::size_t> members;
        for (const std::size_t family : families)
            for (const std::size_t member : m_families[family].members) {
                Bounded &candidate = m_candidates[member];
                candidate.time = sharedOut(m_families[family], candidate.choice);
                if (!tooSlow(candidate.time)) members.push_back(member);
            }
        forEachIndex(members.size(), m_options.threads, kBoundsBlock, m_stop, [&](unsigned worker, std::size_t i) {
            Bounded &candidate = m_candidates[members[i]];
            if (!m_resolver.resolveInto(candidate.choice, m_scratch[worker])) return;
            candidate.memory = m_bounds[worker].memory(m_scratch[worker]);
            candidate.time = m_bounds[worker].time(candidate.choice, m_scratch[worker]);
        });
        for (const std::size_t member : members)
            if (m_candidates[member].memory <= m_evaluator.capacity())
                m_agenda.push({m_candidates[member].time, false, member});
    }

    [[nodiscard]] TimeNs slowestOfTop() const { return m_top.size() < m_options.top ? kNever : m_top.back().time; }
    [[nodiscard]] double slowestOfFront() const
    {
        const double best =
            m_top.empty() ? std::numeric_limits<double>::infinity() : static_cast<double>(m_top.front().time);
        return m_options.slowestOfFront * best;
    }
    [[nodiscard]] bool tooSlow(TimeNs time) const
    {
        return time > slowestOfTop() && static_cast<double>(time) > slowestOfFront();
    }
    /// Whether a layout with these lower bounds can neither be among the top nor on the front.
    [[nodiscard]] bool hopeless(TimeNs time, Bytes memory) const
    {
        if (time <= slowestOfTop()) return false;
        if (tooSlow(time)) return true;
        return std::any_of(m_front.begin(), m_front.end(),
                           [&](const Executed &e) { return e.time <= time && e.memory <= memory; });
    }

    void rankFitting()
    {
        for (std::size_t i = 0; i < m_families.size(); ++i)
            m_agenda.push({m_families[i].time, true, i});
        std::size_t opened = 0;
        while (!m_agenda.empty() && !tooSlow(m_agenda.top().time) && !m_stop.stop_requested()) {
            report(SimulationStage::Execute, opened, m_families.size());
            std::vector<std::size_t> batch, families;
            while (!m_agenda.empty() && batch.size() < kBatch && families.size() < kFamiliesAtOnce) {
                const Item item = m_agenda.top();
                m_agenda.pop();
                if (item.isFamily)
                    families.push_back(item.index);
                else if (!hopeless(item.time, m_candidates[item.index].memory))
                    batch.push_back(item.index);
            }
            opened += families.size();
            open(families);
            const auto wanted = [&](TimeNs time, Bytes memory) {
                return memory <= m_evaluator.capacity() && !hopeless(time, memory);
            };
            for (const Executed &executed : execute(batch, wanted))
                if (executed.valid) addFitting(executed);
        }
    }

    void addFitting(const Executed &executed)
    {
        m_candidates[executed.index].fits = true;
        insert(m_top, executed, [](const Executed &e) { return e.rank(); });
        const bool beaten = std::any_of(m_front.begin(), m_front.end(), [&](const Executed &e) {
            return e.time <= executed.time && e.memory <= executed.memory;
        });
        if (standsAlready(m_front, executed) || beaten) return;
        std::erase_if(m_front,
                      [&](const Executed &e) { return executed.time <= e.time && executed.memory <= e.memory; });
        m_front.push_back(executed);
        std::sort(m_front.begin(), m_front.end(),
                  [](const Executed &a, const Executed &b) { return a.rank() < b.rank(); });
    }

    /// Of layouts that are alike in time and memory the first candidate stands for all (recompute of what is not kept
    /// anyway, a ZeRO stage without gradients to shard).
    static bool standsAlready(std::vector<Executed> &list, const Executed &executed)
    {
        const auto same = std::find_if(list.begin(), list.end(), [&](const Executed &e) {
            return e.time == executed.time && e.memory == executed.memory;
        });
        if (same == list.end()) return false;
        same->index = std::min(same->index, executed.index);
        return true;
    }

    template <typename Key> void insert(std::vector<Executed> &list, const Executed &executed, Key &&key) const
    {
        if (standsAlready(list, executed)) return;
        list.insert(std::upper_bound(list.begin(), list.end(), executed,
                                     [&](const Executed &a, const Executed &b) { return key(a) < key(b); }),
                    executed);
        if (list.size() > m_options.top) list.pop_back();
    }

    /// Simulates a batch; layouts whose exact memory or whose bound with the real network `wanted` rejects are left
    /// out.
    template <typename Wanted>
    [[nodiscard]] std::vector<Executed> execute(const std::vector<std::size_t> &batch, Wanted &&wanted)
    {
        std::vector<LayoutChoice> choices;
        for (const std::size_t index : batch)
            choices.push_back(m_candidates[index].choice);
        m_evaluator.solveNetworks(choices, m_options.threads, m_stop);
        std::vector<Executed> results(batch.size());
        forEachIndex(batch.size(), m_options.threads, 1, m_stop, [&](unsigned worker, std::size_t i) {
            ResolvedScenario &scratch = m_scratch[worker];
            const auto prepared = m_evaluator.prepare(choices[i], scratch);
            if (!prepared || !wanted(prepared->lowerBound, m_candidates[batch[i]].memory)) return;
            const IterationPlan plan = m_evaluator.plan(*prepared, scratch);
            const Bytes memory = m_evaluator.memory(scratch, plan.schedule).total();
            if (!wanted(prepared->lowerBound, memory)) return;
            const Trace trace = executePlan(plan);
            results[i] = {trace.iteration, memory, batch[i], true};
        });
        m_executed += static_cast<std::size_t>(
            std::count_if(results.begin(), results.end(), [](const Executed &e) { return e.valid; }));
        return results;
    }

    void listTooLarge()
    {
        const TimeNs best = m_top.empty() ? kNever : m_top.front().time;
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < m_candidates.size(); ++i)
            if (m_candidates[i].time < best && !m_candidates[i].fits) order.push_back(i);
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return std::tuple(m_candidates[a].memory, a) < std::tuple(m_candidates[b].memory, b);
        });
        const auto leastOver = [](const Executed &e) { return std::tuple(e.memory, e.time, e.index); };
        const auto wanted = [&](TimeNs time, Bytes memory) {
            if (time >= best) return false;
            return m_tooLarge.size() < m_options.top || memory <= m_tooLarge.back().memory;
        };
        std::vector<std::size_t> batch;
        for (std::size_t i = 0; i < order.size() && !m_stop.stop_requested();) {
            report(SimulationStage::Attribute, i, order.size());
            for (batch.clear(); i < order.size() && batch.size() < kBatch; ++i) {
                const Bounded &candidate = m_candidates[order[i]];
                if (wanted(candidate.time, candidate.memory)) batch.push_back(order[i]);
            }
            for (const Executed &executed : execute(batch, wanted))
                if (executed.valid && executed.memory > m_evaluator.capacity() && executed.time < best)
                    insert(m_tooLarge, executed, leastOver);
        }
    }

    [[nodiscard]] std::vector<FoundLayout> details(const std::vector<Executed> &list)
    {
        std::vector<FoundLayout> found(list.size());
        forEachIndex(list.size(), m_options.threads, 1, m_stop, [&](unsigned worker, std::size_t i) {
            found[i].choice = m_candidates[list[i].index].choice;
            found[i].detail = m_evaluator.detail(found[i].choice, m_scratch[worker]);
        });
        return found;
    }

    static LossReason reasonAgainst(const LayoutDetail &best, const LayoutDetail &layout)
    {
        LossReason reason;
        reason.kind = layout.iteration == best.iteration ? LossReason::Kind::Ties : LossReason::Kind::Slower;
        for (std::size_t c = 0; c < kCategoryCount; ++c) {
            const double more = layout.breakdownS[c] - best.breakdownS[c];
            if (more <= reason.seconds) continue;
            reason.category = static_cast<Category>(c);
            reason.seconds = more;
        }
        return reason;
    }

    static void explain(SearchResult &result)
    {
        for (std::vector<FoundLayout> *list : {&result.ranked, &result.pareto})
            for (std::size_t i = 1; i < list->size(); ++i)
                (*list)[i].reason = reasonAgainst(result.ranked.front().detail, (*list)[i].detail);
        for (FoundLayout &layout : result.tooLarge)
            layout.reason = {LossReason::Kind::DoesNotFit, Category::Bubble, 0.0,
                             layout.detail.memory.total() - layout.detail.capacity};
    }

    const SearchOptions &m_options;
    const std::stop_token &m_stop;
    const ProgressSink &m_progress;
    const LayoutResolver &m_resolver;
    LayoutEvaluator m_evaluator;
    std::vector<ResolvedScenario> m_scratch; ///< by worker
    std::vector<LayoutBounds> m_bounds;      ///< by worker
    std::vector<Bounded> m_candidates;
    std::vector<Family> m_families;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> m_agenda;
    std::vector<Executed> m_top, m_front, m_tooLarge;
    std::size_t m_executed = 0;
};

} // namespace

SearchOutcome searchLayouts(const Scenario &scenario, const Catalogue &catalogue, const SearchOptions &options,
                            std::stop_token stop, const ProgressSink &progress)
{
    const auto resolver = LayoutResolver::make(scenario, catalogue);
    if (!resolver.ok()) return {std::nullopt, resolver.error(), false};
    if (stop.stop_requested()) return {std::nullopt, std::nullopt, true};
    const auto expansion = expand(resolver.value().base().blueprint);
    if (!expansion.ok()) {
        Error error = expansion.error();
        if (error.place.pointer.empty()) error.place.pointer = "/cluster";
        return {std::nullopt, std::move(error), false};
    }
    SearchOptions checked = options;
    checked.top = std::max<std::size_t>(1, options.top);
    checked.threads = std::max(1U, options.threads);
    auto result = Search(resolver.value(), catalogue.constants, *expansion.value(), checked, stop, progress).run();
    const bool cancelled = !result.has_value();
    return {std::move(result), std::nullopt, cancelled};
}

} // namespace clusterbeat
