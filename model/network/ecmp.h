// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <cstdint>

namespace clusterbeat {

/// How a network shares flows over ways of equal cost. Even: every flow over all of them. Hash: each flow is cut into
/// `paths` (queue pairs; Llama 3's library opens 16 between two GPUs: Grattafiori et al. 2024, section 3.3.1), and each
/// of those takes one way, by a hash at every switch that it passes: some may collide on a link while others are idle.
struct Ecmp {
    bool hash = false;
    std::int32_t paths = 1;
    std::uint64_t seed = 0;
    friend bool operator==(const Ecmp &, const Ecmp &) = default;
};

} // namespace clusterbeat
