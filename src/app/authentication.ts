// From the text of a key to the caller. Looked-up keys are remembered for half a second: a revocation on another node is
// felt here within a second, and a busy key does not cost a query a request.
import { grantedScopes, type Scope } from '#contract/scopes.ts';
import { networkContains, parseAddress, parseNetwork, type Network } from '#kernel/addresses.ts';
import { Fault } from '#kernel/fault.ts';
import { sameSecret } from '#kernel/secrets.ts';
import { credentialFind, type Credential } from '#store/keys.ts';
import type { OperatorRole } from '#store/tables.ts';
import { readKeyText } from '#kernel/key-text.ts';
import { useRecorder } from './last-use.ts';
import type { Caller, Yard } from './yard.ts';

const rememberedMs = 500;
const rememberedKeys = 10_000;

/** A credential with what is worked out from it once rather than for every request. */
interface Known {
  readonly credential: Credential;
  readonly scopes: ReadonlySet<Scope>;
  readonly allow: readonly Network[];
  readonly secretHash: Buffer;
  readonly previousHash: Buffer | undefined;
  readonly readAt: number;
}

export interface Limits {
  readonly rate: number;
  readonly burst: number;
}
export interface Admission {
  readonly printableId: string;
  readonly limits: Limits;
  readonly caller: Omit<Caller, 'requestId'> | undefined;
  readonly operator: OperatorRole | undefined;
}

export interface Authentication {
  /** Who holds this key. A Fault where nobody does, or not from this address. */
  admit(keyText: string, address: string): Promise<Admission>;
  /** Called where this node itself changed a key, so that it needs not wait for the memory to lapse. */
  forget(): void;
}

export function authentication(yard: Pick<Yard, 'store' | 'clock' | 'log'>): Authentication {
  const remembered = new Map<string, Known>();
  const recordUse = useRecorder(yard);

  function recalled(printableId: string, now: number): Known | undefined {
    const hit = remembered.get(printableId);
    return hit !== undefined && now - hit.readAt < rememberedMs && now >= hit.readAt ? hit : undefined;
  }

  async function lookedUp(printableId: string, now: number): Promise<Known | undefined> {
    const credential = await credentialFind(yard.store.queries, printableId);
    if (credential === undefined) {
      remembered.delete(printableId);
      return undefined;
    }
    const found = workOut(credential, now);
    if (remembered.size >= rememberedKeys) remembered.clear();
    remembered.set(printableId, found);
    return found;
  }

  return {
    async admit(keyText, address) {
      const text = readKeyText(keyText);
      if (text === undefined) throw new Fault('unauthenticated');
      const now = yard.clock.now();
      const found = recalled(text.printableId, now) ?? (await lookedUp(text.printableId, now));
      if (found === undefined || !opens(found, text.secretHash, now)) throw new Fault('unauthenticated');
      if (!allowed(found.allow, address)) throw new Fault('address_not_allowed');
      const { credential } = found;
      if (credential.account_status === 'Closed') throw new Fault('account_closed');
      const recording = recordUse(credential, address);
      if (recording !== undefined) await recording;
      return {
        printableId: credential.printable_id,
        limits: credential,
        operator: credential.operator_role ?? undefined,
        caller: callerOf(found, address),
      };
    },
    forget: () => remembered.clear(),
  };
}

function callerOf({ credential, scopes }: Known, address: string): Admission['caller'] {
  if (credential.account_id === null) return undefined;
  return {
    account: credential.account_id,
    accountStatus: credential.account_status!,
    key: credential.id,
    keyKind: credential.kind,
    contact: credential.contact_id ?? undefined,
    scopes,
    address,
  };
}

function workOut(credential: Credential, now: number): Known {
  const ofKey = grantedScopes(JSON.parse(credential.scopes) as string[]);
  const ofPerson = credential.contact_id === null ? ofKey : grantedScopes((credential.permissions ?? '').split(','));
  const allow = (JSON.parse(credential.allow) as string[]).map(parseNetwork).filter((network) => network !== undefined);
  return {
    credential,
    scopes: new Set([...ofKey].filter((scope) => ofPerson.has(scope))),
    allow,
    secretHash: Buffer.from(credential.secret_hash, 'hex'),
    previousHash: credential.previous_hash === null ? undefined : Buffer.from(credential.previous_hash, 'hex'),
    readAt: now,
  };
}

function opens({ credential, secretHash, previousHash }: Known, given: Buffer, now: number): boolean {
  const current = sameSecret(secretHash, given);
  const previous =
    previousHash !== undefined && sameSecret(previousHash, given) && now < (credential.previous_until ?? 0);
  const alive = credential.revoked_at === null && (credential.expires_at === null || now < credential.expires_at);
  // A contact that is no sub-account any more is no person who can sign in.
  const person =
    credential.contact_id === null || (credential.subaccount === 1 && credential.contact_status === 'Active');
  return (current || previous) && alive && person;
}

function allowed(allow: readonly Network[], address: string): boolean {
  if (allow.length === 0) return true;
  const from = parseAddress(address);
  return from !== undefined && allow.some((network) => networkContains(network, from));
}
