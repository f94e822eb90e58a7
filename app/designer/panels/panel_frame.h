// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The frame that every part of the window sits in: a border, a title bar with the title at the left and a note or small
// controls at the right, and the content below.

#include <QPointer>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace pipeloom::designer {

/// Height of the title bar in pixels at 100 % text size.
inline constexpr int panelHeaderHeight = 30;

class PanelFrame : public QWidget {
    Q_OBJECT
public:
    explicit PanelFrame(const QString& title = {}, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// Muted text at the right of the title bar; the first to give way when the panel is narrow. Empty: none.
    void setNote(const QString& note);
    [[nodiscard]] QString note() const { return noteText_; }
    /// Adds a control to the title bar, after those added before on that side; the frame takes it over. Right: after the note.
    enum class Side { Right, BesideTitle };
    void addHeaderWidget(QWidget* widget, Side side = Side::Right);
    /// The frame takes it over and deletes the content it had.
    void setContent(QWidget* content);
    [[nodiscard]] QWidget* content() const { return content_; }

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void restyle();
    void elideNote();

    QWidget* header_ = nullptr;
    QLabel* title_ = nullptr;
    QLabel* note_ = nullptr;
    QHBoxLayout* left_ = nullptr;
    QHBoxLayout* right_ = nullptr;
    QVBoxLayout* column_ = nullptr;
    QPointer<QWidget> content_;
    QString noteText_;
};

} // namespace pipeloom::designer
