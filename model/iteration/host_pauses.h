// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/trace.h"
#include "model/scenario/scenario.h"

#include <map>
#include <vector>

namespace clusterbeat {

/// Where on each GPU's timeline its host pauses: at instants phase + n * every of the unperturbed run's clock, the phase
/// drawn for each host, or one for all when aligned. A pause lengthens the operation that runs at that instant by its full
/// length; one that falls into a wait delays the next operation only by what outlasts the wait. Fixed before the perturbed
/// run, so that nothing feeds back. Collected first and placed together: pauses of all hosts that share length and
/// distance are counted between the edges of the operations, which are the same for all hosts of a stage.
class HostPauses final {
public:
    /// `twin`: unperturbed trace of the plan; both outlive this.
    HostPauses(const IterationPlan &plan, const Trace &twin);

    /// Positions ascending. Nothing is placed yet.
    void add(const Perturbation &perturbation, const std::vector<std::size_t> &positions);
    [[nodiscard]] bool empty() const { return m_everywhere.empty() && m_some.empty(); }
    /// Steps that place() takes, about 4 ns each, and pauses that it will keep at most.
    [[nodiscard]] double work() const { return m_drawWork + m_slotWork; }
    [[nodiscard]] double kept() const;
    /// Replaces plan.pauses. The same for any number of threads.
    void place(IterationPlan &plan) const;

private:
    struct Host {
        std::uint64_t seed = 0;
        bool aligned = false;
    };
    struct Rhythm {
        TimeNs every = 1, pause = 0;
        friend auto operator<=>(const Rhythm &, const Rhythm &) = default;
    };
    struct Some {
        Rhythm rhythm;
        Host host;
        std::vector<std::int32_t> positions;
    };
    class Stage;
    [[nodiscard]] double instants(const Rhythm &rhythm) const;
    [[nodiscard]] static TimeNs phaseOf(const Rhythm &rhythm, const Host &host, std::size_t position);
    void placeStage(IterationPlan &plan, std::int32_t stage, const std::vector<std::vector<std::int32_t>> &someOf) const;

    const IterationPlan &m_plan;
    const Trace &m_twin;
    double m_slots = 0.0;                               ///< of the longest stage
    std::map<Rhythm, std::vector<Host>> m_everywhere;   ///< on all positions
    std::vector<Some> m_some;
    double m_drawWork = 0.0, m_slotWork = 0.0, m_kept = 0.0;
};

} // namespace clusterbeat
