// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/shared/combo_accessible.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QAccessibleWidget>
#include <QComboBox>

namespace clusterbeat {
namespace {

class ComboInterface final : public QAccessibleWidget {
public:
    explicit ComboInterface(QComboBox *combo) : QAccessibleWidget(combo, QAccessible::ComboBox) {}

    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? combo()->currentText() : QAccessibleWidget::text(kind);
    }
    QAccessible::State state() const override
    {
        QAccessible::State state = QAccessibleWidget::state();
        state.expandable = true;
        state.expanded = combo()->view()->isVisible();
        state.editable = combo()->isEditable();
        state.hasPopup = true;
        return state;
    }
    QStringList actionNames() const override { return {showMenuAction(), setFocusAction()}; }
    void doAction(const QString &name) override
    {
        if (name != showMenuAction()) return QAccessibleWidget::doAction(name);
        if (combo()->view()->isVisible()) combo()->hidePopup();
        else combo()->showPopup();
    }

private:
    [[nodiscard]] QComboBox *combo() const { return static_cast<QComboBox *>(widget()); }
};

// Asked for a widget's class first, then for its bases: a subclass is a combo box too.
QAccessibleInterface *comboFactory(const QString &, QObject *object)
{
    auto *combo = qobject_cast<QComboBox *>(object);
    return combo ? new ComboInterface(combo) : nullptr;
}

} // namespace

// Qt ignores a factory that is already installed.
void installComboAccessibility() { QAccessible::installFactory(comboFactory); }

} // namespace clusterbeat
