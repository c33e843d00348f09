// A backup taken while customers write, the server killed afterwards, and the backup restored: everything acknowledged
// before it began exists, no change is half there, and the doctor finds nothing wrong. Then invalid backups and invalid
// restore targets.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import SQLite from 'better-sqlite3';
import pg from 'pg';
import type { Finding } from '#app/doctor/check.ts';
import { unpackBackup } from '#app/backup/unpack.ts';
import { createBackup } from '#app/backup/create.ts';
import type { Installation } from '#app/backup/manifest.ts';
import { restoreBackup } from '#app/backup/restore.ts';
import { ensureSealingKey, secretBox } from '#lib/secrets.ts';
import { metaInsertOnce, sealingKeyEntry } from '#store/meta.ts';
import { takeProcessLock } from '#store/engine/process-lock.ts';
import { openStore } from '#store/open.ts';
import { createContact, nameOf } from '#test/support/contacts.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { requestResult } from '#test/support/request.ts';
import { startServer, type Server } from '#test/support/server.ts';
import { until } from '#test/support/until.ts';
import { enginesOfSlowSuites } from '#test/support/engine-suite.ts';

const root = join(import.meta.dirname, '..', '..');
const writers = 2;
/** Each new contact hashes a password: enough of them, without using the whole CPU. */
const pauseMs = 50;
const enough = 5;

describe('a backup under load', { concurrency: true }, () => {
  for (const { engine, suite, start } of enginesOfSlowSuites) {
    const programs = engine === 'postgres' ? needs('initdb', 'postgres', 'pg_dump', 'pg_restore') : suite;
    test(`on ${engine} restores what was acknowledged, and the doctor finds nothing wrong`, programs, async () => {
      await using running = await start();
      await using folder = await temporaryFolder('backup');
      const database = await running.newDatabase();
      await using server = await startServer({ ...database, env: { HOSTYARD_BACKUPS_KEPT: '2' } });
      const installation: Installation = {
        dataFolder: server.data,
        database: database.database,
        sealingKey: undefined,
      };
      const file = join(folder.path, 'under-load.tar');

      const { key } = server.lab.customer;
      const agent = new Agent({ keepAlive: true });
      const acknowledged = new Set<number>();
      const stop = new AbortController();
      let next = 0;
      const writer = async (): Promise<void> => {
        while (!stop.signal.aborted) {
          const number = next++;
          if ((await createContact(server.url, key, number, agent))?.startsWith('200 ')) acknowledged.add(number);
          await sleep(pauseMs);
        }
      };
      const writing = Array.from({ length: writers }, writer);
      const saw = () => `${acknowledged.size} contacts`;
      await until(() => acknowledged.size >= enough, { saw });
      const before = new Set(acknowledged);
      const manifest = await createBackup(installation, file);
      const after = acknowledged.size;
      await until(() => acknowledged.size >= after + enough, { saw });
      await server.kill('SIGKILL');
      stop.abort();
      await Promise.all(writing);
      agent.destroy();
      assert.equal(manifest.engine, engine);
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.deepEqual(readdirSync(folder.path), ['under-load.tar'], 'nothing is left next to it');

      if (database.database !== undefined) await emptied(database.database);
      const { aside } = await restoreBackup(installation, file, 'replace');
      if (engine === 'sqlite') assert.ok(existsSync(join(aside!, 'hostyard.sqlite')), 'the old database is kept');
      assert.ok(!readdirSync(server.data).some((name) => name.startsWith('restoring-')));
      await server.restart();

      const result = await requestResult<{ firstname: string }[]>(server, 'GET', '/v2/account/contact', { key });
      const firstNames = new Set(result.map(({ firstname }) => firstname));
      for (const number of before)
        assert.ok(firstNames.has(nameOf(number)), `${nameOf(number)} was acknowledged before`);
      const afterwards = [...acknowledged].filter((number) => !firstNames.has(nameOf(number)));
      assert.ok(afterwards.length > 0, 'it is the state at that time, not at the end');
      const log = await requestResult<{ operation: string }[]>(server, 'GET', '/v2/account/audit?limit=1000', { key });
      const contactCount = [...firstNames].filter((name) => name.startsWith('Nr')).length;
      assert.equal(log.filter(({ operation }) => operation === 'v2.contactCreate').length, contactCount);

      const env = {
        ...process.env,
        HOSTYARD_DATA: server.data,
        HOSTYARD_LISTEN: new URL(server.url).host,
        ...(database.database === undefined ? {} : { HOSTYARD_DATABASE: database.database }),
      };
      const doctor = [join(root, 'bin', 'hostyard.js'), 'doctor', '-o', 'json'];
      const { stdout } = await promisify(execFile)(process.execPath, doctor, { env, timeout: 200_000 });
      const report = JSON.parse(stdout) as { healthy: boolean; findings: Finding[] };
      assert.ok(report.healthy);
      const states = new Map(report.findings.map(({ check, state }) => [check, state]));
      for (const check of ['database', 'sealed secrets', 'audit logs', 'ledger', 'server', 'listeners', 'controllers'])
        assert.equal(states.get(check), 'ok', check);
      assert.equal(states.get('backups'), 'warning', 'the restored database has no record of a backup');
      await throughTheApi(server);
    });
  }
});

