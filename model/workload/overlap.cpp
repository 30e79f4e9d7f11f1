// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/overlap.h"

#include <algorithm>

namespace clusterbeat
{
namespace
{

// What does not fit waits where the rest of its collectives waits.
void expose(BlockCollectives &block, double seconds)
{
    const double shown = block.before + block.after;
    const double before = shown > 0.0 ? block.before / shown : 0.0;
    block.before += before * seconds;
    block.after += (1.0 - before) * seconds;
}

} // namespace

bool insideScaleupDomain(const GroupPath &path)
{
    return path.domains <= 1 && !path.leavesDomain;
}

Wires wiresOf(const GroupPath &path)
{
    if (path.bottleneck.empty()) return {};
    return {path.membersPerDomain > 1 || path.domains <= 1, !insideScaleupDomain(path)};
}

double OverlapRoom::left(Wires wires) const
{
    return std::max(0.0, m_compute - std::max(wires.scaleup ? m_scaleup : 0.0, wires.network ? m_network : 0.0));
}

double OverlapRoom::hide(double wanted, double behind, Wires wires)
{
    const double hidden = std::min({wanted, behind, left(wires)});
    if (wires.scaleup) m_scaleup += hidden;
    if (wires.network) m_network += hidden;
    return hidden;
}

PassCommunication settle(PassCommunication demand, const PassCompute &compute, OverlapRoom &room)
{
    PassCommunication pass = demand;
    pass.contextHidden = room.hide(demand.contextHidden, compute.attentionHalf, demand.contextWires);
    pass.contextBehind = room.hide(demand.contextBehind, compute.attentionHalf, demand.contextWires);
    pass.context += demand.contextHidden - pass.contextHidden + demand.contextBehind - pass.contextBehind;
    if (demand.blocks > 0.0) {
        const double blocks = demand.blocks;
        pass.tensor.hidden = room.hide(blocks * demand.tensor.hidden, compute.deferring, demand.tensorWires) / blocks;
        pass.tensor.behind = room.hide(blocks * demand.tensor.behind, compute.total, demand.tensorWires) / blocks;
        expose(pass.tensor, demand.tensor.behind - pass.tensor.behind);
        pass.tensor.after += demand.tensor.hidden - pass.tensor.hidden;
    }
    pass.expert.hidden = room.hide(demand.expert.hidden, compute.total, demand.expertWires);
    expose(pass.expert, demand.expert.hidden - pass.expert.hidden);
    return pass;
}

} // namespace clusterbeat
