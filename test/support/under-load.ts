// What the pager is for, all at once: customers' programs at work while the server is shot, its disk fills up, its clock jumps, its
// equipment hangs and its database is lost.
// What was acknowledged is there, what could not be done says so, and it goes on by itself.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startBadNeighbours } from './bad-neighbours.ts';
import { startFleet } from './fleet.ts';
import { startLoad, type Load } from './load.ts';
import { movedClock } from './moved-clock.ts';
import { needs } from './needs.ts';
import { startPostgresPair, type Loss } from './postgres-pair.ts';
import { request } from './request.ts';
import { startSite, type SiteServer } from './server.ts';
import { mountSmallDisk } from './small-disk.ts';
import { until } from './until.ts';

/** What a caller may be told while the server is shot or its database is away. */
const honest = [
  'nothing',
  'overloaded',
  'idempotency_in_progress',
  'idempotency_outcome_unknown',
  'device_busy',
] as const;
/** Of the fleet, so many controllers fall silent together. */
const hanging = 20;
const hour = 3600;

export interface Rounds {
  readonly shots: number;
  /** Offsets of the clock, in hours, one after the other. */
  readonly clock: readonly number[];
}

export function storyOnSqlite({ shots, clock: offsets }: Rounds): void {
  test('a server on SQLite', needs('faketime', 'unshare', 'nsenter'), async (story) => {
    await using fleet = await startFleet(6 + hanging);
    // From the first to the last moment: of every driver one piece that hangs and one that lies.
    await using bad = await startBadNeighbours(fleet, ['hangs', 'talks nonsense']);
    await using disk = await mountSmallDisk(24);
    await using clock = await movedClock();
    const env = { ...clock.env, HOSTYARD_DATA: `${disk.path}/data`, HOSTYARD_LOG_LEVEL: 'warn' };
    await using server = await startSite(bad.site, env, disk.through);
    await using load = await startLoad(fleet, () => [server.url]);
    const more = (calls: number) => goesOn(load, calls, [server]);
    await more(30);

    /** When the loops that run every few seconds last succeeded. */
    async function successes(): Promise<(string | undefined)[]> {
      const { body } = await request<string>(server, 'GET', '/metrics', { key: fleet.operatorKey });
      return ['power-sync', 'traffic-poll', 'machine-sync'].map(
        (name) =>
          new RegExp(`^hostyard_reconciler_last_success_seconds\\{name="${name}"\\} (.+)$`, 'm').exec(body)?.[1],
      );
    }

    await story.test('of whose equipment much hangs or lies lets nobody else wait', async () => {
      const dead = fleet.bmcs.slice(-hanging);
      const services = fleet.services.slice(-hanging);
      for (const bmc of dead) bmc.setFaults({ isSilent: true });
      const calls = services.map((service) =>
        request(server, 'POST', '/v2/device/power', { key: fleet.key, params: { service, action: 'off' } }),
      );
      await more(60);
      assert.deepEqual([...load.seen.keys()], ['200'], 'the others notice nothing');
      for (const { status, body } of await Promise.all(calls)) assert.equal(status, 504, JSON.stringify(body));
      const answers = bad.services.map((service) =>
        request(server, 'GET', `/v2/device/power/${service}`, { key: fleet.key }),
      );
      for (const { status, body } of await Promise.all(answers))
        assert.ok(status === 502 || status === 504, JSON.stringify(body));
      for (const bmc of dead) bmc.setFaults({});
      for (const service of services)
        await until(async () => {
          const { status } = await request(server, 'GET', `/v2/device/power/${service}`, { key: fleet.key });
          return status === 200;
        });
    });

    await story.test('that is shot goes on where it was', async () => {
      for (let shot = 0; shot < shots; shot++) {
        await server.kill('SIGKILL');
        await server.start();
        await more(20);
      }
    });

    await story.test('whose disk is full says so, goes on reading, and recovers when there is room', async () => {
      await disk.fill();
      await until(() => (load.seen.get('overloaded') ?? 0) > 5, { saw: () => [...load.seen] });
      assert.equal((await request(server, 'GET', '/v2/account', { key: fleet.key })).status, 200);
      await until(() => server.logs().includes('database or disk is full'));
      const backup = await request<{ result: { code: string } }>(server, 'POST', '/operator/backup', {
        key: fleet.operatorKey,
      });
      assert.deepEqual([backup.status, backup.body.result.code], [503, 'overloaded']);
      await disk.free();
      await more(30);
      assert.ok(await isReady(server));
    });

    await story.test('whose clock jumps stands still for nothing', async () => {
      for (const [jumps, offset] of offsets.entries()) {
        await clock.set(offset * hour);
        await until(() => server.logs().split('the clock was set').length - 1 > jumps);
        const before = await successes();
        await more(20);
        const params = { service: fleet.services[5], action: 'cycle' };
        const cycled = await request(server, 'POST', '/v2/device/power', { key: fleet.key, params });
        assert.equal(cycled.status, 200, JSON.stringify(cycled.body));
        await until(async () => (await successes()).every((at, index) => at !== before[index]), { saw: successes });
      }
    });

    await load.stop();
    assert.ok(await isReady(server));
    await load.check(honest);
    await auditHolds(server, disk.through);
  });
}

