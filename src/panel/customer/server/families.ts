// Templates by the system that they are versions of: a gallery shows systems, and within each its versions.
import type { ImageEntry } from '#sdk/v2.ts';

export interface Version {
  readonly label: string;
  readonly value: string;
}
export interface Family {
  readonly name: string;
  readonly versions: readonly Version[];
}

/** `Debian 12 (64-bit)`: the system is what stands before the first number. */
export function familiesOf(templates: readonly ImageEntry[]): Family[] {
  const families = new Map<string, Version[]>();
  for (const { name, value } of templates) {
    const at = name.search(/ \d/);
    const family = at === -1 ? name : name.slice(0, at);
    const label = at === -1 ? 'Latest' : name.slice(at + 1);
    families.set(family, [...(families.get(family) ?? []), { label, value }]);
  }
  return [...families].map(([name, versions]) => ({ name, versions }));
}

/** Two letters that stand for a system. */
export function monogram(family: string): string {
  const [first = '', second] = family.split(/[ -]/).filter(Boolean);
  return second === undefined ? first.slice(0, 2) : first[0]! + second[0]!;
}
