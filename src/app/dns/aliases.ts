// Keeps the addresses of ALIAS records current. Targets in the account's own zones are read from these; a zone of another
// account says nothing about who owns its name, so all other targets are looked up in the public DNS. If a target
// cannot be resolved, its last addresses stay.
import { lookUpAddresses } from '#drivers/dns/resolver.ts';
import { NameServerError } from '#drivers/dns/driver.ts';
import { appendEvent } from '#events/append.ts';
import { parseAddress } from '#lib/addresses.ts';
import { ApiError } from '#lib/api-error.ts';
import { growingDelay } from '#lib/delays.ts';
import { specialKind, unwrapIpv4 } from '#lib/special-networks.ts';
import * as store from '#store/dns/aliases.ts';
import { publicationRequest, publicationSweep } from '#store/dns/zone-publications.ts';
import { zoneLock } from '#store/dns/zones.ts';
import type { Queries } from '#store/store.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import { parseName } from '#protocols/dns/name.ts';
import { wireToContent } from '#protocols/dns/rdata.ts';
import { addressTypes } from '#protocols/dns/zone-rules.ts';
import type { App } from '../app.ts';
import { raiseSerial } from './change.ts';
import { lookUpOwn } from './own-names.ts';
import { dnsSettings } from './settings.ts';

const intervalSeconds = { shortest: 60, longest: 3600 };
const delays = { shortestMs: intervalSeconds.shortest * 1000, longestMs: intervalSeconds.longest * 1000 };
const lookUpMs = 10_000;
/** Longer chains count as loops. */
const maxRedirects = 8;
const maxAddresses = 64;
const failuresBeforeEvent = 3;

interface Resolution {
  readonly addresses: readonly Omit<store.AliasAddress, 'ttl'>[];
  readonly ttl: number;
  readonly isOwn: boolean;
}

/** Why a target has no addresses, for its owner. */
class TargetError extends Error {}

export function createAliasWork(app: App) {
  return {
    listDue: (limit: number) => store.aliasesDue(app.store.queries, app.clock.now(), limit),
    async refresh(due: store.Alias, signal: AbortSignal): Promise<void> {
      const claimed = { ...due, next_look_at: app.clock.now() + delays.shortestMs };
      if (!(await store.aliasUpdate(app.store.queries, due, { next_look_at: claimed.next_look_at }))) return;
      try {
        const limit = AbortSignal.any([signal, AbortSignal.timeout(lookUpMs)]);
        await recordSuccess(app, claimed, await resolveTarget(app.store.queries, claimed, limit));
      } catch (error) {
        if (error instanceof TargetError) await recordFailure(app, claimed, error.message);
        else if (error instanceof NameServerError)
          throw new ApiError('nameserver_unreachable', { internal: error.message, cause: error });
        else throw error;
      }
    },
  };
}

async function resolveTarget(queries: Queries, alias: store.Alias, signal: AbortSignal): Promise<Resolution> {
  const passed = new Set([alias.name]);
  for (let name = parseName(alias.content); passed.size <= maxRedirects;) {
    if (passed.has(name)) throw new TargetError('the target points back to the record itself');
    passed.add(name);
    const found = await lookUpOwn(queries, alias.account_id, name);
    if (found.kind === 'elsewhere') return resolvePublicly(queries, name, signal);
    if (found.kind === 'addresses') return requireAddresses({ ...found, isOwn: true });
    name = found.target;
  }
  throw new TargetError('the target is a chain of too many aliases');
}

