// The plan of addresses as rows of a tree: how deep each stands, what is folded away, and what a search leaves.
import type { Row } from '../../data/staff-pages.ts';

export type Block = Row<'netblockList'>;

export interface PlanRow {
  readonly block: Block;
  readonly depth: number;
  /** How many stand below it, at any depth. */
  readonly below: number;
}

/** Blocks come in the order of addresses, each after the one that it lies in. */
export function planRows(blocks: readonly Block[]): PlanRow[] {
  const depths = new Map<string, number>();
  const parents = new Map(blocks.map(({ cidr, within }) => [cidr, within]));
  const below = new Map<string, number>();
  for (const { cidr, within } of blocks) {
    depths.set(cidr, (depths.get(within) ?? -1) + 1);
    for (let around = within; around !== ''; around = parents.get(around) ?? '')
      below.set(around, (below.get(around) ?? 0) + 1);
  }
  return blocks.map((block) => ({ block, depth: depths.get(block.cidr)!, below: below.get(block.cidr) ?? 0 }));
}

/** Without what lies in a folded block. */
export function unfolded(rows: readonly PlanRow[], folded: ReadonlySet<string>): PlanRow[] {
  const hidden = new Set<string>();
  return rows.filter(({ block: { cidr, within } }) => {
    const isHidden = folded.has(within) || hidden.has(within);
    if (isHidden) hidden.add(cidr);
    return !isHidden;
  });
}

/** What has the text in it, and all around that. */
export function found(rows: readonly PlanRow[], text: string): PlanRow[] {
  if (text === '') return [...rows];
  const parents = new Map(rows.map(({ block }) => [block.cidr, block.within]));
  const shown = new Set<string>();
  for (const { block } of rows) {
    const isFound = block.cidr.includes(text) || block.account === text || block.service === text;
    for (let cidr = isFound ? block.cidr : ''; cidr !== ''; cidr = parents.get(cidr) ?? '') shown.add(cidr);
  }
  return rows.filter(({ block }) => shown.has(block.cidr));
}
