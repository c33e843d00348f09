// hostyard doctor: each test breaks one thing and expects exactly that to be reported, with its fix.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { before, describe, test } from 'node:test';
import SQLite from 'better-sqlite3';
import { sql } from 'kysely';
import { stringify } from 'yaml';
import { databaseChecks } from '#server/doctor/database.ts';
import { folderChecks } from '#server/doctor/folder.ts';
import { listenerChecks } from '#server/doctor/listeners.ts';
import { thisMachine, type Machine, type Target } from '#server/doctor/machine.ts';
import { siteChecks } from '#server/doctor/site.ts';
import { applyWithin } from '#app/site/apply.ts';
import { recordSiteProblem } from '#app/site/file-problem.ts';
import type { Site } from '#contract/site/site.ts';
import { dataChecks } from '#app/doctor/data-checks.ts';
import { runChecks, type Check, type Finding } from '#app/doctor/check.ts';
import { equipmentChecks } from '#app/doctor/equipment-checks.ts';
import { workChecks } from '#app/doctor/work-checks.ts';
import type { App } from '#app/app.ts';
import { bmcSealContext } from '#equipment/bmcs.ts';
import { nodeSealContext } from '#equipment/hypervisors.ts';
import { tsigSealContext } from '#app/dns/tsig-names.ts';
import { selectWhere, updateWhere } from '#store/engine/rows.ts';
import { switchSealContext } from '#equipment/switches.ts';
import { selfSignedCertificate } from '#lib/certificate.ts';
import { readConfig, type Config } from '#lib/config.ts';
import { secretBox, ensureSealingKey } from '#lib/secrets.ts';
import { lastBackupEntry, metaPut, metaInsertOnce, sealingKeyEntry } from '#store/meta.ts';
import { openStore } from '#store/open.ts';
import type { Queries } from '#store/store.ts';
import { startTrustedTime } from '#store/work/trusted-time.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import type { TestApp } from '#test/support/app.ts';
import { createTsigKey } from '#test/support/dns-updates.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { needsRoot } from '#test/support/needs.ts';
import { quarantineServer } from '#test/support/quarantine.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import type { AccountId } from '#store/account-id.ts';

const dayMs = 86_400_000;
/** An address of this machine that nothing else listens on. */
const lowAddress = '127.53.69.1';
const nobody = 65_534;
const asRoot = needsRoot();
const problemsIn = (findings: readonly Finding[]): Finding[] => findings.filter(({ state }) => state !== 'ok');
type Expected = [check: string, state: 'warning' | 'fault', pattern: RegExp];
/** Asserts that exactly this check reports something, once, with a fix. */
function assertOnlyFinding(findings: readonly Finding[], ...[check, state, pattern]: Expected): void {
  const [finding, ...more] = problemsIn(findings);
  assert.deepEqual(more, [], 'nothing else is reported');
  assert.equal(finding?.check, check);
  assert.equal(finding.state, state);
  assert.match(finding.message, pattern);
  assert.ok((finding.fix ?? '').length > 10, 'a fix');
}

