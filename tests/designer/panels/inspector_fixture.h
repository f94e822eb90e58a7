// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// An inspector on a document of its own, and ways to fill in its fields as a person does.

#include "app/designer/figures/live_figures.h"
#include "app/designer/panels/edit_table.h"
#include "app/designer/panels/fields.h"
#include "app/designer/panels/inspector_panel.h"
#include "app/designer/panels/section.h"
#include "tests/designer/panels/panel_designs.h"
#include "tests/designer/window_test_main.h"

#include <memory>

namespace pipeloom::designer::testing {

class InspectorFixture : public QObject {
protected:
    /// The mock's design in an inspector with all sections open.
    void open()
    {
        failOnWarnings();
        document_ = std::make_unique<Document>();
        document_->reset(mockDesign(), {});
        live_ = std::make_unique<LiveFigures>(*document_);
        panel_ = std::make_unique<InspectorPanel>(*document_, *live_);
        for (Section* section : panel_->sections())
            section->setOpen(true);
        panel_->resize(365, 900);
        panel_->show();
        QVERIFY(QTest::qWaitForWindowActive(panel_.get()));
    }
    void close()
    {
        panel_.reset();
        live_.reset();
        document_.reset();
    }
    template <class Widget> Widget* find(const QString& name)
    {
        auto* found = panel_->findChild<Widget*>(name);
        if (!found)
            qFatal("no %s", qPrintable(name));
        return found;
    }
    int steps() { return document_->undoStack().count(); }
    static void type(QWidget* field, const QString& text)
    {
        field->setFocus();
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field, text);
        QTest::keyClick(field, Qt::Key_Return);
    }
    void editCell(EditTableView* table, int row, int column, const QString& text)
    {
        table->setFocus();
        table->setCurrentIndex(table->model()->index(row, column));
        QTest::keyClick(table, Qt::Key_Return);
        auto* editor = table->viewport()->findChild<QLineEdit*>();
        QVERIFY(editor);
        editor->setText(text);
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_VERIFY(!table->viewport()->findChild<QLineEdit*>());
    }
    QStringList remarks()
    {
        QStringList said;
        for (const Remark* remark : panel_->findChildren<Remark*>())
            if (remark->isVisible() && remark->wordWrap())
                said += remark->text();
        return said;
    }

    std::unique_ptr<Document> document_;
    std::unique_ptr<LiveFigures> live_;
    std::unique_ptr<InspectorPanel> panel_;
};

} // namespace pipeloom::designer::testing
