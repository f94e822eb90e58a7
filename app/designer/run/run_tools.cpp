// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_desk.h"
#include "app/designer/run/run_page.h"
#include "app/designer/run/run_status.h"
#include "app/designer/style/key_button.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>

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
    for (QAction* action : page_->menuActions())
        if (action->objectName() == QLatin1String("run.live"))
            line->addWidget(new KeyButton(action));
    line->addSpacing(10);
    line->addWidget(new RunSentence(*session_), 1);
    setButtonText(costs_, tr("Use costs…"));
    for (QAction* action : { costs_, pause_, start_ })
        line->addWidget(new KeyButton(action));
    line->addWidget(new KeyButton(stop_, KeyButton::Look::Main));
    return row;
}

} // namespace pipeloom::designer
