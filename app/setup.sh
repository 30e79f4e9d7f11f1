# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: Clusterbeat contributors
#
# Sourced by app/run and tests/run (never run by itself): installs what is missing, configures and builds.
# Prints nothing when there is nothing to do. Needs $root, the repository's folder.
# The caller may set CLUSTERBEAT_WERROR=ON.

say() { printf '%s\n' "$*" >&2; }
die() { say "clusterbeat: $*"; exit 1; }

# Packages under their Debian and Ubuntu names | a file or command that shows it is there | why.
# Names before and after a "/" are alternatives: distributions renamed some packages over time.
readonly needs='
cmake|cmd:cmake|configures the build
ninja-build|cmd:ninja|runs the build
g++|cmd:g++|compiles C++20
qt6-base-dev|cmake:Qt6Widgets|the window (Qt 6)
libqt6opengl6-dev/qt6-base-dev|cmake:Qt6OpenGL|Qt Charts is not found without it
qt6-charts-dev/libqt6charts6-dev|cmake:Qt6Charts|charts
qt6-svg-dev/libqt6svg6-dev|cmake:Qt6Svg|icons and SVG pictures
qt6-tools-dev|cmake:Qt6LinguistTools|builds the translations
qt6-l10n-tools|file:/usr/lib/qt6/bin/lrelease|compiles the translations
qt6-translations-l10n|file:/usr/share/qt6/translations/qtbase_zh_CN.qm|Qt'"'"'s own words in Chinese
libgl-dev/libgl1-mesa-dev|file:/usr/include/GL/gl.h|headers that Qt Gui asks for
libboost-dev/libboost-graph-dev|file:/usr/include/boost/graph/adjacency_list.hpp|Boost.Graph: the cluster as a graph
nlohmann-json3-dev|file:/usr/include/nlohmann/json.hpp|reads and writes scenario files
fonts-noto-core|font:NotoSans-Regular.ttf|the text of the window
fonts-noto-mono|font:NotoSansMono-Regular.ttf|figures in columns
fonts-noto-cjk|font:NotoSansCJK-Regular.ttc|Chinese text
'

