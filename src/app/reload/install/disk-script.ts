// Shell functions that find a disk by its serial number and report progress, for every kind of installation. They read
// only /sys, so that they run in debian-installer, Anaconda, Ubuntu's live system and a bare busybox.
import type { BootBase } from './input.ts';
import { shellWord } from './text.ts';

/** Compares serial numbers without spaces, which appear around or within them depending on the source. */
export const diskFunctions = `disk_serial() {
  for place in serial device/serial; do
    if [ -r "$1/$place" ]; then tr -d '\\000\\n ' <"$1/$place"; return; fi
  done
  [ ! -r "$1/device/vpd_pg80" ] || tail -c +5 "$1/device/vpd_pg80" | tr -d '\\000\\n '
}
disk_with_serial() {
  wanted=$(printf %s "$1" | tr -d ' ')
  [ -n "$wanted" ] || return 1
  for block in /sys/block/*; do
    if [ "$(disk_serial "$block")" = "$wanted" ]; then echo "/dev/\${block##*/}"; return 0; fi
  done
  return 1
}
`;

/** Sets `disk` to the disk with the serial number. If there is none, reports it, runs `onFailure` and exits. */
export function findDisk(serial: string, onFailure = ''): string {
  return `report Installing 10
if ! disk=$(disk_with_serial ${shellWord(serial)}); then
  report Failed 0 "The disk to install to was not found."
${onFailure}  exit 1
fi
`;
}

/**
 * Fetches one of our scripts and runs it. Retries while the boot server restarts, because an installer whose command
 * fails stops and waits for someone at the keyboard.
 */
export function runFetched(fetch: 'wget -q -O' | 'curl -fs -o', base: BootBase, name: string): string {
  const file = `/tmp/${name}`;
  return `n=0; until ${fetch} ${file} ${base}/${name} || [ $n -ge 30 ]; do n=$((n+1)); sleep 10; done; sh ${file}`;
}

/**
 * `report PHASE [PERCENT [MESSAGE]]`, by GET, because not every installer's wget can send a body. Never stops an
 * installation.
 */
export function reportFunction(base: BootBase, fetch = 'wget -q -O /dev/null'): string {
  return `report() {
  message=$(printf %s "$3" | tr -c 'A-Za-z0-9.' '+')
  for attempt in 1 2 3; do
    ${fetch} ${shellWord(`${base}/report?phase=`)}"$1&percent=$2&message=$message" && return 0
    sleep 2
  done
  return 0
}
`;
}
