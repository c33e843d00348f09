// Calls of people who sign in, each from another network address, because attempts are counted by address.
import assert from 'node:assert/strict';
import type { Session, SessionSelf } from '#sdk/v2.ts';
import type { TestApp } from './app.ts';
import { anna } from './contacts.ts';
import { codeOf, uniqueAddress } from './operators.ts';
import { request, type Envelope, type ErrorResult } from './request.ts';

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly contact: string;
}

let people = 0;

export const firstPassword = 'first password';

export function newEmail(name: string): string {
  return `${name}${process.pid}-${++people}@example.com`;
}

/** `headers` are those of the page that people use, for passkeys. */
export function signInCalls(app: () => TestApp, headers: Record<string, string> = {}) {
  const send = <Result>(method: string, path: string, params: Record<string, unknown> = {}, key?: string) =>
    request<Envelope<Result & ErrorResult>>(app(), method, path, {
      ...(key === undefined ? {} : { key }),
      params,
      headers: { ...uniqueAddress(), ...headers },
    });
  /** Returns the result of a call that must succeed. */
  async function done<Result>(...call: Parameters<typeof send>): Promise<Result> {
    const { status, body } = await send<Result>(...call);
    assert.equal(status, 200, `${call[0]} ${call[1]}: ${JSON.stringify(body)}`);
    return body.result;
  }
  async function rejection(...call: Parameters<typeof send>): Promise<string> {
    const { status, body } = await send(...call);
    return `${status} ${body.result.code}`;
  }

  /** A separate sub-account, because wrong attempts are counted by email address. */
  async function newPerson({
    permissions = ['account:read'],
    email = newEmail('lena'),
    password = firstPassword,
    key = app().lab.customer.key,
  } = {}): Promise<Person> {
    const fields = { ...anna, email, password };
    const { contactid: contact } = await done<{ contactid: string }>('POST', '/v2/account/contact', fields, key);
    await done('PUT', '/v2/account/contact/settings', { id: contact, subaccount: true, permissions }, key);
    return { email, password, contact };
  }
  const signIn = ({ email, password }: Omit<Person, 'contact'>) =>
    done<Session>('POST', '/v2/session', { email, password });
  const self = (key: string) => done<SessionSelf>('GET', '/v2/session', {}, key);

  /** Enrols and confirms an authenticator app. Returns its secret. */
  async function enableTotp(key: string, password = firstPassword): Promise<string> {
    const { secret } = await done<{ secret: string }>('POST', '/v2/session/totp', { password }, key);
    await done('PUT', '/v2/session/totp', { code: codeOf(app(), secret) }, key);
    return secret;
  }
  /** A new signed-in person. */
  async function newcomer(...fields: Parameters<typeof newPerson>) {
    const person = await newPerson(...fields);
    return { ...person, key: (await signIn(person)).key };
  }
  return { send, done, rejection, newPerson, newcomer, signIn, self, enableTotp };
}
