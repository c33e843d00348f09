// A backup that is taken while customers write, the server shot after it, and the backup brought back: what was acknowledged
// before it began is there, no change is there by half, and the doctor finds nothing wrong. Then what a backup, or the place
// that it shall go to, must not be.
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
import { backupUnpack } from '#app/backup/check.ts';
import { backupCreate } from '#app/backup/create.ts';
import type { Installation } from '#app/backup/manifest.ts';
import { backupRestore } from '#app/backup/restore.ts';
import { sealingKeyOf, secretBox } from '#kernel/secrets.ts';
import { metaSettle, sealingKeyMeta } from '#store/meta.ts';
import { takeProcessLock } from '#store/engine/process-lock.ts';
import { openStore } from '#store/open.ts';
import { createContact, nameOf } from '#test/support/contacts.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { request } from '#test/support/request.ts';
import { startServer, type Server } from '#test/support/server.ts';
import { until } from '#test/support/until.ts';
import { engines } from '#test/support/yard.ts';

const root = join(import.meta.dirname, '..', '..');
const writers = 2;
/** A new contact costs the hashing of a password: enough of them, but not all that the processor gives. */
const pauseMs = 50;
const enough = 5;

describe('a backup under load', { concurrency: true }, () => {
  for (const { engine, suite, start } of engines) {
    const programs = engine === 'postgres' ? needs('initdb', 'postgres', 'pg_dump', 'pg_restore') : suite;
    test(`on ${engine} restores to what was acknowledged, and the doctor is content`, programs, async () => {
      await using running = await start();
      await using folder = await temporaryFolder('backup');
      const place = await running.newDatabase();
      await using server = await startServer({ ...place, env: { HOSTYARD_BACKUPS_KEPT: '2' } });
      const installation: Installation = { dataFolder: server.data, database: place.database, sealingKey: undefined };
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
      const manifest = await backupCreate(installation, file);
      const after = acknowledged.size;
      await until(() => acknowledged.size >= after + enough, { saw });
      await server.kill('SIGKILL');
      stop.abort();
      await Promise.all(writing);
      agent.destroy();
      assert.equal(manifest.engine, engine);
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.deepEqual(readdirSync(folder.path), ['under-load.tar'], 'nothing is left beside it');

      if (place.database !== undefined) await emptied(place.database);
      const { aside } = await backupRestore(installation, file, 'replaced');
      if (engine === 'sqlite') assert.ok(existsSync(join(aside!, 'hostyard.sqlite')), 'the old database is kept');
      assert.ok(!readdirSync(server.data).some((name) => name.startsWith('restoring-')));
      await server.restart();

      const { body } = await request<{ result: { firstname: string }[] }>(server, 'GET', '/v2/account/contact', {
        key,
      });
      const there = new Set(body.result.map(({ firstname }) => firstname));
      for (const number of before) assert.ok(there.has(nameOf(number)), `${nameOf(number)} was acknowledged before`);
      const afterwards = [...acknowledged].filter((number) => !there.has(nameOf(number)));
      assert.ok(afterwards.length > 0, 'it is the state of then, not of the end');
      const log = await request<{ result: { operation: string }[] }>(server, 'GET', '/v2/account/audit?limit=1000', {
        key,
      });
      const made = [...there].filter((name) => name.startsWith('Nr')).length;
      assert.equal(log.body.result.filter(({ operation }) => operation === 'v2.contactCreate').length, made);

      const env = {
        ...process.env,
        HOSTYARD_DATA: server.data,
        HOSTYARD_LISTEN: new URL(server.url).host,
        ...(place.database === undefined ? {} : { HOSTYARD_DATABASE: place.database }),
      };
      const doctor = [join(root, 'bin', 'hostyard.js'), 'doctor', '-o', 'json'];
      const { stdout } = await promisify(execFile)(process.execPath, doctor, { env, timeout: 200_000 });
      const told = JSON.parse(stdout) as { healthy: boolean; findings: Finding[] };
      assert.ok(told.healthy);
      const states = new Map(told.findings.map(({ check, state }) => [check, state]));
      for (const check of ['database', 'sealed secrets', 'audit logs', 'ledger', 'server', 'listeners', 'controllers'])
        assert.equal(states.get(check), 'ok', check);
      assert.equal(states.get('backups'), 'warning', 'the restored database knows of no backup');
      await throughTheApi(server);
    });
  }
});

