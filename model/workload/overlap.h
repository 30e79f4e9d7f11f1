// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/network/network_model.h"

namespace clusterbeat
{

/// What a group's collectives keep busy: NVLink inside domains, the network between them.
struct Wires {
    bool scaleup = false, network = false;
};
/// None for a path without links of its own (LayoutBounds): what takes it competes with nothing.
[[nodiscard]] Wires wiresOf(const GroupPath &path);
/// Do all members reach each other over NVLink alone? User buffers and asynchronous tensor parallelism need that.
[[nodiscard]] bool insideScaleupDomain(const GroupPath &path);

/// Compute of one pass that communication can run behind. Communication hides at most for as long as there is compute,
/// and a wire carries one collective at a time, so that all that share a wire fit behind the compute together.
class OverlapRoom final
{
public:
    OverlapRoom() = default;
    explicit OverlapRoom(double compute) : m_compute(compute) {}
    /// Takes what of `wanted` seconds runs behind at most `behind` seconds of the compute, and returns it.
    double hide(double wanted, double behind, Wires wires);
    [[nodiscard]] double left(Wires wires) const;
    [[nodiscard]] double compute() const { return m_compute; }

private:
    double m_compute = 0.0;
    double m_scaleup = 0.0, m_network = 0.0; ///< of it taken, by wire
};

/// Collectives of one block (half a layer) of a pass: what the compute stream waits for before and after the block's
/// compute, and what runs behind it. As a demand the last two are what would be hidden behind compute without end; as
/// a result of settle() what is.
struct BlockCollectives {
    double before = 0.0, after = 0.0; ///< exposed
    double behind = 0.0; ///< overlapped on purpose; the calibrated share is net of the slowdown that it causes
    double hidden = 0.0; ///< deferred behind compute, which it slows by CostConstants::overlapContention
};

/// What one layer communicates in one pass, as a demand, and settled.
struct PassCommunication {
    double blocks = 0.0;     ///< with tensor-parallel collectives
    BlockCollectives tensor; ///< of each of these
    BlockCollectives expert; ///< dispatch and combine
    double context = 0.0;    ///< exposed exchange of keys and values
    double contextBehind = 0.0, contextHidden = 0.0;      ///< as BlockCollectives
    Wires tensorWires, expertWires, contextWires;

    [[nodiscard]] double exposed() const
    {
        return blocks * (tensor.before + tensor.after) + context + expert.before + expert.after;
    }
    /// What slows the compute that it runs behind.
    [[nodiscard]] double contending() const { return blocks * tensor.hidden + contextHidden + expert.hidden; }
};

/// Compute of a pass by what may run behind it.
struct PassCompute {
    double total = 0.0;
    double attentionHalf = 0.0;  ///< hides the exchange of keys and values
    double deferring = 0.0;      ///< hides deferred tensor-parallel collectives: the weight gradient
};

/// The demand with what fits behind the compute hidden and the rest in the open, where the compute stream waits for
/// it. `room` keeps what is left. Never less in sum than the demand; grows with it.
[[nodiscard]] PassCommunication settle(PassCommunication demand, const PassCompute &compute, OverlapRoom &room);

} // namespace clusterbeat