async function resolvePublicly(queries: Queries, name: string, signal: AbortSignal): Promise<Resolution> {
  const { resolvers } = await dnsSettings(queries);
  const found = await Promise.all(
    [...addressTypes].map(async (type) => ({ type, set: await lookUpAddresses(resolvers, name, type, signal) })),
  );
  const addresses = found.flatMap(({ type, set }) => {
    if (set === undefined) throw new TargetError('the name servers of the target do not respond');
    return set.rdata.map((rdata) => ({ type, rdata: Buffer.from(rdata) }));
  });
  for (const { type, rdata } of addresses) {
    // Resolvers may know names of the provider that are not public.
    const address = parseAddress(wireToContent(type, rdata, 'plain'))!;
    if (specialKind(unwrapIpv4(address)) !== undefined)
      throw new TargetError('the target has an address that is not public');
  }
  const ttl = Math.min(...found.filter(({ set }) => set!.rdata.length > 0).map(({ set }) => set!.ttl));
  return requireAddresses({ addresses, ttl, isOwn: false });
}

function requireAddresses(resolution: Resolution): Resolution {
  const addresses = resolution.addresses.toSorted(
    (left, right) => left.type - right.type || left.rdata.compare(right.rdata),
  );
  if (addresses.length === 0) throw new TargetError('the target has no addresses');
  // A response may contain a record twice.
  const distinct = addresses.filter(
    ({ type, rdata }, index) => type !== addresses[index - 1]?.type || !rdata.equals(addresses[index - 1]!.rdata),
  );
  return { ...resolution, addresses: distinct.slice(0, maxAddresses) };
}

async function recordSuccess(app: App, alias: store.Alias, { addresses, ttl, isOwn }: Resolution): Promise<void> {
  const { account_id: account } = alias;
  const { shortest, longest } = intervalSeconds;
  const interval = isOwn ? shortest : Math.min(longest, Math.max(shortest, ttl));
  const state = { next_look_at: app.clock.now() + interval * 1000, failing_since: null, failures: 0 };
  const current = await store.aliasAddresses(app.store.queries, alias);
  const textOf = (list: Resolution['addresses']) =>
    list
      .map(({ type, rdata }) => `${type} ${rdata.toString('hex')}`)
      .sort()
      .join();
  const isSame = textOf(current) === textOf(addresses);
  // A resolver's TTLs run down between two looks, which alone is no change.
  const servedTtl = Math.min(alias.ttl, Math.max(interval, isSame ? (current[0]?.ttl ?? 0) : 0));
  const effects: (() => void)[] = [];
  await app.store.transaction(async (queries) => {
    effects.length = 0;
    const zone = isSame && current[0]?.ttl === servedTtl ? undefined : await zoneLock(queries, account, alias.zone_id);
    if (!(await store.aliasUpdate(queries, alias, state))) return;
    if (alias.failures >= failuresBeforeEvent)
      await appendEvent(app, queries, { account, type: 'dns.alias.recovered', data: eventData(alias) });
    if (zone === undefined) return;
    const rows = addresses.map((address) => ({ ...address, ttl: servedTtl }));
    await store.aliasAddressesReplace(queries, alias, rows);
    const afterCommit = (act: () => void) => void effects.push(act);
    await raiseSerial({ app, queries, account, operation: 'alias', afterCommit }, zone);
    if (app.nameService.external === undefined) return;
    await publicationRequest(queries, zone.name);
    await reconcilerSignal(queries, publicationSweep);
  });
  for (const act of effects) act();
}

async function recordFailure(app: App, alias: store.Alias, reason: string): Promise<void> {
  const now = app.clock.now();
  const failing_since = alias.failing_since ?? now;
  const failures = alias.failures + 1;
  const next_look_at = now + growingDelay(now - failing_since, delays);
  await app.store.transaction(async (queries) => {
    if (!(await store.aliasUpdate(queries, alias, { next_look_at, failing_since, failures }))) return;
    if (failures === failuresBeforeEvent) {
      const data = { ...eventData(alias), reason };
      await appendEvent(app, queries, { account: alias.account_id, type: 'dns.alias.failed', data });
    }
  });
}

function eventData({ zone_id, name, content }: store.Alias) {
  return { domain_id: String(zone_id), name, target: content };
}