export function storyOnPostgres({ shots, clock: offsets, loss }: Rounds & { readonly loss: Loss }): void {
  test(
    'two nodes on a PostgreSQL with a replica',
    needs('initdb', 'postgres', 'pg_basebackup', 'faketime'),
    async (story) => {
      await using fleet = await startFleet(6);
      await using other = await startFleet(1);
      await using clock = await movedClock();
      await using pair = await startPostgresPair(offsets.length === 0 ? {} : clock.env);
      const env = { HOSTYARD_DATABASE: pair.database, HOSTYARD_LOG_LEVEL: 'warn' };
      await using one = await startSite(fleet.site, env);
      const sealed = { HOSTYARD_SEALING_KEY_FILE: join(one.env['HOSTYARD_DATA']!, 'secret.key') };
      // One site file for both, but for the address at which this node answers for names.
      const { nameserver } = fleet.site;
      const beside = {
        ...fleet.site,
        nameserver: { ...nameserver!, listen: `${other.dns.address}:${other.dns.port}` },
      };
      await using two = await startSite(beside, { ...env, ...sealed });
      const nodes = [one, two];
      await using load = await startLoad(fleet, () => nodes.map(({ url }) => url));
      await goesOn(load, 30, nodes);

      await story.test('of which one is shot go on', async () => {
        for (let shot = 0; shot < shots; shot++) {
          await one.kill('SIGKILL');
          await goesOn(load, 30, nodes);
          await one.start();
          await goesOn(load, 30, nodes);
        }
      });

      await story.test('that hangs say so to the balancer at once, and go on when it does', async () => {
        const wakeUp = pair.hang();
        try {
          await until(async () => !(await isReady(one)) && !(await isReady(two)));
        } finally {
          wakeUp();
        }
        await goesOn(load, 30, nodes);
      });

      for (const [jumps, offset] of offsets.entries())
        await story.test(`whose clock is ${offset} hours off stand still for nothing`, async () => {
          await clock.set(offset * hour);
          for (const { logs } of nodes)
            await until(() => logs().split('the clock was set').length - 1 > jumps, {
              saw: () => logs().slice(-1500),
              patienceMs: 60_000,
            });
          await goesOn(load, 30, nodes);
          const params = { service: fleet.services[5], action: 'cycle' };
          const cycled = await request(one, 'POST', '/v2/device/power', { key: fleet.key, params });
          assert.equal(cycled.status, 200, JSON.stringify(cycled.body));
        });

      await story.test('that is lost go on with the replica', async () => {
        await pair.failOver(loss);
        await until(async () => (await isReady(one)) && (await isReady(two)));
        await goesOn(load, 60, nodes);
      });

      await load.stop();
      await load.check(honest);
      await auditHolds(two);
    },
  );
}

async function goesOn(load: Load, calls: number, nodes: readonly SiteServer[]): Promise<void> {
  const before = load.done();
  const saw = () => [[...load.seen], ...nodes.map((node) => node.logs().slice(-1500))];
  await until(() => load.done() >= before + calls, { saw, patienceMs: 100_000 });
}

async function isReady(server: SiteServer): Promise<boolean> {
  return (await request(server, 'GET', '/readyz')).status === 200;
}

async function auditHolds({ env }: SiteServer, through: readonly string[] = []): Promise<void> {
  const [program, ...args] = [...through, process.execPath, 'bin/hostyard.js', 'audit'];
  // Fails where a chain is broken.
  await promisify(execFile)(program!, args, { env });
}
