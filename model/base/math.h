// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

namespace clusterbeat {

/// libm's transcendental functions differ between processors and versions; these use only + - * / and
/// bit operations and so give the same bits everywhere. Relative error below 1e-14 (tested).
[[nodiscard]] double exactExp(double x);
/// Natural logarithm of x > 0; x <= 0 gives -infinity for 0 and NaN below.
[[nodiscard]] double exactLog(double x);
/// x^y for x >= 0.
[[nodiscard]] double exactPow(double x, double y);
/// cos(2 pi x).
[[nodiscard]] double exactCos2Pi(double x);

} // namespace clusterbeat
