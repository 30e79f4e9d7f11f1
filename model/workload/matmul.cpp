// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/matmul.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace clusterbeat {
namespace {

// Tile shapes of large matmul kernels; smaller tiles reuse less of what they load and pay by their weight.
struct Tile {
    double rows, columns, weight;
};
constexpr std::array<Tile, 4> kTiles{{{128, 256, 1.0}, {256, 128, 1.0}, {128, 128, 1.12}, {64, 128, 1.35}}};

} // namespace

double matmulQuantisation(double m, double n, double sms, double count)
{
    if (!(m > 0.0) || !(n > 0.0)) return 1.0;
    double best = 0.0;
    for (const Tile &tile : kTiles) {
        const double tiles = count * std::ceil(m / tile.rows) * std::ceil(n / tile.columns);
        const double slots = sms > 0.0 ? std::ceil(tiles / sms) * sms : tiles;
        const double q = tile.weight * slots * tile.rows * tile.columns / (m * n * count);
        if (best == 0.0 || q < best) best = q;
    }
    return best;
}

double matmulSeconds(double m, double n, double k, const MatmulRate &rate, double count)
{
    if (!(m > 0.0) || !(n > 0.0) || !(k > 0.0) || !(count > 0.0)) return 0.0;
    const double quantisation = matmulQuantisation(m, n, rate.sms, count);
    const double arithmetic = 2.0 * m * n * k * quantisation * (1.0 + rate.depthElements / k) / rate.flopsPerS;
    const double memory = 2.0 * (m * k + k * n + m * n) / rate.hbmBytesPerS;
    return count * std::max(arithmetic, memory);
}

LinearSeconds linearSeconds(double rows, double outputs, double inputs, const MatmulRate &rate, double count)
{
    return {matmulSeconds(rows, outputs, inputs, rate, count), matmulSeconds(rows, inputs, outputs, rate, count),
            matmulSeconds(inputs, outputs, rows, rate, count)};
}

} // namespace clusterbeat
