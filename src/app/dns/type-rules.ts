// Rules for DNAME and ALIAS records, which restrict what else a zone can have. They are checked after the edits were
// written, in the same transaction, so that they hold however a zone is changed.
import { ApiError, conflict } from '#lib/api-error.ts';
import { aliasCount, aliasPut, aliasReconciler, firstNameBelow, redirectingRecords } from '#store/dns/aliases.ts';
import { recordsAtNames } from '#store/dns/records.ts';
import type { Zone } from '#store/dns/zones.ts';
import type { AccountId } from '#store/account-id.ts';
import type { Queries } from '#store/store.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import { setKey } from '#protocols/dns/rrset.ts';
import { rrTypes, typeName } from '#protocols/dns/types.ts';
import { addressTypes, findDname } from '#protocols/dns/zone-rules.ts';
import type { RecordData } from './content.ts';

const maxAliases = 100;

/** The parts of a change that the rules need. */
interface Work {
  readonly queries: Queries;
  readonly account: AccountId | null;
}
interface Edit {
  readonly before?: object;
  readonly after?: RecordData;
}

type Redirecting = Awaited<ReturnType<typeof redirectingRecords>>;

/** Throws if the zone has become invalid by these edits. Has the targets of new and changed ALIAS records looked up. */
export async function applyTypeRules(work: Work, zone: Zone, edits: readonly Edit[]): Promise<void> {
  const redirecting = await redirectingRecords(work.queries, zone);
  if (redirecting.length === 0) return;
  const added = edits.flatMap(({ before, after }) => (after && !before ? [after] : []));
  checkSingle(redirecting);
  await checkDnames(work, zone, redirecting, added);
  await checkAliases(work, zone, redirecting, added);
  await watchAliases(work, zone, redirecting, edits);
}

function checkSingle(redirecting: Redirecting): void {
  const sets = new Set<string>();
  for (const record of redirecting) {
    if (sets.has(setKey(record))) throw conflict(`A name can have only one ${typeName(record.type)} record.`);
    sets.add(setKey(record));
  }
}

async function checkDnames(
  { queries }: Work,
  zone: Zone,
  redirecting: Redirecting,
  added: readonly RecordData[],
): Promise<void> {
  const dnames = new Set(redirecting.filter(({ type }) => type === rrTypes.DNAME).map(({ name }) => name));
  for (const { name, type } of added) {
    const above = findDname(zone.name, dnames, name);
    if (above !== undefined) throw conflict(`No records can exist below the DNAME at ${above}.`);
    const below = type === rrTypes.DNAME ? await firstNameBelow(queries, zone, name) : undefined;
    if (below !== undefined)
      throw conflict(`A DNAME hides all names below it, but there are records at ${below}. Delete them first.`);
  }
}

async function checkAliases(
  { queries }: Work,
  zone: Zone,
  redirecting: Redirecting,
  added: readonly RecordData[],
): Promise<void> {
  const aliases = new Set(redirecting.filter(({ type }) => type === rrTypes.ALIAS).map(({ name }) => name));
  const affected = added.filter(
    ({ name, type }) => aliases.has(name) && (type === rrTypes.ALIAS || addressTypes.has(type)),
  );
  const records = await recordsAtNames(queries, zone, [...new Set(affected.map(({ name }) => name))]);
  if (records.some(({ type }) => addressTypes.has(type)))
    throw new ApiError('state_conflict', {
      message: 'An ALIAS record cannot coexist with A and AAAA records at the same name. Delete the others first.',
      fields: { type: 'cannot coexist with the other records at this name' },
    });
}

async function watchAliases(
  { queries, account }: Work,
  zone: Zone,
  redirecting: Redirecting,
  edits: readonly Edit[],
): Promise<void> {
  const changed = new Set(edits.flatMap(({ after }) => (after?.type === rrTypes.ALIAS ? [after.name] : [])));
  const aliases = redirecting.filter(({ name, type }) => type === rrTypes.ALIAS && changed.has(name));
  if (aliases.length === 0) return;
  if (account === null) throw conflict("The provider's own zones cannot have ALIAS records.");
  for (const { id } of aliases) await aliasPut(queries, { record_id: id, account_id: account, zone_id: zone.id });
  if ((await aliasCount(queries, account)) > maxAliases)
    throw conflict(`An account can have at most ${maxAliases} ALIAS records. Delete some first.`);
  await reconcilerSignal(queries, aliasReconciler);
}
