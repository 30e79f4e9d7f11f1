// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/shared/painted_accessible.h"

#include <QAccessibleWidget>
#include <QHash>
#include <QWidget>

namespace clusterbeat {
namespace {

class ItemInterface final : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    ItemInterface(QWidget *widget, PaintedItems *items, int item) : m_widget(widget), m_items(items), m_item(item) {}

    bool isValid() const override { return m_widget && m_item < m_items->itemCount(); }
    QObject *object() const override { return nullptr; }
    QAccessibleInterface *childAt(int, int) const override { return nullptr; }
    QAccessibleInterface *parent() const override { return QAccessible::queryAccessibleInterface(m_widget); }
    QAccessibleInterface *child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface *) const override { return -1; }
    QString text(QAccessible::Text text) const override
    {
        return text == QAccessible::Name && isValid() ? m_items->itemName(m_item) : QString();
    }
    void setText(QAccessible::Text, const QString &) override {}
    QRect rect() const override
    {
        if (!isValid()) return {};
        const QRect local = m_items->itemRect(m_item);
        return {m_widget->mapToGlobal(local.topLeft()), local.size()};
    }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    QAccessible::State state() const override
    {
        QAccessible::State state;
        state.selectable = state.focusable = true;
        const bool current = isValid() && m_items->currentItem() == m_item;
        state.selected = current;
        state.focused = current && m_widget->hasFocus();
        state.offscreen = !isValid() || !m_widget->rect().intersects(m_items->itemRect(m_item));
        return state;
    }
    void *interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface *>(this) : nullptr;
    }
    QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString &action) override
    {
        if (action == pressAction() && isValid()) m_items->activateItem(m_item);
    }
    QStringList keyBindingsForAction(const QString &) const override { return {}; }
    [[nodiscard]] int item() const { return m_item; }

private:
    QWidget *m_widget;
    PaintedItems *m_items;
    int m_item;
};

class ListInterface final : public QAccessibleWidget {
public:
    ListInterface(QWidget *widget, PaintedItems *items) : QAccessibleWidget(widget, QAccessible::List), m_items(items) {}
    ~ListInterface() override
    {
        for (const QAccessible::Id id : std::as_const(m_children))
            QAccessible::deleteAccessibleInterface(id);
    }

    int childCount() const override { return m_items->itemCount(); }
    QAccessibleInterface *child(int index) const override
    {
        if (index < 0 || index >= childCount()) return nullptr;
        auto found = m_children.constFind(index);
        if (found == m_children.constEnd())
            found = m_children.insert(index, QAccessible::registerAccessibleInterface(new ItemInterface(widget(), m_items, index)));
        return QAccessible::accessibleInterface(*found);
    }
    int indexOfChild(const QAccessibleInterface *child) const override
    {
        const auto *item = dynamic_cast<const ItemInterface *>(child);
        return item ? item->item() : -1;
    }
    QAccessibleInterface *childAt(int x, int y) const override
    {
        return child(m_items->itemAt(widget()->mapFromGlobal(QPoint(x, y))));
    }
    QAccessibleInterface *focusChild() const override
    {
        if (!widget()->hasFocus()) return nullptr;
        return child(m_items->currentItem());
    }

private:
    PaintedItems *m_items;
    mutable QHash<int, QAccessible::Id> m_children;
};

QAccessibleInterface *paintedFactory(const QString &, QObject *object)
{
    auto *widget = qobject_cast<QWidget *>(object);
    auto *items = widget ? dynamic_cast<PaintedItems *>(widget) : nullptr;
    return items ? new ListInterface(widget, items) : nullptr;
}

} // namespace

// Qt ignores a factory that is already installed.
void installPaintedAccessibility() { QAccessible::installFactory(paintedFactory); }

void announceCurrentItem(QWidget *widget, int item)
{
    if (item < 0 || !QAccessible::isActive()) return;
    QAccessibleEvent event(widget, QAccessible::Focus);
    event.setChild(item);
    QAccessible::updateAccessibility(&event);
}

} // namespace clusterbeat
