// Ranks what the command palette finds: servers before zones, records, invoices, actions and pages, and within each kind
// names that start with the text before names that contain it.
import type { IconName } from './icons.tsx';

export const kinds = ['server', 'zone', 'record', 'invoice', 'customer', 'address', 'action', 'page'] as const;
export type Kind = (typeof kinds)[number];

export interface Candidate {
  readonly id: string;
  readonly kind: Kind;
  readonly label: string;
  readonly description?: string;
  /** Further texts that it is found by. */
  readonly keywords?: readonly string[];
}

export interface PaletteItem extends Candidate {
  readonly icon: IconName;
  readonly open: () => void;
}

export const maxPerKind = 5;

/** Returns the best matches of each kind. Without a text: pages and actions only. */
export function searchCandidates<C extends Candidate>(
  candidates: Iterable<C>,
  text: string,
): readonly { readonly kind: Kind; readonly found: readonly C[] }[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = new Map<Kind, { candidate: C; rank: number }[]>();
  for (const candidate of candidates) {
    const rank = rankOf(candidate, words);
    if (rank === undefined) continue;
    const ofKind = matches.get(candidate.kind) ?? [];
    matches.set(candidate.kind, ofKind);
    if (ofKind.length < maxRanked) ofKind.push({ candidate, rank });
  }
  return kinds.flatMap((kind) => {
    const ranked = (matches.get(kind) ?? []).toSorted((left, right) => left.rank - right.rank);
    const limit = words.length === 0 ? ranked.length : maxPerKind;
    return ranked.length === 0 ? [] : [{ kind, found: ranked.slice(0, limit).map(({ candidate }) => candidate) }];
  });
}

/** Enough to choose the best from, so that a list of 10,000 servers costs no more than one pass. */
const maxRanked = 200;

function rankOf(
  { kind, label, description = '', keywords = [] }: Candidate,
  words: readonly string[],
): number | undefined {
  if (words.length === 0) return kind === 'page' || kind === 'action' ? 0 : undefined;
  const name = label.toLowerCase();
  const all = [name, description, ...keywords].join(' ').toLowerCase();
  if (!words.every((word) => all.includes(word))) return undefined;
  if (name === words.join(' ')) return 0;
  if (name.startsWith(words[0]!)) return 1;
  return words.every((word) => name.includes(word)) ? 2 : 3;
}
