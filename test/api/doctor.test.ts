// hostyard doctor: each test makes one thing wrong and sees exactly that one named, with its mend.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import SQLite from 'better-sqlite3';
import { sql } from 'kysely';
import { stringify } from 'yaml';
import { databaseChecks } from '#admin/doctor/database.ts';
import { folderChecks } from '#admin/doctor/folder.ts';
import { listenerChecks } from '#admin/doctor/listeners.ts';
import { thisMachine, type Machine, type Patient } from '#admin/doctor/machine.ts';
import { siteChecks } from '#admin/doctor/site.ts';
import { bookChecks } from '#app/doctor/books.ts';
import { examine, type Check, type Finding } from '#app/doctor/check.ts';
import { equipmentChecks } from '#app/doctor/equipment.ts';
import { workChecks } from '#app/doctor/work.ts';
import type { Yard } from '#app/yard.ts';
import { bmcSealContext } from '#equipment/bmcs.ts';
import { nodeSealContext } from '#equipment/nodes.ts';
import { switchSealContext } from '#equipment/switches.ts';
import { selfSignedCertificate } from '#kernel/certificate.ts';
import { readConfig, type Config } from '#kernel/config.ts';
import { secretBox, sealingKeyOf } from '#kernel/secrets.ts';
import { lastBackupMeta, metaPut, metaSettle, sealingKeyMeta } from '#store/meta.ts';
import { openStore } from '#store/open.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { engines, openTestYard, type TestYard } from '#test/support/yard.ts';

const dayMs = 86_400_000;
const wrong = (findings: readonly Finding[]): Finding[] => findings.filter(({ state }) => state !== 'ok');
/** Exactly this check has something to say, once, and a mend for it. */
function named(findings: readonly Finding[], check: string, state: 'warning' | 'fault', says: RegExp): void {
  const [one, ...more] = wrong(findings);
  assert.deepEqual(more, [], 'nothing else is named');
  assert.equal(one?.check, check);
  assert.equal(one.state, state);
  assert.match(one.says, says);
  assert.ok((one.mend ?? '').length > 10, 'a mend');
}