# True when the file, command, CMake package or font of a need is there.
is_there()
{
    local kind=${1%%:*} what=${1#*:} prefix
    case $kind in
    cmd) command -v "$what" >/dev/null 2>&1 ;;
    file) [ -e "$what" ] ;;
    font) [ -n "$(find /usr/share/fonts /usr/local/share/fonts "$HOME/.local/share/fonts" -name "$what" -print -quit 2>/dev/null)" ] ;;
    cmake)
        for prefix in ${CMAKE_PREFIX_PATH:+${CMAKE_PREFIX_PATH//:/ }} /usr /usr/local; do
            compgen -G "$prefix/lib/cmake/$what/${what}Config.cmake" >/dev/null && return 0
            compgen -G "$prefix/lib*/*/cmake/$what/${what}Config.cmake" >/dev/null && return 0
            compgen -G "$prefix/lib64/cmake/$what/${what}Config.cmake" >/dev/null && return 0
        done
        return 1
        ;;
    esac
}

# The first of the alternative names that apt can install; the first one when apt knows none.
installable_name()
{
    local name
    for name in ${1//\// }; do
        if LC_ALL=C apt-cache policy "$name" 2>/dev/null | grep -q 'Candidate: [^(]'; then
            printf '%s' "$name"
            return
        fi
    done
    printf '%s' "${1%%/*}"
}

install_missing()
{
    local names probe why missing=() packages=() as_root=() log
    while IFS='|' read -r names probe why; do
        [ -n "$names" ] || continue
        is_there "$probe" || missing+=("$names|$probe|$why")
    done <<<"$needs"
    [ ${#missing[@]} -gt 0 ] || return 0

    say 'Missing packages:'
    local entry
    for entry in "${missing[@]}"; do
        IFS='|' read -r names probe why <<<"$entry"
        packages+=("${names%%/*}")
        printf '  %-24s %s\n' "${names%%/*}" "$why" >&2
    done
    if ! command -v apt-get >/dev/null 2>&1; then
        die "this distribution is not known (no apt-get); install these, or what your distribution calls them: ${packages[*]}"
    fi
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null 2>&1; then
            die "installing needs root and there is no sudo; as root: apt-get install ${packages[*]}"
        fi
        if [ ! -t 0 ] && ! sudo -n true 2>/dev/null; then
            die "installing needs root and sudo wants a password; as root: apt-get install ${packages[*]}"
        fi
        as_root=(sudo)
    fi

    mkdir -p "$root/.build"
    log=$root/.build/setup.log
    say "Installing them with apt-get (log: $log)"
    export DEBIAN_FRONTEND=noninteractive
    "${as_root[@]}" apt-get update >"$log" 2>&1 </dev/null || true
    packages=()
    for entry in "${missing[@]}"; do packages+=("$(installable_name "${entry%%|*}")"); done
    if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages[@]}" \
        >>"$log" 2>&1 </dev/null; then
        if grep -qE 'Could not resolve|Temporary failure|Could not connect|Failed to fetch|Unable to connect|Network is unreachable' "$log"; then
            die "no network: apt-get could not fetch ${packages[*]} (log: $log)"
        fi
        die "apt-get could not install ${packages[*]}: $(grep '^E:' "$log" | head -n 1) (log: $log)"
    fi
    for entry in "${missing[@]}"; do
        IFS='|' read -r names probe why <<<"$entry"
        is_there "$probe" || die "package $(installable_name "$names") was installed, but what it is for is still missing: $why"
    done
}

# build PRESET TARGET: configures when needed and builds one target of a CMake preset, quietly.
build()
{
    local preset=$1 target=$2 folder=$root/.build/$1 options stamp log
    stamp=$folder/.built-$target
    options="-DCLUSTERBEAT_WERROR=${CLUSTERBEAT_WERROR:-OFF}"
    if command -v ccache >/dev/null 2>&1; then
        options+=' -DCMAKE_CXX_COMPILER_LAUNCHER=ccache'
        # Precompiled headers are cached only with these.
        export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros,include_file_mtime,include_file_ctime}
    else
        options+=' -UCMAKE_CXX_COMPILER_LAUNCHER'
    fi
    # Current: the same options, and no file or folder of the sources changed since the last build of this target.
    if [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$options" ] &&
        [ -z "$(cd "$root" && find CMakeLists.txt CMakePresets.json app model views resources tests -newer "$stamp" -print -quit 2>/dev/null)" ]; then
        return 0
    fi
    mkdir -p "$folder"
    log=$folder/build.log
    local started
    started=$(mktemp "$folder/.started.XXXXXX")
    if [ -e "$folder/build.ninja" ]; then say "Building ($preset; log: $log)"
    else say "Building ($preset); the first time takes a few minutes (log: $log)"; fi
    # shellcheck disable=SC2086 # the options are separate words
    if ! (cd "$root" && cmake --preset "$preset" $options) >"$log" 2>&1 </dev/null; then
        grep -A8 -m1 'CMake Error' "$log" >&2 || tail -n 20 "$log" >&2
        rm -f "$started"
        die "CMake could not configure the build (log: $log)"
    fi
    if ! (cd "$root" && cmake --build --preset "$preset" --target "$target") >>"$log" 2>&1 </dev/null; then
        grep -m 20 -E 'error:|FAILED:|undefined reference|Killed' "$log" >&2 || tail -n 20 "$log" >&2
        rm -f "$started"
        die "the build failed (log: $log)"
    fi
    printf '%s' "$options" >"$stamp"
    # Sources that were edited while the build ran are newer than its start.
    touch -r "$started" "$stamp"
    rm -f "$started"
}
