// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What may be dropped on the window: a design file, which is opened; the events of a run, as a file or a folder; a table of
// costs, as a file or as text. While it is dragged over the window an overlay says which.

#include <QObject>
#include <QPointer>
#include <QString>

class QMimeData;
class QWidget;

namespace pipeloom::designer {

class DropTarget : public QObject {
    Q_OBJECT
public:
    /// Filters the window's drag and drop events, and switches them on.
    explicit DropTarget(QWidget* window);

    enum class Kind { Nothing, Design, Run, CostTable };
    /// What the data would do.
    [[nodiscard]] static Kind kindOf(const QMimeData& data);

Q_SIGNALS:
    void designDropped(const QString& path);    ///< after the drop event is over
    void runDropped(const QString& path);       ///< a file of events, or a folder of them
    void costTableDropped(const QString& text); ///< rows by lines, columns by tabs, commas or semicolons
    void refused(const QString& why);           ///< the file could not be read

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showOverlay(Kind kind, const QMimeData& data);
    void hideOverlay();
    void take(Kind kind, const QMimeData& data);

    QWidget* window_;
    QPointer<QWidget> overlay_;
};

} // namespace pipeloom::designer