describe('the doctor at the ground of an installation', () => {
  const checks = [...folderChecks, ...databaseChecks, ...siteChecks, ...listenerChecks];
  const owned = new AsyncDisposableStack();
  let whole: string;
  before(async () => {
    whole = owned.use(await temporaryFolder('doctor')).path;
    const secrets = secretBox(sealingKeyOf(whole));
    const store = await openStore({ dataFolder: whole, database: undefined });
    await metaSettle(store.queries, sealingKeyMeta, secrets.fingerprint);
    await store.close();
    writeFileSync(join(whole, 'site.yaml'), stringify({ provider: { name: 'Test', currency: { code: 'EUR' } } }), {
      mode: 0o600,
    });
    for (const name of ['hostyard.sqlite', 'secret.key']) chmodSync(join(whole, name), 0o600);
  });
  after(() => owned.disposeAsync());

  interface Sick {
    /** Breaks something in a copy of the whole folder. */
    readonly folder?: (path: string) => void;
    readonly machine?: Partial<Machine>;
    readonly env?: (path: string) => Record<string, string>;
    readonly checks?: readonly Check<Patient>[];
  }
  async function found(sick: Sick = {}): Promise<Finding[]> {
    await using copy = await temporaryFolder('doctor');
    const data = join(copy.path, 'data');
    cpSync(whole, data, { recursive: true, mode: 0 });
    chmodSync(data, 0o700);
    sick.folder?.(data);
    const config: Config = readConfig({
      HOSTYARD_DATA: data,
      HOSTYARD_SITE: join(data, 'site.yaml'),
      HOSTYARD_LISTEN: '127.0.0.1:0',
      ...sick.env?.(data),
    });
    const findings = await examine({ config, machine: { ...thisMachine, ...sick.machine } }, sick.checks ?? checks);
    // No server runs in most of these tests, which is said and is no fault.
    return findings.filter(({ check, state }) => check !== 'server' || state === 'fault');
  }
  const inDatabase = (statement: string) => (path: string) => {
    const database = new SQLite(join(path, 'hostyard.sqlite'));
    database.pragma('foreign_keys = off');
    database.exec(statement);
    database.close();
  };

  test('finds nothing wrong where nothing is', async () => {
    assert.deepEqual(wrong(await found()), []);
  });

  test('names an old Node', async () => {
    named(await found({ machine: { nodeVersion: '20.19.2' } }), 'runtime', 'fault', /20\.19\.2 is too old/);
  });

  test('names what others can read, and a folder that is somebody else’s', async () => {
    const folder = (path: string) => chmodSync(join(path, 'hostyard.sqlite'), 0o644);
    named(await found({ folder }), 'data folder', 'fault', /Others can read .*hostyard\.sqlite\./);
    named(
      await found({ folder: (path) => chmodSync(path, 0o755) }),
      'data folder',
      'fault',
      /Others can read .*data\./,
    );
    named(await found({ machine: { userId: 54_321 } }), 'data folder', 'fault', /this is user 54321/);
  });

  test('names a sealing key that is gone, is no key, or is another', async () => {
    const key = (path: string) => join(path, 'secret.key');
    const write = (text: string) => (path: string) => writeFileSync(key(path), text, { mode: 0o600 });
    named(await found({ folder: (path) => rmSync(key(path)) }), 'sealing key', 'fault', /secret\.key is not there/);
    named(await found({ folder: write('short\n') }), 'sealing key', 'fault', /does not hold 32 bytes/);
    const other = randomBytes(32).toString('base64');
    named(await found({ folder: write(other) }), 'database', 'fault', /another key/);
  });

  test('names a disk that runs full', async () => {
    named(await found({ machine: { roomAt: () => 500e6 } }), 'disk', 'warning', /500 MB are free/);
    named(await found({ machine: { roomAt: () => 50e6 } }), 'disk', 'fault', /50 MB are free/);
  });

  test('names a database that is gone, damaged, or refers to what is not there', async () => {
    const file = (path: string) => join(path, 'hostyard.sqlite');
    named(await found({ folder: (path) => rmSync(file(path)) }), 'database', 'fault', /hostyard\.sqlite is not there/);
    const damage = (path: string) => {
      const bytes = readFileSync(file(path));
      bytes.fill(0xff, 8192, 40_960);
      writeFileSync(file(path), bytes);
    };
    named(await found({ folder: damage }), 'database', 'fault', /is damaged/);
    const orphan = inDatabase(
      "insert into sign_ins (email, account_id, contact_id) values ('nobody@example.net', 999, null)",
    );
    named(await found({ folder: orphan }), 'database', 'fault', /rows of sign_ins refer to rows that are not there/);
  });

  test('names tables of another version', async () => {
    const later = inDatabase("insert into migrations (name) values ('9999-later')");
    named(await found({ folder: later }), 'database', 'fault', /A newer Hostyard .*9999-later/);
    const earlier = inDatabase("delete from migrations where name = '0015-licences'");
    named(await found({ folder: earlier }), 'database', 'fault', /lacks 1 migrations, the first is 0015-licences/);
  });

  test('names a PostgreSQL that does not answer', async () => {
    const env = () => ({ HOSTYARD_DATABASE: 'postgres://nobody@127.0.0.1:1/none' });
    named(await found({ env }), 'database', 'fault', /PostgreSQL does not answer/);
  });

  test('names a site file that is not good or not there, and a lab that strangers reach', async () => {
    const folder = (path: string) => writeFileSync(join(path, 'site.yaml'), 'provider: 3\n', { mode: 0o600 });
    named(await found({ folder }), 'site file', 'fault', /site\.yaml:1:/);
    const env = () => ({ HOSTYARD_SITE: '/nonexistent.yaml' });
    named(await found({ env }), 'site file', 'fault', /cannot be read/);
    const lab = (listen: string) => () => ({ HOSTYARD_SITE: '', HOSTYARD_LISTEN: listen });
    named(await found({ env: lab('127.0.0.1:0'), checks: siteChecks }), 'site file', 'warning', /This is the lab/);
    named(await found({ env: lab('0.0.0.0:0'), checks: siteChecks }), 'site file', 'fault', /listens on 0\.0\.0\.0/);
  });

  test('names a certificate that ends soon, and one that has ended', async () => {
    const lasting = (days: number) => (path: string) => {
      const notBefore = new Date(Date.now() - 100 * dayMs);
      const { certificate, key } = selfSignedCertificate({ name: 'media', hosts: ['127.0.0.1'], notBefore, days });
      for (const [name, text] of Object.entries({ 'media.crt': certificate, 'media.key': key }))
        writeFileSync(join(path, name), text, { mode: 0o600 });
      const media = { listen: '127.0.0.1:0', certificate: join(path, 'media.crt'), key: join(path, 'media.key') };
      const site = { provider: { name: 'Test', currency: { code: 'EUR' } }, media };
      writeFileSync(join(path, 'site.yaml'), stringify(site), { mode: 0o600 });
    };
    assert.deepEqual(wrong(await found({ folder: lasting(200) })), []);
    named(await found({ folder: lasting(110) }), 'certificates', 'warning', /media listener .* ends in (9|10) days/);
    named(await found({ folder: lasting(90) }), 'certificates', 'fault', /media listener .* ended on/);
  });

  test('names a legacy interface that has outlived its end', async () => {
    const ending = (sunset: string) => (path: string) => {
      const site = {
        provider: { name: 'Test', currency: { code: 'EUR' } },
        legacy: { deprecated: '2020-01-01', sunset },
      };
      writeFileSync(join(path, 'site.yaml'), stringify(site), { mode: 0o600 });
    };
    named(await found({ folder: ending('2021-01-01') }), 'legacy interface', 'warning', /was to be 2021-01-01/);
    assert.deepEqual(wrong(await found({ folder: ending('2999-01-01') })), []);
  });

  test('names an address that is another’s, and one that is not of this machine', async () => {
    const stranger = createServer((_, answer) => void answer.end('hello')).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const { port } = stranger.address() as AddressInfo;
    const taken = () => ({ HOSTYARD_METRICS_LISTEN: `127.0.0.1:${port}` });
    named(await found({ env: taken }), 'listeners', 'fault', /The metrics cannot listen .*another program does/);
    stranger.close();
    const foreign = () => ({ HOSTYARD_METRICS_LISTEN: '192.0.2.1:9090' });
    named(await found({ env: foreign }), 'listeners', 'fault', /192\.0\.2\.1:9090.*EADDRNOTAVAIL/);
  });

  test('names a server that is not ready, and is content with one that is', async () => {
    let status = 'database does not answer';
    const server = createServer((_, answer) => void answer.end(JSON.stringify({ status }))).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const env = () => ({ HOSTYARD_LISTEN: `127.0.0.1:${(server.address() as AddressInfo).port}` });
    named(await found({ env }), 'server', 'fault', /not ready: database does not answer/);
    status = 'ready';
    assert.deepEqual(wrong(await found({ env })), []);
    server.closeAllConnections();
    server.close();
  });
});

