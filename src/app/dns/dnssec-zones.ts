// The zones that the built-in name server signs, and their keys. Every change raises the zone's serial, so that
// secondaries fetch it, but is not a version of the zone: its records stay the same.
import { appendEvent } from '#events/append.ts';
import type { EventData } from '#contract/events/events.ts';
import { NameServerError } from '#drivers/dns/driver.ts';
import { lookUpPublicly } from '#drivers/dns/resolver.ts';
import { conflict } from '#lib/api-error.ts';
import type { ZoneSigning } from '#workflows/dns/key-rollover.ts';
import type { AccountId } from '#store/account-id.ts';
import { maxRecordTtl, recordsAt } from '#store/dns/records.ts';
import * as store from '#store/dns/zone-keys.ts';
import { zoneLock, type Zone } from '#store/dns/zones.ts';
import type { Queries } from '#store/store.ts';
import { dsData, ecdsaP256, generateZoneKey, keyTag, type KeyPair } from '#protocols/dns/dnssec/keys.ts';
import { wireToContent } from '#protocols/dns/rdata.ts';
import { rrTypes, typeName } from '#protocols/dns/types.ts';
import type { App } from '../app.ts';
import { raiseSerial } from './change.ts';
import { zoneKeySealContext } from './signing-source.ts';
import { signingTypes } from './signing-types.ts';
import { dnsSettings } from './settings.ts';

const lookUpMs = 10_000;

export type SigningParts = Pick<App, 'store' | 'clock' | 'secrets' | 'nameService' | 'queue'>;

/** Returns the content of the DS record of a key, for the parent zone. */
export function dsContent(zone: Pick<Zone, 'name'>, { dnskey }: Pick<store.ZoneKey, 'dnskey'>): string {
  return wireToContent(rrTypes.DS, dsData(zone.name, dnskey), 'plain');
}

/** Locks the zone and changes how it is signed. `change` returns whether secondaries have to fetch the zone again. */
export async function changeSigning(
  app: SigningParts,
  { account, zone: id }: { readonly account: AccountId; readonly zone: number },
  operation: string,
  change: (queries: Queries, zone: Zone) => Promise<boolean>,
): Promise<void> {
  const effects: (() => void)[] = [];
  await app.store.transaction(async (queries) => {
    effects.length = 0;
    const zone = await zoneLock(queries, account, id);
    if (zone === undefined || !(await change(queries, zone))) return;
    await store.signedZoneUpdate(queries, zone, { refreshed_at: app.clock.now() });
    await raiseSerial({ app, queries, account, operation, afterCommit: (act) => void effects.push(act) }, zone);
  });
  for (const act of effects) act();
}

/** Starts signing the zone with this key. */
export async function signZone(app: SigningParts, queries: Queries, zone: Zone, key: KeyPair): Promise<void> {
  const ownKeys = (await recordsAt(queries, zone, zone.name)).find(({ type }) => signingTypes.has(type));
  if (ownKeys !== undefined)
    throw conflict(`The zone has your own ${typeName(ownKeys.type)} records. Delete them first.`);
  await store.signedZoneInsert(queries, {
    zone_id: zone.id,
    parent_ds: 'Wanted',
    refreshed_at: app.clock.now(),
    rollover_id: null,
    ds_confirmed: 0,
  });
  await insertKey(app, queries, zone, key, { state: 'Active', workflow_id: null });
}

async function insertKey(
  { secrets, clock }: SigningParts,
  queries: Queries,
  { id }: Zone,
  { dnskey, privateKey }: KeyPair,
  role: Pick<store.ZoneKey, 'state' | 'workflow_id'>,
): Promise<void> {
  const tag = keyTag(dnskey);
  await store.zoneKeyInsert(queries, {
    ...role,
    zone_id: id,
    key_tag: tag,
    algorithm: ecdsaP256,
    dnskey,
    private_key: secrets.seal(privateKey.toString('base64'), zoneKeySealContext(`${id} ${tag}`)),
    created_at: clock.now(),
    changed_at: clock.now(),
  });
}

/**
 * Returns the DS contents that the parent zone has according to the provider's resolvers; undefined if the parent's
 * servers could not be asked. Throws NameServerError if no resolver responds. No transaction may be open.
 */
export async function lookUpDs(
  { store: { queries } }: Pick<App, 'store'>,
  zone: string,
): Promise<string[] | undefined> {
  const { resolvers } = await dnsSettings(queries);
  const records = await lookUpPublicly(resolvers, zone, rrTypes.DS, AbortSignal.timeout(lookUpMs));
  return records?.map((data) => wireToContent(rrTypes.DS, data, 'plain'));
}

export type SigningChange = EventData<'dns.dnssec.changed'>['change'];

/** Returns the event about a change of a zone's keys. */
export function signingEvent(zone: Zone, keys: readonly store.ZoneKey[], change: SigningChange) {
  const active = keys.filter(({ state }) => state === 'Active');
  return { domain_id: String(zone.id), name: zone.name, change, ds: active.map((key) => dsContent(zone, key)) };
}

