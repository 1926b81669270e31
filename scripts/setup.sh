#!/usr/bin/env bash
# Makes the project ready to run: system packages where apt and root (or sudo without a password) allow, then .venv with
# everything that pyproject.toml asks for. Silent when nothing is missing. PYTHON=... chooses the interpreter.
# `setup.sh toolchain` installs only what compiles the boxes' firmware and runs it in a simulator, and the browser and
# the database that tests use.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"

log=$(mktemp)
policy=
trap 'rm -f "$log"; remove_policy' EXIT

say() { printf 'setup: %s\n' "$1" >&2; }
fail() { say "$1"; exit 1; }

is_supported() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null; }

# Prints the interpreter itself, also when PATH leads to a virtual environment or a version switcher.
find_python() {
    local candidate
    for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
        if is_supported "$candidate"; then
            "$candidate" -c 'import sys; print("{0}/bin/python{1}.{2}".format(sys.base_prefix, *sys.version_info))'
            return
        fi
    done
    fail "Python 3.11, 3.12 or 3.13 is needed, and none of '${PYTHON:-python3 python3.13 python3.12 python3.11}' is one; \
install it or set PYTHON=/path/to/python"
}

has_program() { command -v "$1" >/dev/null; }
has_library() { [[ $(ldconfig -p 2>/dev/null) == *"$1"* ]]; }
has_graphics_driver() {
    has_library libEGL_nvidia.so.0 || compgen -G '/usr/lib*/*/dri/*_dri.so' >/dev/null ||
        compgen -G '/usr/lib*/dri/*_dri.so' >/dev/null
}
has_postgresql() { has_program postgres || compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null; }
has_venv() { "$python" -c 'import venv, ensurepip' 2>/dev/null; }

# Sets essential and optional to the Debian packages whose files are not there, however they might have been installed.
find_missing() {
    essential=()
    optional=()
    has_venv || essential+=("$(basename "$python")-venv")
    has_library libgthread-2.0.so.0 || essential+=(libglib2.0-0)
    has_library libGL.so.1 || essential+=(libgl1)
    has_library libEGL.so.1 || essential+=(libegl1)
    has_graphics_driver || essential+=(libgl1-mesa-dri)
    has_library libmtdev.so.1 || optional+=(libmtdev1)
    has_program mosquitto || optional+=(mosquitto)
    has_program ffmpeg || optional+=(ffmpeg) # serves streams in tests of cameras
    has_program Xvfb || optional+=(xvfb)
    has_program xdotool || optional+=(xdotool)
    has_program openbox || optional+=(openbox)
    has_program matchbox-window-manager || optional+=(matchbox-window-manager)
}

# Likewise, for compiling firmware and simulating its board, and for phones in the tests.
find_missing_toolchain() {
    essential=()
    optional=()
    has_program avr-gcc || optional+=(gcc-avr)
    [[ -e /usr/lib/avr/include/avr/io.h ]] || optional+=(avr-libc)
    has_program cc || optional+=(gcc libc6-dev)
    [[ -e /usr/include/simavr/sim_avr.h ]] || optional+=(libsimavr-dev)
    [[ -e /usr/include/libelf.h ]] || optional+=(libelf-dev)
    has_postgresql || optional+=(postgresql) # the hub's database in tests and benchmarks
    # Ubuntu's package of that name is a snap, which cannot be installed everywhere.
    has_program chromium || grep -q '^ID=ubuntu' /etc/os-release 2>/dev/null || optional+=(chromium)
}

apt_get() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=120 "$@" >"$log" 2>&1
}

apt_reason() { grep -m 1 '^E:' "$log" || grep -m 1 '^W:' "$log" || tail -n 1 "$log"; }

install_packages() {
    say "installing system packages: $*"
    apt_get install --no-install-recommends "$@"
}

# Debian starts and enables a service as it installs it. Nobody who wants a game at the table asked for a broker
# or a database at every boot: mosquitto and postgresql are wanted as programs only. A machine that has its own policy keeps it.
write_policy() {
    [[ -e /usr/sbin/policy-rc.d ]] && return
    policy=/usr/sbin/policy-rc.d
    printf '#!/bin/sh\ncase " $* " in *" mosquitto"*|*" postgresql"*) exit 101;; esac\n' | "${as_root[@]}" tee "$policy" >/dev/null
    "${as_root[@]}" chmod 755 "$policy"
}

remove_policy() {
    [[ -z $policy ]] || "${as_root[@]}" rm -f "$policy"
    policy=
}