/** Staff take some too; the oldest beyond what is kept goes. */
async function throughTheApi(server: Server): Promise<void> {
  const { key } = server.lab.operator;
  const files: string[] = [];
  for (let taken = 0; taken < 3; taken++) {
    const { status, body } = await request<{ result: { file: string; sealingkey: string } }>(
      server,
      'POST',
      '/operator/backup',
      { key },
    );
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(body.result.sealingkey, /^[0-9a-f]{16}$/);
    files.unshift(body.result.file);
  }
  const { body } = await request<{ result: { file: string }[] }>(server, 'GET', '/operator/backup', { key });
  const listed = body.result.map(({ file }) => file);
  assert.deepEqual(listed, files.slice(0, 2), 'newest first, as many as are kept');
  assert.deepEqual(readdirSync(join(server.data, 'backups')).toSorted(), listed.toSorted());
  await using scratch = await temporaryFolder('backup');
  await backupUnpack(join(server.data, 'backups', listed[0]!), scratch.path);
}

/** A new database of the same name. */
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
    from = place('from');
    const store = await openStore(from);
    await metaSettle(store.queries, sealingKeyMeta, secretBox(sealingKeyOf(from.dataFolder)).fingerprint);
    await store.close();
    file = join(folder, 'good.tar');
    await backupCreate(from, file);
  });
  after(() => owned.disposeAsync());

  /** A data folder of that name, made and empty. */
  function place(name: string): Installation {
    const dataFolder = join(folder, name);
    mkdirSync(dataFolder, { mode: 0o700 });
    return { dataFolder, database: undefined, sealingKey: undefined };
  }
  const copyKey = (to: Installation) => cpSync(join(from.dataFolder, 'secret.key'), join(to.dataFolder, 'secret.key'));
  const contents = ({ dataFolder }: Installation) =>
    readdirSync(dataFolder).filter((name) => !name.startsWith('server.lock'));

  test('has no key in it unless asked for, and does not overwrite what is there', async () => {
    const key = readFileSync(join(from.dataFolder, 'secret.key'), 'utf8').trim();
    assert.ok(!readFileSync(file, 'latin1').includes(key));
    await assert.rejects(backupCreate(from, file), /good\.tar is there already/);
    await assert.rejects(backupCreate(from, join(folder, 'nowhere', 'x.tar')), /there is no folder/);
    await assert.rejects(backupCreate(place('hollow'), join(folder, 'hollow.tar')), /there is no database/);
    const withKey = join(folder, 'with-key.tar');
    await backupCreate(from, withKey, 'with the key');
    assert.ok(readFileSync(withKey, 'latin1').includes(key));
    const to = place('complete');
    await backupRestore(to, withKey, 'refused');
    assert.deepEqual(contents(to).toSorted(), ['hostyard.sqlite', 'secret.key']);
    assert.equal(statSync(join(to.dataFolder, 'secret.key')).mode & 0o777, 0o600);
  });

  test('needs its key, and tells a wrong one from none', async () => {
    const to = place('keyless');
    await assert.rejects(backupRestore(to, file, 'refused'), /the backup has no key: put the one/);
    writeFileSync(join(to.dataFolder, 'secret.key'), randomBytes(32).toString('base64'));
    await assert.rejects(backupRestore(to, file, 'refused'), /is not the key under which this backup was sealed/);
    await assert.rejects(
      backupRestore({ ...to, sealingKey: randomBytes(32) }, file, 'refused'),
      /SEALING_KEY_FILE is not/,
    );
    assert.deepEqual(contents(to), ['secret.key'], 'nothing was touched');
    copyKey(to);
    await backupRestore(to, file, 'refused');
    const database = new SQLite(join(to.dataFolder, 'hostyard.sqlite'), { readonly: true });
    assert.equal(
      database.prepare('select count(*) from migrations').pluck().get(),
      (await backupUnpack(file, await scratch())).migrations.length,
    );
    database.close();
  });

  test('goes over no database unless told to, and over none that a server uses', async () => {
    const to = place('occupied');
    copyKey(to);
    await backupRestore(to, file, 'refused');
    writeFileSync(join(to.dataFolder, 'hostyard.sqlite-wal'), 'of the old one');
    mkdirSync(join(to.dataFolder, 'restoring-shot'));
    await assert.rejects(backupRestore(to, file, 'refused'), /a database is in the data folder/);
    const { aside } = await backupRestore(to, file, 'replaced');
    assert.deepEqual(readdirSync(aside!).toSorted(), ['hostyard.sqlite', 'hostyard.sqlite-wal']);
    assert.ok(!existsSync(join(to.dataFolder, 'hostyard.sqlite-wal')), 'an old log would be taken for the new one’s');
    assert.ok(!existsSync(join(to.dataFolder, 'restoring-shot')), 'what a shot run left is gone');
    const lock = takeProcessLock(to.dataFolder);
    await assert.rejects(backupRestore(to, file, 'replaced'), /stop it first/);
    lock!.release();
  });

  test('is refused where it was altered, cut off, or is something else', async () => {
    const good = readFileSync(file);
    const broken = async (bytes: Buffer, says: RegExp) => {
      const bad = join(folder, 'bad.tar');
      writeFileSync(bad, bytes);
      await assert.rejects(backupUnpack(bad, await scratch()), says);
    };
    const altered = Buffer.from(good);
    altered[20_000] = altered[20_000]! ^ 1;
    await broken(altered, /hostyard\.sqlite was altered or is damaged/);
    await broken(good.subarray(0, good.length / 2), /cut off/);
    await broken(Buffer.from('not a backup'), /no backup of Hostyard/);
    await broken(Buffer.alloc(1024), /it has no manifest/);
    await assert.rejects(backupUnpack(join(folder, 'absent.tar'), await scratch()), /there is no file/);
  });

  test('of a newer version, or of another engine, is refused', async () => {
    const to = place('newer');
    cpSync(from.dataFolder, to.dataFolder, { recursive: true });
    const database = new SQLite(join(to.dataFolder, 'hostyard.sqlite'));
    database.exec("insert into migrations (name) values ('9999-later')");
    database.close();
    const newer = join(folder, 'newer.tar');
    await backupCreate(to, newer);
    await assert.rejects(backupUnpack(newer, await scratch()), /a newer Hostyard made its database .*9999-later/);
    const elsewhere = { ...place('elsewhere'), database: 'postgres://nobody@127.0.0.1:1/none' };
    await assert.rejects(backupRestore(elsewhere, file, 'refused'), /it is a backup of sqlite/);
  });

  test('is not made of a damaged database', async () => {
    const to = place('damaged');
    cpSync(from.dataFolder, to.dataFolder, { recursive: true });
    const database = join(to.dataFolder, 'hostyard.sqlite');
    const bytes = readFileSync(database);
    bytes.fill(0xff, 8192, 40_960);
    writeFileSync(database, bytes);
    await assert.rejects(backupCreate(to, join(folder, 'damaged.tar')), /malformed|damaged/);
    assert.ok(!readdirSync(folder).some((name) => name.startsWith('damaged.tar')));
  });

  let scratches = 0;
  async function scratch(): Promise<string> {
    const path = join(folder, `scratch-${scratches++}`);
    mkdirSync(path);
    return path;
  }
});
