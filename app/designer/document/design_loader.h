// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reads design files without holding up the window. One at a time: a new request, or cancel, drops the one under way.

#include "core/formats/design_file.h"

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <cstdint>
#include <memory>

namespace pipeloom::designer {

class DesignLoader : public QObject {
    Q_OBJECT
public:
    explicit DesignLoader(QObject* parent = nullptr);
    ~DesignLoader() override;

    /// `finished` follows, unless another load or cancel comes first.
    void load(const QString& path);
    /// What is being read is dropped when it arrives.
    void cancel();
    [[nodiscard]] bool isBusy() const { return busy_; }
    [[nodiscard]] const QString& path() const { return path_; }

Q_SIGNALS:
    void started(const QString& path);
    void finished(const QString& path, const std::shared_ptr<pipeloom::ReadDesign>& read);
    void cancelled(const QString& path);

private:
    QThreadPool pool_; ///< one thread
    std::uint64_t generation_ = 0;
    bool busy_ = false;
    QString path_;
};

} // namespace pipeloom::designer
