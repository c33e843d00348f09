// From the text of a key to the caller. Keys that were found good are remembered for half a second: a revocation on another
// node is felt here within a second, and a busy key costs neither a hash nor a query a request.
import { powersOf, type OperatorRole, type Power } from '#contract/roles.ts';
import { grantedScopes, type Scope } from '#contract/scopes.ts';
import { networkContains, parseAddress, parseNetwork, type Network } from '#kernel/addresses.ts';
import { Fault } from '#kernel/fault.ts';
import { sameSecret } from '#kernel/secrets.ts';
import { credentialFind, keyFind, type Credential } from '#store/account/keys.ts';
import { providerAccount } from '#store/account/accounts.ts';
import type { AccountId } from '#store/tables.ts';
import { readKeyText } from '#kernel/key-text.ts';
import { useRecorder, type Parts } from './last-use.ts';
import type { Caller, OperatorCaller } from '../caller.ts';

const rememberedMs = 500;
const rememberedKeys = 10_000;

/** A credential whose secret was shown, with what is worked out from it once rather than for every request. */
interface Known {
  readonly credential: Credential;
  readonly scopes: ReadonlySet<Scope>;
  /** Undefined for a text that is no network: it lets nobody in, but the list it stands in is not empty. */
  readonly allow: readonly (Network | undefined)[];
  /** When the key, or the overlap in which its previous secret still opens, ends. */
  readonly until: number;
}

export interface Limits {
  readonly rate: number;
  readonly burst: number;
}
export interface Admission {
  readonly printableId: string;
  readonly limits: Limits;
  readonly caller: Omit<Caller, 'requestId'>;
  readonly operator: OperatorRole | undefined;
}

export interface Authentication {
  /** Who holds this key. A Fault where nobody does, or not from this address. */
  admit(keyText: string, address: string): Admission | Promise<Admission>;
  /** Called where this node itself changed a key, so that it needs not wait for the memory to lapse. */
  forget(): void;
}

export function authentication(yard: Parts): Authentication {
  // By the whole text of the key. That tells nothing by its timing: a Map compares two texts only where their hashes, seeded
  // anew in every process, are the same, so a guess that begins right is refused no later than any other.
  const remembered = new Map<string, Known>();
  let rememberedSince = 0;
  const recordUse = useRecorder(yard);
  const forget = (): void => remembered.clear();

  function recalled(keyText: string, now: number): Known | undefined {
    // The second half is for a clock that was set back.
    if (now - rememberedSince >= rememberedMs || now < rememberedSince) forget();
    return remembered.get(keyText);
  }

  function remember(keyText: string, known: Known, now: number): void {
    if (remembered.size >= rememberedKeys) forget();
    if (remembered.size === 0) {
      rememberedSince = now;
      // Also where no request comes any more: these are the keys themselves, and memory is no place to leave them.
      setTimeout(forget, rememberedMs).unref();
    }
    remembered.set(keyText, known);
  }

  async function lookUp(keyText: string, now: number): Promise<Known> {
    const text = readKeyText(keyText);
    const credential = text && (await credentialFind(yard.store.queries, text.printableId));
    const known = credential && workOut(credential, text!.secretHash);
    if (known === undefined) throw new Fault('unauthenticated');
    remember(keyText, known, now);
    return known;
  }

  function admitted(known: Known, address: string, now: number): Admission | Promise<Admission> {
    const { credential } = known;
    if (now >= known.until) throw new Fault('unauthenticated');
    if (!allowed(known.allow, address)) throw new Fault('address_not_allowed');
    if (credential.account_status === 'Closed') throw new Fault('account_closed');
    const admission = {
      printableId: credential.printable_id,
      limits: credential,
      operator: roleOf(credential),
      caller: callerOf(known, address),
    };
    return recordUse(credential, address)?.then(() => admission) ?? admission;
  }

  return {
    admit(keyText, address) {
      const now = yard.clock.now();
      const known = recalled(keyText, now);
      if (known !== undefined) return admitted(known, address, now);
      return lookUp(keyText, now).then((found) => admitted(found, address, now));
    },
    forget,
  };
}

/** What a key may do at this moment, asked by its number: for what stays open after the request that opened it. */
export async function scopesNow(
  yard: Pick<Parts, 'store' | 'clock'>,
  account: AccountId,
  key: number,
  address: string,
): Promise<ReadonlySet<Scope>> {
  const row = await keyFind(yard.store.queries, account, key);
  const credential = row && (await credentialFind(yard.store.queries, row.printable_id));
  const stands =
    credential !== undefined &&
    isUsable(credential) &&
    credential.account_status === 'Active' &&
    yard.clock.now() < (credential.expires_at ?? Infinity) &&
    allowed(networksOf(credential), address);
  return stands ? scopesOf(credential) : new Set();
}

function callerOf({ credential, scopes }: Known, address: string): Admission['caller'] {
  const key = { key: credential.id, keyKind: credential.kind, address };
  if (credential.account_id === null) return { ...key, ...staff(credential) };
  return {
    ...key,
    account: credential.account_id,
    accountStatus: credential.account_status!,
    contact: credential.contact_id ?? undefined,
    scopes,
  };
}

function roleOf({ operator_person_role, operator_role }: Credential): OperatorRole | undefined {
  return operator_person_role ?? operator_role ?? undefined;
}

/** What operators do is kept under the provider's own account. */
function staff(credential: Credential) {
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
    // Who signs in by name has to show a second factor before anything else.
    scopes: credential.kind === 'session' && credential.operator_totp === null ? new Set<Power>() : powersOf(role),
    operator,
  };
}

/** Undefined where the secret is not this key's, or nobody may use the key any more. */
function workOut(credential: Credential, secretHash: Buffer): Known | undefined {
  const { secret_hash, previous_hash, expires_at, previous_until } = credential;
  const current = sameSecret(Buffer.from(secret_hash, 'hex'), secretHash);
  const previous = previous_hash !== null && sameSecret(Buffer.from(previous_hash, 'hex'), secretHash);
  if (!(current || previous) || !isUsable(credential)) return undefined;
  return {
    credential,
    scopes: scopesOf(credential),
    allow: networksOf(credential),
    until: Math.min(expires_at ?? Infinity, current ? Infinity : (previous_until ?? 0)),
  };
}

function isUsable(credential: Credential): boolean {
  const { revoked_at, account_id, operator_id, operator_status, contact_id, subaccount, contact_status } = credential;
  if (operator_id !== null && operator_status !== 'Active') return false;
  if (account_id === null && roleOf(credential) === undefined) return false;
  // A contact that is no sub-account any more is no person who can sign in.
  return revoked_at === null && (contact_id === null || (subaccount === 1 && contact_status === 'Active'));
}

function scopesOf({ scopes, contact_id, permissions }: Credential): ReadonlySet<Scope> {
  const ofKey = grantedScopes(JSON.parse(scopes) as string[]);
  const ofPerson = contact_id === null ? ofKey : grantedScopes((permissions ?? '').split(','));
  return new Set([...ofKey].filter((scope) => ofPerson.has(scope)));
}

function networksOf({ allow }: Credential): Known['allow'] {
  return (JSON.parse(allow) as string[]).map(parseNetwork);
}

function allowed(allow: Known['allow'], address: string): boolean {
  if (allow.length === 0) return true;
  const from = parseAddress(address);
  return from !== undefined && allow.some((network) => network !== undefined && networkContains(network, from));
}
