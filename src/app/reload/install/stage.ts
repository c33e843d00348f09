// Our own first program on a server that booted from the network: writes an image to the disk, runs the rescue system, or
// erases the disks (erase.ts). It is laid over the operator's initial file system, which must have busybox and the drivers for disk and
// network card, and runs as root as the first process. It reports errors to us and writes nothing before it has found
// the disk by its serial number.
import type { SystemSource } from '#contract/site/systems.ts';
import { targetSerial } from './check.ts';
import { cloudSeed } from './autoinstall.ts';
import { diskFunctions, reportFunction } from './disk-script.ts';
import type { BootBase, InstallInput, RenderedBoot } from './input.ts';
import { bootStage } from './ipxe.ts';
import { authorizedKeys, printCommand, shellWord } from './text.ts';

/** `imageSha256` is the digest of the bytes as sent, compressed or not. */
export function renderImage(
  source: SystemSource,
  input: InstallInput,
  base: BootBase,
  imageSha256: string,
): RenderedBoot {
  return renderStage(source, input, base, writeImage(source, input, base, imageSha256));
}

export function renderRescue(source: SystemSource, input: InstallInput, base: BootBase): RenderedBoot {
  return renderStage(source, input, base, openRescue(input));
}

export function renderPassword(source: SystemSource, input: InstallInput, base: BootBase): RenderedBoot {
  return renderStage(source, input, base, resetPassword(input));
}

function renderStage({ kernelOptions }: SystemSource, input: InstallInput, base: BootBase, body: string): RenderedBoot {
  const script = bootStage(base, kernelOptions?.split(' ') ?? []);
  return { script, files: { init: program(input, base, body) }, passwordFile: 'init' };
}

/** `giveUp` ends the program after a failure. */
export function program(input: InstallInput, base: BootBase, body: string, giveUp = 'reboot -f'): string {
  return `#!/bin/busybox sh
/bin/busybox mkdir -p /bin /sbin /usr/bin /usr/sbin /proc /sys /dev /run /tmp /mnt /root /etc
/bin/busybox --install -s 2>/dev/null
export PATH=/bin:/sbin:/usr/bin:/usr/sbin HOME=/root
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev 2>/dev/null
exec </dev/console >/dev/console 2>&1
set -o pipefail
option() { tr ' ' '\\n' </proc/cmdline | sed -n "s/^hostyard\\\\.$1=//p"; }
${reportFunction(base)}${diskFunctions}
fail() {
  echo "hostyard: $1"
  report Failed 0 "$1"
  sleep 10
  ${giveUp}
}
if [ -r /modules/order ]; then
  while read -r module; do insmod "/modules/$module"; done </modules/order
else
  for round in 1 2; do
    find /sys/devices -name modalias -exec cat {} + | sort -u | while read -r alias; do modprobe -q "$alias"; done
  done
fi
nic=
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  for each in /sys/class/net/*; do
    [ "$(cat "$each/address")" = ${shellWord(input.mac)} ] && nic=\${each##*/}
  done
  [ -z "$nic" ] || break
  sleep 1
done
ifconfig "$nic" "$(option ip)" netmask "$(option netmask)" up
gateway=$(option gateway)
[ -z "$gateway" ] || route add default gw "$gateway"
${printCommand(input.nameservers.map((server) => `nameserver ${server}\n`).join(''))} >/etc/resolv.conf
${body}`;
}

