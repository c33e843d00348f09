// API keys of an account, managed with a key that has the scope for it. A key cannot grant more than it has itself.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { Key as KeyShape } from '#contract/shapes/key.ts';
import type { keyV2 } from '#contract/v2/key.ts';
import { networkContains, parseNetwork } from '#lib/addresses.ts';
import { ApiError, conflict, invalid } from '#lib/api-error.ts';
import { pickDefined } from '#lib/defined.ts';
import { createKeyText } from '#lib/key-text.ts';
import { optionalTimeText, timeText } from '#lib/time.ts';
import { contactFind } from '#store/account/contacts.ts';
import * as store from '#store/account/keys.ts';
import { serviceLimits } from '#store/account/service-limits.ts';
import type { AccountId } from '#store/account-id.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { grantLimits, isContained, readDnsLimits, requireContained, type DnsLimits } from '../dns/limits.ts';
import { areLimitsWithin, requireLimitsWithin, type ServiceLimits } from '../services/limits.ts';
import { readServiceLimits } from '../services/visible-services.ts';
import { requireGrantable } from './contacts.ts';
import type { Context } from '../app.ts';

type NewKey = InputOf<(typeof keyV2)['keyCreate']>;
type KeyChange = Omit<InputOf<(typeof keyV2)['keyUpdate']>, 'id'>;

export const defaultLimits = { rate: 50, burst: 200 };
const defaultOverlapSeconds = 86_400;
/** Each key has its own rate limit, so an unlimited number of keys would mean no limit. */
const keysPerAccount = 1000;

export async function keyGet(context: Context, id: number | undefined): Promise<Static<typeof KeyShape>[]> {
  const { queries, caller, app } = context;
  const keys =
    id === undefined
      ? await store.keyList(queries, caller.account)
      : [requireVisible(context, await store.keyFind(queries, caller.account, id))];
  return keys.filter((key) => isVisible(context, key)).map((key) => keyShape(key, app.clock.now()));
}

export async function keyCreate(context: Context, fields: NewKey): Promise<{ id: string; key: string }> {
  const { queries, caller, app } = context;
  const { text, row } = await createGrantedKeyRow(context, fields);
  // Two calls at once must not both take the last place of the account.
  await billingAccountLock(queries, caller.account);
  if ((await store.keyCount(queries, caller.account, app.clock.now())) >= keysPerAccount)
    throw conflict(`An account can have at most ${keysPerAccount} keys. Revoke one first.`);
  const keyid = String(await store.keyInsert(queries, row));
  context.emit('key.created', { keyid, name: fields.name, scopes: [...fields.scopes] });
  return { id: keyid, key: text };
}

/** Creates a key that can do no more than the caller's. */
export async function createGrantedKeyRow(context: Context, fields: NewKey): Promise<ReturnType<typeof createKeyRow>> {
  const { queries, caller, app } = context;
  requireGrantableScopes(context, fields.scopes);
  const contact = caller.contact ?? fields.contact;
  if (contact !== undefined && (await contactFind(queries, caller.account, contact))?.subaccount !== 1)
    throw invalid({ contact: 'must be a sub-account contact of this account' });
  const callersKey = await getCallersKey(context);
  return createKeyRow(caller.account, app.clock.now(), {
    ...fields,
    contact,
    allow: limitNetworks(callersKey, fields.allow),
    dnsLimits: grantLimits(caller.dnsLimits, readDnsLimits(fields.dns ?? [])),
    services: await keyServices(context, callersKey, fields.services ?? []),
    limits: callersKey,
    expiresAt: limitExpiry(callersKey, expiryTime(fields.expires, app.clock.now())),
  });
}

/**
 * By default those of the caller's own key. The limits of the person are not copied to it: they apply whenever it is used,
 * as they are then.
 */
async function keyServices(context: Context, callersKey: store.Key, ids: readonly number[]): Promise<ServiceLimits> {
  return (await readServiceLimits(context, ids)) ?? serviceLimits.decode(callersKey.services);
}

