#!/usr/bin/env bash
# `hardware.camera.picamera` over the real picamera2 and the real libcamera, without a Raspberry Pi and without a camera.
#
#     tests/pi/camera.sh [--root DIR] [--fresh] [PYTEST ARGUMENTS...]
#
# What it does, as root, on Debian or Raspberry Pi OS:
#   1. makes a Debian 13 in DIR (debootstrap, a minute and 0.7 GB; kept, and used again; --fresh makes it anew): its
#      libcamera has the pipeline `virtual`, which shows pictures from a folder as a camera would, in two streams;
#   2. installs picamera2, numpy, opencv and pytest there;
#   3. draws pictures of tables, and runs the tests of tests/pi that have this camera, on this working tree.
# It ends with status 0 when they pass, and 2 where they cannot run. DIR is $XDG_CACHE_HOME/perudo-pi when it is not
# named. tests/pi/vcam.py says what it has to mend for picamera2 to run on that pipeline. What the pipeline does not have
# (exposure, white balance, focus, sensor modes) is tested with a fake, in tests/hardware/camera/test_picamera.py.
set -euo pipefail

REPOSITORY=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
FOLDER=${XDG_CACHE_HOME:-$HOME/.cache}/perudo-pi
FRESH=no
SUITE=trixie
PACKAGES=ca-certificates,python3-venv,python3-dev,gcc,libcap-dev,python3-libcamera
MIRROR=${MIRROR:-$(sed -nE 's/^(deb|URIs:) *(\[[^]]*\] *)?(http[^ ]*debian)\/? .*|^URIs: *(http[^ ]*debian)\/?$/\3\4/p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/*.sources 2>/dev/null | head -1 || true)}

say() { echo "camera: $*" >&2; }
fail() { say "$*"; exit 2; }

while [[ $# -gt 0 ]]; do
    case $1 in
        --root) FOLDER=${2:?--root wants a folder}; shift 2 ;;
        --fresh) FRESH=yes; shift ;;
        -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p}' "$0"; exit 0 ;;
        *) break ;;
    esac
done

[[ $EUID -eq 0 ]] || fail "chroot and mounts want root: sudo $0"
for each in debootstrap:debootstrap unshare:util-linux; do
    command -v "${each%%:*}" >/dev/null || fail "${each%%:*} is missing: apt-get install ${each##*:}"
done

mkdir -p "$FOLDER"
ROOT=$(cd "$FOLDER" && pwd)/$SUITE
# A mount namespace of its own: nothing stays mounted, however this ends. The working tree cannot be written in there.
inside() {
    # shellcheck disable=SC2016 # $0 and $@ are the inner shell's
    REPOSITORY=$REPOSITORY unshare --mount --pid --fork --kill-child bash -c '
        set -e
        mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" && mount -t tmpfs tmpfs "$0/tmp"
        mount --bind "$REPOSITORY" "$0/work" && mount -o remount,bind,ro "$0/work"
        exec chroot "$0" env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
            PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=/work "$@"' "$ROOT" "$@"
}

[[ $FRESH = yes ]] && rm -rf --one-file-system "$ROOT"
if [[ ! -d $ROOT ]]; then
    say "making Debian $SUITE in $ROOT (about a minute) ..."
    rm -rf --one-file-system "$ROOT.part"
    nice debootstrap --variant=minbase --include="$PACKAGES" "$SUITE" "$ROOT.part" ${MIRROR:+"$MIRROR"} >"$FOLDER/debootstrap.log" ||
        fail "no Debian could be made: see $FOLDER/debootstrap.log"
    mkdir -p "$ROOT.part/work"
    mv "$ROOT.part" "$ROOT"
fi

# As this machine reaches the network, so does pip in there.
cp /etc/resolv.conf "$ROOT/etc/resolv.conf"
cp /etc/ssl/certs/ca-certificates.crt "$ROOT/etc/ssl/certs/ca-certificates.crt"
network=()
for name in http_proxy https_proxy no_proxy PIP_INDEX_URL PIP_DEFAULT_TIMEOUT; do
    [[ -n ${!name:-} ]] && network+=("$name=${!name}")
done
if [[ ! -e $ROOT/venv/complete ]]; then
    say "installing picamera2 ..."
    rm -rf "$ROOT/venv"
    # libcamera's Python is Debian's: no wheel has it.
    inside python3 -m venv --system-site-packages /venv
    mapfile -t asked < <(inside /venv/bin/python -c 'import tomllib
for each in tomllib.load(open("/work/pyproject.toml", "rb"))["project"]["dependencies"]:
    if not each.startswith(("opencv-python", "ncnn")): print(each)')
    inside "${network[@]}" nice /venv/bin/pip install --quiet --disable-pip-version-check \
        --cert /etc/ssl/certs/ca-certificates.crt "${asked[@]}" picamera2 opencv-python-headless pytest hypothesis
    # Without what it asks for: its other OpenCV wants a screen.
    inside "${network[@]}" nice /venv/bin/pip install --quiet --disable-pip-version-check \
        --cert /etc/ssl/certs/ca-certificates.crt --no-deps ncnn
    touch "$ROOT/venv/complete"
fi
say "$(inside /venv/bin/pip list --format=freeze --disable-pip-version-check | grep -iE '^(picamera2|numpy|opencv)' | tr '\n' ' ')"

say "drawing tables ..."
inside nice /venv/bin/python /work/tests/pi/vcam.py /
say "pytest tests/pi"
# The pipeline leaves the status of its frames unset, and picamera2 drops those whose status happens to be no success.
# So every piece of memory is handed out empty: 0 is success. (perturb: the complement of its byte; the cache skips it.)
inside PERUDO_VIRTUAL_CAMERA=/frames GLIBC_TUNABLES=glibc.malloc.perturb=255:glibc.malloc.tcache_count=0 nice sh -c 'cd /work && exec /venv/bin/python -m pytest -q -p no:cacheprovider "$@"' \
    pytest tests/pi/test_picamera2.py "$@"
