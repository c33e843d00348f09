// One of the provider's staff, signed in with a second factor, and how the operator's side is asked.
import assert from 'node:assert/strict';
import type { OperatorRole } from '#contract/roles.ts';
import { totpBytes, totpCode, totpStep } from '#kernel/totp.ts';
import { request } from './request.ts';
import type { TestYard } from './yard.ts';

export interface Envelope<Result> {
  readonly success: boolean;
  readonly results: number;
  readonly result: Result;
}
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

let visitors = 0;
/** Every visitor has an address of its own: signing in is limited by address. The yard has to trust 127.0.0.1 as a proxy. */
export function elsewhere(): { 'x-forwarded-for': string } {
  visitors++;
  return { 'x-forwarded-for': `198.51.${100 + (visitors >> 8)}.${visitors & 255}` };
}

export function asOperator<Result>(
  yard: TestYard,
  method: string,
  path: string,
  params: Record<string, unknown> = {},
  key: string = yard.lab.operator.key,
) {
  return request<Envelope<Result>>(yard, method, `/operator/${path}`, { key, params, headers: elsewhere() });
}

/** What is answered, of a call that has to succeed. */
export async function operated<Result>(...call: Parameters<typeof asOperator>): Promise<Result> {
  const { status, body } = await asOperator<Result>(...call);
  assert.equal(status, 200, `${call[1]} ${call[2]}: ${JSON.stringify(body)}`);
  return body.result;
}

let people = 0;
export interface SignedIn {
  readonly id: string;
  readonly name: string;
  readonly password: string;
  readonly secret: string;
  readonly key: string;
}

/** With a name of its own, since wrong attempts are counted by name for the whole process. */
export async function newOperator(yard: TestYard, role: OperatorRole) {
  const name = `${role}-${process.pid}-${++people}`;
  const made = await operated<{ id: string; password: string }>(yard, 'POST', 'operator', { name, role });
  return { name, ...made };
}

export async function signedIn(yard: TestYard, role: OperatorRole): Promise<SignedIn> {
  const { id, name, password } = await newOperator(yard, role);
  const { key } = await operated<{ key: string }>(yard, 'POST', 'session', { name, password });
  const { secret } = await operated<{ secret: string }>(yard, 'POST', 'totp', {}, key);
  await operated(yard, 'PUT', 'totp', { code: codeOf(yard, secret) }, key);
  return { id, name, password, secret, key };
}

let customers = 0;
/** A customer without anything yet; answers his number. */
export function newAccount(yard: TestYard): Promise<string> {
  return operated<string>(yard, 'POST', 'account', accountFields());
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

/** A small machine, on terms. */
export function machineOrder(account: string) {
  const shape = { template: 'debian-12', vcpus: 1, memorymb: 512, diskgb: 10 };
  const terms = { plan: 'small', price: '9.00', setup: '5.00' };
  return { account, type: 'vps', name: 'VPS', hostname: 'new.example.net', ...shape, ...terms };
}

/** The code of this moment by the yard's clock, or of a step beside it. */
export function codeOf(yard: TestYard, secret: string, beside = 0): string {
  return totpCode(totpBytes(secret), totpStep(yard.parts.clock.now()) + beside);
}
