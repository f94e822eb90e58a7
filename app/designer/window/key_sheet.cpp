// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/key_sheet.h"

#include "app/designer/style/theme.h"
#include "app/designer/window/form.h"

#include <QEvent>
#include <QLineEdit>
#include <QPageSize>
#include <QPdfWriter>
#include <QScrollArea>
#include <QVBoxLayout>

namespace pipeloom::designer {

namespace {

constexpr int columnGap = 36;
constexpr int rightMargin = 8; // so that keys do not touch the scroll bar

} // namespace

QList<KeyGroup> keyGroups(const ActionRegistry& registry, const QString& wanted)
{
    QList<KeyGroup> groups;
    const QString text = wanted.trimmed();
    for (const QString& menu : registry.menus()) {
        KeyGroup group { menu, {} };
        for (const ActionRegistry::KeyLine& line : registry.keyLines(menu))
            if (line.text.contains(text, Qt::CaseInsensitive) || line.keys.contains(text, Qt::CaseInsensitive)
                || menu.compare(text, Qt::CaseInsensitive) == 0)
                group.lines << line;
        if (!group.lines.isEmpty())
            groups << group;
    }
    return groups;
}

KeySheetPage::KeySheetPage(QWidget* parent)
    : QWidget(parent)
{
    setObjectName("keySheetPage");
    setAccessibleName(tr("Keys"));
}

void KeySheetPage::show(QList<KeyGroup> groups)
{
    groups_ = std::move(groups);
    QStringList spoken;
    for (const KeyGroup& group : groups_)
        for (const ActionRegistry::KeyLine& line : group.lines)
            spoken << line.text + ": " + (line.keys.isEmpty() ? tr("no key") : line.keys);
    setAccessibleDescription(spoken.join(". "));
    updateGeometry();
    update();
}

int KeySheetPage::heightForWidth(int width) const { return lay(nullptr, width); }

void KeySheetPage::paintOn(QPainter& painter, int width) const { lay(&painter, width); }

int KeySheetPage::lay(QPainter* painter, int width) const
{
    const Theme& theme = themeOf(this);
    const QFont plain = font();
    QFont bold = plain;
    bold.setWeight(QFont::DemiBold);
    const QFontMetrics metrics(plain);
    const int line = metrics.height() + 6;
    const int columns = std::max(1, width / scaled(*this, 290));
    const int columnWidth = (width - (columns - 1) * columnGap) / columns;
    int total = 0;
    for (const KeyGroup& group : groups_)
        total += static_cast<int>(group.lines.size()) + 2;
    const int perColumn = std::max((total + columns - 1) / columns, 4);

    int column = 0;
    int row = 0;
    int lowest = 0;
    const auto step = [&] {
        lowest = std::max(lowest, ++row);
        return QRect(column * (columnWidth + columnGap), (row - 1) * line, columnWidth, line);
    };
    const auto heading = [&](const QString& menu) {
        const QRect box = step();
        if (!painter)
            return;
        painter->setFont(bold);
        painter->setPen(theme.text);
        painter->drawText(box, Qt::AlignVCenter, menu);
        painter->fillRect(QRect(box.left(), box.bottom() - 1, box.width(), 1), theme.border);
    };
    for (const KeyGroup& group : groups_) {
        // A heading never stands alone at the end of a column.
        if (row > 0 && row + 3 > perColumn && column + 1 < columns) {
            ++column;
            row = 0;
        }
        heading(group.menu);
        for (const ActionRegistry::KeyLine& entry : group.lines) {
            if (row >= perColumn && column + 1 < columns) {
                ++column;
                row = 0;
                heading(group.menu);
            }
            const QRect box = step();
            if (!painter)
                continue;
            painter->setFont(plain);
            painter->setPen(entry.keys.isEmpty() ? theme.muted : theme.text);
            const QString keys = entry.keys.isEmpty() ? QString(QChar(0x2013)) : entry.keys;
            const int taken = metrics.horizontalAdvance(keys) + 12;
            painter->drawText(box, Qt::AlignVCenter | Qt::AlignRight, keys);
            painter->setPen(theme.text);
            painter->drawText(box.adjusted(0, 0, -taken, 0), Qt::AlignVCenter,
                metrics.elidedText(entry.text, Qt::ElideRight, box.width() - taken));
        }
        ++row;
    }
    return lowest * line + 4;
}

void KeySheetPage::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    QPainter painter(this);
    if (!groups_.isEmpty()) {
        paintOn(painter, width() - rightMargin);
        return;
    }
    painter.setPen(themeOf(this).muted);
    painter.drawText(
        rect().adjusted(0, 30, 0, 0), Qt::AlignHCenter | Qt::AlignTop, tr("Nothing has that in its name or keys."));
}

