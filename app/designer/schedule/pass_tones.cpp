// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/pass_tones.h"

namespace pipeloom::designer {

QColor mixed(const QColor& from, const QColor& to, double part)
{
    const auto mix = [&](double a, double b) { return static_cast<float>(a + (b - a) * part); };
    return QColor::fromRgbF(
        mix(from.redF(), to.redF()), mix(from.greenF(), to.greenF()), mix(from.blueF(), to.blueF()));
}

namespace {

PassTone toneOf(const PassColours& colours, const QColor& panel, double fade)
{
    return { mixed(colours.fill, panel, fade).rgb(), mixed(colours.edge, panel, fade).rgb(),
        mixed(colours.text, panel, fade / 2).rgb() };
}

/// Text that was white on a colour which is now mixed with white would vanish: it takes the panel's own text colour.
PassTone dimmedTone(const PassColours& colours, const Theme& theme, double fade)
{
    PassTone tone = toneOf(colours, theme.panel, fade);
    tone.text = theme.muted.rgb();
    return tone;
}

} // namespace

PassTones::PassTones(const Theme& theme, ColourMode mode, double fade, std::int32_t only)
    : mode_(mode)
    , only_(only)
{
    constexpr double dim = 0.78;
    for (std::size_t i = 0; i < 8; ++i) {
        PassColours colours;
        if (mode == ColourMode::Kind)
            colours = theme.of(i < passKinds ? static_cast<PassKind>(i) : PassKind::F);
        else
            colours = colourOfNumber(static_cast<std::int32_t>(i));
        normal_[i] = fade > 0.3 ? dimmedTone(colours, theme, fade) : toneOf(colours, theme.panel, fade);
        dimmed_[i] = dimmedTone(colours, theme, std::max(dim, fade));
    }
    const double all = only >= 0 ? std::max(dim, fade) : fade;
    weights_ = toneOf(theme.weights, theme.panel, fade);
    const QColor neutral = mixed(theme.transfer, theme.panel, all);
    if (mode == ColourMode::Kind)
        shares_ = { mixed(theme.forward.fill, theme.panel, all).rgb(),
            mixed(theme.backward.fill, theme.panel, all).rgb(), mixed(theme.weights.fill, theme.panel, all).rgb() };
    else
        shares_ = { neutral.rgb(), neutral.rgb(), neutral.rgb() };
}

PassColours PassTones::colours(const Pass& pass) const
{
    const PassTone& tone = of(pass);
    return { QColor(tone.fill), QColor(tone.edge), QColor(tone.text) };
}

} // namespace pipeloom::designer
