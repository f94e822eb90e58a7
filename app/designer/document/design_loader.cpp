// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/document/design_loader.h"

namespace pipeloom::designer {

DesignLoader::DesignLoader(QObject* parent)
    : QObject(parent)
{
    pool_.setMaxThreadCount(1);
}

DesignLoader::~DesignLoader() { pool_.waitForDone(); }

void DesignLoader::load(const QString& path)
{
    const std::uint64_t generation = ++generation_;
    busy_ = true;
    path_ = path;
    Q_EMIT started(path);
    pool_.start([this, generation, path] {
        auto read = std::make_shared<ReadDesign>(loadDesign(path.toStdString()));
        QMetaObject::invokeMethod(this, [this, generation, path, read] {
            if (generation != generation_)
                return;
            busy_ = false;
            Q_EMIT finished(path, read);
        });
    });
}

void DesignLoader::cancel()
{
    if (!busy_)
        return;
    ++generation_;
    busy_ = false;
    Q_EMIT cancelled(path_);
}

} // namespace pipeloom::designer
