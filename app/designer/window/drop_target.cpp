// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/drop_target.h"

#include "app/designer/style/theme.h"
#include "core/formats/text_file.h"

#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QPainter>
#include <QRegularExpression>
#include <QTimer>
#include <QUrl>

namespace pipeloom::designer {

namespace {

constexpr std::size_t mostTableBytes = std::size_t { 4 } << 20;

/// Over everything, takes no events.
class DropOverlay : public QWidget {
public:
    DropOverlay(QWidget* window, const QString& what, const QString& hint)
        : QWidget(window)
        , what_(what)
        , hint_(hint)
    {
        setObjectName("dropOverlay");
        setAccessibleName(what);
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setGeometry(window->rect());
    }

protected:
    void paintEvent(QPaintEvent* event) override
    {
        Q_UNUSED(event);
        const Theme& theme = themeOf(this);
        QPainter painter(this);
        QColor veil = theme.window;
        veil.setAlphaF(0.82F);
        painter.fillRect(rect(), veil);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF box = QRectF(rect()).adjusted(14, 14, -14, -14);
        QColor fill = theme.accentSoft;
        fill.setAlphaF(0.5F);
        painter.setBrush(fill);
        painter.setPen(QPen(theme.accent, 2, Qt::DashLine));
        painter.drawRoundedRect(box, 10, 10);
        const int size = font().pixelSize();
        painter.setFont(uiFont(size * 22 / 13, QFont::DemiBold));
        painter.setPen(theme.text);
        const QRectF upper(box.left() + 20, box.top(), box.width() - 40, box.height() / 2 + 4);
        painter.drawText(upper, Qt::AlignHCenter | Qt::AlignBottom,
            painter.fontMetrics().elidedText(what_, Qt::ElideMiddle, static_cast<int>(upper.width())));
        painter.setFont(uiFont(size * 14 / 13));
        painter.setPen(theme.muted);
        painter.drawText(upper.translated(0, upper.height() + 8), Qt::AlignHCenter | Qt::AlignTop, hint_);
    }

private:
    QString what_;
    QString hint_;
};

/// The one local file that is dragged; empty: none or several.
QString fileOf(const QMimeData& data)
{
    const QList<QUrl> urls = data.urls();
    return urls.size() == 1 && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

bool isTable(const QString& text)
{
    static const QRegularExpression numbers(R"(^\s*[^\n]*\d[^\n]*[\t,;][^\n]*\d)");
    return numbers.match(text.left(4000)).hasMatch() || text.left(4000).contains('\t');
}

} // namespace

DropTarget::DropTarget(QWidget* window)
    : QObject(window)
    , window_(window)
{
    window_->setAcceptDrops(true);
    window_->installEventFilter(this);
}

DropTarget::Kind DropTarget::kindOf(const QMimeData& data)
{
    const QString file = fileOf(data);
    const QString suffix = QFileInfo(file).suffix().toLower();
    if (suffix == "json")
        return Kind::Design;
    if (suffix == "jsonl" || (!file.isEmpty() && QFileInfo::exists(file + "/events.jsonl")))
        return Kind::Run;
    if (suffix == "csv" || suffix == "tsv" || suffix == "txt")
        return Kind::CostTable;
    return !data.hasUrls() && data.hasText() && isTable(data.text()) ? Kind::CostTable : Kind::Nothing;
}

bool DropTarget::eventFilter(QObject* watched, QEvent* event)
{
    Q_UNUSED(watched);
    switch (event->type()) {
    case QEvent::DragEnter:
    case QEvent::DragMove: {
        auto* drag = static_cast<QDragMoveEvent*>(event);
        const Kind kind = kindOf(*drag->mimeData());
        if (kind == Kind::Nothing)
            return false;
        // A copy, whatever is proposed: a move would have the file manager delete the file.
        drag->setDropAction(Qt::CopyAction);
        drag->accept();
        if (!overlay_)
            showOverlay(kind, *drag->mimeData());
        return true;
    }
    case QEvent::DragLeave:
        hideOverlay();
        return false;
    case QEvent::Drop: {
        hideOverlay();
        auto* drop = static_cast<QDropEvent*>(event);
        const Kind kind = kindOf(*drop->mimeData());
        if (kind == Kind::Nothing)
            return false;
        drop->setDropAction(Qt::CopyAction);
        drop->accept();
        take(kind, *drop->mimeData());
        return true;
    }
    case QEvent::Resize:
        if (overlay_)
            overlay_->setGeometry(window_->rect());
        return false;
    default:
        return false;
    }
}

void DropTarget::showOverlay(Kind kind, const QMimeData& data)
{
    const QString name = QFileInfo(fileOf(data)).fileName();
    const QString what = kind == Kind::Design ? tr("Open %1").arg(name)
        : kind == Kind::Run                   ? tr("Open the run %1").arg(name)
        : name.isEmpty()                      ? tr("Take as the table of costs")
                                              : tr("Take %1 as the table of costs").arg(name);
    const QString hint = kind == Kind::Design ? tr("It takes the place of the design that is open.")
        : kind == Kind::Run                   ? tr("What happened, over its plan; the design that is open stays.")
                                              : tr("One line for each stage; undo brings the old costs back.");
    overlay_ = new DropOverlay(window_, what, hint);
    overlay_->show();
    overlay_->raise();
}

void DropTarget::hideOverlay()
{
    if (overlay_)
        overlay_->deleteLater();
    overlay_.clear();
}

void DropTarget::take(Kind kind, const QMimeData& data)
{
    const QString file = fileOf(data);
    QString text = data.text();
    // Afterwards: a question to the user would hold up the program that the file is dragged from.
    QTimer::singleShot(0, this, [this, kind, file, text] {
        if (kind == Kind::Design) {
            Q_EMIT designDropped(file);
            return;
        }
        if (kind == Kind::Run) {
            Q_EMIT runDropped(file);
            return;
        }
        if (file.isEmpty()) {
            Q_EMIT costTableDropped(text);
            return;
        }
        const ReadText read = readTextFile(file.toStdString(), mostTableBytes);
        if (read.text)
            Q_EMIT costTableDropped(QString::fromStdString(*read.text));
        else
            Q_EMIT refused(QString::fromStdString(read.findings.front().message));
    });
}

} // namespace pipeloom::designer
