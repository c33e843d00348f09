// Resolves the text of an API key to its caller. Valid keys are cached for half a second: a revocation on another
// instance takes effect here within a second, and a busy key costs neither a hash nor a query per request.
import type { LimitedSession } from '#contract/endpoint.ts';
import { permissionsOf, type OperatorRole, type Permission } from '#contract/roles.ts';
import { grantedScopes, type Scope } from '#contract/scopes.ts';
import { networkContains, parseAddress, parseNetwork, type Network } from '#lib/addresses.ts';
import { ApiError } from '#lib/api-error.ts';
import { BoundedMap } from '#lib/bounded-map.ts';
import type { Limits } from '#lib/rate-limits.ts';
import { sameSecret } from '#lib/secrets.ts';
import {
  credentialFind,
  keyOrSessionFind,
  type Credential,
  keyScopes,
  keyAllow,
  keyDnsLimits,
} from '#store/account/keys.ts';
import { serviceLimits } from '#store/account/service-limits.ts';
import { providerAccount } from '#store/account/accounts.ts';
import { readKeyText } from '#lib/key-text.ts';
import { createUseRecorder, type AuthenticationParts } from './last-use.ts';
import type { DnsLimits } from '../dns/limits.ts';
import { intersectLimits, type ServiceLimits } from '../services/limits.ts';
import type { Caller, OperatorCaller } from '../caller.ts';
import type { AccountId } from '#store/account-id.ts';

const cacheMs = 500;
const maxCachedKeys = 10_000;

/** A credential whose secret was correct, with everything that can be computed once rather than per request. */
interface KnownKey {
  readonly credential: Credential;
  readonly scopes: ReadonlySet<Scope>;
  /** Undefined for text that is not a network: it matches no address, but makes the list non-empty. */
  readonly allow: readonly (Network | undefined)[];
  readonly dnsLimits: DnsLimits;
  readonly services: ServiceLimits;
  /** When the key expires, or the overlap during which its previous secret still works. */
  readonly until: number;
}

export interface Admission {
  readonly printableId: string;
  readonly limits: Limits;
  readonly caller: Omit<Caller, 'requestId'>;
  readonly operator: OperatorRole | undefined;
}

export interface Authentication {
  /** Returns the holder of this key. Throws an ApiError if there is none, or if the address is not allowed. */
  admit(keyText: string, address: string): Admission | Promise<Admission>;
  /** Returns the holder of a TSIG key, whose signature was verified. Throws like `admit`. */
  admitTsig(printableId: string, address: string): Promise<Admission>;
  /** Clears the cache. Called when this instance itself changes a key, so that the change takes effect at once. */
  forget(): void;
}

export function createAuthentication(app: AuthenticationParts): Authentication {
  // By the full text of the key. Lookups leak nothing through timing: a Map compares two strings only if their hashes
  // are equal, and the hashes are seeded anew in every process.
  const cache = new BoundedMap<string, KnownKey>(maxCachedKeys);
  let cacheStartedAt = 0;
  const recordUse = createUseRecorder(app);
  const forget = (): void => cache.clear();

  function findCached(keyText: string, now: number): KnownKey | undefined {
    // The second condition is for a clock that has been set back.
    if (now - cacheStartedAt >= cacheMs || now < cacheStartedAt) forget();
    return cache.get(keyText);
  }

  function addToCache(keyText: string, known: KnownKey, now: number): void {
    if (cache.size === 0) {
      cacheStartedAt = now;
      // Runs even without further requests, because the cache holds the keys themselves.
      setTimeout(forget, cacheMs).unref();
    }
    cache.set(keyText, known);
  }

  async function loadKey(keyText: string, now: number): Promise<KnownKey> {
    const text = readKeyText(keyText);
    const credential = text && (await credentialFind(app.store.queries, text.printableId));
    const known = credential && verifyCredential(credential, text!.secretHash);
    if (known === undefined) throw new ApiError('unauthenticated');
    addToCache(keyText, known, now);
    return known;
  }

  function admitKey(known: KnownKey, address: string, now: number): Admission | Promise<Admission> {
    const { credential } = known;
    if (now >= known.until) throw new ApiError('unauthenticated');
    if (!isAddressAllowed(known.allow, address)) throw new ApiError('address_not_allowed');
    if (credential.account_status === 'Closed') throw new ApiError('account_closed');
    const caller = callerOf(known, address);
    const admission = {
      printableId: credential.printable_id,
      limits: credential,
      operator: caller.operator?.role,
      caller,
    };
    return recordUse(credential, address)?.then(() => admission) ?? admission;
  }

  return {
    admit(keyText, address) {
      const now = app.clock.now();
      const known = findCached(keyText, now);
      if (known !== undefined) return admitKey(known, address, now);
      return loadKey(keyText, now).then((loaded) => admitKey(loaded, address, now));
    },
    async admitTsig(printableId, address) {
      const credential = await credentialFind(app.store.queries, printableId);
      if (credential?.kind !== 'tsig' || !isUsable(credential)) throw new ApiError('unauthenticated');
      return admitKey(knownKey(credential, credential.expires_at), address, app.clock.now());
    },
    forget,
  };
}

/** Returns what a key may do now, for connections that outlive the request that opened them. */
export async function getCurrentRights(
  app: Pick<AuthenticationParts, 'store' | 'clock'>,
  account: AccountId,
  key: number,
  address: string,
): Promise<{ readonly scopes: ReadonlySet<Scope>; readonly services: ServiceLimits }> {
  const credential = await currentCredential(app, account, key, address);
  if (credential?.account_status !== 'Active') return { scopes: new Set(), services: new Set() };
  return { scopes: scopesOf(credential), services: servicesOf(credential) };
}

