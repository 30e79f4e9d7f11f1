// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/workload/rates.h"

namespace clusterbeat {

/// Work of tiles and waves that are not full, relative to M·N: the cheapest of four tile shapes; >= 1.
/// `sms` = 0 counts partial tiles only. `count` matmuls of the same shape fill waves together.
[[nodiscard]] double matmulQuantisation(double m, double n, double sms, double count = 1.0);

/// Seconds of C[m,n] = A[m,k] B[k,n], 16-bit in memory: the slower of arithmetic and memory (roofline, Williams et
/// al. 2009). 0 when a dimension is 0.
///     t = max( 2mnk · q(m,n) · (1 + depth/k) / rate,  2 (mk + kn + mn) / bandwidth )
/// `count` of them in one grouped call: both sides times count, q of all tiles together.
[[nodiscard]] double matmulSeconds(double m, double n, double k, const MatmulRate &rate, double count = 1.0);

/// Forward, and both backward passes of a linear layer of n_out outputs and k inputs over m rows: input gradient
/// (m, k, n_out) and weight gradient (k, n_out, m).
struct LinearSeconds {
    double forward = 0.0, inputGradient = 0.0, weightGradient = 0.0;
    [[nodiscard]] double backward() const { return inputGradient + weightGradient; }
};
[[nodiscard]] LinearSeconds linearSeconds(double rows, double outputs, double inputs, const MatmulRate &rate,
                                          double count = 1.0);

} // namespace clusterbeat
