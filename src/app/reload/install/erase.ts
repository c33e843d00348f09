// Erases every disk of a server between two customers, by our own program over the operator's rescue system. Each disk is
// erased by the best method it has, and read back: a method that did not work is followed by the next. The program uses what
// busybox always has, and anything else only if it is there. It never boots the disk, which may still hold the former
// customer's system.
import { eraseMethods } from '#contract/states/servers.ts';
import type { SystemSource } from '#contract/site/systems.ts';
import type { BootBase, InstallInput, RenderedBoot } from './input.ts';
import { bootStage } from './ipxe.ts';
import { program } from './stage.ts';
import { shellWord } from './text.ts';

/** PID 1 must not exit, even if the firmware cannot power the server off. */
const powerOff = 'poweroff -f; while true; do sleep 60; done';

export function renderErase({ kernelOptions }: SystemSource, input: InstallInput, base: BootBase): RenderedBoot {
  const script = bootStage(base, kernelOptions?.split(' ') ?? [], 'retry');
  return { script, files: { init: program(input, base, `${eraseFunctions}${eraseDisks(input, base)}`, powerOff) } };
}

/** Functions that work on the disk `$disk` with `$sectors` of 512 bytes, described at `$block` in /sys. */
export const eraseFunctions = `place() {
  left=$((sectors * 512 / $1 - $2))
  [ $left -le 0 ] || echo "$1 $2 $(($3 < left ? $3 : left))"
}
# What is read back, as block size, position and count: the first and last MiB, the first MiB of every partition, and parts
# spread over the disk: one per GiB, at least 8 and at most 64.
list_places() {
  place 4096 0 256
  place 4096 $((sectors > 2048 ? sectors / 8 - 256 : 0)) 256
  place 512 $((sectors / 8 * 8)) 8
  for file in "$block"/*/start; do
    if [ -r "$file" ]; then read -r start <"$file" && place 512 "$start" 2048; fi
  done
  samples=$((sectors / 2097152))
  [ $samples -ge 8 ] || samples=8
  [ $samples -le 64 ] || samples=64
  n=0
  while [ $n -lt $samples ]; do
    place 4096 $((sectors / 8 * n / samples)) 1
    n=$((n + 1))
  done
}
# In place of a disk that disappeared, dd would write a file in memory, and read it back.
is_present() { [ -b "$disk" ]; }
# Without a mark, reading zeros back from an empty disk would prove nothing.
mark_places() {
  is_present || return 1
  echo hostyard >"$places.mark"
  while read -r size at count; do
    dd if="$places.mark" of="$disk" bs="$size" seek="$at" conv=notrunc
  done <"$places" 2>/dev/null
  sync
}
drop_cache() {
  sync
  echo 3 >/proc/sys/vm/drop_caches
}
sum_places() {
  while read -r size at count; do
    dd if="$disk" bs="$size" skip="$at" count="$count" || echo unreadable
  done <"$places" 2>/dev/null | sha256sum
}
sum_blank() {
  total=0
  while read -r size at count; do total=$((total + size * count)); done <"$places"
  {
    dd if=/dev/zero bs=4096 count=$((total / 4096))
    dd if=/dev/zero bs=512 count=$((total % 4096 / 512))
  } 2>/dev/null | tr '\\000' "$1" | sha256sum
}
is_blank() {
  drop_cache || return 1
  sum=$(sum_places)
  is_present && [ -n "$sum" ] || return 1
  [ "$sum" != "$(sum_blank '\\000')" ] || return 0
  # Some disks read as ones after their own erase command.
  case $1 in nvme-format | ata-secure-erase) [ "$sum" = "$(sum_blank '\\377')" ];; *) return 1;; esac
}
ata_secure_erase() {
  security=$(hdparm -I "$disk" | sed -n '/^Security:/,$p' | tr -s '\\t ' ' ')
  has() { echo "$security" | grep -q "^ $1\\$"; }
  if ! has supported || ! has 'not frozen'; then return 1; fi
  command=--security-erase
  has 'supported: enhanced erase' && command=--security-erase-enhanced
  # A disk that has a password may have it from an erasure that was interrupted.
  if has 'not enabled'; then hdparm --user-master u --security-set-pass hostyard "$disk" || return 1; fi
  hdparm --user-master u $command hostyard "$disk" && return 0
  hdparm --user-master u --security-disable hostyard "$disk"
  return 1
}
erase_by() {
  is_present || return 1
  case $1 in
  nvme-format)
    case $disk in */nvme*) ;; *) return 1;; esac
    # Early versions have no --force, later ones ask for confirmation without it.
    for force in --force ''; do nvme format "$disk" --ses=1 --timeout=3600000 $force && return 0; done
    return 1;;
  ata-secure-erase) ata_secure_erase;;
  discard)
    [ "$(cat "$block/queue/discard_max_bytes")" -gt 0 ] || return 1
    for options in '-f -s' -s -f ''; do blkdiscard $options "$disk" && return 0; done
    return 1;;
  overwrite)
    dd if=/dev/zero of="$disk" bs=1048576 count=$((sectors / 2048)) conv=notrunc,fsync &&
      dd if=/dev/zero of="$disk" bs=512 seek=$((sectors / 2048 * 2048)) count=$((sectors % 2048)) conv=notrunc,fsync;;
  esac
}
uptime_seconds() { sed 's/\\..*//' /proc/uptime; }
# Prints the method, the seconds that all attempts took, and the result.
erase_disk() {
  began=$(uptime_seconds)
  list_places >"$places"
  mark_places
  result=failed
  for method in ${eraseMethods.join(' ')}; do
    if erase_by $method >/dev/null 2>&1 && is_blank $method; then result=erased; break; fi
  done
  echo "$method $(($(uptime_seconds) - began)) $result"
}
`;

