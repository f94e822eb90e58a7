// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The only questions that stand in the way: what to do with changes that would be lost.

class QWidget;
class QString;

namespace pipeloom::designer {

enum class UnsavedAnswer { Save, Discard, Cancel };

/// Asks, modal. Closing the question is Cancel.
[[nodiscard]] UnsavedAnswer askAboutUnsaved(QWidget* window, const QString& title);
/// Asks whether all changes since the last saving are to be forgotten, modal.
[[nodiscard]] bool askAboutRevert(QWidget* window, const QString& title);

} // namespace pipeloom::designer
