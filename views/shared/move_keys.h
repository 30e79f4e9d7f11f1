// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <QtGlobal>

class QKeyEvent;

namespace clusterbeat {

/// What the keys W S A D mean on a canvas: zoom in and out, pan to the left and to the right.
enum class Move : quint8 { None, In, Out, Earlier, Later };

/// By the keys' place on the keyboard where the platform tells it, else by the letter.
[[nodiscard]] Move moveOf(const QKeyEvent &event);

} // namespace clusterbeat