function eraseDisks({ disks }: InstallInput, base: BootBase): string {
  const known = disks.map(({ serial }) => ` ${shellWord(serial.replaceAll(' ', ''))}`).join('');
  return `[ "$((1 << 40))" = 1099511627776 ] || fail "This shell cannot count the bytes of a disk."
# Virtual disks have no device, and media of the BMC is read-only or calls itself virtual.
is_disk() {
  [ -e "$1/device" ] || return 1
  case \${1##*/} in sr* | fd*) return 1;; esac
  hidden=0
  [ ! -r "$1/hidden" ] || read -r hidden <"$1/hidden"
  read -r size <"$1/size"
  [ "$hidden" = 0 ] && [ "$size" -gt 0 ] || return 1
  read -r removable <"$1/removable"
  read -r ro <"$1/ro"
  [ "$removable" = 0 ] || { [ "$ro" = 0 ] && ! cat "$1/device/vendor" "$1/device/model" 2>/dev/null | grep -qi virtual; }
}
list_disks() {
  for block in /sys/block/*; do
    if is_disk "$block"; then echo "\${block##*/}"; fi
  done
}
has_known() {
  for serial in${known}; do disk_with_serial "$serial" >/dev/null || return 1; done
}
# Disks may take a while to spin up.
names=
quiet=0
second=0
while [ $second -lt 120 ]; do
  [ $((second % 10)) != 0 ] || report Installing 0
  second=$((second + 1))
  before=$names
  names=$(list_disks)
  if [ -n "$names" ] && [ "$names" = "$before" ]; then quiet=$((quiet + 1)); else quiet=0; fi
  [ $quiet -lt ${known === '' ? 20 : 2} ] || ! has_known || break
  sleep 1
done
[ -n "$names" ] || fail "No disk was found."
mkdir /tmp/erase
for name in $names; do
  block=/sys/block/$name
  kept=/tmp/erase/$name
  mkdir "$kept"
  cat "$block/size" >"$kept/sectors"
  serial=$(disk_serial "$block" | tr -cd '!-~')
  printf %.64s "\${serial:-$name}" >"$kept/serial"
  {
    (
      disk=/dev/$name
      read -r sectors <"$kept/sectors"
      places=$kept/places
      erase_disk >"$kept/outcome"
    )
    [ -s "$kept/outcome" ] || echo "overwrite 0 failed" >"$kept/outcome"
    : >"$kept/ended"
  } &
done
is_finished() {
  running=0
  count=0
  sum=0
  for name in $names; do
    count=$((count + 1))
    share=99
    if [ ! -e "/tmp/erase/$name/ended" ]; then
      running=$((running + 1))
      written=0
      [ ! -r "/sys/block/$name/stat" ] || read -r _ _ _ _ _ _ written _ <"/sys/block/$name/stat"
      read -r sectors <"/tmp/erase/$name/sectors"
      share=$((written * 99 / sectors))
      [ $share -lt 99 ] || share=98
    fi
    sum=$((sum + share))
  done
  [ $running = 0 ]
}
second=0
until is_finished; do
  [ $((second % 10)) != 0 ] || report Installing $((sum / count))
  second=$((second + 1))
  sleep 1
done
for name in $(list_disks); do
  [ -e "/tmp/erase/$name" ] || fail "Disk $name appeared too late to be erased."
done
# Unlike progress, what was found must arrive.
send() {
  attempt=0
  while [ $attempt -lt 30 ]; do
    attempt=$((attempt + 1))
    wget -q -O /dev/null ${shellWord(`${base}/report?`)}"$1" && return 0
    sleep 10
  done
  fail "The result was not accepted."
}
encode() {
  rest=$1
  while [ -n "$rest" ]; do
    tail=\${rest#?}
    printf '%%%02x' "'\${rest%"$tail"}"
    rest=$tail
  done
}
index=0
for name in $names; do
  index=$((index + 1))
  kept=/tmp/erase/$name
  read -r method seconds result <"$kept/outcome"
  echo "hostyard: disk $(cat "$kept/serial") $result by $method"
  send "phase=Erased&index=$index&serial=$(encode "$(cat "$kept/serial")")&bytes=$(($(cat "$kept/sectors") * 512))&method=$method&seconds=$seconds&result=$result"
done
send "phase=Completed&percent=100&disks=$index&memory=$(sed -n 's/^MemTotal: *\\([0-9]*\\) kB$/\\1/p' /proc/meminfo | { read -r kilobytes; echo $((kilobytes / 1024)); })"
${powerOff}
`;
}
