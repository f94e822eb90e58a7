// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The line in which passes are searched. Enter goes to the next hit, Shift+Enter to the one before, Esc closes.

#include "app/designer/schedule/schedule_view.h"

class QLabel;
class QLineEdit;

namespace pipeloom::designer {

class SearchBar : public QWidget {
    Q_OBJECT
public:
    explicit SearchBar(QWidget* parent = nullptr);

    void setData(ScheduleDataPtr schedule);
    /// Shows it and takes the keyboard.
    void open();
    void close();
    void step(int by);
    [[nodiscard]] const std::vector<PassIndex>& hits() const { return hits_; }
    [[nodiscard]] PassIndex current() const;

Q_SIGNALS:
    void hitsChanged();    ///< hits or the current one
    void wentTo(int pass); ///< it is to be selected and seen
    void closed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search();
    void tell(const QString& problem = {});

    QLineEdit* line_;
    QLabel* count_;
    ScheduleDataPtr data_;
    std::vector<PassIndex> hits_;
    std::ptrdiff_t at_ = -1;
};

} // namespace pipeloom::designer
