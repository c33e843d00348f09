// Attacks as a customer sees them, on both engines: each report of a detector becomes one event with its records, for
// whoever held the address at that time.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { seedLabAttack } from '#server/lab/lab-attack.ts';
import { applySite } from '#app/site/apply.ts';
import { addTraffic } from '#equipment/traffic.ts';
import { housekeeping } from '#reconcilers/housekeeping.ts';
import { portsOfService, portsRelease } from '#store/network/switches.ts';
import {
  automatic,
  dayMs,
  flood,
  makeAttackFixture,
  minuteMs,
  ownAddress,
  type Policy,
} from '#test/support/attack-fixtures.ts';
import { eventsOf, report } from '#test/support/detector.ts';
import { assertRejected } from '#test/support/devices.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { trafficPoll } from '#reconcilers/traffic-poll.ts';
import type { AccountId } from '#store/account-id.ts';

describeOnEngines('attacks', { postgres: 'in long runs' }, ({ openApp }) => {
  const openFixture = async (policy?: Policy) => makeAttackFixture(await openApp(), policy);

  it('are one event each, however often and in whatever spelling they are reported', async () => {
    const { app, calls, reports } = await openFixture();
    // The lab's services have held their addresses from the start.
    app.pass(10 * minuteMs);
    const at = Math.floor(app.parts.clock.now() / 1000) - 90;
    const traffic = { d_total: 90_000, d_totalbits: 720_000_000, d_udp: 90_000, d_udpbits: 720_000_000, s_total: 7 };
    const response = await reports({ action: 'start', address: '2001:DB8:1:0::0010', at, ...flood, traffic });
    assert.deepEqual(response, { status: 200, body: { success: true, results: 1, result: 'Recorded' } });
    const more = { ...flood, packetsPerSecond: 120_000 };
    await reports({ action: 'start', address: '2001:db8:1::10', at, ...flood });
    await reports({ action: 'update', address: '2001:db8:1::10', at: at + 70, ...more, traffic: { d_total: 5 } });

    const { body } = await calls.v2('GET', '/v2/network/events/1001');
    assert.equal(body.results, '1');
    const [event, ...others] = await eventsOf(calls, 1001);
    assert.deepEqual(others, []);
    const { id, detail, logs, ...rest } = event!;
    assert.deepEqual(rest, {
      anomaly_id: id,
      target_ip: '2001:db8:1::10',
      internal_client: '1',
      internal_service: '1001',
      internal_device: 'dc01r01ds01',
      internal_network: '2001:db8:1::10/124',
      active: '1',
      start: String(at),
      end: '0',
      nullroute_start: null,
      nullroute_end: null,
      nullroute_active: '0',
    });
    assert.deepEqual(Object.keys(body.result as unknown as object), [id]);
    assert.deepEqual({ ...detail, result: [] }, { success: true, results: 2, result: [] });
    const { attack_id, ...record } = detail.result[0]!;
    assert.match(attack_id!, /^[0-9]+$/);
    assert.deepEqual(record, {
      rule_direction: 'incoming',
      ip: '2001:db8:1::10',
      mask: '128',
      rule_unit: 'packets/s',
      filters: 'udp_flood',
      value: '120000',
      first: String(at),
      last: String(at + 70),
      tick: '3',
      sensor_type: 'hook',
      sensor_id: 'lab',
      sensor_interface: '',
      protocal: 'udp',
    });
    assert.equal(detail.result[1]!['rule_unit'], 'bits/s');
    assert.equal(logs.results, 2);
    assert.equal(Object.keys(logs.result[0]!).length, 22);
    const { ip, activity, d_total, d_udpbits, s_total, s_icmp } = logs.result[0]!;
    assert.deepEqual(
      { ip, activity, d_total, d_udpbits, s_total, s_icmp },
      {
        ip: '2001:db8:1::10',
        activity: String(at),
        d_total: '90000',
        d_udpbits: '720000000',
        s_total: '7',
        s_icmp: '0',
      },
    );
    assert.equal(logs.result[1]!['activity'], String(at + 60));

    await reports({ action: 'end', address: '2001:db8:1::10', at: at + 80 });
    await reports({ action: 'end', address: '2001:db8:1::10', at: at + 81 });
    await reports({ action: 'start', address: '2001:db8:1::10', at: at + 30, ...flood });
    const [ended, ...more2] = await eventsOf(calls, 1001);
    assert.deepEqual([more2.length, ended!.active, ended!.end], [0, '0', String(at + 80)]);
    await reports({ action: 'start', address: '2001:db8:1::10', at: at + 85, ...flood });
    assert.equal((await eventsOf(calls, 1001)).length, 2);
    const events = await calls.events('network.attack.started');
    assert.deepEqual(events[0]!.data, {
      anomaly_id: id,
      ip: '2001:db8:1::10',
      direction: 'incoming',
      kind: 'udp_flood',
    });
    assert.deepEqual([events.length, events[0]!.service], [2, '1001']);
    assert.deepEqual((await calls.events('network.attack.ended'))[0]!.data, { anomaly_id: id, ip: '2001:db8:1::10' });
  });

  it('with ids from one detector stay separate, concurrent reports lose none, and events are paged', async () => {
    const { calls, reports } = await openFixture();
    const addresses = Array.from({ length: 8 }, (_, index) => `203.0.113.${32 + index}`);
    const all = addresses.flatMap((address) => ['a', 'b', 'a'].map((attack) => ({ address, attack })));
    const responses = await Promise.all(all.map((attack) => reports({ action: 'start', ...attack, ...flood })));
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200]);
    const events = await eventsOf(calls, 1001);
    assert.equal(events.length, 16);
    const page = await eventsOf(calls, 1001, { limit: 10 });
    assert.deepEqual(page, events.slice(0, 10));
    assert.deepEqual(await eventsOf(calls, 1001, { limit: 10, before: page[9]!.anomaly_id }), events.slice(10));
    assertRejected(await calls.v2('GET', '/v2/network/events/1001', { limit: 0 }), 400);
  });

  it('are listed up to the newest thousand', async () => {
    const { app, calls, reports } = await openFixture();
    const { queries } = app.parts.store;
    await reports({ action: 'start', address: '203.0.113.10', ...flood });
    const { id: _, ...attack } = await queries.selectFrom('attacks').selectAll().executeTakeFirstOrThrow();
    const rows = Array.from({ length: 1000 }, (__, index) => ({ ...attack, attack: `copy ${index}` }));
    for (let from = 0; from < rows.length; from += 100)
      await queries
        .insertInto('attacks')
        .values(rows.slice(from, from + 100))
        .execute();
    const events = await eventsOf(calls, 1001);
    assert.equal(events.length, 1000);
    const older = await eventsOf(calls, 1001, { before: events.at(-1)!.anomaly_id });
    assert.equal(older.length, 1);
  });

  it("of all services of an account are in one list, which contains no other account's", async () => {
    const { app, calls, reports } = await openFixture();
    for (const address of ['203.0.113.10', '203.0.113.130', '203.0.113.11'])
      await reports({ action: 'start', address, ...flood });
    const targets = async (params: Record<string, unknown>, key?: string): Promise<string[]> => {
      const { body } = await calls.v2('GET', '/v2/network/events', params, key);
      const events = Object.values(body.result as unknown as Record<string, { target_ip: string }>);
      return events.map(({ target_ip }) => target_ip);
    };
    assert.deepEqual(await targets({}), ['203.0.113.10', '203.0.113.130', '203.0.113.11']);
    assert.deepEqual(await targets({ limit: 1 }), ['203.0.113.11']);
    const [newest] = await eventsOf(calls, 1002);
    assert.deepEqual(await targets({ before: newest!.anomaly_id }), ['203.0.113.10', '203.0.113.130']);
    assert.deepEqual(await targets({}, app.lab.stranger.key), []);
  });

  it('belong to whoever held the address at the time, and are recorded even if nobody did', async () => {
    const { app, calls, reports } = await openFixture();
    const { netblock } = (await calls.legacy('/network/request', { type: 'ipv4', size: '/30' })).body
      .result as unknown as { netblock: string };
    assert.equal(netblock, '198.18.4.4/30');
    app.pass(dayMs);
    const heldAt = app.parts.clock.now() / 1000;
    app.pass(dayMs);
    const ended = app.site.services!.map((service) =>
      service.id === 1001 ? { ...service, status: 'Terminated' as const } : service,
    );
    await applySite(app.parts, { ...app.site, services: ended });
    app.pass(dayMs);
    await reports({ action: 'start', address: '198.18.4.5', at: heldAt, ...flood });
    await reports({ action: 'start', address: '198.18.4.6', ...flood });
    await reports({ action: 'start', address: '192.0.2.200', ...flood });
    const [event, ...others] = await eventsOf(calls, 1001);
    assert.deepEqual([event!.target_ip, event!.internal_network, others.length], ['198.18.4.5', '198.18.4.4/30', 0]);
    const rows = await app.parts.store.queries.selectFrom('attacks').selectAll().orderBy('id').execute();
    assert.deepEqual(
      rows.map(({ account_id, service_id, device }) => [account_id, service_id, device]),
      [
        [1, 1001, ''],
        [null, null, ''],
        [null, null, ''],
      ],
    );
    assertRejected(await calls.v2('GET', '/v2/network/events/1001', {}, app.lab.stranger.key), 404);
  });

  it('with a wrong signature or invalid content are rejected', async () => {
    const { app, calls, reports } = await openFixture();
    const body = { action: 'start', address: ownAddress, ...flood };
    const { secret } = app.equipment.detector;
    const other = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
    const unknown = await report(app, body, { secret, name: 'other' });
    const forged = await report(app, body, { secret: other });
    const old = await report(app, body, { secret, signedAt: app.parts.clock.now() - 6 * minuteMs });
    for (const { status, body: errorBody } of [unknown, forged, old]) {
      assert.equal(status, 401);
      assert.deepEqual(errorBody, forged.body);
    }
    const bare = await fetch(`${app.url}/hooks/detector/lab`, { method: 'POST' });
    assert.equal(bare.status, 401);
    await bare.arrayBuffer();
    assert.match((await report(app, '{', { secret })).body.result, /not valid JSON/);
    for (const nonsense of [
      {},
      [],
      { action: 'start' },
      { action: 'begin', address: ownAddress },
      { action: 'start', address: '203.0.113.0/24' },
      { action: 'start', address: ownAddress, packetsPerSecond: -1 },
      { action: 'start', address: ownAddress, at: 1 },
      { action: 'start', address: ownAddress, surprise: true },
      { action: 'start', address: ownAddress, attack: 'a\0' },
      { action: 'start', address: ownAddress, kind: 'udp\0flood' },
      { fastnetmon: { address: ownAddress } },
    ])
      assert.equal((await reports(nonsense)).status, 400, JSON.stringify(nonsense));
    const large = await reports({ ...body, kind: 'x'.repeat(300_000) });
    assert.equal(large.status, 413);
    assert.deepEqual(await eventsOf(calls, 1001), []);
  });

  it('end on their own when their detector goes silent, and their ports are logged until then', async () => {
    const { app, calls, reports, run, routed } = await openFixture(automatic);
    // Identifies the ports.
    await trafficPoll(app.parts).run(AbortSignal.timeout(60_000));
    await reports({ action: 'start', address: '203.0.113.33', ...flood, packetsPerSecond: 1 });
    await reports({ action: 'start', address: ownAddress, ...flood });
    await run('routes');
    assert.deepEqual(routed(), [`${ownAddress}/32`]);
    await run('attack-watch');
    app.pass(minuteMs);
    await run('attack-watch');
    const [event, otherEvent] = await eventsOf(calls, 1001);
    assert.equal(event!.logs.results, 1);
    const loggedBits = event!.logs.result[0]!['d_totalbits'];
    assert.ok(Number(loggedBits) > 0);
    assert.equal(otherEvent!.logs.result[0]?.['d_totalbits'], loggedBits, 'of the same port in the same minute');
    assert.equal(event!.active, '1');
    app.pass(60 * minuteMs);
    await run('attack-watch');
    await run('routes');
    const [ended] = await eventsOf(calls, 1001);
    assert.deepEqual([ended!.active, ended!.nullroute_active], ['0', '0']);
    assert.deepEqual(routed(), []);
  });

  it('mark their intervals, which the operator may exclude from the 95th percentile', async () => {
    const { app, calls, reports } = await openFixture();
    const { queries } = app.parts.store;
    app.pass(120 * minuteMs);
    const now = Math.floor(app.parts.clock.now() / 300_000) * 300;
    const [port] = await portsOfService(queries, 1 as AccountId, 1001);
    const samples = Array.from({ length: 12 }, (_, index) => {
      const start = now - (12 - index) * 300;
      return { start, inBytes: index < 4 ? 3_750_000_000 : 37_500_000, outBytes: 37_500, marks: 0 };
    });
    await addTraffic(queries, port!.id, samples);
    await reports({ action: 'start', address: ownAddress, at: now - 3600 + 10, ...flood });
    await reports({ action: 'end', address: ownAddress, at: now - 3600 + 1150 });
    const span = { start: now - 3600, end: now };
    const traffic = await calls.v2('GET', '/v2/network/traffic/1001', span);
    const marks = (traffic.body.result as unknown as { marks: string }[]).map((sample) => sample.marks);
    assert.deepEqual(marks, [...Array<string>(4).fill('attack'), ...Array<string>(8).fill('')]);
    const percentile = async () => {
      const { body } = await calls.v2('POST', '/v2/network/bandwidth/1001', span);
      const { result } = body.result as unknown as { result: Record<string, Record<string, { data: object }>> };
      return (Object.values(Object.values(result)[0]!)[0]!.data as { '95pct': string })['95pct'];
    };
    assert.equal(await percentile(), '100000000');
    await applySite(app.parts, { ...app.site, billing: { attacks: 'leave out' } });
    assert.equal(await percentile(), '1000000');
    await portsRelease(queries, 1001, app.parts.clock.now());
    assert.equal(await percentile(), '1000000', 'also after the service has lost the port');
  });

  it("exist once in the lab's past, and are kept for 400 days", async () => {
    const { app, calls } = await openFixture();
    await seedLabAttack(app.parts);
    await seedLabAttack(app.parts);
    const [event, ...others] = await eventsOf(calls, 1001);
    assert.equal(others.length, 0);
    assert.deepEqual([event!.active, event!.nullroute_active, event!.target_ip], ['0', '0', ownAddress]);
    assert.deepEqual([event!.detail.results, event!.logs.results], [2, 30]);
    assert.ok(Number(event!.nullroute_end) > Number(event!.nullroute_start));
    const sweep = () => housekeeping(app.parts.store, app.parts.clock).run(AbortSignal.timeout(60_000));
    app.pass(398 * dayMs);
    await sweep();
    assert.deepEqual(await eventsOf(calls, 1001), [event]);
    app.pass(2 * dayMs);
    await sweep();
    assert.deepEqual(await eventsOf(calls, 1001), []);
  });
});
