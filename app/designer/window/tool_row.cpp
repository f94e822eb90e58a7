// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/tool_row.h"

#include "app/designer/style/key_button.h"
#include "app/designer/style/segmented_bar.h"
#include "app/designer/style/theme.h"
#include "app/designer/window/action_registry.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QStackedWidget>

namespace pipeloom::designer {

namespace {

class ToolRow : public QWidget {
public:
    ToolRow()
    {
        setObjectName(QStringLiteral("toolRow"));
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const Theme& theme = themeOf(this);
        painter.fillRect(rect(), theme.panel);
        painter.fillRect(QRect(0, height() - 1, width(), 1), theme.border);
        painter.fillRect(QRect(0, 0, width(), 1), theme.border);
    }
};

} // namespace

QWidget* makeDesignTools(const QList<QAction*>& tools, const ActionRegistry& registry, QAction* run)
{
    auto* row = new QWidget;
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(6);
    for (QAction* tool : tools) {
        auto* button = new KeyButton(tool);
        button->showKeyOnlyIn(qobject_cast<QWidget*>(tool->parent()));
        line->addWidget(button);
    }
    const auto group = [&](const QStringList& actions) {
        line->addSpacing(14);
        for (const QString& name : actions)
            if (QAction* action = registry.find(name))
                line->addWidget(new KeyButton(action));
    };
    group({ QStringLiteral("edit.undo"), QStringLiteral("edit.redo") });
    group({ QStringLiteral("run.check"), QStringLiteral("schedule.search") });
    line->addStretch(1);
    if (QAction* exporting = registry.find(QStringLiteral("file.export")))
        line->addWidget(new KeyButton(exporting));
    line->addWidget(new KeyButton(run, KeyButton::Look::Main));
    return row;
}

QWidget* makeToolRow(const QList<QAction*>& layouts, QStackedWidget* tools)
{
    auto* row = new ToolRow;
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(12, 8, 12, 8);
    line->setSpacing(6);
    QStringList names;
    for (const QAction* layout : layouts)
        names << layout->text();
    auto* segments = new SegmentedBar(names);
    segments->setObjectName(QStringLiteral("layouts"));
    segments->setAccessibleName(QObject::tr("Layout"));
    QObject::connect(segments, &SegmentedBar::chosen, segments, [layouts](int at) { layouts[at]->trigger(); });
    for (int i = 0; i < layouts.size(); ++i) {
        QObject::connect(layouts[i], &QAction::toggled, segments, [segments, i](bool on) {
            if (on)
                segments->setCurrent(i);
        });
        if (layouts[i]->isChecked())
            segments->setCurrent(i);
    }
    line->addWidget(segments);
    line->addSpacing(20);
    line->addWidget(tools, 1);
    return row;
}

} // namespace pipeloom::designer
