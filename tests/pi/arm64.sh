#!/usr/bin/env bash
# The tests on arm64, with the wheels a Raspberry Pi takes, on a machine that is none: Debian under qemu-user.
#
#     tests/pi/arm64.sh [--root DIR] [--suite trixie] [--fresh] [PYTEST ARGUMENTS...]
#
# What it does, as root, on Debian:
#   1. makes a Debian for arm64 in DIR (mmdebstrap, some minutes and 1.3 GB; kept, and used again; --fresh makes it
#      anew), Debian 13 as Raspberry Pi OS of today, with what companion/apt.py says that pip cannot bring;
#   2. copies the last commit into it, and installs it with `pip install --only-binary :all:`, so nothing is compiled;
#   3. runs pytest there: engine, calibration, vision, hardware (cameras and panel), table, web, config, the commands;
#   4. reads two rendered tables on this machine and there, and compares every die.
# It ends with status 0 when all of that passes. DIR is $XDG_CACHE_HOME/perudo-arm64 when it is not named. PYTHON is
# the Python of this machine that has the project installed: .venv/bin/python, else python3.
#
# Left out: tests/browser and tests/page (no browser in there), tests/pi (a camera of its own), and the vision tests in
# SLOW below: opencv's dnn is some 70 times slower under qemu, and they read dozens of tables each. Arguments replace
# the whole choice, as in `tests/pi/arm64.sh tests/vision/test_traced.py`. No time measured here says anything about a
# Raspberry Pi: qemu translates every instruction.
set -euo pipefail

REPOSITORY=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
SUITE=trixie
FOLDER=${XDG_CACHE_HOME:-$HOME/.cache}/perudo-arm64
FRESH=no
TESTS=(tests/engine tests/calibration tests/hardware tests/table tests/web tests/vision tests/cli
       tests/test_config.py tests/test_bootstrap.py tests/test_packaging.py)
SLOW=(tests/vision/test_traced.py tests/vision/test_photos.py tests/vision/test_benchmark.py
      tests/cli/test_benchmark.py tests/cli/test_evaluate.py tests/cli/test_demo.py tests/cli/test_demo_table.py)
PACKAGES=ca-certificates,python3,python3-venv,libgl1,libglib2.0-0t64
MIRROR=${MIRROR:-$(sed -nE 's/^(deb|URIs:) *(\[[^]]*\] *)?(http[^ ]*debian)\/? .*|^URIs: *(http[^ ]*debian)\/?$/\3\4/p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/*.sources 2>/dev/null | head -1)}

say() { echo "arm64: $*" >&2; }
fail() { say "$*"; exit 2; }

while [[ $# -gt 0 ]]; do
    case $1 in
        --root) FOLDER=${2:?--root wants a folder}; shift 2 ;;
        --suite) SUITE=${2:?--suite wants a release of Debian}; shift 2 ;;
        --fresh) FRESH=yes; shift ;;
        -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p}' "$0"; exit 0 ;;
        *) break ;;
    esac
done
chosen=("${TESTS[@]}" "${SLOW[@]/#/--ignore=}")
[[ $# -gt 0 ]] && chosen=("$@")
[[ $SUITE = bookworm ]] && PACKAGES=${PACKAGES/t64/}

[[ $EUID -eq 0 ]] || fail "chroot and mounts want root: sudo $0"
for each in mmdebstrap:mmdebstrap qemu-aarch64-static:qemu-user-static unshare:util-linux git:git; do
    command -v "${each%%:*}" >/dev/null || fail "${each%%:*} is missing: apt-get install ${each##*:}"
done

# The kernel hands arm64 programs to qemu. The flag F in Debian's line opens qemu now, so that chroots need no copy.
binfmt=/proc/sys/fs/binfmt_misc
[[ -e $binfmt/register ]] || mount -t binfmt_misc binfmt_misc $binfmt || fail "this kernel has no binfmt_misc"
[[ -e $binfmt/qemu-aarch64 ]] || cat /usr/lib/binfmt.d/qemu-aarch64.conf >$binfmt/register

ROOT=$FOLDER/$SUITE
# A mount namespace of its own: nothing stays mounted, however this ends.
inside() {
    # shellcheck disable=SC2016 # $0 and $@ are the inner shell's
    unshare --mount --pid --fork --kill-child bash -c '
        set -e
        mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && mount -t tmpfs tmpfs "$0/tmp"
        exec chroot "$0" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"' "$@"
}

[[ $FRESH = yes ]] && rm -rf --one-file-system "$ROOT"
if [[ ! -d $ROOT ]]; then
    say "making Debian $SUITE for arm64 in $ROOT (some minutes) ..."
    rm -rf --one-file-system "$ROOT.part"
    mkdir -p "$FOLDER"
    # Not debootstrap: its second stage resolves dependencies in Perl, under qemu; this one leaves that to our own apt.
    mmdebstrap --mode=root --arch=arm64 --variant=minbase --include="$PACKAGES" "$SUITE" "$ROOT.part" ${MIRROR:+"$MIRROR"}
    mv "$ROOT.part" "$ROOT"
fi
# As this machine reaches the network, so does pip in there.
cp /etc/resolv.conf "$ROOT/etc/resolv.conf"
cp /etc/ssl/certs/ca-certificates.crt "$ROOT/etc/ssl/certs/ca-certificates.crt"
network=()
for name in http_proxy https_proxy no_proxy PIP_INDEX_URL PIP_DEFAULT_TIMEOUT; do
    [[ -n ${!name:-} ]] && network+=("$name=${!name}")
done

commit=$(git -C "$REPOSITORY" rev-parse --short HEAD)
say "commit $commit, in Debian $SUITE: $(inside "$ROOT" uname -m), $(inside "$ROOT" python3 --version)"
rm -rf "$ROOT/clone"
mkdir "$ROOT/clone"
git -C "$REPOSITORY" archive HEAD | tar -x -C "$ROOT/clone"

pip=(/venv/bin/pip install --quiet --disable-pip-version-check --cert /etc/ssl/certs/ca-certificates.crt
     --cache-dir /var/cache/pip --only-binary ":all:")
[[ -d $ROOT/venv ]] || inside "$ROOT" python3 -m venv /venv
say "installing, from wheels only ..."
inside "$ROOT" "${network[@]}" "${pip[@]}" -e "/clone[pi,test]"
inside "$ROOT" /venv/bin/pip list --format=freeze --disable-pip-version-check | grep -iE '^(numpy|opencv|gpiozero|lgpio|flask|waitress)' >&2

status=0
say "pytest ${chosen[*]}"
inside "$ROOT" sh -c 'cd /clone && exec /venv/bin/python -m pytest -q -p no:cacheprovider "$@"' pytest "${chosen[@]}" || status=1

say "two tables, read here and there ..."
python=${PYTHON:-$REPOSITORY/.venv/bin/python}
[[ -x $python ]] || python=python3
shared=$ROOT/root/readings
rm -rf "$shared"
mkdir -p "$shared"
(
    cd "$ROOT/clone"
    "$python" -m tests.pi.readings draw "$shared"
    "$python" -m tests.pi.readings read "$shared" "$shared/here.json"
)
inside "$ROOT" sh -c 'cd /clone && exec /venv/bin/python -m tests.pi.readings read /root/readings /root/readings/there.json'
"$python" "$ROOT/clone/tests/pi/readings.py" compare "$shared/here.json" "$shared/there.json" || status=1

[[ $status -eq 0 ]] && say "commit $commit passes on arm64" || say "commit $commit FAILS on arm64: see above"
exit $status
