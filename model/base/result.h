// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/error.h"

#include <cassert>
#include <utility>
#include <variant>

namespace clusterbeat {

/// Either a value or the Error that prevented it. There is no conversion to bool on purpose:
/// `if (result)` must not be mistaken for the value of a Result<bool>.
template <typename T> class [[nodiscard]] Result final {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}
    explicit operator bool() const = delete;

    [[nodiscard]] bool ok() const { return m_state.index() == 0; }
    [[nodiscard]] const T &value() const & { assert(ok()); return *std::get_if<0>(&m_state); }
    [[nodiscard]] T &value() & { assert(ok()); return *std::get_if<0>(&m_state); }
    [[nodiscard]] T &&value() && { assert(ok()); return std::move(*std::get_if<0>(&m_state)); }
    [[nodiscard]] const Error &error() const { assert(!ok()); return *std::get_if<1>(&m_state); }

private:
    std::variant<T, Error> m_state;
};

} // namespace clusterbeat
