// What is left of an account that staff have closed, and what its former owner and others can do then.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eraseDueAccounts } from '#app/privacy/erase.ts';
import { signUpJob, signUpWorker } from '#app/sign-up/requests.ts';
import { dayMs } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { accountChange, accountFind } from '#store/account/accounts.ts';
import { signUpChange, signUpFind } from '#store/account/sign-ups.ts';
import { zoneCount } from '#store/dns/zones.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { accountFields, operatorResult } from '#test/support/operators.ts';
import { requestResult } from '#test/support/request.ts';
import { allowSignUp, insertSignUp } from '#test/support/sign-up-fixtures.ts';
import { until } from '#test/support/until.ts';

describeOnEngines('an account that is closed', { postgres: 'in long runs' }, ({ engine, openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp({ trustedProxies: ['127.0.0.1'] })));

  let zones = 0;
  async function createCustomer() {
    const fields = accountFields();
    const id = await operatorResult<string>(app, 'POST', 'account', fields);
    const newKey = { account: id, name: 'own', scopes: ['all'] };
    const { key } = await operatorResult<{ key: string }>(app, 'POST', 'key', newKey);
    const domain = `closed-${++zones}.${engine}.example.org`;
    await requestResult(app, 'POST', '/v2/dns/domain', { key, params: { domain } });
    return { id, account: Number(id) as AccountId, fields, domain };
  }
  const close = (id: string) => operatorResult(app, 'DELETE', 'account', { id });
  const zonesOf = (account: AccountId) => zoneCount(app.parts.store.queries, account);

  test('has no zones any more', async () => {
    const { id, account, domain } = await createCustomer();
    await close(id);
    assert.equal(await zonesOf(account), 0);
    const events = await operatorResult<{ type: string; data: { name?: string } }[]>(app, 'GET', 'event', {
      account: id,
    });
    const deleted = events.filter(({ type }) => type === 'dns.zone.deleted');
    assert.deepEqual(
      deleted.map(({ data }) => data.name),
      [domain],
    );
  });

  test('can be erased, even if an earlier version left its zones', async () => {
    const { id, account } = await createCustomer();
    await accountChange(app.parts.store.queries, account, { status: 'Closed' });
    await operatorResult(app, 'POST', 'erasure', { id, reason: 'a letter' });
    app.pass(15 * dayMs);
    await eraseDueAccounts(app.parts, new AbortController().signal);
    assert.equal(await zonesOf(account), 0);
    app.pass(10 * 60_000);
    await eraseDueAccounts(app.parts, new AbortController().signal);
    assert.equal((await accountFind(app.parts.store.queries, account))!.firstname, '');
  });

  test('leaves no rejected sign-up of its owner once it is erased', async () => {
    const { queries } = app.parts.store;
    const { id, fields } = await createCustomer();
    const signUp = Number((await insertSignUp(app, 'Waiting')).id);
    const rejected = { status: 'Rejected', sign_in: fields.email.toLowerCase(), email: fields.email } as const;
    await signUpChange(queries, { id: signUp, status: 'Waiting' }, rejected);
    await operatorResult(app, 'POST', 'erasure/replay', { accounts: [id], reason: 'restored' });
    app.pass(10 * 60_000);
    await eraseDueAccounts(app.parts, new AbortController().signal);
    assert.equal(await signUpFind(queries, { id: signUp }), undefined);
  });

  test('because its erasure is repeated after a restore, keeps no zones of the backup', async () => {
    const { id, account } = await createCustomer();
    await operatorResult(app, 'POST', 'erasure/replay', { accounts: [id], reason: 'restored' });
    assert.equal(await zonesOf(account), 0);
  });

  test('does not keep its address from another account', async () => {
    const { id, fields } = await createCustomer();
    await close(id);
    const next = await operatorResult<string>(app, 'POST', 'account', fields);
    assert.notEqual(next, id);
  });

  test('does not keep its owner from signing up again', async () => {
    await allowSignUp(app);
    await app.parts.queue.start([signUpWorker(app.parts)]);
    const { id, fields } = await createCustomer();
    await close(id);
    const { queries } = app.parts.store;
    const signUp = Number((await insertSignUp(app, 'Unverified')).id);
    await signUpChange(queries, { id: signUp, status: 'Unverified' }, { sign_in: fields.email, email: fields.email });
    await app.parts.queue.enqueue(queries, signUpJob, { id: signUp, signIn: fields.email });
    const mailsToOwner = () =>
      queries
        .selectFrom('mails')
        .select('kind')
        .where('address', '=', fields.email)
        .where('kind', 'like', 'signup%')
        .execute();
    await until(async () => (await mailsToOwner()).length > 0, { saw: mailsToOwner });
    assert.deepEqual(await mailsToOwner(), [{ kind: 'signup' }]);
  });
});
