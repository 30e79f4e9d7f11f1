// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/text/knob_text.h"

#include "views/text/error_text.h"
#include "views/text/format.h"
#include "views/text/names.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <array>
#include <cmath>

namespace clusterbeat {
namespace {

QString say(const char *source) { return QCoreApplication::translate("Knobs", source); }

struct Words {
    const char *name, *description;
};
// In the order of KnobId.
constexpr std::array<Words, kKnobCount> kWords{{
    {QT_TRANSLATE_NOOP("Knobs", "Model"), QT_TRANSLATE_NOOP("Knobs", "The transformer that is trained: its layers, width, heads and experts.")},
    {QT_TRANSLATE_NOOP("Knobs", "Layers"), QT_TRANSLATE_NOOP("Knobs", "Transformer layers of the model, one after the other.")},
    {QT_TRANSLATE_NOOP("Knobs", "Training recipe"), QT_TRANSLATE_NOOP("Knobs", "Sequence length, batch, precision and recompute as in one of the presets.")},
    {QT_TRANSLATE_NOOP("Knobs", "Sequence length"), QT_TRANSLATE_NOOP("Knobs", "Tokens of one training example. Attention grows with its square.")},
    {QT_TRANSLATE_NOOP("Knobs", "Global batch"), QT_TRANSLATE_NOOP("Knobs", "Sequences of one iteration over the whole cluster, before the weights are updated once.")},
    {QT_TRANSLATE_NOOP("Knobs", "Micro-batch"), QT_TRANSLATE_NOOP("Knobs", "Sequences that go through a pipeline stage at once.")},
    {QT_TRANSLATE_NOOP("Knobs", "Precision"), QT_TRANSLATE_NOOP("Knobs", "Number format of the matrix multiplications. Fewer bits are faster where the GPU has them.")},
    {QT_TRANSLATE_NOOP("Knobs", "Recompute"), QT_TRANSLATE_NOOP("Knobs", "Activations that are not kept but computed again in the backward pass: less memory, more time.")},
    {QT_TRANSLATE_NOOP("Knobs", "Recomputed layers"), QT_TRANSLATE_NOOP("Knobs", "Layers of each stage that are recomputed whole.")},
    {QT_TRANSLATE_NOOP("Knobs", "Schedule"), QT_TRANSLATE_NOOP("Knobs", "The order in which the pipeline stages run forward and backward passes.")},
    {QT_TRANSLATE_NOOP("Knobs", "Tensor"), QT_TRANSLATE_NOOP("Knobs", "GPUs that share every matrix multiplication of a layer (TP). They exchange data in every layer, best over NVLink.")},
    {QT_TRANSLATE_NOOP("Knobs", "Pipeline"), QT_TRANSLATE_NOOP("Knobs", "Stages that the layers are cut into (PP). Each has some layers and passes activations on.")},
    {QT_TRANSLATE_NOOP("Knobs", "Virtual stages"), QT_TRANSLATE_NOOP("Knobs", "Chunks of layers that each stage holds (interleaving): more of them make the bubble smaller and the transfers more.")},
    {QT_TRANSLATE_NOOP("Knobs", "Context"), QT_TRANSLATE_NOOP("Knobs", "GPUs that share every sequence (CP), for long ones.")},
    {QT_TRANSLATE_NOOP("Knobs", "Expert"), QT_TRANSLATE_NOOP("Knobs", "GPUs that the experts of a layer are spread over (EP). Tokens travel to their experts.")},
    {QT_TRANSLATE_NOOP("Knobs", "Expert tensor"), QT_TRANSLATE_NOOP("Knobs", "GPUs that share the matrix multiplications of one expert (ETP).")},
    {QT_TRANSLATE_NOOP("Knobs", "Data"), QT_TRANSLATE_NOOP("Knobs", "Replicas of the model that train on different sequences (DP) and add up their gradients.")},
    {QT_TRANSLATE_NOOP("Knobs", "ZeRO stage"), QT_TRANSLATE_NOOP("Knobs", "What replicas share out instead of each keeping all: 1 optimizer states, 2 gradients too, 3 parameters too (FSDP).")},
    {QT_TRANSLATE_NOOP("Knobs", "Micro-batch group"), QT_TRANSLATE_NOOP("Knobs", "Micro-batches that a chunk runs in a row before the next chunk, with interleaving.")},
    {QT_TRANSLATE_NOOP("Knobs", "Accelerator"), QT_TRANSLATE_NOOP("Knobs", "The GPU. Beside it: dense peak at 16 bits, and memory as sold.")},
    {QT_TRANSLATE_NOOP("Knobs", "GPUs"), QT_TRANSLATE_NOOP("Knobs", "GPUs of the whole cluster.")},
    {QT_TRANSLATE_NOOP("Knobs", "GPUs per server"), QT_TRANSLATE_NOOP("Knobs", "GPUs in one chassis.")},
    {QT_TRANSLATE_NOOP("Knobs", "NIC speed"), QT_TRANSLATE_NOOP("Knobs", "Speed of the network card of one GPU, in one direction.")},
    {QT_TRANSLATE_NOOP("Knobs", "Oversubscription"), QT_TRANSLATE_NOOP("Knobs", "1 : 7 = the links between pods carry a seventh of what the servers of a pod can send together.")},
    {QT_TRANSLATE_NOOP("Knobs", "Software profile"), QT_TRANSLATE_NOOP("Knobs", "The training software of a time: which kernels are fused and what is overlapped.")},
    {QT_TRANSLATE_NOOP("Knobs", "Price"), QT_TRANSLATE_NOOP("Knobs", "US dollars for one GPU for one hour.")},
}};

/// Inside a sentence: "virtual stages", but "ZeRO stage" and "GPUs".
QString nameInside(KnobId id)
{
    QString name = knobName(id);
    const QString first = name.section(QLatin1Char(' '), 0, 0);
    if (first.size() > 1 && first.mid(1) == first.mid(1).toLower()) name[0] = name.at(0).toLower();
    return name;
}

QString presetTitle(KnobId id, const QString &name, const Catalogue *catalogue)
{
    const ScenarioPreset *preset = catalogue ? catalogue->preset(name.toStdString()) : nullptr;
    if (!preset) return name;
    const QString title = QString::fromStdString(preset->title);
    // "Llama 3 405B on 16,384 H100": the model alone, or all of it.
    return id == KnobId::Model ? title.section(QStringLiteral(" on "), 0, 0) : title;
}

QString precisionName(const QString &key)
{
    return key.toUpper();
}

QString recomputeName(const QJsonValue &value, const QLocale &locale)
{
    const QString key = value.toString();
    if (key == QLatin1String("none")) return say(QT_TRANSLATE_NOOP("Knobs", "nothing"));
    if (key == QLatin1String("selective")) return say(QT_TRANSLATE_NOOP("Knobs", "attention only"));
    if (key == QLatin1String("full")) return say(QT_TRANSLATE_NOOP("Knobs", "all layers"));
    const QJsonObject object = value.toObject();
    if (object.contains(QLatin1String("layers")))
        return fillText(say(QT_TRANSLATE_NOOP("Knobs", "%1 layers a stage")), {integerText(object.value(QLatin1String("layers")).toInteger(), locale)});
    QStringList modules;
    for (const QJsonValue &each : object.value(QLatin1String("modules")).toArray()) modules << each.toString();
    return modules.join(QStringLiteral(", "));
}

QString zeroName(const QString &stage)
{
    const std::array words{QT_TRANSLATE_NOOP("Knobs", "0: nothing shared"), QT_TRANSLATE_NOOP("Knobs", "1: optimizer"),
                           QT_TRANSLATE_NOOP("Knobs", "2: and gradients"), QT_TRANSLATE_NOOP("Knobs", "3: and parameters")};
    const int index = stage.toInt();
    return index >= 0 && index < static_cast<int>(words.size()) ? say(words[static_cast<std::size_t>(index)]) : stage;
}

QString choiceText(KnobId id, const QJsonValue &value, const Catalogue *catalogue, const QLocale &locale)
{
    const QString key = value.toString();
    switch (id) {
    case KnobId::Model:
    case KnobId::Training: return presetTitle(id, value.toObject().value(QLatin1String("preset")).toString(), catalogue);
    case KnobId::Precision: return precisionName(key);
    case KnobId::Recompute: return recomputeName(value, locale);
    case KnobId::Schedule:
        for (int i = 0; i <= static_cast<int>(ScheduleKind::Custom); ++i)
            if (scheduleKey(static_cast<ScheduleKind>(i)) == key) return scheduleName(static_cast<ScheduleKind>(i));
        return key;
    case KnobId::ZeroStage: return zeroName(QString::number(value.toInt()));
    case KnobId::Profile: return profileName(key);
    default: return key;
    }
}

QString numberWithUnit(KnobId id, const QString &json, const QLocale &locale)
{
    const double value = json.toDouble();
    const QString plain = locale.toString(value, 'g', 6).remove(locale.groupSeparator());
    if (id == KnobId::NicSpeed) return plain + QStringLiteral(" Gb/s");
    if (id == KnobId::Oversubscription) return QStringLiteral("1 : ") + plain;
    if (id == KnobId::GpuHour) return QStringLiteral("$ ") + plain;
    return json;
}

/// A text's trailing unit as a factor: k, M, Gb/s, Tb/s.
double unitFactor(KnobId id, QString &text)
{
    static const QRegularExpression ending(QStringLiteral(R"(\s*([kKMTG])(?:b/s|bit/s|bps)?$)"));
    const auto match = ending.match(text);
    if (!match.hasMatch()) return 1.0;
    const QChar prefix = match.captured(1).at(0);
    const bool rate = id == KnobId::NicSpeed;
    if (rate != (match.capturedLength() > 1 && text.endsWith(QLatin1Char('s')))) return 1.0;
    text = text.left(match.capturedStart());
    if (rate) return prefix == QLatin1Char('T') ? 1000.0 : prefix == QLatin1Char('M') ? 0.001 : 1.0;
    return prefix == QLatin1Char('M') ? 1'048'576.0 : prefix == QLatin1Char('k') || prefix == QLatin1Char('K') ? 1024.0 : 1.0;
}

} // namespace

QString knobName(KnobId id) { return say(kWords[static_cast<std::size_t>(id)].name); }
QString knobDescription(KnobId id) { return say(kWords[static_cast<std::size_t>(id)].description); }

QString knobSectionName(KnobSection section)
{
    switch (section) {
    case KnobSection::Model: return say(QT_TRANSLATE_NOOP("Knobs", "Model"));
    case KnobSection::Training: return say(QT_TRANSLATE_NOOP("Knobs", "Training"));
    case KnobSection::Layout: return say(QT_TRANSLATE_NOOP("Knobs", "Layout"));
    case KnobSection::Cluster: return say(QT_TRANSLATE_NOOP("Knobs", "Cluster"));
    case KnobSection::Software: return say(QT_TRANSLATE_NOOP("Knobs", "Software"));
    case KnobSection::Prices: return say(QT_TRANSLATE_NOOP("Knobs", "Prices"));
    }
    return {};
}

QString knobNeedText(KnobNeed need)
{
    switch (need) {
    case KnobNeed::Experts: return say(QT_TRANSLATE_NOOP("Knobs", "This model has no experts."));
    case KnobNeed::RecomputeByLayers: return say(QT_TRANSLATE_NOOP("Knobs", "Only when Recompute is by layers."));
    case KnobNeed::Interleaving: return say(QT_TRANSLATE_NOOP("Knobs", "Only with the interleaved schedule."));
    case KnobNeed::Template: return say(QT_TRANSLATE_NOOP("Knobs", "The cluster is drawn by hand; its drawing says this."));
    }
    return {};
}

QString knobValueText(KnobId id, const std::string &json, const std::string &taken, const Catalogue *catalogue, const QLocale &locale)
{
    const Knob &row = knob(id);
    const QString text = QString::fromStdString(json);
    if (json.empty()) {
        if (!row.automatic) return say(QT_TRANSLATE_NOOP("Knobs", "as in the file"));
        if (taken.empty()) return say(QT_TRANSLATE_NOOP("Knobs", "auto"));
        return fillText(say(QT_TRANSLATE_NOOP("Knobs", "auto (%1)")), {numberWithUnit(id, QString::fromStdString(taken), locale)});
    }
    if (row.kind != KnobKind::Choice) return numberWithUnit(id, text, locale);
    // An array of one: a plain value is no document.
    const QJsonArray parsed = QJsonDocument::fromJson('[' + QByteArray::fromStdString(json) + ']').array();
    return parsed.isEmpty() ? text : choiceText(id, parsed.first(), catalogue, locale);
}

QString knobValueDetail(KnobId id, const std::string &json, const Catalogue &catalogue, const QLocale &locale)
{
    if (id != KnobId::Accelerator || json.size() < 2) return {};
    const Accelerator *accelerator = catalogue.accelerator(json.substr(1, json.size() - 2));
    if (!accelerator) return {};
    return fillText(say(QT_TRANSLATE_NOOP("Knobs", "%1 TFLOP/s, %2 GB")),
                    {numberText(accelerator->peakBf16Tflops, locale, 0), numberText(accelerator->hbmGb, locale, 0)});
}

std::string knobJson(KnobId id, const QString &typed, const QLocale &locale)
{
    QString text = typed.trimmed();
    const QString automatic = say(QT_TRANSLATE_NOOP("Knobs", "auto"));
    if (knob(id).automatic && (text == QLatin1String("auto") || text.startsWith(automatic))) return {};
    if (id == KnobId::Oversubscription) text = text.section(QLatin1Char(':'), -1).trimmed();
    if (id == KnobId::GpuHour) text.remove(QLatin1Char('$'));
    const QString written = text.trimmed();
    text = written;
    const double factor = unitFactor(id, text);
    bool isNumber = false;
    double number = locale.toDouble(text.trimmed(), &isNumber);
    if (!isNumber) number = QLocale::c().toDouble(text.trimmed(), &isNumber);
    if (!isNumber || !std::isfinite(number)) {
        const QByteArray array = QJsonDocument(QJsonArray{written}).toJson(QJsonDocument::Compact);
        return array.mid(1, array.size() - 2).toStdString();
    }
    number *= factor;
    const bool whole = std::abs(number) < 9e15 && number == std::floor(number);
    return (whole ? QString::number(static_cast<qint64>(number)) : QString::number(number, 'g', 12)).toStdString();
}

QString consequenceText(KnobId id, const FlagAlternative &alternative, const QLocale &locale)
{
    if (alternative.error) return {};
    constexpr TimeNs kShownNs = 500'000;
    constexpr double kShownBytes = 5e7;
    QStringList parts;
    const bool otherWork = alternative.tokens != 1.0 || id == KnobId::Gpus;
    if (otherWork) {
        parts << fillText(say(QT_TRANSLATE_NOOP("Knobs", "%1 tokens/s")), {percentText(alternative.throughput - 1.0, locale, 1)});
        if (alternative.throughput >= 1.0) parts.last().prepend(QLatin1Char('+'));
    } else {
        parts << (std::abs(alternative.change) < kShownNs ? QStringLiteral("±0") : durationText(alternative.change, locale, Sign::Always));
    }
    if (!alternative.fits)
        parts << say(QT_TRANSLATE_NOOP("Knobs", "does not fit"));
    else if (const double bytes = static_cast<double>(alternative.memoryChange); std::abs(bytes) >= kShownBytes)
        parts << (bytes > 0 ? QStringLiteral("+") : QStringLiteral("−")) + bytesText(std::abs(bytes), locale);
    return parts.join(QStringLiteral(" · "));
}

QString refusalText(KnobId id, const std::string &value, const Error &error, const QLocale &locale)
{
    const QString touched = fillText(say(QT_TRANSLATE_NOOP("Knobs", "%1 %2")), {knobName(id), knobValueText(id, value, {}, nullptr, locale)});
    const Knob *named = knobAt(error.place.pointer);
    if (!named || named->id == id) return fillText(say(QT_TRANSLATE_NOOP("Knobs", "%1: %2")), {knobName(id), editErrorText(error, locale)});
    if (error.code == ErrorCode::OutOfRange && error.arguments.size() == 3) {
        const auto figure = [&](std::size_t i) {
            if (const auto *text = std::get_if<std::string>(&error.arguments[i])) return QLocale::c().toDouble(QString::fromStdString(*text));
            if (const auto *whole = std::get_if<std::int64_t>(&error.arguments[i])) return static_cast<double>(*whole);
            return std::get<double>(error.arguments[i]);
        };
        const double now = figure(0), lowest = figure(1), highest = figure(2);
        const auto shown = [&](double number) { return integerText(static_cast<qint64>(number), locale); };
        if (now > highest)
            return fillText(say(QT_TRANSLATE_NOOP("Knobs", "%1 needs %3 of at most %2 (now %4).")), {touched, shown(highest), nameInside(named->id), shown(now)});
        if (now < lowest)
            return fillText(say(QT_TRANSLATE_NOOP("Knobs", "%1 needs %3 of at least %2 (now %4).")), {touched, shown(lowest), nameInside(named->id), shown(now)});
    }
    return fillText(say(QT_TRANSLATE_NOOP("Knobs", "%1 does not go with %2. %3")), {touched, nameInside(named->id), editErrorText(error, locale)});
}

QString repairText(KnobId repaired, const std::string &value, const Catalogue *catalogue, const QLocale &locale)
{
    return fillText(say(QT_TRANSLATE_NOOP("Knobs", "Set %1 to %2 too")), {nameInside(repaired), knobValueText(repaired, value, {}, catalogue, locale)});
}

} // namespace clusterbeat
