// Two calls at the same moment, on PostgreSQL: neither undoes or repeats what the other does. SQLite has one writer at a time.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { continueEvacuations } from '#app/machines/evacuation.ts';
import { resumeAccount, suspendAccount } from '#app/billing/suspension.ts';
import { createLinkToken } from '#app/account/links.ts';
import { recordBounce } from '#app/mail/bounces.ts';
import { returnPath } from '#app/mail/return-path.ts';
import { queueMail } from '#app/mail/sending.ts';
import { createAttackWatch } from '#app/network/attack-watch.ts';
import { withdrawLostNames } from '#app/dns/lost-names.ts';
import { unsubscribe, unsubscribeUrl } from '#app/mail/unsubscribe.ts';
import type { PasswordHash } from '#contract/parameters.ts';
import { applySite } from '#app/site/apply.ts';
import type { SiteCustomer } from '#contract/site/site.ts';
import { hourMs } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { keyUpdate } from '#store/account/keys.ts';
import { operatorHolder } from '#app/operator/signed-in.ts';
import { contactUpdate } from '#store/account/contacts.ts';
import { passkeyRemove } from '#store/account/passkeys.ts';
import { operatorLock, operatorUpdate } from '#store/operator/operators.ts';
import { accountChange, accountFind, providerAccount } from '#store/account/accounts.ts';
import { signInOf } from '#store/account/sign-ins.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { hypervisorMaintenanceSet } from '#store/devices/hypervisors.ts';
import { bounceFind, bouncePut } from '#store/mail/bounces.ts';
import { mailUpdate } from '#store/mail/mails.ts';
import { recordsOfLostAddresses } from '#store/dns/records.ts';
import { attackSeenAtSet, attacksInsert, attacksOpen } from '#store/network/attacks.ts';
import { netblockFind, netblockRemove } from '#store/network/netblocks.ts';
import { choicesFind, choicesPut } from '#store/mail/recipients.ts';
import { planDefinition, pricePlanChange, pricePlanFind } from '#store/pricing/price-plans.ts';
import { machineDeletionInsert, machineDeletionRemove } from '#store/devices/machine-deletions.ts';
import { serviceFind, serviceList, serviceStatusSet } from '#store/devices/services.ts';
import { serviceLock, serviceTerminate } from '#store/operator/operator-services.ts';
import type { Queries } from '#store/store.ts';
import { startWorkflow } from '#workflows/engine/runner.ts';
import { machineBackup } from '#workflows/machine/machine-backup.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { callDuring } from '#test/support/concurrent-calls.ts';
import { asOperator, signInOperator } from '#test/support/operators.ts';
import { createPasskey } from '#test/support/passkeys.ts';
import { needs } from '#test/support/needs.ts';
import { startPostgres } from '#test/support/postgres.ts';
import { createKey, request, requestResult } from '#test/support/request.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

const bounceAddress = 'bounces@provider.example';

