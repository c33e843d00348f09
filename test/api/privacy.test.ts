// Archives of everything about an account, and erasure: complete, and never anything of another account.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { ensurePeriod } from '#app/billing/calendar.ts';
import { issueBill } from '#app/billing/run.ts';
import { applySite } from '#app/site/apply.ts';
import { loadStoredSite } from '#app/site/export.ts';
import { eraseDueAccounts } from '#app/privacy/erase.ts';
import { exportWorker } from '#app/privacy/exports.ts';
import { appendEvents } from '#events/append.ts';
import { housekeeping } from '#reconcilers/housekeeping.ts';
import { findAuditProblems } from '#app/account/audit.ts';
import type { AccountId } from '#store/account-id.ts';
import { dayOf } from '#lib/time.ts';
import { accountFind, providerAccount } from '#store/account/accounts.ts';
import { billingAccountSet } from '#store/billing/billing-accounts.ts';
import {
  accountRows,
  archivedTables,
  eraseTable,
  tablesToErase,
  tablesToPurge,
  tablesWith,
} from '#store/privacy/account-rows.ts';
import { erasureFind } from '#store/privacy/erasures.ts';
import { tableRules } from '#store/privacy/rules.ts';
import { createAccountFixtures } from '#test/support/account-fixtures.ts';
import type { TestApp } from '#test/support/app.ts';
import { anna } from '#test/support/contacts.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { accountFields, asOperator, operatorResult } from '#test/support/operators.ts';
import { fillAccount, fillStaffColumns, forStaff } from '#test/support/privacy-fixtures.ts';
import { request, requestResult } from '#test/support/request.ts';
import { untilDefined } from '#test/support/until.ts';

const run = promisify(execFile);
const dayMs = 86_400_000;
const aborted = AbortSignal.timeout(600_000);

interface Listed {
  readonly id: string;
  readonly status: string;
  readonly expires: string;
}

