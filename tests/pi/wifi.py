"""The box's Wi-Fi with real radios, as far as that goes without any: mac80211_hwsim, NetworkManager and hostapd.

    .venv/bin/python -m tests.pi.wifi --card CARD.img --key KEY

CARD.img is a card that tests/pi/card.py has started once, made with --ssh-key; it is copied. In the virtual machine are
three radios: the box's, that of a house (hostapd, WPA2) and that of a phone. The house's network is a box away, in a
namespace of its own, as the phone is. About ten minutes.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from tests.pi.card import FOLDER, LIMIT, up
from tests.pi.vm import VirtualMachine, copy

RADIOS = """
set -e
ip netns add house; ip netns add phone
iw phy $(cat /sys/class/net/wlan1/phy80211/name) set netns name house
iw phy $(cat /sys/class/net/wlan2/phy80211/name) set netns name phone
ip netns exec house ip address add 192.168.50.1/24 dev wlan1
cat > /run/house.conf <<END
interface=wlan1
ssid=House
hw_mode=g
channel=6
wpa=2
wpa_passphrase=achtung1
wpa_key_mgmt=WPA-PSK
rsn_pairwise=CCMP
END
"""
CABLE = """
cable=$(nmcli -t -f device,type device | grep ethernet | cut -d: -f1)
nmcli device set $cable managed no
sleep 2
ip link set $cable up
ip address replace 10.0.2.15/24 dev $cable
ip route replace default via 10.0.2.2
"""
HOUSE = """
ip netns exec house hostapd -B /run/house.conf
ip netns exec house ip link set wlan1 up
ip netns exec house dnsmasq --interface=wlan1 --bind-interfaces --dhcp-range=192.168.50.20,192.168.50.60
"""
PHONE = """
ip netns exec phone ip link set wlan2 up
ip netns exec phone wpa_supplicant -B -i wlan2 -c /run/phone.conf
for n in $(seq 40); do sleep 2; ip netns exec phone iw dev wlan2 link | grep -q SSID && break; done
ip netns exec phone ip address replace 10.42.0.77/24 dev wlan2
ip netns exec phone ip route replace default via 10.42.0.1
ip netns exec phone iw dev wlan2 link
"""


def check(so: object, sentence: str) -> None:
    print(f"{'ok ' if so else 'NOT'}  {sentence}", flush=True)
    if not so:
        raise SystemExit(1)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.pi.wifi")
    parser.add_argument("--card", type=Path, required=True)
    parser.add_argument("--key", type=Path, required=True, help="the private key of perudo-admin")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    chosen = parser.parse_args()
    card = copy(chosen.card, chosen.card.with_name("wifi.img"))
    with VirtualMachine(chosen.folder, card, web=8184, ssh=8224) as vm:
        vm.start()
        vm.wait(lambda: up(vm), LIMIT, "the page")

        def shell(script: str, fails: bool = False) -> str:
            return vm.run(chosen.key, "sh", "-s", given=script, fails=fails)

        def wifi() -> dict[str, Any]:
            return dict(json.loads(vm.get("/api/v1/box") or b"{}").get("wifi") or {})

        def phase(wanted: str, seconds: float) -> float:
            begun = time.monotonic()
            vm.wait(lambda: wifi().get("phase") == wanted, seconds, f"{wanted}; it is {wifi()}")
            return time.monotonic() - begun

        shell(RADIOS)
        # The cable is pulled as far as NetworkManager knows; ssh and the page's port stay.
        shell(CABLE)
        shell("nmcli radio wifi off")  # as Raspberry Pi OS has it without a country
        shell("systemctl restart perudo")
        vm.wait(lambda: up(vm), LIMIT, "the page again")
        own = json.loads(vm.run(chosen.key, "cat", "/var/lib/perudo/wifi.json"))
        shell(
            f'printf \'network={{\\n ssid="%s"\\n psk="%s"\\n}}\\n\' {own["name"]} {own["password"]} > /run/phone.conf'
        )
        check(wifi(), f"the box looks after its Wi-Fi: {wifi()}")
        shell(HOUSE)
        took = phase("own", 240)
        radio = vm.run(chosen.key, "nmcli", "radio", "wifi").strip()
        check(
            radio == "enabled", f"without a known network {own['name']} is open after {took:.0f} s, the radio {radio}"
        )
        link = shell(PHONE)
        check(own["name"] in link, f"a phone is on it: {' '.join(link.split()[:6])}")
        led = shell(
            "ip netns exec phone curl -s -m 20 -o /dev/null -w '%{http_code} %{redirect_url}' "
            "-H Host:connectivitycheck.gstatic.com http://10.42.0.1/generate_204"
        )
        check(led.startswith("302 http://10.42.0.1/box"), f"what it asks first leads to the page: {led}")
        name = shell(
            "ip netns exec phone python3 - <<'END'\n"
            "import socket, struct\n"
            "q = struct.pack('!6H', 7, 0x100, 1, 0, 0, 0) + b'\\x07example\\x03org\\0' + struct.pack('!2H', 1, 1)\n"
            "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(10); s.sendto(q, ('10.42.0.1', 53))\n"
            "print('.'.join(map(str, s.recv(512)[-4:])))\nEND"
        )
        check("10.42.0.1" in name, f"every name leads to the box: {name.strip()}")
        seen = [each["name"] for each in wifi()["networks"]]
        check("House" in seen, f"it offers {seen}")

        def choose(password: str) -> None:
            body = json.dumps({"name": "House", "password": password})
            answer = shell(
                "ip netns exec phone curl -s -m 20 -H 'Content-Type: application/json' "
                f"-d '{body}' http://10.42.0.1/api/v1/box/wifi"
            )
            check('"joining"' in answer, f"chosen with the password {password}")

        choose("falsch123")
        took = phase("own", 180)
        check(
            wifi()["trouble"],
            f"the own network is back after {took:.0f} s: {(wifi()['trouble'] or {}).get('sentence')}",
        )
        link = shell(PHONE)
        check(own["name"] in link, "and the phone is on it again")
        choose("achtung1")
        took = phase("joined", 120)
        check(wifi()["network"] == "House", f"joined {wifi()['network']} after {took:.0f} s")
        shell("ip netns exec house pkill hostapd", fails=True)
        took = phase("own", 300)
        check(True, f"the house's network is gone: the own one is open after {took:.0f} s")
        shell(HOUSE, fails=True)
        took = phase("joined", 500)
        check(wifi()["network"] == "House", f"it is back, nobody was on the own one: joined after {took:.0f} s")


if __name__ == "__main__":
    main()
