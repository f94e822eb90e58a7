// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_supervisor.h"

namespace pipeloom::designer {

const char* supervisorScript()
{
    // POSIX sh. $$ is the session's leader also in its subshell. Traps that do something, unlike ignored signals, are not passed
    // on to programs.
    return R"(folder=$1 fate=$2 whom=$3
shift 3
trap : INT TERM HUP
exec 3<&0 </dev/null

# Kills all of the session but the two that are named.
sweep() {
    for stat in /proc/[0-9]*/stat; do
        { read -r line <"$stat"; } 2>/dev/null || continue
        one=${line%% *}
        set -- ${line##*) }
        if [ "$4" = "$$" ] && [ "$one" != "$$" ] && [ "$one" != "$spared" ]; then
            kill -KILL "$one" 2>/dev/null
        fi
    done
}

# Interrupts the run and waits for its end, at most so many tenths of a second.
end_within() {
    if [ "$whom" = group ]; then kill -INT -- "-$$"; else kill -INT "$pid"; fi 2>/dev/null
    tenths=0
    while [ "$tenths" -lt "$1" ] && kill -0 "$pid" 2>/dev/null; do
        sleep 0.1
        tenths=$((tenths + 1))
    done
}

(
    trap : INT TERM HUP
    while read -r word <&3; do fate=$word; done
    [ "$fate" = keep ] && exit
    tenths=0
    while [ ! -s "$folder/pid" ] && [ "$tenths" -lt 20 ]; do
        sleep 0.1
        tenths=$((tenths + 1))
    done
    read -r pid <"$folder/pid"
    read -r spared rest </proc/self/stat
    end_within 50
    end_within 20
    sweep
) &
watcher=$!

sh -c 'echo $$ >"$0/pid.new" && mv "$0/pid.new" "$0/pid" && exec "$@"' "$folder" "$@" 3<&-
code=$?
# Before what others look at: when they see the end, nothing is left.
kill -KILL "$watcher" 2>/dev/null
spared=
sweep
echo "$code" >"$folder/exit.new" && mv "$folder/exit.new" "$folder/exit"
exit "$code"
)";
}

} // namespace pipeloom::designer
