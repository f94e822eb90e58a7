// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All keys on one sheet, by menu, in columns; a field above narrows it down. Made from the registry, so it is complete.

#include "app/designer/window/action_registry.h"
#include "app/designer/window/file_chooser.h"

#include <QDialog>
#include <QPainter>

class QLineEdit;
class QScrollArea;

namespace pipeloom::designer {

/// What is on the sheet: the menus with those of their lines that have the text in them (in command, menu or keys).
struct KeyGroup {
    QString menu;
    QList<ActionRegistry::KeyLine> lines;
};
[[nodiscard]] QList<KeyGroup> keyGroups(const ActionRegistry& registry, const QString& wanted);

/// The sheet itself: columns that share the groups evenly.
class KeySheetPage : public QWidget {
    Q_OBJECT
public:
    explicit KeySheetPage(QWidget* parent = nullptr);

    void show(QList<KeyGroup> groups);
    using QWidget::show;
    [[nodiscard]] const QList<KeyGroup>& groups() const { return groups_; }
    /// The height that it takes at a width.
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    /// Paints it at the painter's origin, at a width.
    void paintOn(QPainter& painter, int width) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int lay(QPainter* painter, int width) const;

    QList<KeyGroup> groups_;
};

class KeySheet : public QDialog {
    Q_OBJECT
public:
    KeySheet(const ActionRegistry& registry, FileChooser chooser, QWidget* parent = nullptr);

    [[nodiscard]] const KeySheetPage& page() const { return *page_; }
    /// One page of PDF, A4 across or longer; false if it could not be written.
    [[nodiscard]] bool writePdf(const QString& path) const;

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search();
    void fit();
    void savePdf();

    const ActionRegistry& registry_;
    FileChooser chooser_;
    QLineEdit* field_;
    QScrollArea* scroll_;
    KeySheetPage* page_;
};

} // namespace pipeloom::designer
