// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/panel_parts.h"

#include <QComboBox>
#include <QEvent>
#include <QFrame>
#include <QScrollArea>
#include <QVBoxLayout>

namespace clusterbeat {
namespace {

class WheelFilter final : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject *, QEvent *event) override
    {
        if (event->type() != QEvent::Wheel) return false;
        event->ignore();
        return true;
    }
};

} // namespace

QFrame *separator(QWidget *parent)
{
    auto *line = new QFrame(parent);
    line->setObjectName(QStringLiteral("separator"));
    line->setFixedHeight(1);
    return line;
}

void leaveWheelToPanel(QWidget *field)
{
    field->setFocusPolicy(Qt::StrongFocus); // a wheel does not give it the focus either
    field->installEventFilter(new WheelFilter(field));
}

QWidget *scrollingBody(QWidget *panel)
{
    auto *outer = new QVBoxLayout(panel);
    outer->setContentsMargins(0, 0, 0, 0);
    auto *scroll = new QScrollArea(panel);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setObjectName(QStringLiteral("seeThrough"));
    outer->addWidget(scroll);
    auto *body = new QWidget(scroll);
    scroll->setWidget(body);
    // The panel fills its ground once; the layers above it add nothing.
    scroll->viewport()->setAutoFillBackground(false);
    body->setAutoFillBackground(false);
    return body;
}

} // namespace clusterbeat
