// A staff member signed in with a second factor, and calls to the operator API.
import assert from 'node:assert/strict';
import type { OperatorRole } from '#contract/roles.ts';
import { createKeyText } from '#lib/key-text.ts';
import { totpBytes, totpCode, totpStep } from '#lib/totp.ts';
import { keyInsert } from '#store/account/keys.ts';
import { request, type Envelope } from './request.ts';
import type { TestApp } from './app.ts';

let visitors = 0;
/**
 * Gives every caller its own address, because sign-in is rate-limited by address. The app must trust 127.0.0.1 as a
 * proxy.
 */
export function uniqueAddress(): { 'x-forwarded-for': string } {
  visitors++;
  return { 'x-forwarded-for': `198.51.${100 + (visitors >> 8)}.${visitors & 255}` };
}

/** An app of this process, or a server. */
interface OperatorTarget {
  readonly url: string;
  readonly lab: { readonly operator: { readonly key: string } };
}

export function asOperator<Result>(
  app: OperatorTarget,
  method: string,
  path: string,
  params: Record<string, unknown> = {},
  key: string = app.lab.operator.key,
) {
  return request<Envelope<Result>>(app, method, `/operator/${path}`, { key, params, headers: uniqueAddress() });
}

/** Returns the result of a call that must succeed. */
export async function operatorResult<Result>(...call: Parameters<typeof asOperator>): Promise<Result> {
  const { status, body } = await asOperator<Result>(...call);
  assert.equal(status, 200, `${call[1]} ${call[2]}: ${JSON.stringify(body)}`);
  return body.result;
}

let people = 0;
export interface SignedInOperator {
  readonly id: string;
  readonly name: string;
  readonly password: string;
  readonly secret: string;
  readonly key: string;
}

/** Uses a unique name, because failed attempts are counted by name for the whole process. */
export async function createOperator(app: TestApp, role: OperatorRole) {
  const name = `${role}-${process.pid}-${++people}`;
  const created = await operatorResult<{ id: string; password: string }>(app, 'POST', 'operator', { name, role });
  return { name, ...created };
}

export async function signInOperator(app: TestApp, role: OperatorRole): Promise<SignedInOperator> {
  const { id, name, password } = await createOperator(app, role);
  const { key } = await operatorResult<{ key: string }>(app, 'POST', 'session', { name, password });
  const { secret } = await operatorResult<{ secret: string }>(app, 'POST', 'totp', { password }, key);
  await operatorResult(app, 'PUT', 'totp', { code: codeOf(app, secret) }, key);
  return { id, name, password, secret, key };
}

let customers = 0;
/** Creates a customer without services and returns the account id. */
export function createAccount(app: TestApp): Promise<string> {
  return operatorResult<string>(app, 'POST', 'account', accountFields());
}
export function accountFields() {
  return {
    firstname: 'Ole',
    lastname: 'Krag',
    email: `ole${process.pid}-${++customers}@example.com`,
    address1: 'Havn 1',
    city: 'Aarhus',
    state: 'Midtjylland',
    postcode: '8000',
    country: 'dk',
  };
}

/** A small machine, with terms. */
export function machineOrder(account: string) {
  const shape = { template: 'debian-12', vcpus: 1, memorymb: 512, diskgb: 10 };
  const terms = { plan: 'small', price: '9.00', setup: '5.00' };
  return { account, type: 'vps', name: 'VPS', hostname: 'new.example.net', ...shape, ...terms };
}

/** Returns the code for the app's current time, or for a neighbouring step. */
export function codeOf(app: TestApp, secret: string, stepOffset = 0): string {
  return totpCode(totpBytes(secret), totpStep(app.parts.clock.now()) + stepOffset);
}

/** Creates a key with the permissions of a role, which belongs to nobody. */
export async function createRoleKey({ parts }: TestApp, role: OperatorRole): Promise<string> {
  const { text, printableId, secretHash } = createKeyText();
  await keyInsert(parts.store.queries, {
    account_id: null,
    operator_role: role,
    contact_id: null,
    kind: 'key',
    printable_id: printableId,
    secret_hash: secretHash.toString('hex'),
    name: `a key with the role ${role}`,
    scopes: '[]',
    allow: '[]',
    rate: 1000,
    burst: 100_000,
    created_at: 0,
  });
  return text;
}
