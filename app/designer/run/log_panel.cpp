// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/log_panel.h"

#include "app/designer/run/run_session.h"
#include "app/designer/style/theme.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDateTime>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QScrollBar>
#include <QStringList>
#include <QStyledItemDelegate>

#include <algorithm>
#include <set>

namespace pipeloom::designer {

namespace {

int scaledUi(int pixels) { return pixels * QApplication::font().pixelSize() / 13; }

class LineDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        return { 100, scaledUi(20) };
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = themeOf(option.palette);
        painter->save();
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, theme.accentSoft);
        const auto level = static_cast<RunNotice::Level>(index.data(LogModel::levelRole).toInt());
        const bool isNewest = index.row() == index.model()->rowCount() - 1;
        painter->setFont(monoFont(scaledUi(11)));
        painter->setPen(level == RunNotice::Level::Error ? theme.error
                : level == RunNotice::Level::Warning     ? theme.warning
                : level == RunNotice::Level::Good        ? theme.good
                : isNewest                               ? theme.text
                                                         : theme.muted);
        const QRect inner = option.rect.adjusted(14, 0, -10, 0);
        painter->drawText(inner, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
            painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, inner.width()));
        if (option.state & QStyle::State_HasFocus) {
            painter->setPen(theme.accent);
            painter->drawRect(option.rect.adjusted(2, 0, -3, -1));
        }
        painter->restore();
    }

    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
        const QModelIndex& index) override
    {
        // Only of lines that are cut off.
        const QString text = index.data().toString();
        const bool isCut = QFontMetrics(monoFont(scaledUi(11))).horizontalAdvance(text) > option.rect.width() - 24;
        view->viewport()->setToolTip(isCut ? text : QString());
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    }
};

} // namespace

LogPanel::LogPanel(RunSession& session, QWidget* parent)
    : RunPanel(session, tr("Log"), 10, parent)
    , model_(new LogModel(this))
    , filter_(new LogFilter(*model_, this))
    , list_(new QListView)
    , ranks_(new QComboBox)
    , search_(new QLineEdit)
    , copy_(new QAction(tr("Copy lines"), this))
{
    setObjectName("logPanel");
    search_->setObjectName("logSearch");
    search_->setPlaceholderText(tr("Search"));
    search_->setAccessibleName(tr("Search in the log"));
    search_->setClearButtonEnabled(true);
    search_->setMaximumWidth(scaledUi(150));
    addHeaderWidget(search_);
    ranks_->setObjectName("logRanks");
    ranks_->setAccessibleName(tr("Lines of which rank"));
    ranks_->addItem(tr("all ranks"), -1);
    addHeaderWidget(ranks_);

    list_->setObjectName("logList");
    list_->setAccessibleName(tr("Log"));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setUniformItemSizes(true);
    list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setItemDelegate(new LineDelegate(list_));
    list_->setModel(filter_);
    copy_->setObjectName("logCopy");
    copy_->setShortcut(QKeySequence::Copy);
    copy_->setShortcutContext(Qt::WidgetShortcut);
    list_->addAction(copy_);
    list_->setContextMenuPolicy(Qt::ActionsContextMenu);
    setBody(list_);

    connect(copy_, &QAction::triggered, this, &LogPanel::copy);
    // A person leaves the end by scrolling and comes back by scrolling; lines and sizes that change do neither.
    QScrollBar* bar = list_->verticalScrollBar();
    connect(bar, &QScrollBar::valueChanged, this, [this, bar](int value) { follows_ = value >= bar->maximum() - 2; });
    connect(bar, &QScrollBar::rangeChanged, this, [this, bar](int, int last) {
        if (follows_)
            bar->setValue(last);
    });
    connect(search_, &QLineEdit::textChanged, filter_, &LogFilter::setText);
    connect(ranks_, &QComboBox::currentIndexChanged, this, [this] { filter_->setRank(ranks_->currentData().toInt()); });
    showEmpty(tr("No run is open."));
}

void LogPanel::addLine(int rank, const QString& text, bool isError)
{
    LogLine line;
    line.unixMs = QDateTime::currentMSecsSinceEpoch();
    if (rank >= 0)
        line.ranks.push_back(rank);
    line.level = isError ? RunNotice::Level::Warning : RunNotice::Level::Info;
    line.text = rank >= 0 ? tr("rank %1: %2").arg(rank).arg(text) : text;
    waiting_.push_back(std::move(line));
    // Nobody looks: it is not kept for ever.
    if (waiting_.size() > 2 * LogModel::most)
        waiting_.erase(waiting_.begin(), waiting_.end() - static_cast<std::ptrdiff_t>(LogModel::most));
    touch();
}

void LogPanel::forget()
{
    model_->clear();
    ranks_->setCurrentIndex(0);
}

void LogPanel::take()
{
    fillRanks();
    model_->take(session().log(), std::exchange(waiting_, {}));
    if (model_->rowCount() == 0) {
        showEmpty(session().log().began() ? tr("Nothing was said yet.") : tr("No run is open."));
        return;
    }
    showBody();
}

void LogPanel::fillRanks()
{
    std::set<std::int32_t> ranks;
    const RunLog& log = session().log();
    for (const std::optional<RankBegan>& rank : log.ranks())
        if (rank)
            ranks.insert(rank->rank);
    const bool isDevices = ranks.empty();
    if (isDevices && log.began())
        for (std::int32_t d = 0; d < log.began()->devices; ++d)
            ranks.insert(d);
    const QString one = isDevices ? tr("dev %1") : tr("rank %1");
    const QString all = isDevices && !ranks.empty() ? tr("all devices") : tr("all ranks");
    QStringList texts { all };
    for (const std::int32_t rank : ranks)
        texts += one.arg(rank);
    if (texts.size() == ranks_->count() && texts.back() == ranks_->itemText(ranks_->count() - 1))
        return;
    const int chosen = ranks_->currentData().toInt();
    const QSignalBlocker quiet(ranks_);
    ranks_->clear();
    ranks_->addItem(all, -1);
    for (const std::int32_t rank : ranks)
        ranks_->addItem(one.arg(rank), rank);
    ranks_->setCurrentIndex(std::max(ranks_->findData(chosen), 0));
    filter_->setRank(ranks_->currentData().toInt());
}

void LogPanel::copy()
{
    QModelIndexList chosen = list_->selectionModel()->selectedIndexes();
    std::sort(chosen.begin(), chosen.end());
    QStringList lines;
    for (const QModelIndex& index : chosen)
        lines += index.data().toString();
    if (!lines.isEmpty())
        QGuiApplication::clipboard()->setText(lines.join('\n'));
}

} // namespace pipeloom::designer