test('every table has a rule, and every rule is carried out', async () => {
  const schema = await readFile(new URL('../../golden/schema.sql', import.meta.url), 'utf8');
  const tables = [...schema.matchAll(/^CREATE TABLE "?(\w+)"? ?\(/gm)].map((match) => match[1]!);
  // Search indexes repeat what their tables hold, and triggers keep them the same.
  const own = tables.filter((table) => table !== 'migrations' && !table.includes('_search'));
  assert.ok(own.length > 100);
  assert.deepEqual(own.toSorted(), Object.keys(tableRules).toSorted());
  assert.deepEqual(tablesToPurge.toSorted(), tablesWith('keep for taxes').toSorted());
  const erased = [...tablesWith('delete'), ...tablesWith('blank')].filter((table) => table !== 'accounts');
  assert.deepEqual(tablesToErase.toSorted(), erased.toSorted());
  const files = Object.values(tableRules).flatMap(({ archive }) => ('file' in archive ? [archive.file] : []));
  assert.equal(new Set(files).size, files.length);
});

describeOnEngines('the data of an account', { ...needs('unzip'), postgres: 'in long runs' }, ({ openApp, owned }) => {
  let app: TestApp;
  let owner: string;
  before(async () => {
    app = await openApp();
    const mail = {
      from: 'noreply@provider.example',
      relays: [{ host: '127.0.0.1', port: 1, security: 'none' as const }],
    };
    await applySite(app.parts, { ...app.site, mail, webhooks: { allow: ['127.0.0.0/8'] } });
    await app.parts.queue.start([exportWorker(app.parts)]);
    owner = await signIn(app.lab.customer);
  });

  const signIn = async ({ email, password }: { email: string; password: string }): Promise<string> =>
    (await requestResult<{ key: string }>(app, 'POST', '/v2/session', { params: { email, password } })).key;
  const own = <Result>(method: string, path: string, params: object = {}): Promise<Result> =>
    requestResult<Result>(app, method, `/v2/account/${path}`, { key: owner, params: { ...params } });
  const ready = (list: () => Promise<Listed[]>, id: string): Promise<Listed> =>
    untilDefined(async () => (await list()).find((item) => item.id === id && item.status === 'Ready'));
  const unpack = async (bytes: Uint8Array): Promise<Map<string, string>> => {
    const folder = owned.use(await temporaryFolder('archive'));
    await writeFile(join(folder.path, 'archive.zip'), bytes);
    await run('unzip', ['-q', join(folder.path, 'archive.zip'), '-d', join(folder.path, 'content')]);
    const entries = await readdir(join(folder.path, 'content'), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const start = join(folder.path, 'content').length + 1;
    return new Map(
      await Promise.all(files.map(async (file) => [file.slice(start), await readFile(file, 'latin1')] as const)),
    );
  };
  const download = async (path: string, key: string): Promise<Uint8Array> => {
    const response = await fetch(`${app.url}${path}`, {
      headers: { 'x-api-key': key, authorization: `Bearer ${key}` },
    });
    assert.equal(response.status, 200, await response.clone().text());
    return response.bytes();
  };

  test('is in one archive, without secrets and without anything of others', async () => {
    const { queries } = app.parts.store;
    const stranger = Number(app.lab.stranger.account) as AccountId;
    const customer = Number(app.lab.customer.account) as AccountId;
    await createAccountFixtures(app, app.lab.customer.key);
    await requestResult(app, 'POST', '/v2/account/contact', {
      key: app.lab.stranger.key,
      params: { ...anna, lastname: 'Canary', company: 'canary' },
    });
    await queries
      .updateTable('accounts')
      .set({ lastname: 'Canary-of-the-stranger' })
      .where('id', '=', stranger)
      .execute();
    const text = 'canary-of-the-stranger';
    for (const account of [customer, stranger])
      await app.parts.store.transaction((work) =>
        appendEvents(
          app.parts,
          work,
          // More than a page.
          Array.from({ length: 1200 }, () => ({
            account,
            type: 'service.suspended' as const,
            data: { reason: account === stranger ? text : 'own-canary' } as never,
          })),
        ),
      );
    await fillStaffColumns(app, customer);
    const { id } = await own<{ id: string }>('POST', 'export', { password: app.lab.customer.password });
    await ready(() => own<Listed[]>('GET', 'export'), id);
    const files = await unpack(await download(`/v2/account/export/file?id=${id}`, owner));
    const index = files.get('README.txt')!;
    for (const { archive } of Object.values(tableRules))
      if ('file' in archive) {
        assert.ok(files.has(archive.file), archive.file);
        assert.ok(index.includes(archive.file), archive.file);
        JSON.parse(files.get(archive.file)!);
      }
    const list = (file: string) => JSON.parse(files.get(file)!) as Record<string, unknown>[];
    assert.equal(list('profile.json')[0]!['email'], app.lab.customer.email);
    const events = list('events.json');
    assert.equal(events.filter(({ data }) => JSON.stringify(data).includes('own-canary')).length, 1200);
    assert.deepEqual(
      events.map(({ sequence }) => sequence),
      events.map((_, at) => Number(events[0]!['sequence']) + at),
    );
    for (const file of ['contacts.json', 'services.json', 'billing/invoices.json', 'webhooks.json', 'audit-log.json'])
      assert.ok(list(file).length > 0, file);
    assert.match(String(list('billing/invoices.json')[0]!['total_cents']), /^\d+\.\d\d$/);
    assert.ok([...files].some(([name, content]) => name.startsWith('invoices/') && content.startsWith('%PDF-')));
    assert.ok([...files].some(([name, content]) => name.endsWith('.zone') && content.includes('SOA')));
    const foreign = [
      text,
      forStaff,
      'Canary-of-the-stranger',
      '"Canary"',
      `"account_id":${stranger}`,
      `"service_id":${app.lab.stranger.service}`,
    ];
    const secrets = ['argon2', 'secret_hash', app.lab.customer.key.split('_').at(-1)!, 'password_hash'];
    for (const [name, content] of files)
      for (const forbidden of name.endsWith('.pdf') ? [] : [...foreign, ...secrets])
        assert.ok(!content.includes(forbidden), `${name} contains ${forbidden}`);
  });

  test('is complete, even if more rows than fit a page are from the same moment', async () => {
    const { queries } = app.parts.store;
    const account_id = Number(app.lab.customer.account) as AccountId;
    const { id: service_id } = await queries
      .selectFrom('services')
      .select('id')
      .where('account_id', '=', account_id)
      .executeTakeFirstOrThrow();
    const backup = {
      account_id,
      service_id,
      state: 'stored',
      source: 'schedule',
      hostname: 'one.example.net',
      template: 'debian',
      size_bytes: 1,
      added_bytes: 1,
      is_consistent: 1,
      created_at: app.parts.clock.now(),
      verify_error: '',
    };
    const backups = Array.from({ length: 600 }, (_, at) => ({ ...backup, id: `backup-${at}` }));
    await queries
      .insertInto('machine_backups')
      .values(backups as never)
      .execute();
    const table = archivedTables.find((candidate) => candidate.table === 'machine_backups')!;
    const archived = new Set<unknown>();
    for await (const page of accountRows(queries, table, account_id)) for (const { id } of page) archived.add(id);
    assert.deepEqual(
      backups.filter(({ id }) => !archived.has(id)),
      [],
    );
    await queries.deleteFrom('machine_backups').where('id', 'like', 'backup-%').execute();
  });

  test('is for the owner in person, a few times a day, for a week', async () => {
    const password = app.lab.customer.password;
    const reject = async (params: object, key: string): Promise<number> =>
      (await request(app, 'POST', '/v2/account/export', { key, params: { ...params } })).status;
    assert.equal(await reject({}, owner), 400);
    assert.equal(await reject({ password: 'wrong password' }, owner), 409);
    assert.equal(await reject({ password }, app.lab.customer.key), 409);
    const [first] = await own<Listed[]>('GET', 'export');
    const fetchFile = (key: string): Promise<{ status: number }> =>
      request(app, 'GET', '/v2/account/export/file', { key, params: { id: first!.id } });
    assert.equal((await fetchFile(app.lab.customer.key)).status, 409);
    assert.equal((await fetchFile(app.lab.stranger.key)).status, 409);
    // Staff cannot take the customer's copy, only make one, which is audited.
    const operated = await asOperator(app, 'GET', 'account/export/file', { export: first!.id });
    assert.equal(operated.status, 404);
    const made = await operatorResult<{ id: string }>(app, 'POST', 'account/export', {
      id: app.lab.customer.account,
      reason: 'a letter',
    });
    const listed = () => operatorResult<Listed[]>(app, 'GET', 'account/export', { id: app.lab.customer.account });
    await ready(listed, made.id);
    const bytes = await download(`/operator/account/export/file?export=${made.id}`, app.lab.operator.key);
    assert.equal(Buffer.from(bytes.subarray(0, 2)).toString(), 'PK');
    const audited = await operatorResult<{ operation: string; target: string }[]>(app, 'GET', 'audit', {
      account: app.lab.customer.account,
    });
    assert.match(audited.find(({ operation }) => operation === 'operator.accountExportCreate')!.target, /a letter/);
    for (let count = 1; count < 3; count++) {
      const { id } = await own<{ id: string }>('POST', 'export', { password });
      await ready(() => own<Listed[]>('GET', 'export'), id);
    }
    assert.equal((await fetchFile(owner)).status, 409);
    assert.equal(await reject({ password }, owner), 409);
    app.pass(8 * dayMs);
    await housekeeping(app.parts.store, app.parts.clock).run(aborted);
    const parts = await app.parts.store.queries.selectFrom('account_export_parts').select('export_id').execute();
    assert.deepEqual(parts, []);
    owner = await signIn(app.lab.customer);
  });

  test('is erased after a waiting time, except for what tax law requires', async () => {
    const { store, clock } = app.parts;
    const { queries } = store;
    const obstacles = await own<{ obstacles: string[] }>('GET', 'erasure');
    assert.ok(obstacles.obstacles.some((text) => text.includes('Terminate these services')));
    const refused = await request(app, 'POST', '/v2/account/erasure', {
      key: owner,
      params: { password: app.lab.customer.password },
    });
    assert.equal(refused.status, 409);

    const canary = { name: 'Xanthippe', email: 'xanthippe@person.example', address: '198.51.100.77' };
    const password = 'a long enough password';
    const id = await operatorResult<string>(app, 'POST', 'account', {
      ...accountFields(),
      firstname: canary.name,
      email: canary.email,
      password,
    });
    const account = Number(id) as AccountId;
    await queries.updateTable('accounts').set({ password_temporary_until: null }).where('id', '=', account).execute();
    const key = await signIn({ email: canary.email, password });
    await fillAccount(app, account, canary);
    const call = (method: string, params: object = {}): Promise<unknown> =>
      requestResult(app, method, '/v2/account/erasure', { key, params: { ...params } });
    await call('POST', { password });
    await call('DELETE');
    assert.equal((await erasureFind(queries, account))?.status, 'Cancelled');
    await call('POST', { password });
    await eraseDueAccounts(app.parts, aborted);
    assert.equal((await erasureFind(queries, account))?.status, 'Waiting');
    app.pass(15 * dayMs);

    // Nobody can add anything from here on, which the erasure would miss.
    await eraseDueAccounts(app.parts, aborted);
    assert.equal((await erasureFind(queries, account))?.status, 'Erasing');
    assert.equal((await accountFind(queries, account))?.status, 'Closed');

    // Calls that began before may still be in progress.
    await eraseDueAccounts(app.parts, aborted);
    assert.equal((await erasureFind(queries, account))?.status, 'Erasing');
    app.pass(10 * 60_000);
    // As if the process had died in the middle.
    for (const table of tablesToErase.slice(0, tablesToErase.length / 2)) await eraseTable(store, table, account);
    await eraseDueAccounts(app.parts, aborted);
    const erased = (await erasureFind(queries, account))!;
    assert.equal(erased.status, 'Erased');
    const year = new Date(clock.now()).getUTCFullYear();
    assert.equal(new Date(erased.kept_until!).getUTCFullYear(), year + 11);
    const mails = () => queries.selectFrom('mails').selectAll().where('account_id', '=', account).execute();
    assert.deepEqual(
      (await mails()).map(({ kind, address }) => [kind, address]),
      [['erased', canary.email]],
    );
    await queries.updateTable('mails').set({ status: 'Sent' }).where('account_id', '=', account).execute();
    await eraseDueAccounts(app.parts, aborted);
    assert.deepEqual(await mails(), []);
    assert.deepEqual(await tablesContaining(Object.values(canary)), ['invoice_parties']);
    assert.deepEqual(await findAuditProblems(app.parts), []);
    assert.equal((await request(app, 'GET', '/v2/account', { key })).status, 401);
    const exported = await loadStoredSite(app.parts, queries);
    assert.ok(exported?.services?.length);
    assert.ok(![...exported.customers!, ...exported.services].some((item) => item.id === account || item.id === 9901));
    await assert.rejects(
      applySite(app.parts, {
        ...app.site,
        customers: [
          ...app.site.customers!,
          { ...app.site.customers![0]!, id: account, email: 'new@example.net', keys: [] },
        ],
      }),
      /was erased/,
    );
    // What is kept cannot be changed, whoever asks for it.
    await assert.rejects(sql`delete from invoices where account_id = ${account}`.execute(queries), /append-only/);

    app.pass(12 * 366 * dayMs);
    await eraseDueAccounts(app.parts, aborted);
    assert.equal((await erasureFind(queries, account))?.status, 'Purged');
    assert.deepEqual(await tablesContaining(Object.values(canary)), []);
    app.pass(-12 * 366 * dayMs);
  });

  test('is erased only after the last invoice, which bills what was used before', async () => {
    const { store, clock } = app.parts;
    const { queries } = store;
    const id = await operatorResult<string>(app, 'POST', 'account', { ...accountFields(), firstname: 'Frugal' });
    const account = Number(id) as AccountId;
    const invoiceDay = dayOf(clock.now()) + 20;
    await store.transaction(async (writing) => {
      await ensurePeriod(writing, account, invoiceDay);
      await billingAccountSet(writing, account, { next_day: invoiceDay });
    });
    await operatorResult(app, 'POST', 'erasure', { id, reason: 'a letter' });
    assert.ok((await erasureFind(queries, account))!.erase_at > invoiceDay * dayMs);
    app.pass(22 * dayMs);
    await eraseDueAccounts(app.parts, aborted);
    assert.equal((await erasureFind(queries, account))?.status, 'Waiting');
    await store.transaction((writing) => issueBill(app.parts, writing, account, invoiceDay, []));
    await eraseDueAccounts(app.parts, aborted);
    assert.equal((await erasureFind(queries, account))?.status, 'Erasing');
    app.pass(-22 * dayMs);
  });

  test('keeps the names of real people, and is found by them', async () => {
    const names = ['Ünal', "O'Brien", 'Jose\u0301', 'Li', '東京'];
    for (const lastname of names) {
      const id = await operatorResult<string>(app, 'POST', 'account', { ...accountFields(), lastname });
      const searches = [lastname, lastname.normalize('NFC').toUpperCase(), lastname.toLowerCase()];
      for (const search of searches) {
        const found = await operatorResult<{ id: string; lastname: string }[]>(app, 'GET', 'account', { search });
        assert.equal(found.find((account) => account.id === id)?.lastname, lastname.normalize('NFC'), search);
        assert.ok(
          found.every((account) => /nal|brien|jos|li|東京/iu.test(JSON.stringify(account))),
          search,
        );
      }
    }
    const found = await operatorResult<{ lastname: string }[]>(app, 'GET', 'account', { search: 'ünal' });
    assert.deepEqual(
      found.map(({ lastname }) => lastname),
      ['Ünal'],
    );
    for (const lastname of ['line\nbreak', 'over\u202Eride', 'bell\u0007'])
      assert.equal((await asOperator(app, 'POST', 'account', { ...accountFields(), lastname })).status, 400);
  });

  test('is erased again after a restore', async () => {
    const { queries } = app.parts.store;
    const id = await operatorResult<string>(app, 'POST', 'account', { ...accountFields(), firstname: 'Restored' });
    const replay = { accounts: [id, '987654'], reason: 'restored from a backup' };
    assert.equal(await operatorResult(app, 'POST', 'erasure/replay', replay), '1');
    assert.equal((await accountFind(queries, Number(id) as AccountId))?.status, 'Closed');
    await eraseDueAccounts(app.parts, aborted);
    assert.equal((await erasureFind(queries, Number(id) as AccountId))?.status, 'Erasing');
    app.pass(10 * 60_000);
    await eraseDueAccounts(app.parts, aborted);
    assert.deepEqual(await tablesContaining(['Restored']), []);
    // There was no invoice to keep, only the last message, which goes once it was sent.
    assert.equal((await erasureFind(queries, Number(id) as AccountId))?.status, 'Erased');
    await queries
      .updateTable('mails')
      .set({ status: 'Sent' })
      .where('account_id', '=', Number(id) as AccountId)
      .execute();
    await eraseDueAccounts(app.parts, aborted);
    const mails = queries
      .selectFrom('mails')
      .select('address')
      .where('account_id', '=', Number(id) as AccountId);
    assert.deepEqual(await mails.execute(), []);
    const list = await operatorResult<{ account: string; status: string }[]>(app, 'GET', 'erasure');
    const ofProvider = { ...replay, accounts: [String(providerAccount)] };
    assert.equal(await operatorResult(app, 'POST', 'erasure/replay', ofProvider), '0', 'our own account is not one');
    assert.equal((await accountFind(queries, providerAccount))?.status, 'Active');
    assert.equal(list.find(({ account }) => account === id)?.status, 'Purged');
    assert.equal(await operatorResult(app, 'POST', 'erasure/replay', replay), '0');
    assert.equal((await erasureFind(queries, Number(id) as AccountId))?.status, 'Purged');
  });

  /** Looks at every column of every table. */
  async function tablesContaining(texts: readonly string[]): Promise<string[]> {
    const { queries } = app.parts.store;
    const found: string[] = [];
    const tables = Object.keys(tableRules).filter((table) => table !== 'jobs' || app.parts.store.engine === 'sqlite');
    for (const table of tables) {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(queries);
      const content = JSON.stringify(rows);
      if (texts.some((text) => content.includes(text))) found.push(table);
    }
    return found;
  }
});
