// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/compare/compare_list.h"

#include "core/formats/design_file.h"

#include <QFileInfo>

#include <algorithm>

namespace pipeloom::designer {

namespace {

QString firstError(const Findings& findings)
{
    for (const Finding& finding : findings)
        if (finding.severity == Severity::Error)
            return QString::fromStdString(finding.message + (finding.remedy.empty() ? "" : " " + finding.remedy));
    return {};
}

/// The design's own name says more in a table than that of its file.
QString liveName(const Document& document)
{
    const std::string& own = document.shown()->name;
    return CompareList::tr("%1 (this)").arg(own.empty() ? document.title() : QString::fromStdString(own));
}

FiguresPtr figuresOf(const DesignPtr& design)
{
    auto made = std::make_shared<Figures>();
    made->design = design;
    made->planned = design;
    made->plan = plan(*design, {});
    made->plan.program = {};
    made->findings = made->plan.findings;
    made->bounds = made->plan.bounds;
    const bool broken = std::any_of(made->findings.begin(), made->findings.end(), [](const Finding& finding) {
        return finding.severity == Severity::Error && finding.rule.starts_with("block/");
    });
    made->standing = !made->plan.simulated() ? Standing::None : broken ? Standing::OfItsOrder : Standing::Whole;
    return made;
}

} // namespace

CompareList::CompareList(Document& document, QObject* parent)
    : QObject(parent)
    , document_(document)
{
    pool_.setMaxThreadCount(1);
    connect(&document_, &Document::shownChanged, this, &CompareList::followDocument);
    connect(&document_, &Document::stateChanged, this, &CompareList::followDocument);
}

CompareList::~CompareList()
{
    pool_.clear();
    pool_.waitForDone();
}

bool CompareList::hasLive() const
{
    return std::any_of(designs_.begin(), designs_.end(), [](const ComparedDesign& each) { return each.isLive; });
}

int CompareList::pending() const
{
    return static_cast<int>(
        std::count_if(designs_.begin(), designs_.end(), [](const ComparedDesign& each) { return !each.figures; }));
}

Basis CompareList::basis() const
{
    std::vector<DesignPtr> designs;
    for (const ComparedDesign& each : designs_)
        designs.push_back(each.design);
    return basisOf(designs);
}

ComparedDesign* CompareList::find(std::int64_t id)
{
    const auto found
        = std::find_if(designs_.begin(), designs_.end(), [id](const ComparedDesign& each) { return each.id == id; });
    return found == designs_.end() ? nullptr : &*found;
}

void CompareList::add(Design design, const QString& name, const QString& source)
{
    ComparedDesign each;
    each.id = nextId_++;
    each.name = name;
    each.source = source;
    each.design = std::make_shared<const Design>(std::move(design));
    const std::int64_t id = each.id;
    designs_.push_back(std::move(each));
    Q_EMIT structureChanged();
    make(id);
}

void CompareList::addLive()
{
    if (hasLive())
        return;
    ComparedDesign each;
    each.id = nextId_++;
    each.isLive = true;
    each.name = liveName(document_);
    each.source = tr("follows the changes of this design");
    each.design = document_.shown();
    const std::int64_t id = each.id;
    designs_.insert(designs_.begin(), std::move(each)); // what others are measured by
    Q_EMIT structureChanged();
    make(id);
}

QString CompareList::addFromLibrary(std::string_view name, std::int32_t chunks)
{
    const LibraryEntry* entry = findInLibrary(name);
    if (!entry)
        return tr("The library has no schedule of that name.");
    LibraryDesign made = libraryLike(*entry, chunks, *document_.committed());
    if (!made.design)
        return firstError(made.findings);
    const auto title = QString::fromUtf8(entry->title.data(), static_cast<qsizetype>(entry->title.size()));
    add(std::move(*made.design), chunks == 0 ? title : tr("%1, v = %2").arg(title).arg(chunks), tr("library"));
    return {};
}

int CompareList::addWholeLibrary()
{
    int added = 0;
    for (const LibraryEntry& entry : library()) {
        const auto title = QString::fromUtf8(entry.title.data(), static_cast<qsizetype>(entry.title.size()));
        const bool there = std::any_of(designs_.begin(), designs_.end(),
            [&](const ComparedDesign& each) { return !each.isLive && each.name == title; });
        if (!there && addFromLibrary(entry.name).isEmpty())
            ++added;
    }
    return added;
}

QString CompareList::addFile(const QString& path)
{
    ReadDesign read = loadDesign(path.toStdString());
    if (!read.design)
        return firstError(read.findings);
    const QString name
        = read.design->name.empty() ? QFileInfo(path).fileName() : QString::fromStdString(read.design->name);
    add(std::move(*read.design), name, path);
    return {};
}

void CompareList::remove(int at)
{
    if (at < 0 || at >= size())
        return;
    designs_.erase(designs_.begin() + at);
    Q_EMIT structureChanged();
}

void CompareList::clear()
{
    designs_.clear();
    Q_EMIT structureChanged();
}

void CompareList::move(int at, int by)
{
    const int to = at + by;
    if (at < 0 || at >= size() || to < 0 || to >= size() || at == to)
        return;
    std::swap(designs_[static_cast<std::size_t>(at)], designs_[static_cast<std::size_t>(to)]);
    Q_EMIT structureChanged();
}

void CompareList::make(std::int64_t id)
{
    ComparedDesign* each = find(id);
    if (!each)
        return;
    if (each->isLive)
        busyLive_ = id;
    pool_.start([this, id, design = each->design] {
        FiguresPtr figures = figuresOf(design);
        auto data = std::make_shared<const ScheduleData>(figures);
        QMetaObject::invokeMethod(
            this, [this, id, design, figures, data] { takeResult(id, design, figures, data); }, Qt::QueuedConnection);
    });
}

void CompareList::takeResult(
    std::int64_t id, const DesignPtr& design, FiguresPtr figures, std::shared_ptr<const ScheduleData> data)
{
    if (id == busyLive_)
        busyLive_ = 0;
    ComparedDesign* each = find(id);
    if (!each)
        return; // removed meanwhile
    each->figures = std::move(figures);
    each->data = std::move(data);
    each->compared = comparedFigures(*each->figures);
    each->problem = each->compared ? QString() : firstError(each->figures->findings);
    Q_EMIT figuresChanged();
    if (each->design != design)
        make(id); // the document has gone on; the newest state is what counts
}

void CompareList::followDocument()
{
    for (ComparedDesign& each : designs_) {
        if (!each.isLive)
            continue;
        if (const QString name = liveName(document_); each.name != name) {
            each.name = name;
            Q_EMIT structureChanged();
        }
        if (each.design == document_.shown())
            return;
        each.design = document_.shown();
        if (busyLive_ != each.id)
            make(each.id);
        return;
    }
}

} // namespace pipeloom::designer
