#!/usr/bin/env bash
# The tests on arm64, with the wheels a Raspberry Pi takes, on a machine that is none: Debian under qemu-user.
#
#     tests/pi/arm64.sh [--root DIR] [--suite trixie] [--fresh] [PYTEST ARGUMENTS...]
#
# What it does, as root, on Debian:
#   1. unpacks a Debian for arm64 into DIR (under a minute, 0.6 GB with the wheels; kept, and used again; --fresh makes it
#      anew): Debian 13, as Raspberry Pi OS of today, with Python and what companion/bootstrap/apt.py says that pip cannot bring;
#   2. copies the last commit into it, and has this machine's pip put the wheels there that a Pi takes: for arm64, for
#      that Debian's Python and C library, and no others, so nothing is compiled;
#   3. runs pytest there: the tests of all packages;
#   4. reads two rendered tables on this machine and there, and compares every die.
# It ends with status 0 when all of that passes. DIR is $XDG_CACHE_HOME/perudo-arm64 when it is not named. PYTHON is
# the Python of this machine that has the project installed: .venv/bin/python, else python3.
#
# Left out: tests/browser and tests/page (no browser in there), tests/pi (a camera of its own), and the files in SLOW
# below, which read dozens of tables each or play whole games: opencv's dnn is some 70 times slower under qemu.
# Arguments replace the whole choice, as in `tests/pi/arm64.sh tests/vision/training/test_traced.py`. No time measured
# here says anything about a Raspberry Pi: qemu translates every instruction.
set -euo pipefail

REPOSITORY=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
SUITE=trixie
FOLDER=${XDG_CACHE_HOME:-$HOME/.cache}/perudo-arm64
FRESH=no
TESTS=(tests/calibration tests/companion tests/hardware tests/vision tests/web tests/test_packaging.py)
SLOW=(tests/vision/training/test_traced.py tests/vision/test_photos.py tests/companion/evaluation/test_command.py
      tests/companion/cli/test_demo.py tests/companion/demo)
PACKAGES=base-files,bash,coreutils,dash,libc-bin,tzdata,python3,python3-evdev,libgl1,libglib2.0-0t64
# The mirror that this machine uses, if it says so; else mmdebstrap's own choice.
MIRROR=${MIRROR:-$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
    grep -oE 'https?://[^ ]*/debian/?( |$)' | head -1 | tr -d ' ' || true)}

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
    say "unpacking Debian $SUITE for arm64 into $ROOT ..."
    rm -rf --one-file-system "$ROOT.part"
    mkdir -p "$FOLDER"
    # Unpacked and not configured: Python and shared libraries need no more, and configuring is slow under qemu.
    mmdebstrap --mode=root --arch=arm64 --variant=extract --include="$PACKAGES" "$SUITE" "$ROOT.part" ${MIRROR:+"$MIRROR"}
    echo 'root:x:0:0:root:/root:/bin/sh' >"$ROOT.part/etc/passwd"
    echo 'root:x:0:' >"$ROOT.part/etc/group"
    echo '127.0.0.1 localhost' >"$ROOT.part/etc/hosts"
    mv "$ROOT.part" "$ROOT"
fi
ask() { inside "$ROOT" python3 -c "import platform, sys; print($1)"; }
python=$(ask '"{}.{}".format(*sys.version_info)')
libc=$(ask 'platform.libc_ver()[1].split(".")[1]')
commit=$(git -C "$REPOSITORY" rev-parse --short HEAD)
say "commit $commit, in Debian $SUITE: $(ask 'platform.machine()'), Python $python, glibc 2.$libc"
rm -rf "$ROOT/clone"
mkdir "$ROOT/clone"
git -C "$REPOSITORY" archive HEAD | tar -x -C "$ROOT/clone"

here=$(command -v "${PYTHON:-$REPOSITORY/.venv/bin/python}" || command -v python3)
[[ $here = /* ]] || here=$PWD/$here # it is used in another folder too
sum=$(sha256sum "$ROOT/clone/pyproject.toml")
if [[ $(cat "$ROOT/site/sum" 2>/dev/null) != "$sum" ]]; then
    say "putting wheels for arm64 into it ..."
    rm -rf "$ROOT/site" "$ROOT/wheel"
    # pip takes these names literally: every older one that a Pi would take has to be said.
    tags=(--platform linux_aarch64 --platform manylinux2014_aarch64)
    for ((n = 17; n <= libc; n++)); do tags+=(--platform "manylinux_2_${n}_aarch64"); done
    "$here" -m pip wheel --quiet --no-deps --wheel-dir "$ROOT/wheel" "$ROOT/clone"
    "$here" -m pip install --quiet --no-compile --target "$ROOT/site" --only-binary ":all:" "${tags[@]}" \
        --python-version "$python" --implementation cp --abi "cp${python/./}" --abi abi3 --abi none \
        "$(echo "$ROOT"/wheel/*.whl)[test]"
    echo "$sum" >"$ROOT/site/sum"
fi
"$here" -m pip list --path "$ROOT/site" --format=freeze | grep -iE '^(numpy|opencv|gpiozero|flask|tornado|luma)' >&2

status=0
there() { inside "$ROOT" sh -c 'cd /clone && PYTHONPATH=/clone:/site PYTHONUNBUFFERED=1 exec python3 "$@"' sh "$@"; }
say "pytest ${chosen[*]}"
there -m pytest -q -p no:cacheprovider "${chosen[@]}" || status=1

say "two tables, read here and there ..."
shared=$ROOT/root/readings
rm -rf "$shared"
mkdir -p "$shared"
(
    cd "$ROOT/clone"
    "$here" -m tests.pi.readings draw "$shared"
    "$here" -m tests.pi.readings read "$shared" "$shared/here.json"
)
there -m tests.pi.readings read /root/readings /root/readings/there.json
"$here" "$ROOT/clone/tests/pi/readings.py" compare "$shared/here.json" "$shared/there.json" || status=1

[[ $status -eq 0 ]] && say "commit $commit passes on arm64" || say "commit $commit FAILS on arm64: see above"
exit $status
