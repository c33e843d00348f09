// How an installer finds a disk by its serial number, and tells us how it fares: a piece of shell for every kind of
// installation. It reads /sys alone, so that it runs in debian-installer, Anaconda, Ubuntu's live system and a bare busybox.
import type { BootBase } from './input.ts';
import { shellWord } from './text.ts';

/** Disks tell their serial number with spaces around or within, depending on who asks: it is compared without. */
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

/** Fetches one of our scripts and runs it. The boot server may be restarting just then: an installer whose command fails stops,
 * and asks somebody who is not there. */
export function runFetched(fetch: 'wget -q -O' | 'curl -fs -o', base: BootBase, name: string): string {
  const file = `/tmp/${name}`;
  return `n=0; until ${fetch} ${file} ${base}/${name} || [ $n -ge 30 ]; do n=$((n+1)); sleep 10; done; sh ${file}`;
}

/** `report PHASE [PERCENT [MESSAGE]]`, by GET: not every installer's wget can send a body. It never stops an installation. */
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
