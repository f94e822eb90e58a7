// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_choices.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

namespace pipeloom::designer {

namespace {

constexpr qsizetype mostDesigns = 20;
constexpr std::int64_t stepsByDefault = 20;

QJsonArray remembered(const Settings& settings)
{
    return QJsonDocument::fromJson(settings.value(setting::lastRuns)).array();
}

QString keyOf(const QString& path) { return path.isEmpty() ? QString() : QFileInfo(path).absoluteFilePath(); }

} // namespace

RunSettings proposedRun(const Settings& settings, const Design& design, const QString& path)
{
    const QJsonArray all = remembered(settings);
    RunSettings run;
    bool isKnown = false;
    for (const QJsonValue& entry : all)
        if (!isKnown && entry["design"].toString() == keyOf(path)) {
            run = runSettings(entry["settings"].toObject());
            isKnown = true;
        }
    if (!isKnown) {
        if (!design.training || !design.training->steps)
            run.steps = stepsByDefault;
        // The text that another design was trained on will do for this one as well.
        for (const QJsonValue& entry : all)
            if (run.data.isEmpty() && (!design.training || design.training->data.empty()))
                for (const QString& file : runSettings(entry["settings"].toObject()).data)
                    if (QFileInfo(file).isAbsolute() && QFileInfo(file).isFile())
                        run.data.append(file);
    }
    // Where the design stands and what it needs may have changed since.
    run.design.clear();
    run.folder = path.isEmpty() ? QDir::homePath() : QFileInfo(path).absolutePath();
    run.ranks = design.pipeline.devices * run.replicas;
    return run;
}

void rememberRun(Settings& settings, const QString& path, const RunSettings& run)
{
    QJsonArray all { QJsonObject { { "design", keyOf(path) }, { "settings", toJson(run) } } };
    for (const QJsonValue& entry : remembered(settings))
        if (entry["design"].toString() != keyOf(path) && all.size() < mostDesigns)
            all.append(entry);
    settings.set(setting::lastRuns, QJsonDocument(all).toJson(QJsonDocument::Compact));
}

} // namespace pipeloom::designer
