// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A large button with a picture, a title and a sentence.

#include <QAbstractButton>
#include <QImage>

namespace pipeloom::designer {

class PictureTile : public QAbstractButton {
    Q_OBJECT
public:
    PictureTile(const QString& title, const QString& sentence, QWidget* parent = nullptr);

    /// For the area above the text, pictureSize() large. Without one the area is empty.
    void setPicture(const QImage& picture);
    [[nodiscard]] QSize pictureSize() const;
    [[nodiscard]] bool hasPicture() const { return !picture_.isNull(); }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    [[nodiscard]] int textHeight() const;

    QString sentence_;
    QImage picture_;
    bool hovered_ = false;
};

} // namespace pipeloom::designer