/** Staff take some as well; the oldest beyond the limit are removed. */
async function throughTheApi(server: Server): Promise<void> {
  const { key } = server.lab.operator;
  const files: string[] = [];
  for (let round = 0; round < 3; round++) {
    const result = await requestResult<{ file: string; sealingkey: string }>(server, 'POST', '/operator/backup', {
      key,
    });
    assert.match(result.sealingkey, /^[0-9a-f]{16}$/);
    files.unshift(result.file);
  }
  const result = await requestResult<{ file: string }[]>(server, 'GET', '/operator/backup', { key });
  const fileNames = result.map(({ file }) => file);
  assert.deepEqual(fileNames, files.slice(0, 2), 'newest first, as many as are kept');
  assert.deepEqual(readdirSync(join(server.data, 'backups')).toSorted(), fileNames.toSorted());
  await using scratch = await temporaryFolder('backup');
  await unpackBackup(join(server.data, 'backups', fileNames[0]!), scratch.path);
}

/** Recreates the database under the same name. */
async function emptied(url: string): Promise<void> {
  const maintenance = new URL(url);
  const name = maintenance.pathname.slice(1);
  maintenance.pathname = '/postgres';
  const client = new pg.Client({ connectionString: maintenance.href });
  await client.connect();
  await client.query(`drop database "${name}" with (force)`);
  await client.query(`create database "${name}"`);
  await client.end();
}

