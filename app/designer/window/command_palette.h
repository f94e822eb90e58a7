// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Runs any command by some letters of its name. A sheet over the window, not a dialog: Esc or a click elsewhere closes it.

#include "app/designer/window/action_registry.h"
#include "app/designer/window/fuzzy_match.h"

#include <QAbstractListModel>
#include <QWidget>

class QLineEdit;
class QListView;

namespace pipeloom::designer {

/// One line of the palette.
struct PaletteLine {
    QAction* action = nullptr;
    QString menu;
    FuzzyMatch match; ///< in the action's plain text
};

class PaletteModel : public QAbstractListModel {
    Q_OBJECT
public:
    explicit PaletteModel(const ActionRegistry& registry, QObject* parent = nullptr);

    /// Best first; what cannot be run now comes after what can.
    void search(const QString& wanted);
    [[nodiscard]] const PaletteLine& line(int row) const { return lines_[static_cast<std::size_t>(row)]; }
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    const ActionRegistry& registry_;
    std::vector<PaletteLine> lines_;
};

class CommandPalette : public QWidget {
    Q_OBJECT
public:
    /// A child of the window, which keeps it in place.
    CommandPalette(const ActionRegistry& registry, QWidget* window);

    /// Shows it, empty, with the focus in its field.
    void open();
    [[nodiscard]] const PaletteModel& model() const { return *model_; }

Q_SIGNALS:
    void ran(QAction* action);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void search();
    void place();
    void moveBy(int rows);
    void run();
    void dismiss();

    PaletteModel* model_;
    QLineEdit* field_;
    QListView* list_;
    QPointer<QWidget> focusBefore_;
};

} // namespace pipeloom::designer