disable_service() {
    if has_program systemctl; then
        "${as_root[@]}" systemctl disable "$1.service" >"$log" 2>&1
    else
        "${as_root[@]}" update-rc.d "$1" disable >"$log" 2>&1
    fi || say "the $1 service could not be disabled: $(tail -n 1 "$log")"
}

install_system_packages() {
    if ! apt_get update; then
        say "apt-get update failed: $(apt_reason)"
    fi
    if ((${#essential[@]})) && ! install_packages "${essential[@]}"; then
        say "apt-get could not install them: $(apt_reason)"
    fi
    if ((${#optional[@]})); then
        write_policy
        install_packages "${optional[@]}" || say "going on without them: $(apt_reason)"
        remove_policy
        if [[ " ${optional[*]} " == *" mosquitto "* ]] && has_program mosquitto; then
            disable_service mosquitto
        fi
        if [[ " ${optional[*]} " == *" postgresql "* ]] && has_postgresql; then
            disable_service postgresql
        fi
    fi
}

report_missing() {
    local missing=("${essential[@]}" "${optional[@]}")
    say "missing system packages: ${missing[*]}"
    say "to install them: sudo apt-get install --no-install-recommends ${missing[*]}"
    if ((${#essential[@]})); then
        fail "cannot go on without: ${essential[*]}"
    fi
    say "going on: $consequence"
}

# Installs what is missing where that is allowed; `$1` finds it.
provide_system_packages() {
    if ! ((${#essential[@]} + ${#optional[@]})); then
        return
    fi
    as_root=()
    if [[ $EUID -ne 0 ]]; then
        as_root=(sudo -n)
    fi
    if has_program apt-get && "${as_root[@]}" true 2>/dev/null; then
        install_system_packages
        "$1"
    fi
    if ((${#essential[@]} + ${#optional[@]})); then
        report_missing
    fi
}

pip_reason() {
    if grep -q -E 'NewConnectionError|NameResolutionError|ConnectTimeout|ReadTimeout|ProxyError|SSLError' "$log"; then
        echo "the Python package index cannot be reached"
    else
        grep -m 1 -o 'ERROR: .*' "$log" || tail -n 1 "$log"
    fi
}

install_python_packages() {
    say "installing Python packages into .venv (some 200 MB; a minute or two)"
    .venv/bin/python -m pip install --disable-pip-version-check --editable '.[dev,hub]' 2>"$log" |
        awk '/^Collecting/ { print "setup:   " $2; fflush() }' >&2 ||
        fail "Python packages could not be installed: $(pip_reason)"
}

if [[ ${1:-} == toolchain ]]; then
    consequence="without them the firmware is not built, and its tests or those of phones' pages and of the hub are skipped"
    find_missing_toolchain
    if [[ ! -e .venv/toolchain-stamp ]]; then # else asked for before
        provide_system_packages find_missing_toolchain
        [[ ! -d .venv ]] || : >.venv/toolchain-stamp
    fi
    exit
fi

if [[ -L .venv ]]; then
    # Making an environment empties its folder first, and behind a link that is the environment of another project.
    fail ".venv is a link to $(readlink .venv), whose environment is not this folder's: remove the link with 'rm .venv'"
fi

python=$(find_python)
interpreter="$PWD/.venv made by $python"
requirements=$(sha256sum pyproject.toml)
stamp=.venv/setup-stamp
stamped=$(cat "$stamp" 2>/dev/null || true)
if ! is_supported .venv/bin/python; then
    stamped=
fi

consequence="without mosquitto the built-in broker is used, without xvfb, xdotool, openbox and matchbox-window-manager their tests are skipped"
find_missing
if [[ $stamped == "$interpreter"$'\n'"$requirements" ]]; then
    optional=() # asked for when this was set up
fi
provide_system_packages find_missing

if [[ $stamped != "$interpreter"* ]]; then
    say "making .venv with $python"
    "$python" -m venv --clear .venv >"$log" 2>&1 || fail "the virtual environment could not be made: $(tail -n 1 "$log")"
fi
if [[ $stamped != "$interpreter"$'\n'"$requirements" ]]; then
    install_python_packages
    printf '%s\n%s\n' "$interpreter" "$requirements" >"$stamp"
    say "ready"
fi
for catalogue in ui/locale/*/LC_MESSAGES/*.po; do
    if [[ $catalogue -nt ${catalogue%.po}.mo ]]; then
        .venv/bin/python -m scripts.catalogues --compile
        break
    fi
done