/** The same for a key or session of staff. */
export async function getStaffPermissions(
  app: Pick<AuthenticationParts, 'store' | 'clock'>,
  key: number,
  address: string,
): Promise<ReadonlySet<Permission>> {
  const credential = await currentCredential(app, null, key, address);
  return credential === undefined ? new Set() : operatorFields(credential).scopes;
}

async function currentCredential(
  { store: { queries }, clock }: Pick<AuthenticationParts, 'store' | 'clock'>,
  account: AccountId | null,
  key: number,
  address: string,
): Promise<Credential | undefined> {
  const row = await keyOrSessionFind(queries, account, key);
  const credential = row && (await credentialFind(queries, row.printable_id));
  const isValid =
    credential !== undefined &&
    isUsable(credential) &&
    clock.now() < (credential.expires_at ?? Infinity) &&
    isAddressAllowed(networksOf(credential), address);
  return isValid ? credential : undefined;
}

function callerOf({ credential, scopes, dnsLimits, services }: KnownKey, address: string): Admission['caller'] {
  const key = {
    key: credential.id,
    keyKind: credential.kind === 'session' ? credential.kind : 'key',
    address,
  } as const;
  if (credential.account_id === null) return { ...key, ...operatorFields(credential) };
  return {
    ...key,
    account: credential.account_id,
    accountStatus: credential.account_status!,
    contact: credential.contact_id ?? undefined,
    scopes,
    dnsLimits,
    services,
    ...limitsOf(credential),
  };
}

function limitsOf(credential: Credential): Pick<Admission['caller'], 'limited' | 'supportOperator'> {
  const limited = limitedSession(credential);
  if (limited === undefined) return {};
  return limited === 'support' ? { limited, supportOperator: credential.operator_name! } : { limited };
}

/** Only the account's own password can come from staff; a contact's comes from the account. */
function limitedSession(credential: Credential): LimitedSession | undefined {
  const { account_id, operator_id, kind, contact_id, password_temporary_until } = credential;
  if (account_id === null) return undefined;
  if (operator_id !== null) return 'support';
  const isTemporary = kind === 'session' && contact_id === null && password_temporary_until !== null;
  return isTemporary ? 'temporary-password' : undefined;
}

function roleOf({ operator_person_role, operator_role }: Credential): OperatorRole | undefined {
  return operator_person_role ?? operator_role ?? undefined;
}

/** Operators who sign in with a password must set up a second factor or a passkey before anything else. */
function lacksSecondFactor({ kind, session_method, operator_totp, operator_passkey }: Credential): boolean {
  return kind === 'session' && session_method === null && operator_totp === null && operator_passkey === 0;
}

/** What operators do is recorded under the provider's own account. */
function operatorFields(credential: Credential) {
  const role = roleOf(credential)!;
  const operator: OperatorCaller = {
    id: credential.operator_id,
    name: credential.operator_name ?? credential.name,
    role,
  };
  return {
    account: providerAccount,
    accountStatus: 'Active' as const,
    contact: undefined,
    scopes: lacksSecondFactor(credential) ? new Set<Permission>() : permissionsOf(role),
    operator,
  };
}

/** Returns undefined if the secret is not that of this key, or the key can no longer be used. */
function verifyCredential(credential: Credential, secretHash: Buffer): KnownKey | undefined {
  const { secret_hash, previous_hash, expires_at, previous_until } = credential;
  const current = sameSecret(Buffer.from(secret_hash, 'hex'), secretHash);
  const previous = previous_hash !== null && sameSecret(Buffer.from(previous_hash, 'hex'), secretHash);
  if (!(current || previous) || !isUsable(credential)) return undefined;
  return knownKey(credential, Math.min(expires_at ?? Infinity, current ? Infinity : (previous_until ?? 0)));
}

function knownKey(credential: Credential, until: number | null): KnownKey {
  return {
    credential,
    scopes: scopesOf(credential),
    allow: networksOf(credential),
    dnsLimits: keyDnsLimits.decode(credential.dns_limits),
    services: servicesOf(credential),
    until: until ?? Infinity,
  };
}

function isUsable(credential: Credential): boolean {
  const { revoked_at, account_id, operator_id, operator_status, contact_id, subaccount, contact_status } = credential;
  if (operator_id !== null && operator_status !== 'Active') return false;
  const role = roleOf(credential);
  if (account_id === null && role === undefined) return false;
  if (limitedSession(credential) === 'support' && !permissionsOf(role!).has('operator:impersonate')) return false;
  // A contact that is no longer a sub-account cannot sign in.
  return revoked_at === null && (contact_id === null || (subaccount === 1 && contact_status === 'Active'));
}

function scopesOf(credential: Credential): ReadonlySet<Scope> {
  const { scopes, contact_id, permissions } = credential;
  if (limitedSession(credential) === 'temporary-password') return new Set();
  const ofKey = grantedScopes(keyScopes.decode(scopes));
  const ofPerson = contact_id === null ? ofKey : grantedScopes((permissions ?? '').split(','));
  return new Set([...ofKey].filter((scope) => ofPerson.has(scope)));
}

function servicesOf({ contact_services, services }: Credential): ServiceLimits {
  return intersectLimits(serviceLimits.decode(contact_services), serviceLimits.decode(services));
}

function networksOf({ allow }: Credential): KnownKey['allow'] {
  return keyAllow.decode(allow).map(parseNetwork);
}

function isAddressAllowed(allow: KnownKey['allow'], address: string): boolean {
  if (allow.length === 0) return true;
  const from = parseAddress(address);
  return from !== undefined && allow.some((network) => network !== undefined && networkContains(network, from));
}
