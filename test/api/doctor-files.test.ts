// hostyard doctor on an installation's files: each test breaks one thing and expects exactly that to be reported, with
// its fix.
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
import { stringify } from 'yaml';
import { databaseChecks } from '#server/doctor/database.ts';
import { folderChecks } from '#server/doctor/folder.ts';
import { listenerChecks } from '#server/doctor/listeners.ts';
import { thisMachine, type Machine, type Target } from '#server/doctor/machine.ts';
import { siteChecks } from '#server/doctor/site.ts';
import { runChecks, type Check, type Finding } from '#app/doctor/check.ts';
import { selfSignedCertificate } from '#lib/certificate.ts';
import { readConfig, type Config } from '#lib/config.ts';
import { secretBox, ensureSealingKey } from '#lib/secrets.ts';
import { metaInsertOnce, sealingKeyEntry } from '#store/meta.ts';
import { openStore } from '#store/open.ts';
import { assertOnlyFinding, problemsIn, type ExpectedFinding } from '#test/support/doctor-findings.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needsRoot } from '#test/support/needs.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

const dayMs = 86_400_000;
/** An address of this machine that nothing else listens on. */
const lowAddress = '127.53.69.1';
const nobody = 65_534;
const asRoot = needsRoot();

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
  const assertReports = async (sick: Breakage, ...expected: ExpectedFinding) =>
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
    const remove = (path: string) => ['secret.key', 'hostyard.sqlite'].forEach((name) => rmSync(join(path, name)));
    await assertReports(
      { folder: remove, checks: folderChecks },
      'sealing key',
      'warning',
      /secret\.key does not exist\./,
    );
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
      /The metrics cannot listen .*another program is using it/,
    );
    stranger.close();
    const foreign = () => ({ HOSTYARD_METRICS_LISTEN: '192.0.2.1:9090' });
    await assertReports(
      { env: foreign },
      'listeners',
      'fault',
      /192\.0\.2\.1:9090.*: this machine does not have that address/,
    );
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
