// The cores that this process may use.
import { readFileSync } from 'node:fs';

/** As numbers of the kernel. A container or a service has only some of the machine's. */
export function allowedCores(): readonly number[] {
  const [, list = ''] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return parseCores(list);
}

/** Parses the kernel's form of a list, such as 0-2,5. */
export function parseCores(list: string): readonly number[] {
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}
