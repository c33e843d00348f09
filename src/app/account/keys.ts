// The keys of an account: made, changed, rotated, revoked by whoever holds a key that may. Nobody grants more than he has.
import type { Static } from 'typebox';
import { grantedScopes } from '#contract/scopes.ts';
import type { Key as KeyShape } from '#contract/shapes/key.ts';
import { networkContains, parseNetwork } from '#kernel/addresses.ts';
import { Fault, invalid } from '#kernel/fault.ts';
import { momentText } from '#kernel/moments.ts';
import { contactFind } from '#store/account/contacts.ts';
import * as store from '#store/account/keys.ts';
import { makeKeyText } from '#kernel/key-text.ts';
import type { AccountId } from '#store/tables.ts';
import type { Context } from '../yard.ts';

export const defaultLimits = { rate: 50, burst: 200 };
const defaultOverlapSeconds = 86_400;
/** Each has a budget of its own, so that many would be none. */
const keysPerAccount = 1000;

export async function keyGet(context: Context, id: number | undefined): Promise<Static<typeof KeyShape>[]> {
  const { queries, caller, yard } = context;
  const keys = id === undefined ? await store.keyList(queries, caller.account) : [await found(context, id)];
  return keys.filter((key) => visible(context, key)).map((key) => shown(key, yard.clock.now()));
}

export interface KeyFields {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly allow?: readonly string[];
  readonly expires?: number;
  readonly contact?: number;
}

export async function keyCreate(context: Context, fields: KeyFields): Promise<{ id: string; key: string }> {
  const { queries, caller, yard } = context;
  checkGrant(context, fields.scopes);
  const contact = caller.contact ?? fields.contact;
  if (contact !== undefined && (await contactFind(queries, caller.account, contact))?.subaccount !== 1) {
    throw invalid({ contact: 'must be a sub-account contact of this account' });
  }
  if ((await store.keyCount(queries, caller.account, yard.clock.now())) >= keysPerAccount)
    throw new Fault('state_conflict', { message: `An account has at most ${keysPerAccount} keys at once.` });
  const own = await found(context, caller.key);
  const { text, row } = newKey(caller.account, yard.clock.now(), {
    ...fields,
    contact,
    allow: allowWithin(own, fields.allow),
    limits: own,
    expiresAt: endWithin(own, momentOf(fields.expires, yard.clock.now())),
  });
  const id = await store.keyInsert(queries, row);
  const keyid = String(id);
  context.tell('key.created', { keyid, name: fields.name, scopes: [...fields.scopes] });
  return { id: keyid, key: text };
}

interface KeyRowFields extends Omit<KeyFields, 'expires' | 'contact'> {
  readonly contact?: number | undefined;
  readonly limits?: { readonly rate: number; readonly burst: number };
  readonly expiresAt: number | null;
}
/** A key of an account, whoever makes it: its text, to be shown once, and what is stored. */
export function newKey(account: AccountId, now: number, fields: KeyRowFields): { text: string; row: store.NewKey } {
  const { text, printableId, secretHash } = makeKeyText();
  const { rate, burst } = fields.limits ?? defaultLimits;
  const row: store.NewKey = {
    account_id: account,
    operator_role: null,
    contact_id: fields.contact ?? null,
    kind: 'key',
    printable_id: printableId,
    secret_hash: secretHash.toString('hex'),
    name: fields.name,
    scopes: JSON.stringify(fields.scopes),
    allow: JSON.stringify(fields.allow ?? []),
    rate,
    burst,
    created_at: now,
    expires_at: fields.expiresAt,
  };
  return { text, row };
}

export interface KeyChange extends Partial<Omit<KeyFields, 'contact'>> {
  readonly rotate?: boolean;
  readonly overlap?: number;
}

export async function keyUpdate(context: Context, id: number, change: KeyChange): Promise<{ id: string; key: string }> {
  const { queries, caller, yard } = context;
  const now = yard.clock.now();
  const key = await found(context, id);
  const own = id === caller.key ? key : await found(context, caller.key);
  if (key.revoked_at !== null) throw new Fault('state_conflict', { message: 'The key is revoked.' });
  if (change.scopes !== undefined) checkGrant(context, change.scopes);
  if (change.rotate !== true && change.overlap !== undefined) throw invalid({ overlap: 'goes with rotate' });
  // The new secret of a key that can do more would be a way to get what one was not given.
  if (change.rotate === true) checkGrant(context, JSON.parse(key.scopes) as string[]);
  const rotated = change.rotate === true ? makeKeyText(key.printable_id) : undefined;
  const values = {
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(change.scopes === undefined ? {} : { scopes: JSON.stringify(change.scopes) }),
    ...(change.allow === undefined ? {} : { allow: JSON.stringify(allowWithin(own, change.allow)) }),
    ...(change.expires === undefined ? {} : { expires_at: endWithin(own, momentOf(change.expires, now)) }),
    ...(rotated === undefined
      ? {}
      : {
          secret_hash: rotated.secretHash.toString('hex'),
          previous_hash: key.secret_hash,
          previous_until: now + (change.overlap ?? defaultOverlapSeconds) * 1000,
        }),
  };
  if (Object.keys(values).length === 0)
    throw new Fault('invalid_parameter', { message: 'There is nothing to change.' });
  await store.keyUpdate(queries, caller.account, id, values);
  context.afterCommit(() => yard.authentication.forget());
  tellChange(context, key, change, values.previous_until);
  return { id: String(id), key: rotated?.text ?? '' };
}

