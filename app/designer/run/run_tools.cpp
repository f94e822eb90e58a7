// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_desk.h"
#include "app/designer/run/run_page.h"
#include "app/designer/run/run_status.h"
#include "app/designer/style/key_button.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>

namespace pipeloom::designer {

namespace {

/// What is going on, in a sentence that gives way when there is little room.
class RunSentence : public QLabel {
public:
    explicit RunSentence(RunSession& session)
        : session_(session)
    {
        setObjectName(QStringLiteral("runSentence"));
        setTextFormat(Qt::PlainText);
        setForegroundRole(QPalette::PlaceholderText);
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        for (auto signal : { &RunSession::changed, &RunSession::opened })
            connect(&session_, signal, this, &RunSentence::follow);
        follow();
    }

private:
    void follow() { setText(runSentence(session_)); }

    RunSession& session_;
};

} // namespace

QWidget* RunDesk::makeTools()
{
    auto* row = new QWidget;
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(6);
    const auto ofPage = [this](const char* name) {
        const QList<QAction*> all = page_->menuActions();
        return *std::ranges::find_if(
            all, [name](QAction* action) { return action->objectName() == QLatin1String(name); });
    };
    line->addWidget(new KeyButton(ofPage("run.live")));
    line->addSpacing(10);
    line->addWidget(new RunSentence(*session_), 1);
    setButtonText(costs_, tr("Use costs…"));
    line->addWidget(new KeyButton(costs_));
    auto* pause = new KeyButton(ofPage("run.pauseHere"));
    pause->showKeyOnlyIn(&page_->plan().view());
    line->addWidget(pause);
    line->addWidget(new KeyButton(start_));
    line->addWidget(new KeyButton(stop_, KeyButton::Look::Main));
    return row;
}

} // namespace pipeloom::designer
