// All that can wake the operator, at once: customers' programs at work while the server is killed, its disk fills up,
// its clock jumps, its equipment hangs and its database is lost. Everything acknowledged must exist, everything else
// must have been rejected honestly, and the service must recover without help.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startFaultyEquipment } from './faulty-equipment.ts';
import { startFleet } from './fleet.ts';
import { startLoad, type Load } from './load.ts';
import { createAdjustableClock } from './adjustable-clock.ts';
import { needs } from './needs.ts';
import { startPostgresPair, type Loss } from './postgres-pair.ts';
import { request } from './request.ts';
import { startSite, type SiteServer } from './server.ts';
import { mountSmallDisk } from './small-disk.ts';
import { until } from './until.ts';

/** Errors that a caller may see while the server is killed or its database is away. */
const honest = [
  'nothing',
  'overloaded',
  'idempotency_in_progress',
  'idempotency_outcome_unknown',
  'device_busy',
] as const;
/** Number of BMCs in the fleet that stop responding together. */
const hanging = 20;
const hour = 3600;

export interface Rounds {
  readonly shots: number;
  /** Clock offsets in hours, one after the other. */
  readonly clock: readonly number[];
}

export function describeFailuresOnSqlite({ shots, clock: offsets }: Rounds): void {
  test('a server on SQLite', needs('faketime', 'unshare', 'nsenter'), async (story) => {
    await using fleet = await startFleet(6 + hanging);
    // Throughout the test, one device of every driver hangs and one sends garbage.
    await using bad = await startFaultyEquipment(fleet, ['hangs', 'talks nonsense']);
    // Twice as much as the largest log of the database and its file.
    await using disk = await mountSmallDisk(48);
    await using clock = await createAdjustableClock();
    const env = { ...clock.env, HOSTYARD_DATA: `${disk.path}/data`, HOSTYARD_LOG_LEVEL: 'warn' };
    await using server = await startSite(bad.site, env, disk.through);
    await using load = await startLoad(fleet, () => [server.url]);
    const more = (calls: number) => goesOn(load, calls, [server]);
    await more(30);

    /** Returns when the frequent reconcilers last succeeded. */
    async function successes(): Promise<(string | undefined)[]> {
      const { body } = await request<string>(server, 'GET', '/metrics', { key: fleet.operatorKey });
      return ['power-sync', 'traffic-poll', 'machine-sync'].map(
        (name) =>
          new RegExp(`^hostyard_reconciler_last_success_seconds\\{name="${name}"\\} (.+)$`, 'm').exec(body)?.[1],
      );
    }

    await story.test('with much hanging or lying equipment delays no other caller', async () => {
      const dead = fleet.bmcs.slice(-hanging);
      const services = fleet.services.slice(-hanging);
      for (const bmc of dead) bmc.setMalfunctions({ isSilent: true });
      const calls = services.map((service) =>
        request(server, 'POST', '/v2/device/power', { key: fleet.key, params: { service, action: 'off' } }),
      );
      await more(60);
      assert.deepEqual([...load.responseCounts.keys()], ['200'], 'the others notice nothing');
      for (const { status, body } of await Promise.all(calls)) assert.equal(status, 504, JSON.stringify(body));
      const responses = bad.services.map((service) =>
        request(server, 'GET', `/v2/device/power/${service}`, { key: fleet.key }),
      );
      for (const { status, body } of await Promise.all(responses))
        assert.ok(status === 502 || status === 504, JSON.stringify(body));
      for (const bmc of dead) bmc.setMalfunctions({});
      for (const service of services)
        await until(async () => {
          const { status } = await request(server, 'GET', `/v2/device/power/${service}`, { key: fleet.key });
          return status === 200;
        });
    });

    await story.test('resumes after being killed', async () => {
      for (let shot = 0; shot < shots; shot++) {
        await server.kill('SIGKILL');
        await server.start();
        await more(20);
      }
    });

    await story.test('with a full disk says so, keeps reading, and recovers when there is space', async () => {
      await disk.fill();
      await until(() => (load.responseCounts.get('overloaded') ?? 0) > 5, { saw: () => [...load.responseCounts] });
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

    await story.test('whose clock jumps delays nothing', async () => {
      for (const [jumps, offset] of offsets.entries()) {
        await clock.set(offset * hour);
        await until(() => server.logs().split('the clock jumped').length - 1 > jumps);
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

export function describeFailuresOnPostgres({ shots, clock: offsets, loss }: Rounds & { readonly loss: Loss }): void {
  test(
    'two instances on PostgreSQL with a replica',
    needs('initdb', 'postgres', 'pg_basebackup', 'faketime'),
    async (story) => {
      await using fleet = await startFleet(6);
      await using other = await startFleet(1);
      await using clock = await createAdjustableClock();
      await using pair = await startPostgresPair(offsets.length === 0 ? {} : clock.env);
      const env = { HOSTYARD_DATABASE: pair.database, HOSTYARD_LOG_LEVEL: 'warn' };
      await using first = await startSite(fleet.site, env);
      const sealed = { HOSTYARD_SEALING_KEY_FILE: join(first.env['HOSTYARD_DATA']!, 'secret.key') };
      // Both use the same site file except for the address of the name server.
      const { nameserver } = fleet.site;
      const secondSite = {
        ...fleet.site,
        nameserver: { ...nameserver!, listen: `${other.dns.address}:${other.dns.port}` },
      };
      await using second = await startSite(secondSite, { ...env, ...sealed });
      const nodes = [first, second];
      await using load = await startLoad(fleet, () => nodes.map(({ url }) => url));
      await goesOn(load, 30, nodes);

      await story.test('continue when one is killed', async () => {
        for (let shot = 0; shot < shots; shot++) {
          await first.kill('SIGKILL');
          await goesOn(load, 30, nodes);
          await first.start();
          await goesOn(load, 30, nodes);
        }
      });

      await story.test(
        'report a hanging database to the load balancer at once, and continue when it recovers',
        async () => {
          const wakeUp = pair.hang();
          try {
            await until(async () => !(await isReady(first)) && !(await isReady(second)));
          } finally {
            wakeUp();
          }
          await goesOn(load, 30, nodes);
        },
      );

      for (const [jumps, offset] of offsets.entries())
        await story.test(`whose clock is ${offset} hours off delay nothing`, async () => {
          await clock.set(offset * hour);
          for (const { logs } of nodes)
            await until(() => logs().split('the clock jumped').length - 1 > jumps, {
              saw: () => logs().slice(-1500),
              patienceMs: 60_000,
            });
          await goesOn(load, 30, nodes);
          const params = { service: fleet.services[5], action: 'cycle' };
          const cycled = await request(first, 'POST', '/v2/device/power', { key: fleet.key, params });
          assert.equal(cycled.status, 200, JSON.stringify(cycled.body));
        });

      await story.test('continue on the replica when the primary is lost', async () => {
        await pair.failOver(loss);
        await until(async () => (await isReady(first)) && (await isReady(second)));
        await goesOn(load, 60, nodes);
      });

      await load.stop();
      await load.check(honest);
      await auditHolds(second);
    },
  );
}

async function goesOn(load: Load, calls: number, nodes: readonly SiteServer[]): Promise<void> {
  const before = load.done();
  const saw = () => [[...load.responseCounts], ...nodes.map((node) => node.logs().slice(-1500))];
  await until(() => load.done() >= before + calls, { saw, patienceMs: 100_000 });
}

async function isReady(server: SiteServer): Promise<boolean> {
  return (await request(server, 'GET', '/readyz')).status === 200;
}

async function auditHolds({ env }: SiteServer, through: readonly string[] = []): Promise<void> {
  const [program, ...args] = [...through, process.execPath, 'bin/hostyard.js', 'audit'];
  // Fails if an audit chain is broken.
  await promisify(execFile)(program!, args, { env });
}