function tellChange(context: Context, key: store.Key, change: KeyChange, previousUntil: number | undefined): void {
  const keyid = String(key.id);
  const name = change.name ?? key.name;
  const changed = (['name', 'scopes', 'allow', 'expires'] as const).filter((field) => change[field] !== undefined);
  if (changed.length > 0) context.tell('key.updated', { keyid, name, changed });
  if (previousUntil !== undefined)
    context.tell('key.rotated', { keyid, name, previousuntil: new Date(previousUntil).toISOString() });
}

export async function keyDelete(context: Context, id: number): Promise<void> {
  const { queries, caller, yard } = context;
  const key = await found(context, id);
  const revoked = await store.keyUpdate(queries, caller.account, id, { revoked_at: yard.clock.now() });
  if (revoked) context.tell('key.revoked', { keyid: String(id), name: key.name });
  context.afterCommit(() => yard.authentication.forget());
}

/** A person of a sub-account sees and changes his own keys only. */
async function found(context: Context, id: number): Promise<store.Key> {
  const key = await store.keyFind(context.queries, context.caller.account, id);
  if (key === undefined || !visible(context, key)) throw new Fault('not_found');
  return key;
}
function visible({ caller }: Context, key: store.Key): boolean {
  return caller.contact === undefined || key.contact_id === caller.contact;
}

function checkGrant(context: Context, names: readonly string[]): void {
  if (names.length === 0) throw invalid({ scopes: 'must name at least one scope' });
  const beyond = [...grantedScopes(names)].filter((scope) => !context.caller.scopes.has(scope));
  if (beyond.length > 0) throw new Fault('scope_missing', { message: `Your key cannot grant ${beyond.join(', ')}.` });
}

/** A key that is bound to networks makes keys that are bound to the same, or to less. */
function allowWithin(own: store.Key, wanted: readonly string[] | undefined): readonly string[] {
  const bounds = JSON.parse(own.allow) as string[];
  if (bounds.length === 0 || wanted === undefined || wanted.length === 0) return wanted?.length ? wanted : bounds;
  const networks = bounds.map(parseNetwork).filter((network) => network !== undefined);
  const beyond = wanted.filter((text) => {
    const { base, prefixLength } = parseNetwork(text)!;
    return !networks.some((network) => network.prefixLength <= prefixLength && networkContains(network, base));
  });
  if (beyond.length > 0) throw new Fault('scope_missing', { message: `Your key cannot allow ${beyond.join(', ')}.` });
  return wanted;
}

/** A key that ends makes keys that end no later. A sign-in ends by itself, which says nothing of the keys made in it. */
function endWithin(own: store.Key, wanted: number | null): number | null {
  if (own.kind === 'session' || own.expires_at === null) return wanted;
  return Math.min(own.expires_at, wanted ?? own.expires_at);
}

export function momentOf(seconds: number | undefined, now: number): number | null {
  if (seconds === undefined) return null;
  if (seconds * 1000 <= now) throw invalid({ expires: 'must lie in the future' });
  return seconds * 1000;
}

export function shown(key: store.Key, now: number): Static<typeof KeyShape> {
  const expired = key.expires_at !== null && key.expires_at <= now;
  return {
    id: String(key.id),
    name: key.name,
    scopes: JSON.parse(key.scopes) as string[],
    allow: JSON.parse(key.allow) as string[],
    contact: key.contact_id === null ? '' : String(key.contact_id),
    status: key.revoked_at !== null ? 'Revoked' : expired ? 'Expired' : 'Active',
    created: momentText(key.created_at),
    expires: key.expires_at === null ? '' : momentText(key.expires_at),
    lastused: key.last_used_at === null ? '' : momentText(key.last_used_at),
    lastaddress: key.last_used_address ?? '',
  };
}
