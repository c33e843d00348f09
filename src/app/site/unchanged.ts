// Recognizes at a start that the site file has been applied already, so that thousands of entries need not be compared
// again. It has to be applied if the file, a secret that it refers to, the key of the installation or the version of
// Hostyard has changed, if another file has been applied since, and if staff has changed anything: the file decides what
// they may keep.
import { Type } from 'typebox';
import { migrationNames } from '#store/migrate.ts';
import { staffActions } from '#store/account/audit.ts';
import { metaEntry } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import { version } from '#lib/version.ts';
import type { App } from '../app.ts';
import { resolveReference, type Reference } from './secrets.ts';

const entry = metaEntry(
  'applied site file',
  Type.Object({
    digest: Type.String(),
    references: Type.Array(Type.Unsafe<Reference>(Type.Array(Type.String()))),
    at: Type.Number(),
    lastAction: Type.Number(),
  }),
);
/** Transactions commit in any order, so actions shortly before may have been invisible. */
const overlapMs = 60_000;

export interface ReadFile {
  readonly text: string;
  readonly references: readonly Reference[];
}

/** Records in the transaction which file it applies; undefined for a site that no start reads. */
export async function recordAppliedFile(app: App, queries: Queries, file: ReadFile | undefined): Promise<void> {
  if (file === undefined) return entry.remove(queries);
  const [last] = await staffActions(queries, 1);
  const references = [...file.references];
  const digest = digestOf(app, file.text, references);
  await entry.put(queries, { digest, references, at: app.clock.now(), lastAction: last?.id ?? 0 });
}

export async function isAppliedFile(app: App, text: string): Promise<boolean> {
  const { queries } = app.store;
  const applied = await entry.find(queries);
  if (applied === undefined) return false;
  const recent = await staffActions(queries, 100);
  if (recent.some(({ id, at }) => id > applied.lastAction || at > applied.at - overlapMs)) return false;
  try {
    return digestOf(app, text, applied.references) === applied.digest;
  } catch {
    // A secret is missing: reading the file says which.
    return false;
  }
}

/** The references follow from the text, so the stored ones are those of an unchanged file. */
function digestOf({ secrets }: App, text: string, references: readonly Reference[]): string {
  const values = references.map((reference) => resolveReference(reference, secrets));
  return secrets.digest(JSON.stringify([version, migrationNames, text, values]));
}