/** What key rollovers and the refresh of signatures need. */
export function createZoneSigning(app: SigningParts): ZoneSigning {
  const change = (target: Parameters<typeof changeSigning>[1], work: Parameters<typeof changeSigning>[3]) =>
    changeSigning(app, target, 'dnssec', work);
  const emit = async (queries: Queries, zone: Zone, event: SigningChange) => {
    const keys = await store.zoneKeyList(queries, zone);
    const data = signingEvent(zone, keys, event);
    await appendEvent(app, queries, { account: zone.account_id!, type: 'dns.dnssec.changed', data });
  };
  /** Returns the key of a rollover, and the others of its zone. */
  const keysOf = async (queries: Queries, zone: Pick<Zone, 'id'>, workflow: string) => {
    const keys = await store.zoneKeyList(queries, zone);
    return { own: keys.find(({ workflow_id }) => workflow_id === workflow), keys };
  };
  /** False for a rollover of earlier keys: signing was disabled and enabled again. */
  const isCurrent = async (queries: Queries, zone: Pick<Zone, 'id'>, workflow: string) =>
    (await store.signedZoneFind(queries, zone))?.rollover_id === workflow;
  return {
    async addKey(target, workflow) {
      const key = await generateZoneKey();
      await change(target, async (queries, zone) => {
        const { own, keys } = await keysOf(queries, zone, workflow);
        if (own !== undefined || !(await isCurrent(queries, zone, workflow))) return false;
        // A cancelled rollover may have left a key that resolvers could still need.
        const left = keys.find(({ state }) => state === 'Published');
        if (left !== undefined) await store.zoneKeyUpdate(queries, left, { workflow_id: workflow });
        else await insertKey(app, queries, zone, key, { state: 'Published', workflow_id: workflow });
        await emit(queries, zone, 'rollover_started');
        return true;
      });
      return this.findKey(target, workflow);
    },
    async activateKey(target, workflow) {
      await change(target, async (queries, zone) => {
        const { own, keys } = await keysOf(queries, zone, workflow);
        if (own?.state !== 'Published') return false;
        const changed_at = app.clock.now();
        for (const key of keys)
          await store.zoneKeyUpdate(queries, key, { state: key === own ? 'Active' : 'Retired', changed_at });
        await store.signedZoneUpdate(queries, zone, { ds_confirmed: 0 });
        await emit(queries, zone, 'rollover_ds');
        return true;
      });
      return this.findKey(target, workflow);
    },
    async deactivateKey(target, workflow) {
      await change(target, async (queries, zone) => {
        const { own, keys } = await keysOf(queries, zone, workflow);
        if (own?.state !== 'Active') return false;
        const changed_at = app.clock.now();
        for (const key of keys)
          await store.zoneKeyUpdate(queries, key, { state: key === own ? 'Published' : 'Active', changed_at });
        return true;
      });
    },
    async removeKey(target, workflow) {
      await change(target, async (queries, zone) => {
        const { own } = await keysOf(queries, zone, workflow);
        if (own?.state !== 'Published') return false;
        await store.zoneKeyRemove(queries, own);
        return true;
      });
    },
    async findKey({ account, zone: id }, workflow) {
      const { own } = await keysOf(app.store.queries, { id }, workflow);
      const zone = { id, account_id: account };
      if (own === undefined) return undefined;
      const maxTtlMs = 1000 * (await maxRecordTtl(app.store.queries, zone));
      return { createdAt: own.created_at, changedAt: own.changed_at, state: own.state, maxTtlMs };
    },
    async findsDs({ zone: id }, name, workflow) {
      const { own } = await keysOf(app.store.queries, { id }, workflow);
      if (own === undefined) return false;
      const signed = await store.signedZoneFind(app.store.queries, { id });
      if (signed?.ds_confirmed === 1 && own.state === 'Active') return true;
      try {
        return (await lookUpDs(app, name))?.includes(dsContent({ name }, own));
      } catch (error) {
        if (error instanceof NameServerError) return undefined;
        throw error;
      }
    },
    async finish(queries, { account, zone: id }, workflow, isCompleted) {
      const zone = await zoneLock(queries, account, id);
      if (zone === undefined || !(await isCurrent(queries, zone, workflow))) return undefined;
      for (const key of await store.zoneKeyList(queries, zone))
        if (isCompleted && key.state === 'Retired') await store.zoneKeyRemove(queries, key);
      await store.signedZoneUpdate(queries, zone, { rollover_id: null, ds_confirmed: 0 });
      let notify = (): void => {};
      const afterCommit = (act: () => void) => void (notify = act);
      await raiseSerial({ app, queries, account, operation: 'dnssec', afterCommit }, zone);
      await emit(queries, zone, isCompleted ? 'rollover_completed' : 'rollover_cancelled');
      return () => notify();
    },
  };
}

/** Lets secondaries fetch the zone with new signatures. */
export async function refreshSignatures(
  app: SigningParts,
  { id, account_id }: Pick<Zone, 'id' | 'account_id'>,
): Promise<void> {
  await changeSigning(app, { account: account_id!, zone: id }, 'dnssec', async () => true);
}