describe('of two changes at the same moment', needs('initdb', 'postgres'), () => {
  const owned = suiteResources();
  let app: TestApp;
  before(async () => {
    const postgres = owned.use(await startPostgres());
    app = owned.use(await openTestApp({ database: await postgres.createStoreDatabase() }));
    const relays = [{ host: '127.0.0.1', port: 9, security: 'none' as const }];
    await applySite(app.parts, {
      ...app.site,
      backups: { repository: { driver: 'lab', path: '/unused' } },
      mail: { from: 'noreply@provider.example', url: 'https://panel.example', relays, bounceAddress },
    });
  });
  const account = () => Number(app.lab.customer.account) as AccountId;
  const during = <Result>(change: (queries: Queries) => Promise<unknown>, call: () => Promise<Result>) =>
    callDuring(app.parts.store, change, call);

  test('both unsubscriptions of a person are kept', async () => {
    const mail = { account_id: account(), contact_id: null, kind: 'device.reload.completed' };
    const token = unsubscribeUrl(app.parts, 'https://panel.example', mail)!.split('/').at(-1)!;
    await during(
      (queries) => choicesPut(queries, account(), undefined, { language: 'de', off: ['payment.received'] }),
      () => unsubscribe(app.parts, token),
    );
    const choices = await choicesFind(app.parts.store.queries, account(), undefined);
    assert.deepEqual(choices, { language: 'de', off: ['payment.received', 'device.reload.completed'] });
  });

  async function sentMail(address: string): Promise<number> {
    const mail = { account: account(), contact: null, address, language: '', kind: 'test', values: {} } as const;
    return app.parts.store.transaction(async (queries) => {
      const id = await queueMail(app.parts, queries, { ...mail, values: { recipient: address } });
      await mailUpdate(queries, id, { status: 'Sent' });
      return id;
    });
  }
  const reportBounce = (id: number) =>
    recordBounce(
      app.parts,
      `To: ${returnPath(app.parts, bounceAddress, id)}
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="edge"

--edge
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; somebody@example.org
Action: failed
Status: 5.1.1

--edge--
`,
    );

  test('both bounces of an address count', async () => {
    const id = await sentMail('both@example.org');
    const holder = { account_id: account(), address: 'both@example.org' };
    const bounce = {
      ...holder,
      count: 1,
      diagnostic: '',
      bounced_at: app.parts.clock.now(),
      undeliverable_since: null,
    };
    assert.equal(
      await during(
        (queries) => bouncePut(queries, bounce),
        () => reportBounce(id),
      ),
      'recorded',
    );
    assert.equal((await bounceFind(app.parts.store.queries, holder))!.count, 2);
  });

  test('a report of a bounce counts once', async () => {
    const id = await sentMail('once@example.org');
    assert.equal(
      await during(
        (queries) => mailUpdate(queries, id, { status: 'Bounced' }),
        () => reportBounce(id),
      ),
      'already recorded',
    );
  });

  test('a machine is backed up once', async () => {
    const { store } = app.parts;
    const services = await serviceList(store.queries, account(), undefined);
    const service = services.find(({ type }) => type === 'vps');
    const start = async (queries: Queries) => {
      await serviceLock(queries, service!.id);
      const input = { service: service!.id, node: 'any', name: 'vm-1', purpose: 'a backup', backup: 'first' };
      const by = { account: account(), service: service!.id, operation: 'test' };
      await startWorkflow(app.parts, queries, machineBackup, { ...by, input });
    };
    const params = { service: service!.id };
    const { status, body } = await during(start, () =>
      request(app, 'POST', '/v2/machine/backup', { key: app.lab.customer.key, params }),
    );
    assert.equal(status, 409, JSON.stringify(body));
    assert.match(JSON.stringify(body), /A backup of this machine is being created/);
  });

  test('a machine that is restored while its account is suspended for unpaid invoices stays suspended', async () => {
    const { store, clock } = app.parts;
    const { queries } = store;
    const service = Number(app.lab.vps.service);
    const owner = { service_id: service, account_id: account() };
    const times = { deleted_at: clock.now(), expires_at: clock.now() + hourMs, until_day: null, otherwise_day: null };
    await machineDeletionInsert(queries, { ...owner, ...times });
    await serviceStatusSet(queries, account(), service, { from: 'Active', to: 'Suspended' });
    const { status, body } = await during(
      async (inside) => {
        await billingAccountLock(inside, account());
        await suspendAccount(app.parts, inside, account(), '');
      },
      () =>
        request(app, 'POST', '/v2/machine/restore', {
          key: app.lab.customer.key,
          params: { service },
        }),
    );
    assert.equal(status, 403, JSON.stringify(body));
    assert.equal((await serviceFind(queries, account(), service))?.status, 'Suspended');
    await machineDeletionRemove(queries, service);
    await serviceStatusSet(queries, account(), service, { from: 'Suspended', to: 'Active' });
    await store.transaction((inside) => resumeAccount(app.parts, inside, account()));
  });

  test('a reverse name is not set for an address that is taken back', async () => {
    const { queries } = app.parts.store;
    const { key } = app.lab.customer;
    const params = { service: app.lab.dedicated.service, type: 'ipv4', size: '/32' };
    const { netblock } = await requestResult<{ netblock: string }>(app, 'POST', '/v2/network/netblock', {
      key,
      params,
    });
    const { id } = (await netblockFind(queries, netblock))!;
    const ip = netblock.replace('/32', '');
    const { status } = await during(
      async (inside) => {
        await netblockRemove(inside, id);
        await withdrawLostNames(app.parts, inside);
      },
      () => request(app, 'PUT', '/v2/dns/reverse', { key, params: { ip, record: 'mail.example.com' } }),
    );
    assert.equal(status, 404);
    assert.deepEqual(await recordsOfLostAddresses(queries), []);
  });

  test('a site file changes what it states, and not a password, suspension or termination', async () => {
    const { store } = app.parts;
    const [{ passwordHash: _, ...customer }, ...others] = app.site.customers as [SiteCustomer, ...SiteCustomer[]];
    const id = customer.id as AccountId;
    const moved = { ...app.site, customers: [{ ...customer, city: 'Lund' }, ...others] };
    const change = { password_hash: 'another' as PasswordHash, status: 'Suspended' } as const;
    await during(
      (queries) => accountChange(queries, id, change),
      () => applySite(app.parts, moved),
    );
    const row = (await accountFind(store.queries, id))!;
    assert.deepEqual([row.city, row.password_hash, row.status], ['Lund', 'another', 'Suspended']);
    await accountChange(store.queries, id, { status: 'Active' });

    const services = app.site.services!.map((service) => ({ ...service, name: `${service.name} 2` }));
    const { id: first } = app.site.services!.find(({ server }) => server !== undefined)!;
    await during(
      (queries) => serviceTerminate(queries, first),
      () => applySite(app.parts, { ...moved, services }),
    );
    const terminated = (await serviceLock(store.queries, first))!;
    assert.match(terminated.name, / 2$/);
    assert.deepEqual([terminated.status, terminated.server], ['Terminated', null]);
    await applySite(app.parts, app.site);
  });

  test('a plan that is withdrawn keeps its new price', async () => {
    await asOperator(app, 'POST', 'plan', { name: 'Both', price: '10.00' });
    const { definition } = (await pricePlanFind(app.parts.store.queries, 'Both'))!;
    const plan = { ...planDefinition.decode(definition), price: '12.00' };
    await during(
      (queries) => pricePlanChange(queries, 'Both', { definition: planDefinition.encode(plan), changed_at: 1 }),
      () => asOperator(app, 'POST', 'plan/withdraw', { name: 'Both' }),
    );
    const changed = (await pricePlanFind(app.parts.store.queries, 'Both'))!;
    assert.deepEqual([planDefinition.decode(changed.definition).price, changed.state], ['12.00', 'Withdrawn']);
  });

  test('a key is not rotated if it was revoked', async () => {
    const { id } = await createKey(app, app.lab.customer.key, { scopes: ['all'] });
    const rotated = await during(
      (queries) => keyUpdate(queries, account(), Number(id), { revoked_at: app.parts.clock.now() }),
      () => request(app, 'PUT', '/v2/account/key', { key: app.lab.customer.key, params: { id, rotate: true } }),
    );
    assert.equal(rotated.status, 409);
  });

  test('an invitation does not sign in with the address that its contact had before', async () => {
    const email = 'former@example.com';
    const { contact } = await requestResult<{ contact: string }>(app, 'POST', '/v2/account/invitation', {
      key: app.lab.customer.key,
      params: { firstname: 'Eve', lastname: 'Berg', email, permissions: ['device:read'] },
    });
    // The token is only in the message, so that the test gives it another one.
    const { token, token_hash } = createLinkToken();
    const { store } = app.parts;
    await store.queries
      .updateTable('invitations')
      .set({ token_hash })
      .where('contact_id', '=', Number(contact))
      .execute();
    const accepted = await during(
      (queries) => contactUpdate(queries, account(), Number(contact), { email: 'new@example.com' }),
      () => request(app, 'PUT', '/v2/session/invitation', { params: { token, newpassword: 'a password of my own' } }),
    );
    assert.equal(accepted.status, 404);
    assert.equal(await signInOf(store.queries, { account_id: account(), contact_id: Number(contact) }), undefined);
  });

  test('only one removes a passkey, if they are the only second factor of an operator', async () => {
    const { id, password, key } = await signInOperator(app, 'support');
    const holder = operatorHolder(Number(id));
    const add = () => createPasskey(app, providerAccount, holder.operator_id);
    const [first, second] = [await add(), await add()];
    await operatorUpdate(app.parts.store.queries, Number(id), { totp_secret: null, totp_since: null });
    const removed = await during(
      async (queries) => {
        await operatorLock(queries, Number(id));
        await passkeyRemove(queries, holder, Number(first));
      },
      () => asOperator(app, 'DELETE', 'session/passkey', { id: second, password }, key),
    );
    assert.equal(removed.status, 409);
  });

  test('an evacuation that is cancelled moves no other machine', async () => {
    const { store, clock } = app.parts;
    const { name: node } = await store.queries.selectFrom('nodes').select('name').executeTakeFirstOrThrow();
    await store.queries.updateTable('machines').set({ node, state: 'ready' }).execute();
    await store.queries.deleteFrom('workflows').execute();
    const maintenance = {
      maintenance_since: clock.now(),
      maintenance_reason: 'new fans',
      evacuation_since: clock.now(),
    };
    await hypervisorMaintenanceSet(store.queries, node, maintenance);
    await during(
      (queries) => hypervisorMaintenanceSet(queries, node, { evacuation_ended_at: clock.now() }),
      () => continueEvacuations(app.parts, AbortSignal.timeout(60_000)),
    );
    const migrations = store.queries.selectFrom('workflows').select('id').where('name', '=', 'machine-migrate');
    assert.deepEqual(await migrations.execute(), []);
    await hypervisorMaintenanceSet(store.queries, node, { evacuation_ended_at: null });
    await continueEvacuations(app.parts, AbortSignal.timeout(60_000));
    assert.notDeepEqual(await migrations.execute(), []);
  });

  test('staff start nothing on a service that is terminated', async () => {
    const { queries } = app.parts.store;
    const services = queries.selectFrom('services').select(['id', 'server']).where('server', 'is not', null);
    const { id, server: device } = await services.executeTakeFirstOrThrow();
    const { status, body } = await during(
      (inside) => serviceTerminate(inside, id),
      () => asOperator(app, 'POST', 'device/power', { device: device!, action: 'cycle', reason: 'Ticket 4711' }),
    );
    assert.equal(status, 404, JSON.stringify(body));
  });

  test('an attack that is reported again is not over', async () => {
    const { store, clock } = app.parts;
    const at = clock.now() - 2 * 3_600_000;
    const attack = { detector: 'gone', attack: '', address: 'unused', device: '', network: '' };
    const times = { started_at: at, seen_at: at };
    const [inserted] = await attacksInsert(store.queries, [
      { ...attack, ...times, account_id: null, service_id: null },
    ]);
    await during(
      (queries) => attackSeenAtSet(queries, inserted!.id, clock.now()),
      () => createAttackWatch(app.parts)(AbortSignal.timeout(60_000)),
    );
    assert.deepEqual(
      (await attacksOpen(store.queries)).map(({ id }) => id),
      [inserted!.id],
    );
  });
});
