// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/document/document.h"

#include "app/document/scenario_edit.h"
#include "app/document/scenario_file.h"
#include "model/scenario/resolve.h"
#include "model/scenario/scenario_json.h"
#include "model/search/sweep.h"
#include "views/text/names.h"

#include <QFileInfo>
#include <QLocale>
#include <QUndoCommand>

#include <algorithm>
#include <utility>

namespace clusterbeat {
namespace {

constexpr int kChangeId = 1;

bool sameStructure(const Scenario &a, const Scenario &b)
{
    return a.model == b.model && a.training == b.training && a.layout == b.layout && a.software == b.software &&
           a.cluster == b.cluster;
}

} // namespace

/// Whole scenarios before and after: sections are shared, so a step costs what changed. The first redo() comes from
/// push() and shows the new state.
class Document::Change final : public QUndoCommand {
public:
    Change(Document &document, Scenario after, const QString &label, int mergeToken)
        : QUndoCommand(label), m_document(document), m_before(document.m_scenario), m_after(std::move(after)),
          m_mergeToken(mergeToken)
    {
    }
    void undo() override { m_document.show(m_before); }
    void redo() override { m_document.show(m_after); }
    [[nodiscard]] int id() const override { return kChangeId; }
    bool mergeWith(const QUndoCommand *command) override
    {
        const auto *other = dynamic_cast<const Change *>(command);
        if (!other || m_mergeToken == 0 || other->m_mergeToken != m_mergeToken) return false;
        m_after = other->m_after;
        setText(other->text());
        setObsolete(sameContent(m_before, m_after));
        return true;
    }

private:
    Document &m_document;
    Scenario m_before, m_after;
    int m_mergeToken;               ///< 0 = never merges
};

Document::Document(std::shared_ptr<const Catalogue> catalogue, QObject *parent)
    : QObject(parent), m_catalogue(std::move(catalogue))
{
    connect(&m_stack, &QUndoStack::cleanChanged, this, &Document::titleChanged);
}

QString Document::displayName() const
{
    if (!m_scenario.name.empty()) return QString::fromStdString(m_scenario.name);
    if (!m_path.isEmpty()) return QFileInfo(m_path).fileName();
    return tr("Untitled");
}

std::optional<Error> Document::open(const QString &source)
{
    auto scenario = loadScenario(source, *m_catalogue);
    if (!scenario.ok()) return scenario.error();
    const bool preset = source.startsWith(QLatin1String("preset:"));
    auto error = replace(std::move(scenario).value(), preset ? QString() : QFileInfo(source).absoluteFilePath(), false);
    if (error && error->place.file.empty() && !preset) error->place.file = source.toStdString();
    return error;
}

std::optional<Error> Document::adopt(Scenario scenario, bool unsaved)
{
    return replace(std::move(scenario), {}, unsaved);
}

std::optional<Error> Document::recover(Scenario scenario, const QString &path)
{
    return replace(std::move(scenario), path, true);
}

std::optional<Error> Document::replace(Scenario scenario, const QString &path, bool unsaved)
{
    if (const auto resolved = resolve(scenario, *m_catalogue); !resolved.ok()) return resolved.error();
    finishMerge();
    m_stack.clear();
    shareSections(scenario, m_scenario);
    m_scenario = std::move(scenario);
    m_path = path;
    m_unsaved = unsaved;
    Q_EMIT titleChanged();
    Q_EMIT changed(true, true);
    return std::nullopt;
}

std::optional<Error> Document::save(const QString &path)
{
    if (auto error = writeFile(path, writeScenario(m_scenario))) return error;
    finishMerge();
    m_path = QFileInfo(path).absoluteFilePath();
    m_unsaved = false;
    m_stack.setClean();
    Q_EMIT titleChanged();
    return std::nullopt;
}

std::optional<Error> Document::apply(const QList<ScenarioEdit> &edits, const QString &mergeKey)
{
    QStringList labels;
    for (const ScenarioEdit &edit : edits)
        if (!edit.label.isEmpty() && !labels.contains(edit.label)) labels.append(edit.label);
    auto next = editedScenario(m_scenario, edits, *m_catalogue);
    if (!next.ok()) return next.error();
    return commit(std::move(next).value(), labels.join(QStringLiteral(", ")), mergeKey);
}

std::optional<Error> Document::change(Scenario next, const QString &label)
{
    finishMerge();
    return commit(std::move(next), label, {});
}

std::optional<Error> Document::slowGpu(const QString &target, double speed, bool dragging)
{
    if (!(speed > 0.0 && speed <= 1.0)) {
        const std::string written = QString::number(speed).toStdString();
        return Error{ErrorCode::OutOfRange, {{}, "/perturbations", 0, 0}, {written, std::string("0"), std::string("1")}};
    }
    const std::string path = target.toStdString();
    const auto isThis = [&](const Perturbation &p) { return p.kind == PerturbationKind::SlowGpu && p.target == path; };
    PerturbationList list = *m_scenario.perturbations;
    const auto found = std::find_if(list.begin(), list.end(), isThis);
    if (speed >= 1.0) {
        list.erase(std::remove_if(list.begin(), list.end(), isThis), list.end());
    } else if (found != list.end()) {
        found->speed = speed;
        found->enabled = true;
    } else {
        Perturbation slow;
        slow.target = path;
        slow.speed = speed;
        list.push_back(std::move(slow));
    }
    Scenario next = m_scenario;
    next.perturbations = std::make_shared<const PerturbationList>(std::move(list));
    const QString shown = memberPathText(target);
    const QString label = speed >= 1.0 ? tr("Restore %1").arg(shown)
                                       : tr("Slow %1 to %2 %").arg(shown, QLocale().toString(speed * 100.0, 'f', 0));
    auto error = commit(std::move(next), label, dragging || m_mergeKey == target ? target : QString());
    if (!dragging) finishMerge();
    return error;
}

std::optional<Error> Document::setPerturbations(PerturbationList list, const QString &label)
{
    finishMerge();
    Scenario next = m_scenario;
    next.perturbations = std::make_shared<const PerturbationList>(std::move(list));
    return commit(std::move(next), label, {});
}

std::optional<Error> Document::setLayout(LayoutSection layout, const QString &label)
{
    finishMerge();
    Scenario next = m_scenario;
    next.layout = std::make_shared<const LayoutSection>(std::move(layout));
    return commit(std::move(next), label, {});
}

std::optional<Error> Document::clearPerturbations() { return setPerturbations({}, tr("Remove every what-if")); }

void Document::finishMerge() { m_mergeKey.clear(); }

std::optional<Error> Document::commit(Scenario next, const QString &label, const QString &mergeKey)
{
    shareSections(next, m_scenario);
    if (sameContent(next, m_scenario)) return std::nullopt;
    if (const auto resolved = resolve(next, *m_catalogue); !resolved.ok()) return resolved.error();
    if (mergeKey != m_mergeKey) ++m_mergeToken;
    m_mergeKey = mergeKey;
    m_stack.push(new Change(*this, std::move(next), label, mergeKey.isEmpty() ? 0 : m_mergeToken));
    // push() shows the state before it merges: a merge leaves the key open, undo and redo close it (show()).
    m_mergeKey = mergeKey;
    return std::nullopt;
}

void Document::show(const Scenario &scenario)
{
    finishMerge();
    const bool structural = !sameStructure(m_scenario, scenario);
    const bool renamed = m_scenario.name != scenario.name;
    m_scenario = scenario;
    if (renamed) Q_EMIT titleChanged();
    Q_EMIT changed(structural, false);
}

} // namespace clusterbeat