interface KeyRowFields {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly allow?: readonly string[];
  readonly dnsLimits?: DnsLimits;
  readonly services?: ServiceLimits;
  readonly contact?: number | undefined;
  readonly limits?: { readonly rate: number; readonly burst: number };
  readonly expiresAt: number | null;
}
/** Creates a key of an account: its text, to be shown once, and the row to store. */
export function createKeyRow(account: AccountId, now: number, fields: KeyRowFields) {
  const { text, printableId, secretHash } = createKeyText();
  const { rate, burst } = fields.limits ?? defaultLimits;
  const row: store.NewKey = {
    account_id: account,
    operator_role: null,
    contact_id: fields.contact ?? null,
    kind: 'key',
    printable_id: printableId,
    secret_hash: secretHash.toString('hex'),
    name: fields.name,
    scopes: store.keyScopes.encode(fields.scopes),
    allow: store.keyAllow.encode(fields.allow ?? []),
    dns_limits: store.keyDnsLimits.encode(fields.dnsLimits),
    services: serviceLimits.encode(fields.services),
    rate,
    burst,
    created_at: now,
    expires_at: fields.expiresAt,
  };
  return { text, row };
}

export async function keyUpdate(context: Context, id: number, change: KeyChange): Promise<{ id: string; key: string }> {
  const { queries, caller, app } = context;
  const now = app.clock.now();
  // Of two rotations at once, each must know the secret that it replaces.
  const key = requireVisible(context, await store.keyLock(queries, caller.account, id));
  const callersKey = await getCallersKey(context);
  if (key.revoked_at !== null) throw conflict('The key is revoked.');
  if (change.scopes !== undefined) requireGrantableScopes(context, change.scopes);
  const dnsLimits =
    change.dns === undefined
      ? store.keyDnsLimits.decode(key.dns_limits)
      : grantLimits(caller.dnsLimits, readDnsLimits(change.dns));
  if (change.scopes !== undefined || change.rotate === true) requireContained(caller.dnsLimits, dnsLimits);
  const services =
    change.services === undefined
      ? serviceLimits.decode(key.services)
      : await keyServices(context, callersKey, change.services);
  if (change.scopes !== undefined || change.rotate === true)
    requireLimitsWithin(serviceLimits.decode(callersKey.services), services);
  if (change.rotate !== true && change.overlap !== undefined)
    throw invalid({ overlap: 'is only valid together with rotate' });
  // The new secret of a more powerful key would be a way to gain its permissions, or to escape the caller's bounds.
  if (change.rotate === true) {
    requireGrantableScopes(context, store.keyScopes.decode(key.scopes));
    requireWithinBounds(callersKey, key);
  }
  const rotated = change.rotate === true ? createKeyText(key.printable_id) : undefined;
  const values = pickDefined({
    name: change.name,
    scopes: change.scopes && store.keyScopes.encode(change.scopes),
    allow: change.allow && store.keyAllow.encode(limitNetworks(callersKey, change.allow)),
    dns_limits: change.dns && store.keyDnsLimits.encode(dnsLimits),
    services: change.services && serviceLimits.encode(services),
    expires_at: change.expires === undefined ? undefined : limitExpiry(callersKey, expiryTime(change.expires, now)),
    secret_hash: rotated?.secretHash.toString('hex'),
    previous_hash: rotated && key.secret_hash,
    previous_until: rotated && now + (change.overlap ?? defaultOverlapSeconds) * 1000,
  });
  if (Object.keys(values).length === 0)
    throw new ApiError('invalid_parameter', { message: 'Nothing to change. Give at least one field.' });
  await store.keyUpdate(queries, caller.account, id, values);
  context.afterCommit(() => app.authentication.forget());
  emitKeyChange(context, key, change, values.previous_until);
  return { id: String(id), key: rotated?.text ?? '' };
}

function emitKeyChange(context: Context, key: store.Key, change: KeyChange, previousUntil: number | undefined): void {
  const keyid = String(key.id);
  const name = change.name ?? key.name;
  const changed = (['name', 'scopes', 'allow', 'dns', 'services', 'expires'] as const).filter(
    (field) => change[field] !== undefined,
  );
  if (changed.length > 0) context.emit('key.updated', { keyid, name, changed });
  if (previousUntil !== undefined)
    context.emit('key.rotated', { keyid, name, previousuntil: new Date(previousUntil).toISOString() });
}

