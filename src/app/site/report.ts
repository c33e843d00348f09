// Applies a site file, or tries to, and reports the changes. The database is compared before and after within the same
// transaction, so the report is exact; a dry run applies everything and rolls back.
import { stringify } from 'yaml';
import type { Site } from '#contract/site/site.ts';
import { allWithdrawnZones } from '#store/dns/withdrawn-zones.ts';
import type { Queries } from '#store/store.ts';
import { CommandError } from '#lib/command-error.ts';
import type { App } from '../app.ts';
import { applyWithin } from './apply.ts';
import { changeLines, differences, entryLabel, siteTexts, type SiteChange } from './differences.ts';
import { findUnlisted, entryNames, removeMounts, removeRows, type UnlistedEntry } from './prune.ts';
import { findZoneConflicts, type ZoneConflict } from './zone-conflicts.ts';
import { mapSecrets, sealReference } from './secrets.ts';
import { loadStoredSite } from './export.ts';
import { recordAppliedFile } from './unchanged.ts';

/** Which unlisted entries to remove: none, unused ones, or also those that customers use. */
export type Pruning = 'nothing' | 'unused' | 'used';

const summarizeFrom = 20;

export interface SiteReport {
  readonly changes: readonly SiteChange[];
  /** Entries that are not in the file and stay. */
  readonly retained: readonly UnlistedEntry[];
  /** Zones of customers that conflicted with the file, or still do. */
  readonly zoneConflicts: readonly ZoneConflict[];
}

export async function applySiteWithReport(app: App, file: Site, pruning: Pruning): Promise<SiteReport> {
  const report = await app.store.transaction((queries) => applyAndRecord(app, queries, file, pruning));
  app.authentication.forget();
  return report;
}

export async function dryRunSite(app: App, file: Site, pruning: Pruning): Promise<SiteReport> {
  return app.store.rehearse((queries) => applyAndCompare(app, queries, file, pruning));
}

async function applyAndRecord(app: App, queries: Queries, file: Site, pruning: Pruning): Promise<SiteReport> {
  const report = await applyAndCompare(app, queries, file, pruning);
  // The server's own file may be another one: its next start applies it.
  await recordAppliedFile(app, queries, undefined);
  return report;
}

async function applyAndCompare(app: App, queries: Queries, file: Site, pruning: Pruning): Promise<SiteReport> {
  const { before, unlisted } = await readBefore(app, queries, file);
  const pruned = unlisted.filter(({ use }) => use !== 'stays' && pruning !== 'nothing');
  const used = pruned.filter(({ use }) => use === 'customers');
  if (pruning === 'unused' && used.length > 0) {
    const lines = used.map(({ list, key, why }) => `  ${entryLabel(list, key)}: ${why}`);
    const advice =
      'Nothing was changed: customers use some of the entries to remove. Pass --yes to remove these as well.';
    throw new CommandError([advice, ...lines].join('\n'));
  }
  const withdrawnBefore = await allWithdrawnZones(queries);
  await removeMounts(queries, pruned);
  await applyWithin(app, queries, file, entryNames(pruned));
  await removeRows(app, queries, pruned);
  const storedAfter = (await loadStoredSite(app, queries))!;
  return {
    changes: differences(before, storedAfter),
    retained: pruning === 'nothing' ? unlisted : unlisted.filter(({ use }) => use === 'stays'),
    zoneConflicts: await findZoneConflicts(queries, withdrawnBefore),
  };
}

async function readBefore(app: App, queries: Queries, file: Site) {
  const stored = (await loadStoredSite(app, queries)) ?? { provider: file.provider };
  return { before: siteTexts(stored), unlisted: await findUnlisted(queries, file, stored) };
}

export function reportLines({ changes, retained, zoneConflicts }: SiteReport): string[] {
  // Summarized, because providers who create customers through the API have thousands that no file lists.
  const summarized = [...Map.groupBy(retained, ({ list }) => list).values()].filter(
    ([first, ...others]) =>
      (first!.list === 'customers' || first!.list === 'services') && others.length >= summarizeFrom,
  );
  const summarizedLists = new Set(summarized.map(([first]) => first!.list));
  const listed = retained.filter(({ list }) => !summarizedLists.has(list));
  return [
    ...changes.flatMap(changeLines),
    ...zoneConflicts.map(({ zone, account, what }) => `! zone ${zone} of customer ${account} ${what}`),
    ...listed.map(retainedLine),
    ...summarized.map((group) => `= ${group.length} ${group[0]!.list} are not in the file and stay (${group[0]!.why})`),
  ];
}

function retainedLine({ list, key, use, why }: UnlistedEntry): string {
  const how = { nobody: '--prune removes it', customers: `${why}; --prune --yes removes it`, stays: why }[use];
  return `= ${entryLabel(list, key)} is not in the file and stays (${how})`;
}

/** Returns the database as a site file with its secrets sealed, safe to share with people who must not know them. */
export async function exportSiteText(app: App): Promise<string> {
  const site = await app.store.rehearse((queries) => loadStoredSite(app, queries));
  if (site === undefined) throw new CommandError('No site file has been applied yet.');
  const sealed = mapSecrets<unknown>(site, (value, _, kind) =>
    kind === 'secret' && typeof value === 'string' ? sealReference(app.secrets, value) : value,
  );
  return `# The site as stored in the database.\n${stringify(sealed, { lineWidth: 0 })}`;
}
