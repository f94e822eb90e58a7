// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/design_page.h"

#include "app/designer/panels/remedies.h"
#include "app/designer/window/undo_panel.h"

#include <QApplication>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace pipeloom::designer {

DesignPage::DesignPage(Document& document, LiveFigures& figures, QWidget* parent)
    : QWidget(parent)
    , document_(document)
    , columns_(new QSplitter(Qt::Horizontal, this))
    , left_(new QSplitter(Qt::Vertical))
    , right_(new QSplitter(Qt::Vertical))
    , block_(new BlockPanel(document, figures))
    , schedule_(new SchedulePanel(document, figures))
    , findings_(new FindingsPanel(document, figures))
    , numbers_(new NumbersPanel(figures))
    , inspector_(new InspectorPanel(document, figures))
    , undo_(new UndoPanel(document.undoStack()))
{
    auto* around = new QVBoxLayout(this);
    around->setContentsMargins(8, 8, 8, 8);
    around->addWidget(columns_);
    for (QWidget* part :
        { static_cast<QWidget*>(block_), static_cast<QWidget*>(schedule_), static_cast<QWidget*>(findings_) })
        left_->addWidget(part);
    for (QWidget* part : { static_cast<QWidget*>(numbers_), static_cast<QWidget*>(inspector_), undo_ })
        right_->addWidget(part);
    columns_->addWidget(left_);
    columns_->addWidget(right_);
    columns_->setStretchFactor(0, 1);
    left_->setStretchFactor(1, 1);
    right_->setStretchFactor(1, 1);
    for (QSplitter* splitter : { columns_, left_, right_ })
        splitter->setChildrenCollapsible(false);
    undo_->hide();
    connect(block_, &BlockPanel::statusText, this, &DesignPage::statusText);
    connect(schedule_, &SchedulePanel::statusText, this, &DesignPage::statusText);
    connect(&document_, &Document::refused, this, &DesignPage::statusText);
    connect(&document_, &Document::shownChanged, this, &DesignPage::followKind);
    connect(numbers_, &NumbersPanel::deviceActivated, &block_->view(), &BlockView::selectDevice);
    followFindings();
    resetLayout();
    followKind();
}

/// Without a block its editor has a sentence to say, no more: the schedule gets the room.
void DesignPage::followKind()
{
    constexpr int sentence = 92;
    const bool hasBlock = document_.shown()->block() != nullptr;
    if (hasBlock == (block_->maximumHeight() == QWIDGETSIZE_MAX))
        return;
    QList<int> sizes = left_->sizes();
    if (hasBlock) {
        block_->setMaximumHeight(QWIDGETSIZE_MAX);
        constexpr int least = 220;
        if (sizesWithBlock_.isEmpty() || sizesWithBlock_[0] < least) { // it was opened as an explicit schedule
            sizes[1] = std::max(sizes[1] + sizes[0] - 350, 100);
            sizes[0] = 350;
            sizesWithBlock_ = sizes;
        }
        left_->setSizes(sizesWithBlock_);
        return;
    }
    sizesWithBlock_ = sizes;
    block_->setMaximumHeight(sentence);
    sizes[1] += sizes[0] - sentence;
    sizes[0] = sentence;
    left_->setSizes(sizes);
}

namespace {

/// The pass of a schedule that findings call `2F7`; none if the text is not of that form.
std::optional<Pass> passOf(const QString& text)
{
    static const QRegularExpression form(QStringLiteral("^(\\d+)(F|BW|B|W)(\\d+)$"));
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    const QString kind = match.captured(2);
    const PassKind which = kind == QLatin1String("F") ? PassKind::F
        : kind == QLatin1String("B")                  ? PassKind::B
        : kind == QLatin1String("W")                  ? PassKind::W
                                                      : PassKind::BW;
    return Pass { StageId { match.captured(1).toInt() }, MicroBatch { match.captured(3).toInt() }, which };
}

} // namespace

void DesignPage::followFindings()
{
    connect(findings_, &FindingsPanel::placeActivated, this, [this](const Finding& finding, const Place& place) {
        const QString pass = QString::fromStdString(place.pass);
        const bool inBlock = finding.rule.rfind("block/", 0) == 0;
        if (inBlock && block_->view().selectByName(pass, place.device))
            block_->view().setFocus();
        else if (const std::optional<Pass> named = passOf(pass); named && !inBlock)
            schedule_->showPass(*named);
    });
    connect(findings_, &FindingsPanel::remedyRequested, this, [this](const Finding& finding) {
        if (std::optional<Remedy> remedy = remedyOf(*document_.committed(), finding))
            document_.apply(std::move(remedy->edited));
        if (document_.shown()->block()) // what is drawn on is what the keys are for
            block_->view().setFocus();
    });
}

void DesignPage::resetLayout()
{
    constexpr int rightWidth = 366;
    columns_->setSizes({ 1200, rightWidth });
    left_->setSizes({ 350, 430, 125 });
    right_->setSizes({ 310, 600, 160 });
}

namespace {
constexpr quint32 layoutMagic = 0x504c4431; // PLD1
}

QByteArray DesignPage::saveLayout() const
{
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << layoutMagic << columns_->saveState() << left_->saveState() << right_->saveState() << undo_->isHidden();
    return state;
}

bool DesignPage::restoreLayout(const QByteArray& state)
{
    QDataStream in(state);
    quint32 magic = 0;
    QByteArray columns;
    QByteArray left;
    QByteArray right;
    bool undoHidden = true;
    in >> magic >> columns >> left >> right >> undoHidden;
    if (in.status() != QDataStream::Ok || magic != layoutMagic)
        return false;
    undo_->setHidden(undoHidden);
    return columns_->restoreState(columns) && left_->restoreState(left) && right_->restoreState(right);
}

void DesignPage::cycleFocus(int step)
{
    const QList<QWidget*> parts { &block_->view(), schedule_, findings_, numbers_, inspector_ };
    int at = -1;
    const QWidget* focus = QApplication::focusWidget();
    for (int i = 0; i < parts.size(); ++i)
        if (focus && (parts[i] == focus || parts[i]->isAncestorOf(focus)))
            at = i;
    const int next = (at + step + static_cast<int>(parts.size())) % static_cast<int>(parts.size());
    QWidget* part = parts[next];
    if (part->focusPolicy() == Qt::NoFocus)
        for (QWidget* child : part->findChildren<QWidget*>())
            if (child->isVisible() && (child->focusPolicy() & Qt::TabFocus) && child->isEnabled()) {
                part = child;
                break;
            }
    part->setFocus(Qt::TabFocusReason);
}

} // namespace pipeloom::designer
