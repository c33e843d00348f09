// Calls of the operator API about staff, their sessions and their factors, that succeed, for the sweeps.
import { providerAccount } from '#store/account/accounts.ts';
import type { TestApp } from './app.ts';
import type { Maker } from './operator-fixtures.ts';
import { codeOf, createOperator, operatorResult, signInOperator } from './operators.ts';
import { createPasskey } from './passkeys.ts';

/** Signed in, but without a second factor. */
async function halfWay(app: TestApp) {
  const { name, password } = await createOperator(app, 'support');
  const { key } = await operatorResult<{ key: string }>(app, 'POST', 'session', { name, password });
  return { name, password, key };
}

export const staffMakers: Readonly<Record<string, Maker>> = {
  sessionCreate: async (app) => {
    const { name, password } = await createOperator(app, 'support');
    return { params: { name, password } };
  },
  sessionDelete: async (app) => ({ params: {}, key: (await signInOperator(app, 'support')).key }),
  totpEnrol: async (app) => {
    const { key, password } = await halfWay(app);
    return { params: { password }, key };
  },
  totpConfirm: async (app) => {
    const { key, password } = await halfWay(app);
    const { secret } = await operatorResult<{ secret: string }>(app, 'POST', 'totp', { password }, key);
    return { params: { code: codeOf(app, secret) }, key };
  },
  passwordSet: async (app) => {
    const { password, key } = await signInOperator(app, 'support');
    return { params: { password, newpassword: 'correct horse' }, key };
  },
  passkeyGet: async (app) => ({ params: {}, key: (await signInOperator(app, 'support')).key }),
  passkeyDelete: async (app) => {
    const { id, password, key } = await signInOperator(app, 'support');
    return { params: { id: await createPasskey(app, providerAccount, Number(id)), password }, key };
  },
  emailSet: async (app) => {
    const { password, key } = await signInOperator(app, 'support');
    return { params: { email: 'sam@example.net', password }, key };
  },
  operatorCreate: () => ({ params: { name: `new-${process.pid}`, role: 'support' } }),
  operatorUpdate: async (app) => ({ params: { id: (await createOperator(app, 'support')).id, role: 'billing' } }),
  operatorDelete: async (app) => ({ params: { id: (await createOperator(app, 'support')).id } }),
  impersonationStart: async (app) => ({
    params: { account: app.lab.customer.account },
    key: (await signInOperator(app, 'support')).key,
  }),
  impersonationEnd: async (app) => {
    const { key } = await signInOperator(app, 'support');
    const params = { account: app.lab.customer.account, reason: 'a sweep' };
    const { id } = await operatorResult<{ id: string }>(app, 'POST', 'impersonation', params, key);
    return { params: { id } };
  },
};
