#!/bin/sh
# An image of a card with Debian 13, laid out and configured as Raspberry Pi OS 13 is, for tests/pi/card.py.
#
#     sudo tests/pi/debian_card.sh FOLDER [ARCHITECTURE]
#
# Makes FOLDER/card.img (boot partition, root), FOLDER/vmlinuz and FOLDER/initrd.img in about two minutes, from Debian's
# packages alone. Wants mmdebstrap, mtools, dosfstools, e2fsprogs and fdisk. Keep the folder: it serves for every run.
set -eu
OUT=$1 ARCH=${2:-amd64}
mkdir -p "$OUT"
ROOT=$(mktemp -d /var/tmp/perudo-card-XXXXXX)
trap 'rm -rf "$ROOT"' EXIT
PACKAGES=linux-image-$ARCH,initramfs-tools,systemd-sysv,systemd-timesyncd,udev,dbus,cloud-init,network-manager,netplan.io
PACKAGES=$PACKAGES,openssh-server,sudo,kmod,iproute2,iw,wpasupplicant,wireless-regdb,rfkill,e2fsprogs,fdisk,dosfstools
PACKAGES=$PACKAGES,cloud-guest-utils,python3,ca-certificates,curl,nftables,hostapd,procps,libnss-mdns
# The own Wi-Fi is opened by these. Avahi, which Raspberry Pi OS has too, is left for the first start to fetch.
PACKAGES=$PACKAGES,dnsmasq-base,polkitd
mmdebstrap --mode=root --variant=minbase --architectures="$ARCH" --keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
    --components=main,non-free-firmware --include="$PACKAGES" trixie "$ROOT" http://deb.debian.org/debian
cp "$ROOT"/boot/vmlinuz-* "$OUT/vmlinuz"
cp "$ROOT"/boot/initrd.img-* "$OUT/initrd.img"

# As the image of Raspberry Pi OS has it (its stage2/04-cloud-init).
mkdir -p "$ROOT/boot/firmware" "$ROOT/etc/cloud/cloud.cfg.d" "$ROOT/lib/netplan"
cat > "$ROOT/etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg" <<END
datasource_list: [ NoCloud, None ]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
END
printf 'network:\n  version: 2\n  renderer: NetworkManager\n' > "$ROOT/lib/netplan/00-network-manager-all.yaml"
chmod 600 "$ROOT/lib/netplan/00-network-manager-all.yaml"
printf 'LABEL=rootfs / ext4 defaults,noatime 0 1\nLABEL=bootfs /boot/firmware vfat defaults 0 2\n' > "$ROOT/etc/fstab"
mkdir -p "$ROOT/etc/systemd/system/cloud-init-local.service.d" "$ROOT/etc/systemd/system/cloud-init-main.service.d"
for unit in cloud-init-local cloud-init-main; do
    printf '[Unit]\nRequiresMountsFor=/boot/firmware\n' > "$ROOT/etc/systemd/system/$unit.service.d/boot.conf"
done
# Three radios, of which only one is the box's: tests/pi/wifi.py takes the others.
echo mac80211_hwsim > "$ROOT/etc/modules-load.d/radios.conf"
echo 'options mac80211_hwsim radios=3' > "$ROOT/etc/modprobe.d/radios.conf"
# Without a country its Wi-Fi is off, for the kernel and for NetworkManager, which keeps that.
mkdir -p "$ROOT/var/lib/NetworkManager"
printf '[main]\nNetworkingEnabled=true\nWirelessEnabled=false\nWWANEnabled=true\n' > "$ROOT/var/lib/NetworkManager/NetworkManager.state"
systemctl --root="$ROOT" disable hostapd.service ssh.service systemd-networkd.service >/dev/null 2>&1 || true
rm -f "$ROOT/etc/machine-id" "$ROOT/etc/hostname"; echo uninitialized > "$ROOT/etc/machine-id"; echo raspberrypi > "$ROOT/etc/hostname"

BOOT_MB=512 ROOT_MB=2600
rm -f "$OUT/boot.img" "$OUT/root.img" "$OUT/card.img"
truncate -s ${BOOT_MB}M "$OUT/boot.img"
mkfs.vfat -n bootfs "$OUT/boot.img" >/dev/null
printf 'console=ttyS0,115200 root=LABEL=rootfs rootfstype=ext4 fsck.repair=yes rootwait resize\n' > "$ROOT/boot/cmdline.txt"
printf '# firmware\n[all]\n' > "$ROOT/boot/config.txt"
printf 'dsmode: local\ninstance_id: rpios-image\n' > "$ROOT/boot/meta-data"
printf '#cloud-config\n' > "$ROOT/boot/user-data"
printf '# network\n' > "$ROOT/boot/network-config"
for name in cmdline.txt config.txt meta-data user-data network-config; do
    mcopy -i "$OUT/boot.img" "$ROOT/boot/$name" ::
    rm "$ROOT/boot/$name"
done
truncate -s ${ROOT_MB}M "$OUT/root.img"
mkfs.ext4 -q -F -L rootfs -d "$ROOT" "$OUT/root.img"
truncate -s $((BOOT_MB + ROOT_MB + 1))M "$OUT/card.img"
printf 'label: dos\nstart=2048, size=%s, type=c\nstart=%s, size=%s, type=83\n' \
    $((BOOT_MB * 2048)) $(((BOOT_MB + 1) * 2048)) $((ROOT_MB * 2048)) | sfdisk -q "$OUT/card.img"
dd if="$OUT/boot.img" of="$OUT/card.img" bs=1M seek=1 conv=notrunc,sparse status=none
dd if="$OUT/root.img" of="$OUT/card.img" bs=1M seek=$((BOOT_MB + 1)) conv=notrunc,sparse status=none
rm "$OUT/boot.img" "$OUT/root.img"
echo "$OUT/card.img is there."
