// Attacks as a customer sees them, on both engines: what detectors report makes one event each, with its records, for whoever
// held the address at that moment.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { seedLabAttack } from '#admin/lab/lab-attack.ts';
import { applySite } from '#app/site/apply.ts';
import { addTraffic } from '#equipment/traffic.ts';
import { housekeeping } from '#reconcilers/housekeeping.ts';
import { portsOfService } from '#store/network/switches.ts';
import type { AccountId } from '#store/tables.ts';
import { attackStories, automatic, dayMs, flood, minuteMs, own } from '#test/support/attack-story.ts';
import { eventsOf, report } from '#test/support/detector.ts';
import { refused } from '#test/support/devices.ts';
import { engines } from '#test/support/yard.ts';

for (const { engine, suite, start } of engines) {
  describe(`attacks on ${engine}`, suite, () => {
    let owned: AsyncDisposableStack;
    let tell: ReturnType<typeof attackStories>;
    before(async () => {
      owned = new AsyncDisposableStack();
      tell = attackStories(owned, await start());
    });
    after(() => owned.disposeAsync());

    it('are one event each, however often and in whatever spelling they are reported', async () => {
      const { yard, calls, reports } = await tell();
      // The lab's services have held their addresses since it began.
      yard.pass(10 * minuteMs);
      const at = Math.floor(yard.parts.clock.now() / 1000) - 90;
      const traffic = { d_total: 90_000, d_totalbits: 720_000_000, d_udp: 90_000, d_udpbits: 720_000_000, s_total: 7 };
      const answer = await reports({ action: 'start', address: '2001:DB8:1:0::0010', at, ...flood, traffic });
      assert.deepEqual(answer, { status: 200, body: { success: true, results: 1, result: 'Recorded' } });
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
      const told = await calls.events('network.attack.started');
      assert.deepEqual(told[0]!.data, {
        anomaly_id: id,
        ip: '2001:db8:1::10',
        direction: 'incoming',
        kind: 'udp_flood',
      });
      assert.deepEqual([told.length, told[0]!.service], [2, '1001']);
      assert.deepEqual((await calls.events('network.attack.ended'))[0]!.data, { anomaly_id: id, ip: '2001:db8:1::10' });
    });

    it('of one detector that names them are told apart, reports at once lose none, and events come in pages', async () => {
      const { calls, reports } = await tell();
      const addresses = Array.from({ length: 8 }, (_, index) => `203.0.113.${32 + index}`);
      const all = addresses.flatMap((address) => ['a', 'b', 'a'].map((attack) => ({ address, attack })));
      const answers = await Promise.all(all.map((each) => reports({ action: 'start', ...each, ...flood })));
      assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
      const events = await eventsOf(calls, 1001);
      assert.equal(events.length, 16);
      const page = await eventsOf(calls, 1001, { limit: 10 });
      assert.deepEqual(page, events.slice(0, 10));
      assert.deepEqual(await eventsOf(calls, 1001, { limit: 10, before: page[9]!.anomaly_id }), events.slice(10));
      refused(await calls.v2('GET', '/v2/network/events/1001', { limit: 0 }), 400);
    });

    it('of all services of an account come in one list, and nobody else’s are in it', async () => {
      const { yard, calls, reports } = await tell();
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
      assert.deepEqual(await targets({}, yard.lab.stranger.key), []);
    });

    it('belong to whoever held the address then, and are recorded where nobody did', async () => {
      const { yard, calls, reports } = await tell();
      const { netblock } = (await calls.legacy('/network/request', { type: 'ipv4', size: '/30' })).body
        .result as unknown as { netblock: string };
      assert.equal(netblock, '198.18.4.0/30');
      yard.pass(dayMs);
      const heldAt = yard.parts.clock.now() / 1000;
      yard.pass(dayMs);
      const ended = yard.site.services!.map((each) =>
        each.id === 1001 ? { ...each, status: 'Terminated' as const } : each,
      );
      await applySite(yard.parts, { ...yard.site, services: ended });
      yard.pass(dayMs);
      await reports({ action: 'start', address: '198.18.4.1', at: heldAt, ...flood });
      await reports({ action: 'start', address: '198.18.4.2', ...flood });
      await reports({ action: 'start', address: '192.0.2.200', ...flood });
      const [event, ...others] = await eventsOf(calls, 1001);
      assert.deepEqual([event!.target_ip, event!.internal_network, others.length], ['198.18.4.1', '198.18.4.0/30', 0]);
      const rows = await yard.parts.store.queries.selectFrom('attacks').selectAll().orderBy('id').execute();
      assert.deepEqual(
        rows.map(({ account_id, service_id, device }) => [account_id, service_id, device]),
        [
          [1, 1001, 'dc01r01ds01'],
          [null, null, ''],
          [null, null, ''],
        ],
      );
      refused(await calls.v2('GET', '/v2/network/events/1001', {}, yard.lab.stranger.key), 404);
    });

    it('are believed of nobody whose signature is not right, and of no nonsense', async () => {
      const { yard, calls, reports } = await tell();
      const body = { action: 'start', address: own, ...flood };
      const { secret } = yard.equipment.detector;
      const other = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
      const unknown = await report(yard, body, { secret, name: 'other' });
      const forged = await report(yard, body, { secret: other });
      const old = await report(yard, body, { secret, signedAt: yard.parts.clock.now() - 6 * minuteMs });
      for (const { status, body: told } of [unknown, forged, old]) {
        assert.equal(status, 401);
        assert.deepEqual(told, forged.body);
      }
      const bare = await fetch(`${yard.url}/hooks/detector/lab`, { method: 'POST' });
      assert.equal(bare.status, 401);
      await bare.arrayBuffer();
      assert.match((await report(yard, '{', { secret })).body.result, /not JSON/);
      for (const nonsense of [
        {},
        [],
        { action: 'start' },
        { action: 'begin', address: own },
        { action: 'start', address: '203.0.113.0/24' },
        { action: 'start', address: own, packetsPerSecond: -1 },
        { action: 'start', address: own, at: 1 },
        { action: 'start', address: own, surprise: true },
        { action: 'start', address: own, attack: 'a\0' },
        { action: 'start', address: own, kind: 'udp\0flood' },
        { fastnetmon: { address: own } },
      ])
        assert.equal((await reports(nonsense)).status, 400, JSON.stringify(nonsense));
      const large = await reports({ ...body, kind: 'x'.repeat(300_000) });
      assert.equal(large.status, 413);
      assert.deepEqual(await eventsOf(calls, 1001), []);
    });

    it('end by themselves when their detector falls silent, and their ports are logged meanwhile', async () => {
      const { yard, calls, reports, run, routed } = await tell(automatic);
      await reports({ action: 'start', address: '203.0.113.33', ...flood, packetsPerSecond: 1 });
      await reports({ action: 'start', address: own, ...flood });
      await run('routes');
      assert.deepEqual(routed(), [`${own}/32`]);
      await run('attack-watch');
      yard.pass(minuteMs);
      await run('attack-watch');
      const [event, beside] = await eventsOf(calls, 1001);
      assert.equal(event!.logs.results, 1);
      const seen = event!.logs.result[0]!['d_totalbits'];
      assert.ok(Number(seen) > 0);
      assert.equal(beside!.logs.result[0]?.['d_totalbits'], seen, 'of the same port in the same minute');
      assert.equal(event!.active, '1');
      yard.pass(60 * minuteMs);
      await run('attack-watch');
      await run('routes');
      const [ended] = await eventsOf(calls, 1001);
      assert.deepEqual([ended!.active, ended!.nullroute_active], ['0', '0']);
      assert.deepEqual(routed(), []);
    });

    it('mark their intervals, which the operator may leave out of the 95th percentile', async () => {
      const { yard, calls, reports } = await tell();
      const { queries } = yard.parts.store;
      yard.pass(120 * minuteMs);
      const now = Math.floor(yard.parts.clock.now() / 300_000) * 300;
      const [port] = await portsOfService(queries, 1 as AccountId, 1001);
      const samples = Array.from({ length: 12 }, (_, index) => {
        const start = now - (12 - index) * 300;
        return { start, inBytes: index < 4 ? 3_750_000_000 : 37_500_000, outBytes: 37_500, marks: 0 };
      });
      await addTraffic(queries, port!.id, samples);
      await reports({ action: 'start', address: own, at: now - 3600 + 10, ...flood });
      await reports({ action: 'end', address: own, at: now - 3600 + 1150 });
      const span = { start: now - 3600, end: now };
      const listed = await calls.v2('GET', '/v2/network/traffic/1001', span);
      const marks = (listed.body.result as unknown as { marks: string }[]).map((sample) => sample.marks);
      assert.deepEqual(marks, [...Array<string>(4).fill('attack'), ...Array<string>(8).fill('')]);
      const percentile = async () => {
        const { body } = await calls.v2('POST', '/v2/network/bandwidth/1001', span);
        const { result } = body.result as unknown as { result: Record<string, Record<string, { data: object }>> };
        return (Object.values(Object.values(result)[0]!)[0]!.data as { '95pct': string })['95pct'];
      };
      assert.equal(await percentile(), '100000000');
      await applySite(yard.parts, { ...yard.site, billing: { attacks: 'leave out' } });
      assert.equal(await percentile(), '1000000');
    });

    it('have one behind them in the lab, once, and are kept for 400 days', async () => {
      const { yard, calls } = await tell();
      await seedLabAttack(yard.parts);
      await seedLabAttack(yard.parts);
      const [event, ...others] = await eventsOf(calls, 1001);
      assert.equal(others.length, 0);
      assert.deepEqual([event!.active, event!.nullroute_active, event!.target_ip], ['0', '0', own]);
      assert.deepEqual([event!.detail.results, event!.logs.results], [2, 30]);
      assert.ok(Number(event!.nullroute_end) > Number(event!.nullroute_start));
      const sweep = () => housekeeping(yard.parts.store, yard.parts.clock).run(AbortSignal.timeout(60_000));
      yard.pass(398 * dayMs);
      await sweep();
      assert.deepEqual(await eventsOf(calls, 1001), [event]);
      yard.pass(2 * dayMs);
      await sweep();
      assert.deepEqual(await eventsOf(calls, 1001), []);
    });
  });
}
