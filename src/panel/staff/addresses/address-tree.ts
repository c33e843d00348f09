// The IP address plan as rows of a tree, with folding and search.
import type { Row } from '../../data/staff-pages.ts';

export type Block = Row<'netblockList'>;

export interface AddressTreeRow {
  readonly block: Block;
  readonly depth: number;
  /** Number of blocks below it, at any depth. */
  readonly descendants: number;
}

/** Expects the blocks in address order, each after the block that contains it. */
export function addressTreeRows(blocks: readonly Block[]): AddressTreeRow[] {
  const depths = new Map<string, number>();
  const parents = new Map(blocks.map(({ cidr, within }) => [cidr, within]));
  const descendants = new Map<string, number>();
  for (const { cidr, within } of blocks) {
    depths.set(cidr, (depths.get(within) ?? -1) + 1);
    for (let parent = within; parent !== ''; parent = parents.get(parent) ?? '')
      descendants.set(parent, (descendants.get(parent) ?? 0) + 1);
  }
  return blocks.map((block) => ({
    block,
    depth: depths.get(block.cidr)!,
    descendants: descendants.get(block.cidr) ?? 0,
  }));
}

/** Returns the rows that are not inside a folded block. */
export function visibleRows(rows: readonly AddressTreeRow[], folded: ReadonlySet<string>): AddressTreeRow[] {
  const hidden = new Set<string>();
  return rows.filter(({ block: { cidr, within } }) => {
    const isHidden = folded.has(within) || hidden.has(within);
    if (isHidden) hidden.add(cidr);
    return !isHidden;
  });
}

/** Returns the rows that match the text, with the blocks that contain them. */
export function searchRows(rows: readonly AddressTreeRow[], text: string): AddressTreeRow[] {
  if (text === '') return [...rows];
  const parents = new Map(rows.map(({ block }) => [block.cidr, block.within]));
  const visible = new Set<string>();
  for (const { block } of rows) {
    const isMatch = block.cidr.includes(text) || block.account === text || block.service === text;
    for (let cidr = isMatch ? block.cidr : ''; cidr !== ''; cidr = parents.get(cidr) ?? '') visible.add(cidr);
  }
  return rows.filter(({ block }) => visible.has(block.cidr));
}