function writeImage(
  { leastDiskGb, rootPartition = 1, image }: SystemSource,
  input: InstallInput,
  base: BootBase,
  imageSha256: string,
): string {
  const isCompressed = (image?.file ?? image?.url ?? '').endsWith('.gz');
  const seed = Object.entries(cloudSeed(input, base)).map(([name, text]) => `  ${printCommand(text)} >$seed/${name}`);
  return `report Installing 0
disk=
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  disk=$(disk_with_serial ${shellWord(targetSerial(input, leastDiskGb))}) && break
  sleep 1
done
[ -n "$disk" ] || fail "The disk to install to was not found."
echo "hostyard: writing the image to $disk"
mkfifo /tmp/copy
sha256sum </tmp/copy >/tmp/sum &
summing=$!
wget -q -O - ${shellWord(`${base}/image`)} | tee /tmp/copy | ${isCompressed ? 'gunzip -c' : 'cat'} | dd of="$disk" bs=1M || fail "The image could not be written."
wait $summing
read -r sum rest </tmp/sum
[ "$sum" = ${shellWord(imageSha256)} ] || fail "The image did not arrive whole."
sync
blockdev --rereadpt "$disk"
root=
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  for each in "/sys/block/\${disk##*/}/\${disk##*/}"*; do
    [ "$(cat "$each/partition")" = ${rootPartition} ] && root=/dev/\${each##*/}
  done
  [ -b "$root" ] && break
  sleep 1
done
mount "$root" /mnt || fail "The new system could not be opened."
echo ${shellWord(input.hostname)} >/mnt/etc/hostname
sed -i ${shellWord(`s|^root:[^:]*:|root:${input.passwordHash}:|`)} /mnt/etc/shadow
mkdir -p /mnt/root/.ssh
${printCommand(authorizedKeys(input))} >/mnt/root/.ssh/authorized_keys
chmod 700 /mnt/root/.ssh
chmod 600 /mnt/root/.ssh/authorized_keys
if [ -d /mnt/etc/cloud ]; then
  seed=/mnt/var/lib/cloud/seed/nocloud
  mkdir -p $seed
${seed.join('\n')}
  chmod 600 $seed/*
fi
umount /mnt || fail "The new system could not be closed."
sync
report Completed 100
echo "hostyard: installed"
reboot -f
`;
}

/** Opens a root shell with this rescue's password on the console, and over SSH if the file system has a server. */
function openRescue(input: InstallInput): string {
  return `umask 077
mkdir -p /root/.ssh
${printCommand(authorizedKeys(input))} >/root/.ssh/authorized_keys
[ -s /etc/passwd ] || echo 'root:x:0:0:root:/root:/bin/sh' >/etc/passwd
[ -s /etc/group ] || echo 'root:x:0:' >/etc/group
echo ${shellWord(`root:${input.passwordHash}:19000:0:99999:7:::`)} >/etc/shadow
umask 022
hostname rescue
mkdir -p /dev/pts /run/sshd
mount -t devpts devpts /dev/pts
if command -v dropbear; then dropbear -R; elif [ -x /usr/sbin/sshd ]; then ssh-keygen -A; /usr/sbin/sshd; fi
report Completed 100
console=$(sed 's/.* //' /sys/class/tty/console/active)
while true; do
  setsid getty -L 115200 "\${console:-tty1}" vt100
  sleep 1
done
`;
}

/** Resets the password of every system on the server's disks, except preserved ones. */
function resetPassword(input: InstallInput): string {
  const preserved = input.preserve.map((serial) => serial.replaceAll(' ', ''));
  return `report Installing 10
command -v vgchange >/dev/null && vgchange -ay
sleep 2
found=
preserved=${shellWord(preserved.map((serial) => `|${serial}|`).join(''))}
for each in /sys/class/block/*; do
  [ -e "$each/partition" ] || [ -d "$each/dm" ] || continue
  if [ -e "$each/partition" ]; then
    serial=$(disk_serial "$(readlink -f "$each/..")")
    case $preserved in *"|$serial|"*) [ -z "$serial" ] || continue;; esac
  fi
  mount "/dev/\${each##*/}" /mnt 2>/dev/null || continue
  if grep -q '^root:' /mnt/etc/shadow 2>/dev/null; then
    sed -i ${shellWord(`s|^root:[^:]*:|root:${input.passwordHash}:|`)} /mnt/etc/shadow && found=yes
  fi
  umount /mnt
done
sync
[ -n "$found" ] || fail "No system with a root account was found on the disks."
report Completed 100
sleep 2
reboot -f
`;
}
