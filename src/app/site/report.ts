// A site file applied, or only tried, with an account of what that changed: the database before and after, in the same
// transaction, so that what is told is what happened. A trial does it all and takes it back.
import { stringify } from 'yaml';
import type { Site } from '#contract/site.ts';
import { rehearsed } from '#store/engine/rehearsal.ts';
import type { Queries } from '#store/store.ts';
import { AdminError } from '../admin-error.ts';
import type { Yard } from '../yard.ts';
import { applyWithin } from './apply.ts';
import { changeLines, differences, thingName, type SiteChange } from './differences.ts';
import { leftOutOf, namesOf, removeRows, type LeftOutThing } from './left-out.ts';
import { mapSecrets, sealedReference } from './secrets.ts';
import { storedSite } from './stored.ts';

/** What of the things that the file leaves out goes: nothing, what nobody uses, or also what customers use. */
export type Pruning = 'nothing' | 'unused' | 'used';

const toldEach = 20;

export interface SiteReport {
  readonly changes: readonly SiteChange[];
  /** What the file leaves out and stays. */
  readonly kept: readonly LeftOutThing[];
}

export async function applyTold(yard: Yard, file: Site, pruning: Pruning): Promise<SiteReport> {
  const report = await yard.store.transaction((queries) => applied(yard, queries, file, pruning));
  yard.authentication.forget();
  return report;
}

export async function applyTried(yard: Yard, file: Site, pruning: Pruning): Promise<SiteReport> {
  return yard.store.transaction((queries) => rehearsed(queries, (work) => applied(yard, work, file, pruning)));
}

async function applied(yard: Yard, queries: Queries, file: Site, pruning: Pruning): Promise<SiteReport> {
  const before = (await storedSite(yard, queries)) ?? { provider: file.provider };
  const leftOut = await leftOutOf(queries, file, before);
  const goes = leftOut.filter(({ use }) => use !== 'stays' && pruning !== 'nothing');
  const used = goes.filter(({ use }) => use === 'customers');
  if (pruning === 'unused' && used.length > 0) {
    const lines = used.map(({ list, key, why }) => `  ${thingName(list, key)}: ${why}`);
    throw new AdminError(
      ['Nothing was changed: customers use what would go. With --yes it goes too.', ...lines].join('\n'),
    );
  }
  await applyWithin(yard, queries, file, namesOf(goes));
  await removeRows(yard, queries, goes);
  const after = (await storedSite(yard, queries))!;
  return { changes: differences(before, after), kept: leftOut.filter((thing) => !goes.includes(thing)) };
}

export function reportLines({ changes, kept }: SiteReport): string[] {
  // Who makes customers through the API has thousands of them in no file.
  const many = [...Map.groupBy(kept, ({ list }) => list).values()].filter(
    ([first, ...others]) => (first!.list === 'customers' || first!.list === 'services') && others.length >= toldEach,
  );
  const each = kept.filter((thing) => !many.some((group) => group.includes(thing)));
  return [
    ...changes.flatMap(changeLines),
    ...each.map(keptLine),
    ...many.map((group) => `= ${group.length} ${group[0]!.list} are not in the file and stay (${group[0]!.why})`),
  ];
}

function keptLine({ list, key, use, why }: LeftOutThing): string {
  const how = { nobody: '--prune removes it', customers: `${why}; --prune --yes removes it`, stays: why }[use];
  return `= ${thingName(list, key)} is not in the file and stays (${how})`;
}

/** The database as a site file, secrets sealed in place: it can be read by who may not know them. */
export async function exportText(yard: Yard): Promise<string> {
  const site = await yard.store.transaction((queries) => storedSite(yard, queries));
  if (site === undefined) throw new AdminError('No site file has been applied yet.');
  const sealed = mapSecrets<unknown>(site, (value, _, kind) =>
    kind === 'secret' && typeof value === 'string' ? sealedReference(yard.secrets, value) : value,
  );
  return `# The site as the database has it.\n${stringify(sealed, { lineWidth: 0 })}`;
}