describe('a backup', () => {
  const owned = new AsyncDisposableStack();
  let folder: string;
  let from: Installation;
  let file: string;
  before(async () => {
    folder = owned.use(await temporaryFolder('backup')).path;
    from = installationAt('from');
    const store = await openStore(from);
    await metaInsertOnce(store.queries, sealingKeyEntry, secretBox(ensureSealingKey(from.dataFolder)).fingerprint);
    await store.close();
    file = join(folder, 'good.tar');
    await createBackup(from, file);
  });
  after(() => owned.disposeAsync());

  /** A new, empty data folder of that name. */
  function installationAt(name: string): Installation {
    const dataFolder = join(folder, name);
    mkdirSync(dataFolder, { mode: 0o700 });
    return { dataFolder, database: undefined, sealingKey: undefined };
  }
  const copyKey = (to: Installation) => cpSync(join(from.dataFolder, 'secret.key'), join(to.dataFolder, 'secret.key'));
  const contents = ({ dataFolder }: Installation) =>
    readdirSync(dataFolder).filter((name) => !name.startsWith('server.lock'));

  test('contains no key unless requested, and overwrites nothing', async () => {
    const key = readFileSync(join(from.dataFolder, 'secret.key'), 'utf8').trim();
    assert.ok(!readFileSync(file, 'latin1').includes(key));
    await assert.rejects(createBackup(from, file), /good\.tar already exists/);
    await assert.rejects(createBackup(from, join(folder, 'nowhere', 'x.tar')), /Folder .* does not exist/);
    await assert.rejects(
      createBackup(installationAt('hollow'), join(folder, 'hollow.tar')),
      /Database .* does not exist/,
    );
    const withKey = join(folder, 'with-key.tar');
    await createBackup(from, withKey, 'with the key');
    assert.ok(readFileSync(withKey, 'latin1').includes(key));
    const to = installationAt('complete');
    await restoreBackup(to, withKey, 'reject');
    assert.deepEqual(contents(to).toSorted(), ['hostyard.sqlite', 'secret.key']);
    assert.equal(statSync(join(to.dataFolder, 'secret.key')).mode & 0o777, 0o600);
  });

  test('needs its key, and tells a wrong one from a missing one', async () => {
    const to = installationAt('keyless');
    await assert.rejects(restoreBackup(to, file, 'reject'), /does not contain its sealing key: save the key/);
    writeFileSync(join(to.dataFolder, 'secret.key'), randomBytes(32).toString('base64'));
    await assert.rejects(restoreBackup(to, file, 'reject'), /is not the key that this backup was sealed with/);
    await assert.rejects(
      restoreBackup({ ...to, sealingKey: randomBytes(32) }, file, 'reject'),
      /SEALING_KEY_FILE is not/,
    );
    assert.deepEqual(contents(to), ['secret.key'], 'nothing was touched');
    copyKey(to);
    await restoreBackup(to, file, 'reject');
    const database = new SQLite(join(to.dataFolder, 'hostyard.sqlite'), { readonly: true });
    assert.equal(
      database.prepare('select count(*) from migrations').pluck().get(),
      (await unpackBackup(file, await scratch())).migrations.length,
    );
    database.close();
  });

  test('replaces no database unless told to, and none that a server uses', async () => {
    const to = installationAt('occupied');
    copyKey(to);
    await restoreBackup(to, file, 'reject');
    writeFileSync(join(to.dataFolder, 'hostyard.sqlite-wal'), 'of the old one');
    mkdirSync(join(to.dataFolder, 'restoring-shot'));
    await assert.rejects(restoreBackup(to, file, 'reject'), /data folder already has a database/);
    const { aside } = await restoreBackup(to, file, 'replace');
    assert.deepEqual(readdirSync(aside!).toSorted(), ['hostyard.sqlite', 'hostyard.sqlite-wal']);
    assert.ok(
      !existsSync(join(to.dataFolder, 'hostyard.sqlite-wal')),
      "an old log would be mistaken for the new one's",
    );
    assert.ok(!existsSync(join(to.dataFolder, 'restoring-shot')), 'the leftovers of a killed run are gone');
    const lock = takeProcessLock(to.dataFolder);
    await assert.rejects(restoreBackup(to, file, 'replace'), /Stop it first/);
    lock!.release();
  });

  test('is rejected if it was altered, truncated, or is something else', async () => {
    const good = readFileSync(file);
    const assertRejected = async (bytes: Buffer, message: RegExp) => {
      const bad = join(folder, 'bad.tar');
      writeFileSync(bad, bytes);
      await assert.rejects(unpackBackup(bad, await scratch()), message);
    };
    const altered = Buffer.from(good);
    altered[20_000] = altered[20_000]! ^ 1;
    await assertRejected(altered, /hostyard\.sqlite was altered or is damaged/);
    await assertRejected(good.subarray(0, good.length / 2), /truncated/);
    await assertRejected(Buffer.from('not a backup'), /not a Hostyard backup/);
    await assertRejected(Buffer.alloc(1024), /it has no manifest/);
    await assert.rejects(unpackBackup(join(folder, 'absent.tar'), await scratch()), /absent\.tar does not exist/);
  });

  test('of a newer version, or of another engine, is rejected', async () => {
    const to = installationAt('newer');
    cpSync(from.dataFolder, to.dataFolder, { recursive: true });
    const database = new SQLite(join(to.dataFolder, 'hostyard.sqlite'));
    database.exec("insert into migrations (name) values ('9999-later')");
    database.close();
    const newer = join(folder, 'newer.tar');
    await createBackup(to, newer);
    await assert.rejects(unpackBackup(newer, await scratch()), /created by a newer Hostyard .*9999-later/);
    const unreachable = { ...installationAt('elsewhere'), database: 'postgres://nobody@127.0.0.1:1/none' };
    await assert.rejects(restoreBackup(unreachable, file, 'reject'), /This is a backup of sqlite/);
  });

  test('is not made of a damaged database', async () => {
    const to = installationAt('damaged');
    cpSync(from.dataFolder, to.dataFolder, { recursive: true });
    const database = join(to.dataFolder, 'hostyard.sqlite');
    const bytes = readFileSync(database);
    bytes.fill(0xff, 8192, 40_960);
    writeFileSync(database, bytes);
    await assert.rejects(createBackup(to, join(folder, 'damaged.tar')), /malformed|damaged/);
    assert.ok(!readdirSync(folder).some((name) => name.startsWith('damaged.tar')));
  });

  let scratches = 0;
  async function scratch(): Promise<string> {
    const path = join(folder, `scratch-${scratches++}`);
    mkdirSync(path);
    return path;
  }
});
