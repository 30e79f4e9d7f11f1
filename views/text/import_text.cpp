// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/text/import_text.h"

#include <QCoreApplication>

namespace clusterbeat {
namespace {

constexpr const char *kWords[] = {
    QT_TRANSLATE_NOOP("Errors", "an encoder-decoder model"),
    QT_TRANSLATE_NOOP("Errors", "Mamba or other state-space layers"),
    QT_TRANSLATE_NOOP("Errors", "linear attention layers"),
    QT_TRANSLATE_NOOP("Errors", "sparse attention over chosen keys"),
    QT_TRANSLATE_NOOP("Errors", "layers of different shapes"),
    QT_TRANSLATE_NOOP("Errors", "recurrent layers"),
    QT_TRANSLATE_NOOP("Errors", "a vision or speech model"),
    QT_TRANSLATE_NOOP("Errors", "training in fp32"),
    QT_TRANSLATE_NOOP("Errors", "retrieval inside the layers"),
    QT_TRANSLATE_NOOP("Errors", "not in the file"),
    QT_TRANSLATE_NOOP("Errors", "Megatron-LM's default"),
    QT_TRANSLATE_NOOP("Errors", "Megatron-DeepSpeed's default"),
    QT_TRANSLATE_NOOP("Errors", "as tensor, Megatron-LM's default"),
    QT_TRANSLATE_NOOP("Errors", "the smallest world of these degrees"),
    QT_TRANSLATE_NOOP("Errors", "BERT attends both ways"),
    QT_TRANSLATE_NOOP("Errors", "not in the catalogue"),
    QT_TRANSLATE_NOOP("Errors", "Hugging Face's default for this model type"),
    QT_TRANSLATE_NOOP("Errors", "GPT-2's vocabulary, padded"),
    QT_TRANSLATE_NOOP("Errors", "padded as Megatron-LM does"),
    QT_TRANSLATE_NOOP("Errors", "DeepSpeed's BF16 optimizer shards its states"),
    QT_TRANSLATE_NOOP("Errors", "inferred from the options"),
    QT_TRANSLATE_NOOP("Errors", "from the #SBATCH lines"),
    QT_TRANSLATE_NOOP("Errors", "from the file's name"),
    QT_TRANSLATE_NOOP("Errors", "smallest layout that fits"),
    QT_TRANSLATE_NOOP("Errors", "not in the file; 4 Mi tokens a batch"),
    QT_TRANSLATE_NOOP("Errors", "not decidable without running the script"),
    QT_TRANSLATE_NOOP("Errors", "roughly so")};

} // namespace

QString importWords(const QString &words)
{
    for (const char *known : kWords)
        if (words == QLatin1String(known)) return QCoreApplication::translate("Errors", known);
    return words;
}

} // namespace clusterbeat
