// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/object_reader.h"

/// What the file format takes for possible: wide enough for any plan of the coming years, narrow enough that products
/// of a few of them stay exact in a double and that nothing is allocated by a typing error.
namespace clusterbeat
{

inline constexpr IntegerRange kLayersRange{1, 10'000};
inline constexpr IntegerRange kWidthRange{1, 1'000'000}; // hidden, ffn_hidden, ranks of MLA
inline constexpr IntegerRange kHeadsRange{1, 100'000};
inline constexpr IntegerRange kVocabRange{1, 100'000'000};
inline constexpr IntegerRange kExpertsRange{1, 100'000};
inline constexpr IntegerRange kSequenceRange{1, 100'000'000};
inline constexpr IntegerRange kBatchRange{1, 100'000'000};
inline constexpr IntegerRange kMicroBatchRange{1, 100'000};
inline constexpr IntegerRange kDegreeRange{1, 1'000'000};
inline constexpr IntegerRange kCountRange{1, 1'000'000'000};
inline constexpr IntegerRange kEcmpPathsRange{1, 1024};
inline constexpr IntegerRange kSeedRange{0, 9'007'199'254'740'992};
inline constexpr NumberRange kRateRange{1e-3, 1e9}; // Gb/s, GB/s, TFLOP/s, W, USD
inline constexpr NumberRange kOversubscriptionRange{0.01, 1e4};
inline constexpr NumberRange kSecondsRange{0.0, 1e9};

inline constexpr std::int64_t kMaxGpus = 262'144;
/// Pipeline operations of one iteration over all replicas, about 40 bytes each where every replica runs apart.
inline constexpr std::int64_t kMaxOperations = std::int64_t{1} << 24;
/// Of one replica: its schedule and dependencies are about 200 bytes each.
inline constexpr std::int64_t kMaxScheduleOperations = std::int64_t{1} << 21;

} // namespace clusterbeat