for (const { engine, suite, start } of engines) {
  describe(`the doctor inside an installation on ${engine}`, suite, () => {
    const owned = new AsyncDisposableStack();
    let yard: TestYard;
    const account = 1 as AccountId;
    before(async () => {
      const running = owned.use(await start());
      yard = owned.use(await openTestYard(await running.newDatabase()));
      await metaPut(yard.parts.store.queries, lastBackupMeta, String(Date.now()));
    });
    after(() => owned.disposeAsync());
    const checks = [...bookChecks, ...workChecks];

    /** Looked at in a transaction that never was. */
    async function found(breakIt: (queries: Queries) => Promise<unknown>): Promise<Finding[]> {
      const { store } = yard.parts;
      let findings: Finding[] = [];
      const undone = new Error('undone');
      await store
        .transaction(async (queries) => {
          await breakIt(queries);
          findings = await examine<Yard>({ ...yard.parts, store: { ...store, queries } }, checks);
          throw undone;
        })
        .catch((error: unknown) => {
          if (error !== undone) throw error;
        });
      return findings;
    }
    const entry = { address: '', key_id: null, contact_id: null, operation: 'x', target: '', request_id: '' };

    test('finds nothing wrong in the lab, whose equipment answers', async () => {
      assert.deepEqual(wrong(await examine(yard.parts, [...checks, ...equipmentChecks])), []);
    });

    test('names a secret that does not open', async () => {
      const findings = await found((queries) =>
        queries
          .updateTable('detectors')
          .set({ settings: 's1.AAAA' })
          .where('name', '=', yard.equipment.detector.name)
          .execute(),
      );
      named(findings, 'sealed secrets', 'fault', /sealed of detector .* does not open/);
    });

    test('names an audit log that was tampered with', async () => {
      const forged = { ...entry, account_id: account, at: 1, outcome: 'ok', previous: 'x', hash: 'y' };
      const findings = await found((queries) => queries.insertInto('audit').values(forged).execute());
      named(findings, 'audit logs', 'fault', /account 1: entry \d+ was altered/);
    });

    test('names books that do not agree', async () => {
      const findings = await found((queries) =>
        sql`insert into ledger (account_id, at, debit, credit, amount_cents, kind, invoice_id, reference)
          values (${account}, 1, 'receivable', 'goodwill', 1234, 'credit', null, '')`.execute(queries),
      );
      named(findings, 'ledger', 'fault', /Account 1 owes .* by the ledger and .* by its open invoices/);
    });

    test('names a clock that is behind what was written down', async () => {
      const event = { account_id: account, sequence: 9_999_999, type: 'x', version: 1, data: '{}' };
      const findings = await found((queries) =>
        queries
          .insertInto('events')
          .values({ ...event, at: Date.now() + dayMs })
          .execute(),
      );
      named(findings, 'clock', 'fault', /which is still to come/);
    });

    test('names a workflow that is stuck', async () => {
      const row = { id: 'w', account_id: account, name: 'x', version: 1, operation: 'x', status: 'Stuck' as const };
      const where = { direction: 'back' as const, position: 0, step: 'x', step_since: 0, tries: 8, progress: 0 };
      const rest = { input: '{}', outputs: '{}', cancel_requested: 0, created_at: 0, revision: 1 };
      const findings = await found((queries) =>
        queries
          .insertInto('workflows')
          .values({ ...row, ...where, ...rest })
          .execute(),
      );
      named(findings, 'workflows', 'fault', /^1 cannot go on/);
    });

    test('names a reconciler that fails, and one that does not run', async () => {
      const row = { name: 'sweep', signals: 0, holder: null, lease_until: 0, last_success_at: 1, last_duration_ms: 1 };
      const put = (more: { run_at: number; last_error: string | null }) =>
        found((queries) =>
          queries
            .insertInto('reconcilers')
            .values({ ...row, ...more, backlog: 0 })
            .execute(),
        );
      const soon = Date.now() + 60_000;
      named(await put({ run_at: soon, last_error: 'no way' }), 'reconcilers', 'warning', /sweep failed: no way/);
      named(await put({ run_at: 0, last_error: null }), 'reconcilers', 'warning', /sweep has not run/);
    });

    test('names a zone that is not published', async () => {
      const row = { zone: 'late.example', holder: '', lease_until: 0 };
      const findings = await found((queries) => queries.insertInto('zone_publications').values(row).execute());
      named(findings, 'zones', 'warning', /late\.example/);
    });

    test('names requests that wait for the staff', async () => {
      const row = { account_id: account, service_id: 1001, family: 'ipv4' as const, prefix_length: 29 };
      const findings = await found((queries) =>
        queries
          .insertInto('netblock_requests')
          .values({ ...row, status: 'Pending', cidr: '', created_at: 1 })
          .execute(),
      );
      named(findings, 'requests', 'warning', /1 for addresses wait/);
    });

    test('names a backup that is old, and one that was never taken', async () => {
      const old = await found((queries) => metaPut(queries, lastBackupMeta, String(Date.now() - 8 * dayMs)));
      named(old, 'backups', 'warning', /8 days old/);
      const none = await found((queries) => queries.deleteFrom('meta').where('name', '=', lastBackupMeta).execute());
      named(none, 'backups', 'warning', /None was ever taken/);
    });

    if (engine === 'sqlite') {
      test('names jobs that have failed', async () => {
        const { store } = yard.parts;
        const row = { kind: 'sending', key: null, payload: '{}', state: 'failed' as const, run_at: 0, attempt: 9 };
        await store.queries
          .insertInto('jobs')
          .values({ ...row, failures: 9, error: 'no', failed_at: 1 })
          .execute();
        named(await examine(yard.parts, checks), 'jobs', 'warning', /1 of kind sending failed/);
        await store.queries.deleteFrom('jobs').where('kind', '=', 'sending').execute();
      });

      test('names equipment that does not answer, and only that', async () => {
        const { store, secrets } = yard.parts;
        const nobody = { address: '127.0.0.1', port: 9 };
        const bmc = { ...nobody, username: 'x', password: 'y' };
        const server = yard.lab.dedicated.server;
        const { name: node } = yard.equipment.node;
        const [device] = await store.queries.selectFrom('switches').select('name').execute();
        await store.transaction(async (queries) => {
          const sealed = (settings: object, context: string) => secrets.seal(JSON.stringify(settings), context);
          const bmcSettings = {
            bmc_settings: sealed(bmc, bmcSealContext(server)),
            bmc_revision: 99,
            bmc_driver: 'ipmi',
          };
          await queries.updateTable('servers').set(bmcSettings).where('name', '=', server).execute();
          const community = { ...nobody, version: '2c', community: 'x', timeoutMs: 300 };
          const switchSettings = { settings: sealed(community, switchSealContext(device!.name)), revision: 99 };
          await queries.updateTable('switches').set(switchSettings).execute();
          const nodeSettings = { settings: sealed({ ...nobody, token: 'x' }, nodeSealContext(node)), revision: 99 };
          await queries.updateTable('nodes').set(nodeSettings).where('name', '=', node).execute();
        });
        const findings = wrong(await examine(yard.parts, equipmentChecks));
        assert.deepEqual(
          findings.map(({ check, state, says }) => [check, state, says.split(' does not')[0]]),
          [
            ['controllers', 'warning', `The controller of ${server}`],
            ['switches', 'warning', `Switch ${device!.name}`],
            ['nodes', 'warning', `Node ${node}`],
          ],
        );
      });
    }
  });
}
