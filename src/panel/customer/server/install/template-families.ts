// Groups installation templates by operating system, so that the gallery can show each system with its versions.
import type { ImageEntry } from '#sdk/v2.ts';
import { t } from '../../../text/text.ts';

export interface TemplateVersion {
  readonly label: string;
  readonly value: string;
}
export interface TemplateFamily {
  readonly name: string;
  readonly versions: readonly TemplateVersion[];
}

/** Groups templates by name. In `Debian 12 (64-bit)` the system is the part before the first number. */
export function groupByFamily(templates: readonly ImageEntry[]): TemplateFamily[] {
  const families = new Map<string, TemplateVersion[]>();
  for (const { name, value } of templates) {
    const at = name.search(/ \d/);
    const family = at === -1 ? name : name.slice(0, at);
    const label = at === -1 ? t('Latest') : name.slice(at + 1);
    families.set(family, [...(families.get(family) ?? []), { label, value }]);
  }
  return [...families].map(([name, versions]) => ({ name, versions }));
}

/** Returns two letters that represent an operating system. */
export function monogram(family: string): string {
  const [first = '', second] = family.split(/[ -]/).filter(Boolean);
  return second === undefined ? first.slice(0, 2) : first[0]! + second[0]!;
}
