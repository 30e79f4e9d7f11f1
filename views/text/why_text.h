// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"

#include <QLocale>
#include <QString>
#include <QStringList>

/// The chain "why is it waiting?" in words (translation context "Why"). QtCore only.
namespace clusterbeat {

struct WhyText {
    QString title;          ///< what, one line
    QStringList details;    ///< how much, where; at most two lines
};
[[nodiscard]] WhyText whyText(const WhyStep &step, const IterationResult &result, const QLocale &locale = {});

/// A span of exposed communication within an operation, not a wait between operations.
[[nodiscard]] bool isCollectiveInside(const Span &span);
/// "In a tensor-parallel collective": what such a span is, one line.
[[nodiscard]] QString collectiveTitle(Category category);
/// The step in which the GPU is itself busy, said of the communication that it is in: "Tensor-parallel
/// all-gather/reduce-scatter with 7 peers".
[[nodiscard]] WhyText collectiveText(const WhyStep &step, Category category, const IterationResult &result, const QLocale &locale = {});

/// "NIC link of GPU 5 at 25 %": the slow link of a step, as its perturbation names it; "" for other steps.
[[nodiscard]] QString slowLinkText(const WhyStep &step, const IterationResult &result, const QLocale &locale = {});
/// The GPU whose own links (NVLink, PCI Express, NIC) set the pace, or kNone: it can be pointed at; an uplink's cannot.
[[nodiscard]] GpuIndex gpuOfSlowLink(const IterationResult &result);

/// The GPU at a step's position, or kNone when the step names no single rank of the placement.
[[nodiscard]] GpuIndex gpuOfStep(const WhyStep &step, const IterationResult &result);
/// "GPU 5" and "pod 2 / rack 84 / server 1" of a GPU.
[[nodiscard]] QString gpuTitle(GpuIndex gpu, const Expansion &expansion);
[[nodiscard]] QString gpuPlace(GpuIndex gpu, const Expansion &expansion);
/// "forward of micro-batch 3, chunk 2" of an operation of a stage; "" when there is none.
[[nodiscard]] QString operationText(std::int32_t stage, std::int32_t operation, const IterationResult &result);

} // namespace clusterbeat