KeySheet::KeySheet(const ActionRegistry& registry, FileChooser chooser, QWidget* parent)
    : QDialog(parent)
    , registry_(registry)
    , chooser_(std::move(chooser))
    , field_(new QLineEdit)
    , scroll_(new QScrollArea)
    , page_(new KeySheetPage)
{
    setObjectName("keySheet");
    setWindowTitle(tr("Keys"));
    field_->setObjectName("keySheetField");
    field_->setAccessibleName(tr("Search the keys"));
    field_->setPlaceholderText(tr("Search commands and keys"));
    field_->setClearButtonEnabled(true);
    field_->setTextMargins(6, 2, 6, 2);
    scroll_->setWidget(page_);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->viewport()->installEventFilter(this);
    scroll_->setObjectName("keySheetScroll");
    scroll_->setAccessibleName(tr("Keys"));

    auto* pdf = new QPushButton(tr("Save as &PDF…"));
    pdf->setObjectName("keySheetPdf");
    pdf->setAccessibleName(tr("Save as PDF"));
    pdf->setAutoDefault(false);
    auto* close = new QPushButton(tr("Close"));
    close->setObjectName("keySheetClose");
    close->setAccessibleName(tr("Close"));
    close->setDefault(true);
    connect(pdf, &QPushButton::clicked, this, &KeySheet::savePdf);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    connect(field_, &QLineEdit::textChanged, this, &KeySheet::search);
    auto* top = new QHBoxLayout;
    top->setSpacing(12);
    top->addWidget(field_, 1);
    top->addWidget(pdf);
    top->addWidget(close);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 18, 20, 16);
    column->setSpacing(14);
    column->addLayout(top);
    column->addWidget(scroll_, 1);
    resize(scaled(*this, 1280), scaled(*this, 820));
}

void KeySheet::showEvent(QShowEvent* event)
{
    search(); // actions may have come since
    field_->setFocus();
    QDialog::showEvent(event);
}

bool KeySheet::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == scroll_->viewport() && event->type() == QEvent::Resize)
        fit(); // also when a scroll bar comes or goes
    return QDialog::eventFilter(watched, event);
}

void KeySheet::search()
{
    page_->show(keyGroups(registry_, field_->text()));
    fit();
}

void KeySheet::fit()
{
    const int width = std::max(scroll_->viewport()->width(), 100);
    page_->resize(width, std::max(page_->heightForWidth(width - rightMargin), scroll_->viewport()->height()));
}

bool KeySheet::writePdf(const QString& path) const
{
    KeySheetPage printed;
    printed.setFont(uiFont(10));
    QPalette paper;
    paper.setColor(QPalette::Window, Qt::white);
    paper.setColor(QPalette::WindowText, Qt::black);
    printed.setPalette(paper);
    printed.show(page_->groups());
    constexpr double widthMm = 297;
    constexpr double marginMm = 12;
    constexpr int dpi = 96;
    const auto pixels = [](double mm) { return static_cast<int>(mm / 25.4 * dpi); };
    const int height = printed.heightForWidth(pixels(widthMm - 2 * marginMm));
    const double heightMm = std::max(210.0, height * 25.4 / dpi + 2 * marginMm);
    QPdfWriter writer(path);
    writer.setTitle(tr("Keys of Pipeloom"));
    writer.setResolution(dpi);
    writer.setPageSize(QPageSize(QSizeF(widthMm, heightMm), QPageSize::Millimeter, {}, QPageSize::ExactMatch));
    writer.setPageMargins({ marginMm, marginMm, marginMm, marginMm }, QPageLayout::Millimeter);
    QPainter painter;
    if (!painter.begin(&writer))
        return false;
    printed.paintOn(painter, pixels(widthMm - 2 * marginMm));
    return painter.end();
}

void KeySheet::savePdf()
{
    const QString path
        = chooser_.toSave(this, { tr("Save the Keys As"), "pipeloom-keys.pdf", tr("PDF (*.pdf)"), ".pdf" });
    if (!path.isEmpty() && !writePdf(path))
        field_->setPlaceholderText(tr("%1 could not be written.").arg(path));
}

} // namespace pipeloom::designer
