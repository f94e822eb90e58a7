// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/step_bar.h"

#include "app/designer/run/run_session.h"
#include "app/designer/style/theme.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>

#include <array>
#include <limits>

namespace pipeloom::designer {

namespace {

constexpr std::array<double, 6> speeds { 1, 2, 5, 10, 30, 100 };
constexpr std::size_t mostMarks = 4000;

} // namespace

StepBar::StepBar(RunSession& session, const Actions& actions, QWidget* parent)
    : QWidget(parent)
    , session_(session)
    , slider_(new StepSlider(this))
    , number_(new QSpinBox(this))
    , of_(new QLabel(this))
    , behind_(new QLabel(this))
    , speed_(new QComboBox(this))
{
    setObjectName("run.stepBar");
    setAccessibleName(tr("Steps of the run"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(6);
    layout->addWidget(addButton(actions.previous, QStringLiteral("◂")));
    layout->addWidget(addButton(actions.next, QStringLiteral("▸")));
    number_->setObjectName("run.stepNumber");
    number_->setAccessibleName(tr("Step shown"));
    number_->setPrefix(tr("step "));
    number_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    number_->setKeyboardTracking(false);
    number_->setMinimumWidth(number_->fontMetrics().horizontalAdvance(tr("step ") + QStringLiteral("0000000")) + 16);
    layout->addWidget(number_);
    layout->addWidget(of_);
    layout->addWidget(slider_, 1);
    behind_->setObjectName("run.behind");
    behind_->setMargin(3);
    layout->addWidget(behind_);
    pause_ = addButton(actions.pause, {});
    layout->addWidget(pause_);
    speed_->setObjectName("run.speed");
    speed_->setAccessibleName(tr("Speed of the replay"));
    speed_->setToolTip(tr("How many times as fast as it happened"));
    for (const double speed : speeds)
        speed_->addItem(tr("%1 ×").arg(speed), speed);
    layout->addWidget(speed_);
    layout->addWidget(addButton(actions.live, tr("Live")));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);

    connect(slider_, &StepSlider::stepChosen, &session_, &RunSession::showStep);
    connect(number_, &QSpinBox::valueChanged, this, [this](int step) { session_.showStep(step); });
    connect(speed_, &QComboBox::activated, this,
        [this](int index) { session_.setSpeed(speeds[static_cast<std::size_t>(index)]); });
    connect(&session_, &RunSession::changed, this, &StepBar::follow);
    connect(&session_, &RunSession::shownChanged, this, &StepBar::follow);
    connect(&session_, &RunSession::liveChanged, this, &StepBar::follow);
    connect(&session_, &RunSession::opened, this, [this] {
        noticesRead_ = 0;
        marks_.clear();
        slider_->setMarks({});
        follow();
    });
    follow();
}

QToolButton* StepBar::addButton(QAction* action, const QString& text)
{
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setObjectName(action->objectName() + ".button");
    button->setAccessibleName(action->text());
    button->setFocusPolicy(Qt::TabFocus);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    if (!text.isEmpty()) {
        button->setText(text);
        // An action that changes would put its own text back.
        connect(action, &QAction::changed, button, [button, text] { button->setText(text); });
    }
    return button;
}

QString StepBar::behindText() const
{
    constexpr double worthTelling = 1000;
    const RunSession::Behind behind = session_.behind();
    if (behind.ms <= worthTelling || session_.state() == RunSession::State::Empty)
        return {};
    return tr("%1 s behind").arg(qRound(behind.ms / 1000));
}

void StepBar::gatherMarks()
{
    using Kind = RunNotice::Kind;
    const RunLog& log = session_.log();
    const auto& notices = log.notices();
    const std::int64_t end = log.noticesBefore() + static_cast<std::int64_t>(notices.size());
    if (end < noticesRead_) { // it was begun anew
        noticesRead_ = 0;
        marks_.clear();
    }
    if (end == noticesRead_)
        return;
    for (std::int64_t i = std::max(noticesRead_, log.noticesBefore()); i < end; ++i) {
        const RunNotice& notice = notices[static_cast<std::size_t>(i - log.noticesBefore())];
        if (notice.step < 0)
            continue;
        const QString text = tr("Step %1: %2").arg(notice.step).arg(QString::fromStdString(notice.text));
        if (notice.kind == Kind::Rollback || notice.kind == Kind::Skip || notice.kind == Kind::Failed)
            marks_.push_back({ notice.step, StepSlider::Mark::Kind::Rollback, text });
        else if (notice.kind == Kind::Checkpoint)
            marks_.push_back({ notice.step, StepSlider::Mark::Kind::Checkpoint, text });
        else if (notice.level == RunNotice::Level::Warning || notice.level == RunNotice::Level::Error)
            marks_.push_back({ notice.step, StepSlider::Mark::Kind::Alarm, text });
    }
    noticesRead_ = end;
    if (marks_.size() > mostMarks)
        marks_.erase(marks_.begin(), marks_.end() - mostMarks);
    slider_->setMarks(marks_);
}

void StepBar::follow()
{
    const auto [first, newest] = session_.steps();
    const bool isEmpty = newest < first;
    std::int64_t last = newest;
    // Steps that will not come any more take no room.
    if (const auto& began = session_.log().began(); began && began->steps > 0 && !session_.log().ended())
        last = std::max(newest, began->firstStep + began->steps - 1);
    slider_->setSteps(first, newest, last);
    slider_->setCurrent(session_.shownNumber());
    slider_->setEnabled(!isEmpty);
    gatherMarks();
    {
        const QSignalBlocker blocker(number_);
        constexpr std::int64_t most = std::numeric_limits<int>::max();
        // A number being typed is not written over.
        if (!number_->hasFocus() || isEmpty || number_->value() != session_.shownNumber()) {
            number_->setRange(
                static_cast<int>(std::min(first, most)), static_cast<int>(std::clamp<std::int64_t>(newest, 0, most)));
            number_->setValue(static_cast<int>(std::clamp<std::int64_t>(session_.shownNumber(), 0, most)));
        }
        number_->setEnabled(!isEmpty);
    }
    // Steps count from 0: the run's whole number, as the tool row says it.
    of_->setText(isEmpty ? QString() : tr("of %1").arg(last + 1));
    pause_->setVisible(session_.isReplay());
    speed_->setVisible(session_.isReplay());
    if (session_.isReplay()) {
        int nearest = 0;
        for (std::size_t i = 0; i < speeds.size(); ++i)
            if (speeds[i] <= session_.speed() * 1.0001)
                nearest = static_cast<int>(i);
        speed_->setCurrentIndex(nearest);
    }
    const QString behind = behindText();
    behind_->setVisible(!behind.isEmpty());
    if (behind_->text() != behind) {
        behind_->setText(behind);
        QPalette palette = behind_->palette();
        palette.setColor(QPalette::WindowText, themeOf(this).warning);
        behind_->setPalette(palette);
    }
}

void StepBar::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.header);
    painter.fillRect(QRect(0, 0, width(), 1), theme.border);
}

} // namespace pipeloom::designer
