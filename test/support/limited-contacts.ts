// Contacts that are limited to certain services, with their own key.
import type { TestApp } from './app.ts';
import { anna } from './contacts.ts';
import { scopeNames } from '#contract/scopes.ts';
import { createKey, requestResult } from './request.ts';

export interface LimitedContact {
  readonly id: string;
  readonly session: string;
  readonly key: string;
}

let contacts = 0;

/** Creates a sub-account with all permissions, for these services only. */
export async function createLimitedContact(app: TestApp, services: readonly string[]): Promise<LimitedContact> {
  const owner = app.lab.customer.key;
  const email = `limited${contacts++}@example.com`;
  const { contactid: id } = await requestResult<{ contactid: string }>(app, 'POST', '/v2/account/contact', {
    key: owner,
    params: { ...anna, email },
  });
  const params = { id, subaccount: true, permissions: scopeNames, services };
  await requestResult(app, 'PUT', '/v2/account/contact/settings', { key: owner, params });
  const { key: session } = await requestResult<{ key: string }>(app, 'POST', '/v2/session', {
    params: { email, password: anna.password },
  });
  const { key } = await createKey(app, session, { scopes: ['all'] });
  return { id, session, key };
}