export async function keyDelete(context: Context, id: number): Promise<void> {
  const { queries, caller, app } = context;
  const key = requireVisible(context, await store.keyFind(queries, caller.account, id));
  const revoked = await store.keyUpdate(queries, caller.account, id, { revoked_at: app.clock.now() });
  if (revoked) context.emit('key.revoked', { keyid: String(id), name: key.name });
  context.afterCommit(() => app.authentication.forget());
}

function requireVisible(context: Context, key: store.Key | undefined): store.Key {
  if (key === undefined || !isVisible(context, key)) throw new ApiError('not_found');
  return key;
}
/** The key or session that makes this call. */
async function getCallersKey({ queries, caller }: Context): Promise<store.Key> {
  return (await store.keyOrSessionFind(queries, caller.account, caller.key))!;
}
/**
 * A sub-account sees and changes only its own keys, and a key that is limited to DNS records or services none whose limits
 * name others.
 */
export function isVisible({ caller }: Context, key: store.Key): boolean {
  const limits = store.keyDnsLimits.decode(key.dns_limits);
  const isOfOthers = caller.contact !== undefined && key.contact_id !== caller.contact;
  const services = serviceLimits.decode(key.services);
  const isOwn = caller.contact !== undefined || services === undefined || areLimitsWithin(caller.services, services);
  return !isOfOthers && isOwn && (limits === undefined || isContained(caller.dnsLimits, limits));
}

function requireGrantableScopes(context: Context, scopes: readonly string[]): void {
  if (scopes.length === 0) throw invalid({ scopes: 'must name at least one scope' });
  requireGrantable(context, scopes);
}

/** A key restricted to networks creates keys with the same restriction or a narrower one. */
function limitNetworks(callersKey: store.Key, requested: readonly string[] | undefined): readonly string[] {
  const bounds = store.keyAllow.decode(callersKey.allow);
  if (requested === undefined || requested.length === 0) return bounds;
  if (bounds.length === 0) return requested;
  const networks = bounds.map(parseNetwork).filter((network) => network !== undefined);
  const excess = requested.filter((text) => {
    const { base, prefixLength } = parseNetwork(text)!;
    return !networks.some((network) => network.prefixLength <= prefixLength && networkContains(network, base));
  });
  if (excess.length > 0)
    throw new ApiError('scope_missing', { message: `Your key cannot allow ${excess.join(', ')}.` });
  return requested;
}

/**
 * A key that expires creates keys that expire no later. The expiry of a session does not limit the keys created in it.
 */
function limitExpiry(callersKey: store.Key, requested: number | null): number | null {
  if (callersKey.kind === 'session' || callersKey.expires_at === null) return requested;
  return Math.min(callersKey.expires_at, requested ?? callersKey.expires_at);
}

function requireWithinBounds(callersKey: store.Key, key: store.Key): void {
  const allow = store.keyAllow.decode(key.allow);
  const isWider = allow.length === 0 && store.keyAllow.decode(callersKey.allow).length > 0;
  if (isWider || limitExpiry(callersKey, key.expires_at) !== key.expires_at)
    throw new ApiError('scope_missing', {
      message:
        'You cannot change this key: yours is limited to certain networks or expires, and this one is less restricted.',
    });
  limitNetworks(callersKey, allow);
}

export function expiryTime(seconds: number | undefined, now: number): number | null {
  if (seconds === undefined) return null;
  if (seconds * 1000 <= now) throw invalid({ expires: 'must be in the future' });
  return seconds * 1000;
}

export function keyShape(key: store.Key, now: number): Static<typeof KeyShape> {
  const expired = key.expires_at !== null && key.expires_at <= now;
  return {
    id: String(key.id),
    name: key.name,
    scopes: store.keyScopes.decode(key.scopes),
    allow: store.keyAllow.decode(key.allow),
    dns: [...(store.keyDnsLimits.decode(key.dns_limits) ?? [])],
    services: [...(serviceLimits.decode(key.services) ?? [])].map(String),
    contact: key.contact_id === null ? '' : String(key.contact_id),
    status: key.revoked_at !== null ? 'Revoked' : expired ? 'Expired' : 'Active',
    created: timeText(key.created_at),
    expires: optionalTimeText(key.expires_at),
    lastused: optionalTimeText(key.last_used_at),
    lastaddress: key.last_used_address ?? '',
  };
}
