// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/documents.h"

#include "model/base/random.h"

#include <algorithm>

namespace clusterbeat
{
namespace
{

constexpr double kMostDocuments = 4096.0;
constexpr std::int64_t kMostSequencesDrawn = 256;

} // namespace

// Packing takes documents by token, so a token lies in a document of length l with probability l·p(l)/m: the mean over
// tokens is E(l²)/E(l).
double attentionLength(const TrainingSection &training)
{
    const auto sequence = static_cast<double>(training.sequenceLength);
    if (!training.documents || !training.documents->masked) return sequence;
    const DocumentLengths &documents = *training.documents;
    return std::min(sequence, documents.mean + documents.sigma * documents.sigma / documents.mean);
}

double drawnAttention(const TrainingSection &training, std::uint64_t stream)
{
    const DocumentLengths &documents = *training.documents;
    const auto sequence = static_cast<double>(training.sequenceLength);
    if (sequence / documents.mean > kMostDocuments) return 1.0;
    const std::int64_t sequences = std::min(training.microBatch, kMostSequencesDrawn);
    std::uint64_t counter = 0;
    double squares = 0.0;
    for (std::int64_t i = 0; i < sequences; ++i) {
        double left = sequence;
        while (left > 0.0) {
            double length = documents.mean;
            if (documents.sigma > 0.0) length *= randomLognormal(stream, counter++, documents.sigma / documents.mean);
            length = std::min(std::max(length, 1.0), left);
            squares += length * length;
            left -= length;
        }
    }
    return squares / (static_cast<double>(sequences) * sequence * attentionLength(training));
}

} // namespace clusterbeat
