// Calls of the operator API about customers, their keys and their data, that succeed, for the sweeps.
import type { AccountId } from '#store/account-id.ts';
import { exportInsert } from '#store/privacy/exports.ts';
import type { TestApp } from './app.ts';
import { ofCustomer } from './money-fixtures.ts';
import type { Maker } from './operator-fixtures.ts';
import { accountFields, createAccount, operatorResult } from './operators.ts';
import { allowSignUp, insertSignUp, insertSignUpInvitation } from './sign-up-fixtures.ts';

async function noteOfStaff(app: TestApp): Promise<string> {
  const note = { account: app.lab.customer.account, text: 'a sweep' };
  return (await operatorResult<{ id: string }>(app, 'POST', 'note', note)).id;
}

export const customerMakers: Readonly<Record<string, Maker>> = {
  accountGet: ({ lab }) => ({ params: { id: lab.customer.account } }),
  accountCreate: () => ({ params: accountFields() }),
  accountUpdate: async (app) => ({ params: { id: await createAccount(app), city: 'Odense' } }),
  accountSuspend: async (app) => ({ params: { id: await createAccount(app) } }),
  accountResume: async (app) => {
    const id = await createAccount(app);
    await operatorResult(app, 'POST', 'account/suspend', { id, reason: 'a sweep' });
    return { params: { id } };
  },
  accountClose: async (app) => ({ params: { id: await createAccount(app) } }),
  accountExportCreate: async (app) => ({ params: { id: await createAccount(app) } }),
  accountExportList: ({ lab }) => ({ params: { id: lab.customer.account } }),
  accountExportFile: async ({ parts: { store, clock }, lab }) => {
    const now = clock.now();
    const archive = { account_id: Number(lab.customer.account) as AccountId, operator: 'a sweep', reason: 'a sweep' };
    const times = { created_at: now, ready_at: now, expires_at: now + 86_400_000 };
    const row = { ...archive, ...times, status: 'Ready' as const, size_bytes: 0, error: '' };
    return { params: { export: String(await exportInsert(store.queries, row)) } };
  },
  erasureRequest: async (app) => ({ params: { id: await createAccount(app) } }),
  erasureCancel: async (app) => {
    const id = await createAccount(app);
    await operatorResult(app, 'POST', 'erasure', { id, reason: 'a sweep' });
    return { params: { id } };
  },
  erasureReplay: async (app) => ({ params: { accounts: [await createAccount(app)] } }),
  keyList: ofCustomer,
  keyCreate: ofCustomer,
  keyRevoke: async (app) => {
    const { account } = app.lab.customer;
    const { id } = await operatorResult<{ id: string }>(app, 'POST', 'key', {
      account,
      name: 'sweep',
      scopes: ['all'],
    });
    return { params: { account, id } };
  },
  signUpApprove: async (app) => ({ params: { id: (await insertSignUp(app, 'Waiting')).id } }),
  signUpReject: async (app) => ({ params: { id: (await insertSignUp(app, 'Waiting')).id } }),
  signUpInvitationCreate: async (app) => {
    await allowSignUp(app, { mode: 'invited' });
    return { params: {} };
  },
  signUpInvitationDelete: async (app) => ({ params: { id: await insertSignUpInvitation(app) } }),
  noteList: ofCustomer,
  noteCreate: ofCustomer,
  noteUpdate: async (app) => ({ params: { id: await noteOfStaff(app) } }),
  noteDelete: async (app) => ({ params: { id: await noteOfStaff(app) } }),
  contactList: ofCustomer,
  eventList: ofCustomer,
};
