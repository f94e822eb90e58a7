// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The Design layout: block editor over schedule over findings, numbers over inspector beside them.

#include "app/designer/block/block_panel.h"
#include "app/designer/panels/findings_panel.h"
#include "app/designer/panels/inspector_panel.h"
#include "app/designer/panels/numbers_panel.h"
#include "app/designer/schedule/schedule_panel.h"

#include <QSplitter>
#include <QWidget>

namespace pipeloom::designer {

class DesignPage : public QWidget {
    Q_OBJECT
public:
    DesignPage(Document& document, LiveFigures& figures, QWidget* parent = nullptr);

    [[nodiscard]] BlockPanel& block() { return *block_; }
    [[nodiscard]] SchedulePanel& schedule() { return *schedule_; }
    [[nodiscard]] FindingsPanel& findings() { return *findings_; }
    [[nodiscard]] NumbersPanel& numbers() { return *numbers_; }
    [[nodiscard]] InspectorPanel& inspector() { return *inspector_; }
    /// The list of undo steps, at the right below; hidden until asked for.
    [[nodiscard]] QWidget& undoList() { return *undo_; }

    /// Sizes as designed.
    void resetLayout();
    [[nodiscard]] QByteArray saveLayout() const;
    /// False if it does not fit this version's layout.
    bool restoreLayout(const QByteArray& state);
    /// The next part gets the keys, in reading order; back: the one before.
    void cycleFocus(int step);

Q_SIGNALS:
    void statusText(const QString& text);

private:
    void followFindings();
    void followKind();

    Document& document_;
    QSplitter* columns_ = nullptr;
    QSplitter* left_ = nullptr;
    QSplitter* right_ = nullptr;
    BlockPanel* block_ = nullptr;
    SchedulePanel* schedule_ = nullptr;
    FindingsPanel* findings_ = nullptr;
    NumbersPanel* numbers_ = nullptr;
    InspectorPanel* inspector_ = nullptr;
    QWidget* undo_ = nullptr;
    QList<int> sizesWithBlock_;
};

} // namespace pipeloom::designer