describe("the doctor on an installation's files", () => {
  const checks = [...folderChecks, ...databaseChecks, ...siteChecks, ...listenerChecks];
  const owned = suiteResources();
  const writeSite = (folder: string, more: object) => {
    const site = { provider: { name: 'Test', currency: { code: 'EUR' } }, ...more };
    writeFileSync(join(folder, 'site.yaml'), stringify(site), { mode: 0o600 });
  };
  let healthyFolder: string;
  before(async () => {
    healthyFolder = owned.use(await temporaryFolder('doctor')).path;
    const secrets = secretBox(ensureSealingKey(healthyFolder));
    const store = await openStore({ dataFolder: healthyFolder, database: undefined });
    await metaInsertOnce(store.queries, sealingKeyEntry, secrets.fingerprint);
    await store.close();
    writeSite(healthyFolder, {});
    for (const name of ['hostyard.sqlite', 'secret.key']) chmodSync(join(healthyFolder, name), 0o600);
  });

  interface Breakage {
    /** Breaks something in a copy of the data folder. */
    readonly folder?: (path: string) => void;
    readonly machine?: Partial<Machine>;
    readonly env?: (path: string) => Record<string, string>;
    readonly checks?: readonly Check<Target>[];
  }
  async function diagnose(sick: Breakage = {}): Promise<Finding[]> {
    await using copy = await temporaryFolder('doctor');
    const data = join(copy.path, 'data');
    cpSync(healthyFolder, data, { recursive: true, mode: 0 });
    chmodSync(data, 0o700);
    sick.folder?.(data);
    const config: Config = readConfig({
      HOSTYARD_DATA: data,
      HOSTYARD_SITE: join(data, 'site.yaml'),
      HOSTYARD_LISTEN: '127.0.0.1:0',
      ...sick.env?.(data),
    });
    const findings = await runChecks({ config, machine: { ...thisMachine, ...sick.machine } }, sick.checks ?? checks);
    // Most of these tests run no server, which is reported but is not an error.
    return findings.filter(({ check, state }) => check !== 'server' || state === 'fault');
  }
  const assertReports = async (sick: Breakage, ...expected: Expected) =>
    assertOnlyFinding(await diagnose(sick), ...expected);
  const inDatabase = (statement: string) => (path: string) => {
    const database = new SQLite(join(path, 'hostyard.sqlite'));
    database.pragma('foreign_keys = off');
    database.exec(statement);
    database.close();
  };

  test('finds nothing wrong in a healthy installation', async () => {
    assert.deepEqual(problemsIn(await diagnose()), []);
  });

  test('reports an old Node', async () => {
    await assertReports({ machine: { nodeVersion: '20.19.2' } }, 'runtime', 'fault', /20\.19\.2 is too old/);
  });

  test('reports files that others can read, and a folder of another user', async () => {
    const folder = (path: string) => chmodSync(join(path, 'hostyard.sqlite'), 0o644);
    await assertReports({ folder }, 'data folder', 'fault', /Other users can read .*hostyard\.sqlite\./);
    await assertReports(
      { folder: (path) => chmodSync(path, 0o755) },
      'data folder',
      'fault',
      /Other users can read .*data\./,
    );
    await assertReports({ machine: { userId: 54_321 } }, 'data folder', 'fault', /this is user 54321/);
  });

  test('reports a sealing key that is missing, invalid, or the wrong one', async () => {
    const key = (path: string) => join(path, 'secret.key');
    const write = (text: string) => (path: string) => writeFileSync(key(path), text, { mode: 0o600 });
    await assertReports({ folder: (path) => rmSync(key(path)) }, 'sealing key', 'fault', /secret\.key does not exist/);
    await assertReports({ folder: write('short\n') }, 'sealing key', 'fault', /does not contain 32 bytes/);
    const other = randomBytes(32).toString('base64');
    await assertReports({ folder: write(other) }, 'database', 'fault', /another key/);
  });

  test('reports a disk that is running full', async () => {
    await assertReports({ machine: { freeBytesAt: () => 500e6 } }, 'disk', 'warning', /500 MB are free/);
    await assertReports({ machine: { freeBytesAt: () => 50e6 } }, 'disk', 'fault', /50 MB are free/);
  });

  test('reports a database that is missing, damaged, or has dangling references', async () => {
    const file = (path: string) => join(path, 'hostyard.sqlite');
    await assertReports(
      { folder: (path) => rmSync(file(path)) },
      'database',
      'fault',
      /hostyard\.sqlite does not exist/,
    );
    const damage = (path: string) => {
      const bytes = readFileSync(file(path));
      bytes.fill(0xff, 8192, 40_960);
      writeFileSync(file(path), bytes);
    };
    await assertReports({ folder: damage }, 'database', 'fault', /is damaged/);
    const orphan = inDatabase(
      "insert into sign_ins (email, account_id, contact_id) values ('nobody@example.net', 999, null)",
    );
    await assertReports({ folder: orphan }, 'database', 'fault', /rows of sign_ins refer to missing rows/);
  });

  test('reports tables of another version', async () => {
    const later = inDatabase("insert into migrations (name) values ('9999-later')");
    await assertReports({ folder: later }, 'database', 'fault', /A newer version of Hostyard .*9999-later/);
    const earlier = inDatabase("delete from migrations where name = '0015-licences'");
    await assertReports(
      { folder: earlier },
      'database',
      'fault',
      /1 migrations are missing, starting with 0015-licences/,
    );
  });

  test('reports an unreachable PostgreSQL', async () => {
    const env = () => ({ HOSTYARD_DATABASE: 'postgres://nobody@127.0.0.1:1/none' });
    await assertReports({ env }, 'database', 'fault', /PostgreSQL does not respond/);
  });

  test('reports an invalid or missing site file, and a lab that is open to the network', async () => {
    const folder = (path: string) => writeFileSync(join(path, 'site.yaml'), 'provider: 3\n', { mode: 0o600 });
    await assertReports({ folder }, 'site file', 'fault', /site\.yaml:1:/);
    const env = () => ({ HOSTYARD_SITE: '/nonexistent.yaml' });
    await assertReports({ env }, 'site file', 'fault', /cannot be read/);
    const lab = (listen: string) => () => ({ HOSTYARD_SITE: '', HOSTYARD_LISTEN: listen });
    await assertReports({ env: lab('127.0.0.1:0'), checks: siteChecks }, 'site file', 'warning', /This is the lab/);
    await assertReports({ env: lab('0.0.0.0:0'), checks: siteChecks }, 'site file', 'fault', /listens on 0\.0\.0\.0/);
  });

  test('reports a certificate that expires soon, and an expired one', async () => {
    const lasting = (days: number) => (path: string) => {
      const notBefore = new Date(Date.now() - 100 * dayMs);
      const { certificate, key } = selfSignedCertificate({ name: 'media', hosts: ['127.0.0.1'], notBefore, days });
      for (const [name, text] of Object.entries({ 'media.crt': certificate, 'media.key': key }))
        writeFileSync(join(path, name), text, { mode: 0o600 });
      const media = { listen: '127.0.0.1:0', certificate: join(path, 'media.crt'), key: join(path, 'media.key') };
      writeSite(path, { media });
    };
    assert.deepEqual(problemsIn(await diagnose({ folder: lasting(200) })), []);
    await assertReports(
      { folder: lasting(110) },
      'certificates',
      'warning',
      /media listener .* expires in (9|10) days/,
    );
    await assertReports({ folder: lasting(90) }, 'certificates', 'fault', /media listener .* expired on/);
  });

  test('reports a transfer key whose secret is shorter than its algorithm needs', async () => {
    const withSecret = (bytes: number) => (path: string) => {
      const secret = randomBytes(bytes).toString('base64');
      const keys = [{ name: 'transfer.example.net', algorithm: 'hmac-sha256', secret }];
      writeSite(path, { nameserver: { names: ['ns1.example.net'], listen: '127.0.0.1:0', transfer: { keys } } });
    };
    const reported = { folder: withSecret(31), checks: siteChecks };
    await assertReports(
      reported,
      'transfer keys',
      'warning',
      /transfer\.example\.net has 31 bytes; hmac-sha256 needs 32/,
    );
    assert.deepEqual(problemsIn(await diagnose({ folder: withSecret(32), checks: siteChecks })), []);
  });

  test('accepts an address for updates next to PowerDNS, but not what PowerDNS has to be configured for', async () => {
    const withMore = (more: object) => (path: string) => {
      const powerdns = { url: 'http://127.0.0.1:1', apiKey: 'x' };
      writeSite(path, { nameserver: { names: ['ns1.example.net'], listen: '127.0.0.1:0', powerdns, ...more } });
    };
    assert.deepEqual(problemsIn(await diagnose({ folder: withMore({}), checks: siteChecks })), []);
    const folder = withMore({ catalog: 'catalog.example.net' });
    await assertReports(
      { folder, checks: siteChecks },
      'site file',
      'fault',
      /catalog is for the built-in name server/,
    );
  });

  test('reports a legacy API past its end date', async () => {
    const ending = (sunset: string) => (path: string) =>
      writeSite(path, { legacy: { deprecated: '2020-01-01', sunset } });
    await assertReports({ folder: ending('2021-01-01') }, 'legacy interface', 'warning', /sunset date was 2021-01-01/);
    assert.deepEqual(problemsIn(await diagnose({ folder: ending('2999-01-01') })), []);
  });

  test('reports an address that is in use, and one that is not on this machine', async () => {
    const stranger = createServer((_, response) => void response.end('hello')).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const { port } = stranger.address() as AddressInfo;
    const addressInUse = () => ({ HOSTYARD_METRICS_LISTEN: `127.0.0.1:${port}` });
    await assertReports(
      { env: addressInUse },
      'listeners',
      'fault',
      /The metrics cannot listen .*another program does/,
    );
    stranger.close();
    const foreign = () => ({ HOSTYARD_METRICS_LISTEN: '192.0.2.1:9090' });
    await assertReports({ env: foreign }, 'listeners', 'fault', /192\.0\.2\.1:9090.*EADDRNOTAVAIL/);
  });

  test('accepts low ports that the running server holds, for a user who may not listen on them', asRoot, async () => {
    const server = createServer((_, response) => void response.end('{"status":"ready"}')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const [name, tftp] = [createSocket('udp4').bind(53, lowAddress), createSocket('udp4').bind(69, lowAddress)];
    const tcp = createTcpServer().listen(53, lowAddress);
    await Promise.all([name, tftp, tcp].map((listener) => once(listener, 'listening')));
    for (const listener of [server, name, tftp, tcp]) listener.unref();
    const boot = { listen: '127.0.0.1:0', tftp: `${lowAddress}:69` };
    const folder = (path: string) => {
      writeSite(path, { nameserver: { listen: `${lowAddress}:53`, names: ['ns1.example.net'] }, boot });
      for (const place of [dirname(path), path, join(path, 'site.yaml'), join(path, 'secret.key')])
        chownSync(place, nobody, nobody);
    };
    const { port } = server.address() as AddressInfo;
    const env = () => ({ HOSTYARD_LISTEN: `127.0.0.1:${port}` });
    const asNobody = async (): Promise<Finding[]> => {
      const become = (id: number): Check<Target> => ({
        name: 'user',
        okMessage: '',
        run: () => (process.seteuid!(id), []),
      });
      return diagnose({ env, folder, checks: [become(nobody), ...listenerChecks, become(0)] });
    };
    assert.deepEqual(problemsIn(await asNobody()), []);
    tftp.close();
    assertOnlyFinding(await asNobody(), 'listeners', 'fault', /^TFTP does not listen on .*:69 \(udp\), although/);
    for (const listener of [name, tcp, server]) listener.close();
    server.closeAllConnections();
    assert.match(problemsIn(await asNobody())[0]!.message, /The name server has no permission to listen/);
  });

  test('reports missing files of iPXE', async () => {
    const firmware = owned.use(await temporaryFolder('ipxe')).path;
    writeFileSync(join(firmware, 'undionly.kpxe'), '');
    const boot = { listen: '127.0.0.1:0', tftp: '127.0.0.1:0', firmware };
    const folder = (path: string) => writeSite(path, { boot });
    await assertReports({ folder }, 'network boot', 'fault', /snponly\.efi is missing/);
    writeFileSync(join(firmware, 'snponly.efi'), '');
    assert.deepEqual(problemsIn(await diagnose({ folder })), []);
  });

  test('reports a server that is not ready, and accepts one that is', async () => {
    let status = 'database does not answer';
    const server = createServer((_, response) => void response.end(JSON.stringify({ status }))).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const env = () => ({ HOSTYARD_LISTEN: `127.0.0.1:${(server.address() as AddressInfo).port}` });
    await assertReports({ env }, 'server', 'fault', /not ready: database does not answer/);
    status = 'ready';
    assert.deepEqual(problemsIn(await diagnose({ env })), []);
    server.closeAllConnections();
    server.close();
  });
});

describeOnEngines('the doctor inside an installation', { postgres: 'in long runs' }, ({ engine, openApp }) => {
  let app: TestApp;
  const account = 1 as AccountId;
  before(async () => {
    app = await openApp();
    await metaPut(app.parts.store.queries, lastBackupEntry, String(Date.now()));
  });
  const checks = [...dataChecks, ...workChecks];

  /** Runs the checks in a transaction that is rolled back. */
  async function diagnose(
    breakIt: (queries: Queries) => Promise<unknown>,
    parts: Partial<App> = {},
  ): Promise<Finding[]> {
    const { store } = app.parts;
    let findings: Finding[] = [];
    const undone = new Error('undone');
    await store
      .transaction(async (queries) => {
        await breakIt(queries);
        findings = await runChecks<App>({ ...app.parts, ...parts, store: { ...store, queries } }, checks);
        throw undone;
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error;
      });
    return findings;
  }
  const assertReports = async (breakIt: (queries: Queries) => Promise<unknown>, ...expected: Expected) =>
    assertOnlyFinding(await diagnose(breakIt), ...expected);
  const entry = { address: '', key_id: null, contact_id: null, operation: 'x', target: '', request_id: '' };

  test('finds nothing wrong in the lab, whose equipment responds', async () => {
    assert.deepEqual(problemsIn(await runChecks(app.parts, [...checks, ...equipmentChecks])), []);
  });

  test('reports a secret that cannot be opened', async () => {
    await assertReports(
      (queries) =>
        queries
          .updateTable('detectors')
          .set({ settings: 's1.AAAA' })
          .where('name', '=', app.equipment.detector.name)
          .execute(),
      'sealed secrets',
      'fault',
      /sealed secret of detector .* cannot be opened/,
    );
  });

  test('reports a TSIG key whose secret cannot be opened, or does not fit its algorithm', async () => {
    const { id } = await createTsigKey(app, app.lab.customer.key);
    const { queries: now } = app.parts.store;
    const { printable_id } = await selectWhere(now, 'keys', { id: Number(id) })
      .select('printable_id')
      .executeTakeFirstOrThrow();
    const set = (change: object) => (queries: Queries) =>
      updateWhere(queries, 'keys', { printable_id }).set(change).execute();
    const tsig_secret = app.parts.secrets.seal('c2hvcnQ=', tsigSealContext(printable_id));
    await assertReports(set({ tsig_secret: 's1.AAAA' }), 'sealed secrets', 'fault', /TSIG key .* cannot be opened/);
    await assertReports(set({ tsig_secret }), 'TSIG keys', 'fault', /TSIG key .* length that hmac-sha256 needs/);
    await assertReports(set({ tsig_algorithm: 'hmac-sha512' }), 'TSIG keys', 'fault', /length that hmac-sha512 needs/);
    const revoked = { tsig_secret: 's1.AAAA', revoked_at: 1 };
    assert.deepEqual(problemsIn(await diagnose(set(revoked))), []);
  });

  test('reports an audit log that was tampered with', async () => {
    const forged = { ...entry, account_id: account, at: 1, outcome: 'ok', previous: 'x', hash: 'y' };
    await assertReports(
      (queries) => queries.insertInto('audit').values(forged).execute(),
      'audit logs',
      'fault',
      /account 1: entry \d+ was altered/,
    );
  });

  test('reports a ledger that does not balance', async () => {
    await assertReports(
      (queries) =>
        sql`insert into ledger (account_id, at, debit, credit, amount_cents, kind, invoice_id, reference)
          values (${account}, 1, 'receivable', 'goodwill', 1234, 'credit', null, '')`.execute(queries),
      'ledger',
      'fault',
      /Account 1 owes .* by the ledger and .* by its open invoices/,
    );
  });

  test('reports a clock that is behind recorded times', async () => {
    const event = { account_id: account, sequence: 9_999_999, type: 'x', version: 1, data: '{}' };
    await assertReports(
      (queries) =>
        queries
          .insertInto('events')
          .values({ ...event, at: Date.now() + dayMs })
          .execute(),
      'clock',
      'fault',
      /which is in the future/,
    );
  });

  if (engine === 'postgres')
    test("reports a clock that differs from the database's, in either direction", async () => {
      for (const [seconds, pattern] of [
        [60, /clock is (59|60) seconds behind this one/],
        [-60, /clock is 6[0-9] seconds ahead of this one/],
      ] as const) {
        const clock = { now: () => Date.now() + seconds * 1000 };
        const findings = await diagnose(
          async (queries) => {
            await queries.updateTable('events').set({ at: 0 }).execute();
            // Without triggers, because the log of earlier tests cannot be changed otherwise.
            await sql`set local session_replication_role = replica`.execute(queries);
            await queries.updateTable('audit').set({ at: 0 }).execute();
          },
          { clock },
        );
        assertOnlyFinding(
          findings.filter(({ check }) => check === 'clock'),
          'clock',
          'fault',
          pattern,
        );
      }
    });

  test('reports a stuck workflow', async () => {
    const row = { id: 'w', account_id: account, name: 'x', version: 1, operation: 'x', status: 'Stuck' as const };
    const position = { direction: 'back' as const, position: 0, step: 'x', step_since: 0, tries: 8, progress: 0 };
    const rest = { input: '{}', outputs: '{}', cancel_requested: 0, created_at: 0, revision: 1 };
    await assertReports(
      (queries) =>
        queries
          .insertInto('workflows')
          .values({ ...row, ...position, ...rest })
          .execute(),
      'workflows',
      'fault',
      /^1 workflow can neither continue/,
    );
  });

  test('reports a failing reconciler, and one that does not run', async () => {
    const row = { name: 'sweep', signals: 0, holder: null, lease_until: 0, last_success_at: 1, last_duration_ms: 1 };
    const put = (more: { run_at: number; last_error: string | null }) => (queries: Queries) =>
      queries
        .insertInto('reconcilers')
        .values({ ...row, ...more, backlog: 0 })
        .execute();
    const failing = put({ run_at: Date.now() + 60_000, last_error: 'no way' });
    await assertReports(failing, 'reconcilers', 'warning', /sweep failed: no way/);
    const late = put({ run_at: 0, last_error: null });
    await assertReports(late, 'reconcilers', 'warning', /sweep has not run on time/);
  });

  test('reports an unpublished zone', async () => {
    const row = { zone: 'late.example', holder: '', lease_until: 0 };
    await assertReports(
      (queries) => queries.insertInto('zone_publications').values(row).execute(),
      'zones',
      'warning',
      /late\.example/,
    );
  });

  test('reports a server in quarantine, with the reason', async () => {
    await assertReports(
      (queries) => quarantineServer(app.parts, queries),
      'quarantine',
      'warning',
      /^Server dc09r01ds\d+ is in quarantine because of the step erase: Not erased: disk WD-1\.$/,
    );
  });

  test('reports servers without a boot address, if they boot over a network', async () => {
    const bootsOver = (listen: string, addressOf: (index: number) => string | undefined) => {
      const servers = app.site.servers!.map((server, index) => ({ ...server, bootAddress: addressOf(index) }));
      const site = { ...app.site, servers, boot: { ...app.site.boot!, listen } } as Site;
      return (queries: Queries) => applyWithin(app.parts, queries, site, new Set());
    };
    const allButFirst = (index: number) => (index === 0 ? undefined : `192.0.2.${index}`);
    const missing = bootsOver('192.0.2.99:8069', allButFirst);
    await assertReports(missing, 'boot addresses', 'warning', /^Server dc01r01ds01 has no bootAddress/);
    assert.deepEqual(problemsIn(await diagnose(bootsOver('192.0.2.99:8069', (index) => `192.0.2.${index + 1}`))), []);
    assert.deepEqual(problemsIn(await diagnose(bootsOver('[::1]:8069', allButFirst))), []);
  });

  test('reports requests that wait for staff', async () => {
    const row = { account_id: account, service_id: 1001, family: 'ipv4' as const, prefix_length: 29 };
    await assertReports(
      (queries) =>
        queries
          .insertInto('netblock_requests')
          .values({ ...row, status: 'Pending', cidr: '', created_at: 1 })
          .execute(),
      'requests',
      'warning',
      /^1 address request is waiting/,
    );
  });

  test('reports an old backup, and a missing one', async () => {
    await assertReports(
      (queries) => metaPut(queries, lastBackupEntry, String(Date.now() - 8 * dayMs)),
      'backups',
      'warning',
      /8 days old/,
    );
    await assertReports(
      (queries) => queries.deleteFrom('meta').where('name', '=', lastBackupEntry).execute(),
      'backups',
      'warning',
      /There has never been a backup/,
    );
  });

  test('reports a site file that the last start could not apply', async () => {
    await assertReports(
      (queries) =>
        recordSiteProblem({ ...app.parts, store: { ...app.parts.store, queries } }, new Error('site.yaml:3:1: x')),
      'site state',
      'fault',
      /^The last start could not apply its site file: site\.yaml:3:1: x$/,
    );
  });

  test('reports a clock that has jumped', async () => {
    await assertReports(
      (queries) => startTrustedTime(queries, Date.now() - 2 * dayMs),
      'clock',
      'fault',
      /^The clock was at .* and is at .*: billing is paused\.$/,
    );
  });

  if (engine === 'sqlite') {
    test('reports a port that its switch does not have, and a host that cannot run its machines', async () => {
      const { store } = app.parts;
      const port = await store.queries
        .selectFrom('ports')
        .selectAll()
        .where('service_id', 'is not', null)
        .executeTakeFirstOrThrow();
      const setIndex = (if_index: number) =>
        store.queries.updateTable('ports').set({ if_index }).where('id', '=', port.id).execute();
      await setIndex(4711);
      assertOnlyFinding(
        await runChecks(app.parts, equipmentChecks),
        'switches',
        'fault',
        new RegExp(`^Switch ${port.switch} has no port with ifIndex 4711`),
      );
      await setIndex(port.if_index);
      const { id, key_by, key, current_index, counter_bits, speed } = port;
      const assertPort = async (change: object, ...expected: Expected) => {
        await updateWhere(store.queries, 'ports', { id }).set(change).execute();
        assertOnlyFinding(await runChecks(app.parts, equipmentChecks), ...expected);
        await updateWhere(store.queries, 'ports', { id })
          .set({ key_by, key, current_index, counter_bits, speed })
          .execute();
      };
      const gone = { key_by: 'name', key: 'xe-9' };
      await assertPort(
        gone,
        'switches',
        'fault',
        /no longer has the port with ifIndex 1 \(name xe-9\).* It has "ge-0\/0\/0"/,
      );
      const spare = { key_by: 'name', key: 'ge-0/0/3' };
      await assertPort(spare, 'switches', 'warning', /has renumbered the port .*: it is ifIndex 4 now\.$/);
      const fast = { counter_bits: 32, speed: 1e10 };
      await assertPort(fast, 'switches', 'warning', /has only 32-bit counters for the port with ifIndex 1/);
      const use: App['hypervisors']['use'] = (name, work) =>
        app.parts.hypervisors.use(name, (hypervisor, waits) =>
          work({ ...hypervisor, findHostProblems: async () => ['It cannot use KVM.'] }, waits),
        );
      const hypervisors = { ...app.parts.hypervisors, use };
      const findings = await runChecks({ ...app.parts, hypervisors }, equipmentChecks);
      assertOnlyFinding(findings, 'nodes', 'fault', /^Hypervisor .* cannot run machines: It cannot use KVM\.$/);
    });

    test('reports failed jobs', async () => {
      const { store } = app.parts;
      const row = { kind: 'sending', key: null, payload: '{}', state: 'failed' as const, run_at: 0, attempt: 9 };
      await store.queries
        .insertInto('jobs')
        .values({ ...row, failures: 9, error: 'no', failed_at: 1 })
        .execute();
      assertOnlyFinding(await runChecks(app.parts, checks), 'jobs', 'warning', /^1 job of kind sending has failed/);
      await store.queries.deleteFrom('jobs').where('kind', '=', 'sending').execute();
    });

    test('reports unreachable equipment, and only that', async () => {
      const { store, secrets } = app.parts;
      const unreachable = { address: '127.0.0.1', port: 9 };
      const bmc = { ...unreachable, username: 'x', password: 'y' };
      const server = app.lab.dedicated.server;
      const { name: node } = app.equipment.hypervisor;
      const [device] = await store.queries.selectFrom('switches').select('name').execute();
      await store.transaction(async (queries) => {
        const sealed = (settings: object, context: string) => secrets.seal(JSON.stringify(settings), context);
        const bmcSettings = {
          bmc_settings: sealed(bmc, bmcSealContext(server)),
          bmc_revision: 99,
          bmc_driver: 'ipmi',
        };
        await queries.updateTable('servers').set(bmcSettings).where('name', '=', server).execute();
        const community = { ...unreachable, version: '2c', community: 'x', timeoutMs: 300 };
        const switchSettings = { settings: sealed(community, switchSealContext(device!.name)), revision: 99 };
        await queries.updateTable('switches').set(switchSettings).execute();
        const nodeSettings = {
          settings: sealed({ ...unreachable, token: 'x' }, nodeSealContext(node)),
          revision: 99,
        };
        await queries.updateTable('nodes').set(nodeSettings).where('name', '=', node).execute();
      });
      const findings = problemsIn(await runChecks(app.parts, equipmentChecks));
      assert.deepEqual(
        findings.map(({ check, state, message }) => [check, state, message.split(' does not')[0]]),
        [
          ['controllers', 'warning', `The BMC of ${server}`],
          ['switches', 'warning', `Switch ${device!.name}`],
          ['nodes', 'warning', `Hypervisor ${node}`],
        ],
      );
    });
  }
});
