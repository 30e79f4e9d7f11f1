// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors

// Fits constants of the cost model on the published runs (tiers A and B with seconds), by hand:
//   calibrate [--fit name,name,…] [--set name=value]… [--steps N] [--dump FILE]
// Prints mean errors by class; with --fit also the new values, and the errors of runs that the fit did not see: five-fold
// by configuration, and leaving out one source after the other. Residual ln(predicted / measured), pseudo-Huber with scale
// 0.08, a log-normal prior of 25 % around the value of the catalogue; Gauss-Newton on numerical derivatives. The fits of
// parts are one step from the whole fit on its derivatives, which their residuals follow closely.
#include "model/formats/measured_rows.h"
#include "model/iteration/simulate.h"
#include "model/scenario/catalogue_constants.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

using namespace clusterbeat;

namespace {

constexpr double kHuberScale = 0.08, kPriorSpread = 0.25, kDerivativeStep = 0.03;
using Vector = std::vector<double>;

struct Rows {
    std::vector<MeasuredRow> rows;
    Vector measured;
};

Rows fittedRows(const Catalogue &catalogue)
{
    Rows result;
    std::vector<MeasuredRow> table = readMeasuredRows(catalogue.measuredRowsJson, catalogue).value();
    for (MeasuredRow &row : table) {
        if (row.refused || !row.iterationS || (row.tier != "A" && row.tier != "B")) continue;
        result.measured.push_back(*row.iterationS);
        result.rows.push_back(std::move(row));
    }
    return result;
}

/// ln(predicted / measured) of every row.
Vector residuals(const Rows &rows, const Catalogue &catalogue)
{
    Vector r(rows.rows.size(), 0.0);
    const auto work = [&](std::size_t first, std::size_t step) {
        StageCache cache;
        for (std::size_t i = first; i < rows.rows.size(); i += step) {
            const SimulationOutcome outcome = simulate(rows.rows[i].scenario, catalogue, cache);
            if (outcome.result) r[i] = std::log(outcome.result->metrics.iterationS / rows.measured[i]);
        }
    };
    std::thread other(work, 1, 2);
    work(0, 2);
    other.join();
    return r;
}

std::string classOf(const MeasuredRow &row) { return row.tier == "A" ? "A" : row.moe ? "B experts" : "B dense"; }

void printErrors(const char *title, const Rows &rows, const Vector &r)
{
    std::map<std::string, std::pair<double, int>> sums;
    for (std::size_t i = 0; i < r.size(); ++i) {
        auto &[sum, count] = sums[classOf(rows.rows[i])];
        sum += std::abs(std::expm1(r[i]));
        ++count;
    }
    std::printf("%-24s", title);
    for (const auto &[name, sum] : sums) std::printf("  %s %.2f %% of %d", name.c_str(), 100.0 * sum.first / sum.second, sum.second);
    std::printf("\n");
}

/// Solves the normal equations a x = b by Gaussian elimination with pivoting.
Vector solved(std::vector<Vector> a, Vector b)
{
    const std::size_t n = b.size();
    for (std::size_t c = 0; c < n; ++c) {
        std::size_t pivot = c;
        for (std::size_t i = c + 1; i < n; ++i)
            if (std::abs(a[i][c]) > std::abs(a[pivot][c])) pivot = i;
        std::swap(a[c], a[pivot]);
        std::swap(b[c], b[pivot]);
        for (std::size_t i = c + 1; i < n; ++i) {
            const double f = a[i][c] / a[c][c];
            for (std::size_t j = c; j < n; ++j) a[i][j] -= f * a[c][j];
            b[i] -= f * b[c];
        }
    }
    for (std::size_t c = n; c-- > 0;) {
        for (std::size_t j = c + 1; j < n; ++j) b[c] -= a[c][j] * b[j];
        b[c] /= a[c][c];
    }
    return b;
}

/// Steps in ln(constant) that lower the cost of the rows that `used` admits; `offset` is how far each is from its prior.
Vector step(const std::vector<Vector> &jacobian, const Vector &r, const Vector &offset, const std::function<bool(std::size_t)> &used)
{
    const std::size_t n = jacobian.size();
    std::vector<Vector> a(n, Vector(n, 0.0));
    Vector b(n, 0.0), x(n, 0.0);
    // Reweighted a few times, since what the weights rest on moves with the step.
    for (int pass = 0; pass < 4; ++pass) {
        for (std::size_t j = 0; j < n; ++j) {
            std::fill(a[j].begin(), a[j].end(), 0.0);
            a[j][j] = 1.0 / (kPriorSpread * kPriorSpread);
            b[j] = -offset[j] / (kPriorSpread * kPriorSpread);
        }
        for (std::size_t i = 0; i < r.size(); ++i) {
            if (!used(i)) continue;
            double now = r[i];
            for (std::size_t j = 0; j < n; ++j) now += jacobian[j][i] * x[j];
            const double weight = 1.0 / (kHuberScale * kHuberScale) / std::sqrt(1.0 + now * now / (kHuberScale * kHuberScale));
            for (std::size_t j = 0; j < n; ++j) {
                b[j] -= weight * jacobian[j][i] * r[i];
                for (std::size_t k = 0; k < n; ++k) a[j][k] += weight * jacobian[j][i] * jacobian[k][i];
            }
        }
        x = solved(a, b);
    }
    return x;
}

/// What the rows of each part come out as when the fit has not seen them.
Vector heldOut(const std::vector<Vector> &jacobian, const Vector &r, const Vector &offset, const std::vector<std::string> &part)
{
    Vector result = r;
    const std::set<std::string> names(part.begin(), part.end());
    for (const std::string &name : names) {
        const Vector x = step(jacobian, r, offset, [&](std::size_t i) { return part[i] != name; });
        for (std::size_t i = 0; i < r.size(); ++i)
            for (std::size_t j = 0; part[i] == name && j < jacobian.size(); ++j) result[i] += jacobian[j][i] * x[j];
    }
    return result;
}

std::string foldOf(const MeasuredRow &row)
{
    std::uint32_t hash = 2166136261U;
    for (const char c : row.modelName + row.gpuName + std::to_string(row.scenario.cluster->gpus)) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return std::to_string(hash % 5);
}

/// A paper's tables are one source; NVIDIA's releases are several.
std::string sourceOf(const MeasuredRow &row)
{
    for (const char *family : {"MosaicML", "MLPerf", "DGX Cloud", "Narayanan", "BigScience", "MegaScale"})
        if (row.source.find(family) != std::string::npos) return family;
    return row.source;
}

void fit(const Rows &rows, Catalogue &catalogue, const std::vector<std::string> &names, int steps)
{
    const CostConstants before = catalogue.constants;
    const auto offsets = [&] {
        Vector offset;
        for (const std::string &name : names)
            offset.push_back(std::log(*costConstant(catalogue.constants, name) / *costConstant(before, name)));
        return offset;
    };
    Vector r = residuals(rows, catalogue);
    std::vector<Vector> jacobian;
    for (int pass = 0; pass <= steps; ++pass) {
        jacobian.clear();
        for (const std::string &name : names) {
            Catalogue moved = catalogue;
            setCostConstant(moved.constants, name, *costConstant(moved.constants, name) * std::exp(kDerivativeStep));
            Vector d = residuals(rows, moved);
            for (std::size_t i = 0; i < d.size(); ++i) d[i] = (d[i] - r[i]) / kDerivativeStep;
            jacobian.push_back(std::move(d));
        }
        if (pass == steps) break;
        const Vector x = step(jacobian, r, offsets(), [](std::size_t) { return true; });
        for (std::size_t j = 0; j < names.size(); ++j)
            setCostConstant(catalogue.constants, names[j],
                            *costConstant(catalogue.constants, names[j]) * std::exp(std::clamp(x[j], -0.3, 0.3)));
        r = residuals(rows, catalogue);
        printErrors(("step " + std::to_string(pass + 1)).c_str(), rows, r);
    }
    for (const std::string &name : names)
        std::printf("  %-36s %.6g -> %.6g\n", name.c_str(), *costConstant(before, name), *costConstant(catalogue.constants, name));
    std::vector<std::string> folds, sources;
    for (const MeasuredRow &row : rows.rows) {
        folds.push_back(foldOf(row));
        sources.push_back(sourceOf(row));
    }
    printErrors("five-fold", rows, heldOut(jacobian, r, offsets(), folds));
    printErrors("leave one source out", rows, heldOut(jacobian, r, offsets(), sources));
}

void dump(const char *path, const Rows &rows, const Vector &r)
{
    nlohmann::ordered_json json;
    for (std::size_t i = 0; i < r.size(); ++i) json[rows.rows[i].id] = std::expm1(r[i]);
    std::ofstream(path) << json.dump(1) << '\n';
}

std::vector<std::string> split(const std::string &text)
{
    std::vector<std::string> parts;
    std::size_t from = 0;
    for (std::size_t to; (to = text.find(',', from)) != std::string::npos; from = to + 1) parts.push_back(text.substr(from, to - from));
    parts.push_back(text.substr(from));
    return parts;
}

} // namespace

int main(int count, char **arguments)
{
    Catalogue catalogue = loadCatalogue().value();
    std::vector<std::string> names;
    int steps = 2;
    const char *file = nullptr;
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string option = arguments[i], value = arguments[i + 1];
        if (option == "--fit") names = split(value);
        else if (option == "--steps") steps = std::stoi(value);
        else if (option == "--dump") file = arguments[i + 1];
        else if (option == "--set" && value.find('=') != std::string::npos &&
                 setCostConstant(catalogue.constants, value.substr(0, value.find('=')), std::stod(value.substr(value.find('=') + 1)))) continue;
        else return std::fprintf(stderr, "not understood: %s %s\n", arguments[i], arguments[i + 1]), 1;
    }
    for (const std::string &name : names)
        if (!costConstant(catalogue.constants, name)) return std::fprintf(stderr, "no constant %s\n", name.c_str()), 1;
    const Rows rows = fittedRows(catalogue);
    printErrors("catalogue", rows, residuals(rows, catalogue));
    if (!names.empty()) fit(rows, catalogue, names, steps);
    if (file != nullptr) dump(file, rows, residuals(rows, catalogue));
    return 0;
}
