// Traffic from the switch's counters to figures, graphs and samples, polled with the test's clock on the lab's switch.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inflateSync } from 'node:zlib';
import { seedLabTraffic } from '#server/lab/lab-traffic.ts';
import { applySite } from '#app/site/apply.ts';
import { switchDrivers } from '#drivers/switch/registry.ts';
import { mergeMachineBlocks, readMachineSeries } from '#equipment/machine-samples.ts';
import { addBlocks } from '#equipment/sample-blocks.ts';
import { openSwitches, type Switches } from '#equipment/switches.ts';
import { readTraffic } from '#equipment/traffic.ts';
import { sampleMarks, sampleAt, unmeasured } from '#traffic/series.ts';
import { labPorts } from '#lab/network.ts';
import { startLabSwitch, type LabSwitch } from '#lab/switch/switch.ts';
import { labOctetsBetween } from '#lab/switch/traffic.ts';
import { housekeeping } from '#reconcilers/housekeeping.ts';
import { sampleMerge } from '#reconcilers/sample-merge.ts';
import { trafficPoll } from '#reconcilers/traffic-poll.ts';
import { machinesAll } from '#store/devices/machines.ts';
import { machineNodesPut } from '#store/network/machine-samples.ts';
import { portsOfSwitch, switchFind } from '#store/network/switches.ts';
import { trafficDays, trafficDaysPut } from '#store/network/traffic.ts';
import { assertRejected } from '#test/support/devices.ts';
import { networkCalls, type NetworkCalls } from '#test/support/network.ts';
import { operatorResult } from '#test/support/operators.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { request } from '#test/support/request.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

type PortFigures = Record<string, Record<string, { name: string; data: Record<string, string>; graph: string }>>;
const nowSeconds = (app: TestApp): number => Math.floor(app.parts.clock.now() / 1000);

describe('the traffic of a dedicated server', () => {
  let app: TestApp;
  let calls: NetworkCalls;
  before(async () => {
    app = await openTestApp();
    await seedLabTraffic(app.parts);
    await trafficPoll(app.parts).run(new AbortController().signal);
    calls = networkCalls(app);
  });
  after(() => app[Symbol.asyncDispose]());

  it('has the same figures on both APIs, in an inner envelope on v2 only, and a name before the first poll', async () => {
    const v2 = (await calls.v2('POST', '/v2/network/bandwidth/1001')).body;
    const inner = v2.result as { success: boolean; results: number; result: PortFigures };
    assert.deepEqual([v2.success, inner.success, inner.results], [true, true, 1]);
    const port = inner.result['dc01sw01']!['1']!;
    assert.equal(port.name, 'cust-1001 web1');
    const { inbytes, outbytes, totalbytes } = port.data;
    assert.equal(Number(totalbytes), Number(inbytes) + Number(outbytes));
    assert.ok(Number(port.data['95pct']) > Number(port.data['outbits_avg']));
    // A web server sends more than it receives, so its switch receives more than it sends.
    const { inOctets, outOctets } = app.equipment.network.simulator.ports.get(1)!;
    assert.deepEqual([inOctets > outOctets, Number(inbytes) > Number(outbytes)], [true, false]);

    const stats = (await calls.v2('GET', '/v2/device/stats/1001')).body.result as typeof inner;
    assert.deepEqual(Object.keys(stats), ['success', 'results', 'result']);
    assert.equal(stats.result['dc01sw01']!['1']!.data['95pct'], port.data['95pct']);
    const legacy = (await calls.legacy('/ipmi/bandwidth', { graph: 'false' })).body.result as PortFigures;
    assert.equal(legacy['dc01sw01']!['1']!.data['95pct'], port.data['95pct']);
    assert.equal(legacy['dc01sw01']!['1']!.graph, '');
    const week = (await calls.legacy('/ipmi/bandwidth', { start: 'week', graph: 'false' })).body.result as PortFigures;
    assert.ok(Number(week['dc01sw01']!['1']!.data['inbytes']) > 4 * Number(inbytes));
  });

  it('is drawn as a readable PNG', async () => {
    const figures = (await calls.legacy('/ipmi/bandwidth', { start: 'month' })).body.result as PortFigures;
    const png = Buffer.from(figures['dc01sw01']!['1']!.graph, 'base64');
    assert.equal(png.subarray(0, 8).toString('hex'), '89504e470d0a1a0a');
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    const data = png.subarray(41, 41 + png.readUInt32BE(33));
    assert.equal(inflateSync(data).length, height * (1 + width * 3));
  });

  it('can be checked offline: the 95th percentile of the CSV equals the reported one', async () => {
    const [start, end] = [nowSeconds(app) - 20 * 86_400, nowSeconds(app)];
    const csv = await calls.v2('GET', '/v2/network/traffic/1001', { start, end, format: 'csv' });
    const [header, ...lines] = String(csv.body.result).trim().split('\r\n');
    const names = header!.split(',');
    const rows = lines.map((line) => Object.fromEntries(line.split(',').map((text, index) => [names[index], text])));
    const measured = rows.filter(({ marks }) => !/missing|gap|reset|clock/.test(marks!));
    assert.ok(measured.length > 5000, String(measured.length));
    const ranked = (column: string): number => {
      const rates = measured.map((row) => Math.round((Number(row[column]) * 8) / 300)).toSorted((a, b) => a - b);
      return rates[Math.ceil(0.95 * rates.length) - 1]!;
    };
    const figures = (await calls.v2('POST', '/v2/network/bandwidth/1001', { start, end })).body.result as {
      result: PortFigures;
    };
    const { data } = figures.result['dc01sw01']!['1']!;
    assert.equal(Number(data['95pct']), Math.max(ranked('in_bytes'), ranked('out_bytes')));
    const sum = rows.reduce((total, row) => total + Number(row['in_bytes']), 0);
    assert.equal(Number(data['inbytes']), sum);
    const json = (await calls.v2('GET', '/v2/network/traffic/1001', { start, end })).body.result as object[];
    assert.equal(json.length, rows.length);
  });

  it('has a month to date', async () => {
    const { result } = (await calls.v2('GET', '/v2/network/month/1001', { level: 1 })).body;
    const { days, ...month } = result as Record<string, string> & { days: { day: string; inbytes: string }[] };
    assert.equal(month['level'], '1');
    assert.equal(Number(month['burstleft']), Math.max(0, Number(month['burstallowed']) - Number(month['burstused'])));
    assert.ok(Number(month['least']) <= Number(month['projected']));
    assert.equal(month['committed'], '100000000');
    const included = (await calls.v2('GET', '/v2/network/month/1001')).body.result as Record<string, string>;
    assert.equal(included['level'], '100000000', 'bursts exceed what is included');
    const [start, end] = [Number(month['start']), nowSeconds(app)];
    assert.equal(days.length, Math.ceil((end - start) / 86_400));
    assert.equal(days[0]!.day, new Date(start * 1000).toISOString().slice(0, 10));
    const span = (await calls.v2('POST', '/v2/network/bandwidth/1001', { start, end })).body.result as {
      result: PortFigures;
    };
    const sum = days.reduce((total, { inbytes }) => total + Number(inbytes), 0);
    assert.equal(String(sum), span.result['dc01sw01']!['1']!.data['inbytes']);
    assertRejected(await calls.v2('GET', '/v2/network/month/1101'), 404, 'not_found');
  });

  it('rejects invalid time spans', async () => {
    const now = nowSeconds(app);
    const spans = [{ start: now, end: now - 1 }, { start: now - 401 * 86_400, end: now }, { start: now + 3600 }];
    for (const span of spans) {
      assertRejected(await calls.v2('POST', '/v2/network/bandwidth/1001', span), 400, 'invalid_parameter');
      assertRejected(await calls.v2('GET', '/v2/network/traffic/1001', span), 400, 'invalid_parameter');
      const { start, end } = { end: undefined, ...span };
      const stop = end === undefined ? {} : { stop: end };
      assertRejected(await calls.v2('GET', '/v2/device/stats/1001', { start, ...stop }), 400, 'invalid_parameter');
    }
    const aligned = now - (now % 300);
    assert.equal((await calls.v2('POST', '/v2/network/bandwidth/1001', { start: aligned, end: aligned })).status, 200);
    assert.equal((await calls.v2('POST', '/v2/network/bandwidth/1001', { end: 100 })).status, 200);
    const longest = { start: now - 400 * 86_400, end: now };
    assert.equal((await calls.v2('POST', '/v2/network/bandwidth/1001', longest)).status, 200);
    assertRejected(await calls.v2('POST', '/v2/network/bandwidth/1101'), 404, 'not_found');
  });

  it('is deleted after 400 days', async () => {
    const { queries } = app.parts.store;
    const [port] = await portsOfSwitch(queries, 'dc01sw01');
    const today = nowSeconds(app) - (nowSeconds(app) % 86_400);
    const [{ packed } = { packed: Buffer.alloc(0) }] = await trafficDays(queries, port!.id, today - 86_400, today);
    const [retainedDay, expiredDay] = [today - 400 * 86_400, today - 402 * 86_400];
    for (const day_start of [retainedDay, expiredDay])
      await trafficDaysPut(queries, [{ port_id: port!.id, day_start, packed }]);
    await housekeeping(app.parts.store, app.parts.clock).run(new AbortController().signal);
    assert.equal((await trafficDays(queries, port!.id, 0, today))[0]!.day_start, retainedDay);
  });
});

describeOnEngines('polling', { postgres: 'in long runs' }, ({ owned, openApp }) => {
  let app: TestApp;
  let own: LabSwitch;
  let other: LabSwitch;
  let aligned: number;
  const signal = new AbortController().signal;
  const minuteMs = 60_000;

  before(async () => {
    app = await openApp();
    const clock = { now: () => app.parts.clock.now() };
    const options = { ports: labPorts, communities: { readWrite: 'polled' }, clock };
    own = owned.use(await startLabSwitch(options));
    other = owned.use(await startLabSwitch(options));
    const entry = (name: string, { address, port }: LabSwitch) => ({
      name,
      driver: 'snmp',
      settings: { version: '2c', address, port, community: 'polled', timeoutMs: 200 },
      ports: [{ ifIndex: 1, service: 1002 }],
    });
    await applySite(app.parts, { ...app.site, switches: [entry('polled', own), entry('other', other)] });
    const intervalMs = 5 * minuteMs;
    app.pass(intervalMs - (app.parts.clock.now() % intervalMs));
    aligned = Math.floor(app.parts.clock.now() / intervalMs) * (intervalMs / 1000);
  });

  /** Polls once a minute, optionally like a process that has just started. */
  const pollFor = async (minutes: number, parts = app.parts): Promise<void> => {
    for (let minute = 0; minute < minutes; minute++) {
      await trafficPoll(parts).run(signal);
      app.pass(62_000);
    }
  };
  const samplesOf = async (name: string) => {
    const [port] = await portsOfSwitch(app.parts.store.queries, name);
    const series = await readTraffic(app.parts.store.queries, port!.id, aligned, nowSeconds(app));
    const samples = Array.from(series.marks, (_, index) => sampleAt(series, index));
    return samples.filter(({ marks }) => (marks & sampleMarks.missing) === 0);
  };
  const rateIsTrue = ({ start: from, outBytes }: { start: number; outBytes: number }): void => {
    const { out } = labOctetsBetween(labPorts[0]!.traffic!, from * 1000, (from + 300) * 1000);
    // Readings are some seconds off the interval's ends, where the rate changes.
    assert.ok(outBytes > out * 0.6 && outBytes < out * 1.7, `${outBytes} of ${out}`);
  };

  it("records samples, and the port's name and speed", async () => {
    await pollFor(12);
    const samples = await samplesOf('polled');
    const measured = samples.filter(({ marks }) => (marks & unmeasured) === 0);
    assert.ok(measured.length >= 1, JSON.stringify(samples));
    measured.forEach(rateIsTrue);
    const [port] = await portsOfSwitch(app.parts.store.queries, 'polled');
    assert.deepEqual([port!.alias, port!.speed], ['cust-1001 web1', 1_000_000_000]);
  });

  it('continues after a restart of the process', async () => {
    const before = (await samplesOf('polled')).length;
    await using switches = openSwitchesOf(app);
    await pollFor(6, { ...app.parts, switches: switches.opened });
    const samples = await samplesOf('polled');
    assert.ok(samples.length > before);
    for (const { marks } of samples.slice(before)) assert.equal(marks & unmeasured, 0);
  });

  it('turns silence into a gap, never into a peak, and one silent switch does not affect another', async () => {
    const before = (await samplesOf('polled')).length;
    own.setMalfunctions({ isSilent: true });
    await pollFor(9);
    const { queries } = app.parts.store;
    assert.equal((await switchFind(queries, 'polled'))!.poll_error, 'switch_unreachable');
    assert.equal((await switchFind(queries, 'other'))!.poll_error, null);
    own.setMalfunctions({});
    await pollFor(7);
    assert.equal((await switchFind(queries, 'polled'))!.poll_error, null);
    const samples = (await samplesOf('polled')).slice(before);
    assert.ok(samples.some(({ marks }) => (marks & sampleMarks.gap) !== 0));
    samples.filter(({ marks }) => (marks & unmeasured) === 0).forEach(rateIsTrue);
    for (const { marks } of (await samplesOf('other')).slice(1)) assert.equal(marks & unmeasured, 0);
  });

  it('tells a restarted switch from traffic', async () => {
    const before = (await samplesOf('polled')).length;
    own.restart();
    await pollFor(12);
    const samples = (await samplesOf('polled')).slice(before);
    assert.ok(samples.some(({ marks }) => (marks & sampleMarks.reset) !== 0));
    samples.filter(({ marks }) => (marks & unmeasured) === 0).forEach(rateIsTrue);
  });

  it('rewrites no day for a sample: a later merge does, and readers notice nothing', async () => {
    const { queries } = app.parts.store;
    const [port] = await portsOfSwitch(queries, 'polled');
    const days = () => trafficDays(queries, port!.id, 0, nowSeconds(app));
    const [samplesBefore, daysBefore] = [await samplesOf('polled'), await days()];
    await pollFor(7);
    const samples = await samplesOf('polled');
    assert.ok(samples.length > samplesBefore.length);
    assert.deepEqual(await days(), daysBefore);

    const blocks = async () => (await queries.selectFrom('sample_blocks').select('id').execute()).length;
    await sampleMerge(app.parts).run(signal);
    assert.ok((await blocks()) > 0, 'not on the same day');
    app.pass(2 * 86_400_000);
    await sampleMerge(app.parts).run(signal);
    assert.equal(await blocks(), 0);
    assert.notDeepEqual(await days(), daysBefore);
    assert.deepEqual(await samplesOf('polled'), samples);
  });

  it('is shared by instances that do not know the readings of each other', async () => {
    const before = nowSeconds(app);
    const instances = [trafficPoll(app.parts), trafficPoll(app.parts)];
    // Long enough for two whole intervals, wherever in an interval it starts.
    for (let minute = 0; minute < 25; minute++) {
      await instances[minute % 2]!.run(signal);
      app.pass(62_000);
    }
    const samples = (await samplesOf('polled')).filter(({ start: from }) => from > before + 300);
    assert.ok(samples.length >= 2, JSON.stringify(samples));
    for (const sample of samples) {
      assert.equal(sample.marks & unmeasured, 0);
      rateIsTrue(sample);
    }
  });

  it('keeps the samples of a machine that gets another hypervisor', async () => {
    const { store } = app.parts;
    const { service_id: service } = (await machinesAll(store.queries))[0]!;
    const sample = { start: aligned, inBytes: 5, outBytes: 7, marks: 0 };
    await machineNodesPut(store.queries, [service], 'first');
    await addBlocks(store.queries, 'machine', 'first', [{ ...sample, member: service, series: 0 }]);
    const read = async () =>
      sampleAt(await readMachineSeries(store.queries, service, 'network', aligned, aligned + 300), 0);
    assert.deepEqual(await read(), sample);
    await store.transaction(async (queries) => {
      await mergeMachineBlocks(queries, service);
      await machineNodesPut(queries, [service], 'second');
    });
    assert.deepEqual(await read(), sample);
  });

  it('follows a port that the switch renumbers, and counts no other', async () => {
    const before = (await samplesOf('polled')).length;
    for (let turn = 0; turn < 2; turn++) {
      own.restart([1, 2]);
      await pollFor(12);
      const [port] = await portsOfSwitch(app.parts.store.queries, 'polled');
      assert.deepEqual([port!.key, port!.current_index, port!.alias], ['ge-0/0/0', 2 - turn, 'cust-1001 web1']);
    }
    const measured = (await samplesOf('polled')).slice(before).filter(({ marks }) => (marks & unmeasured) === 0);
    assert.ok(measured.length >= 2, String(measured.length));
    measured.forEach(rateIsTrue);
  });

  it('does not count a port that it cannot identify, and raises an alarm', async () => {
    const { queries } = app.parts.store;
    const problem = async () => (await portsOfSwitch(queries, 'polled'))[0]!.problem;
    const scrape = async () => (await request<string>(app, 'GET', '/metrics', { key: app.lab.operator.key })).body;
    const port = own.ports.get(1)!;
    port.name = 'xe-0/1/0';
    await pollFor(6);
    assert.equal(await problem(), 'missing');
    assert.match(await scrape(), /^hostyard_port_problems\{problem="missing"\} 1$/m);
    const { drift } = await operatorResult<{ drift: { kind: string; seen: string }[] }>(app, 'GET', 'fleet');
    assert.deepEqual(drift, [
      { kind: 'port', name: 'polled 1', wanted: 'port of service 1002', seen: 'no port has its name' },
    ]);
    const before = (await samplesOf('polled')).length;
    await pollFor(6);
    assert.equal((await samplesOf('polled')).length, before);
    port.name = 'ge-0/0/0';
    await pollFor(1);
    assert.equal(await problem(), null);
    assert.match(await scrape(), /^hostyard_port_problems\{problem="missing"\} 0$/m);
  });

  it('raises an alarm while a cable leads to another server, and only then', async () => {
    const { queries } = app.parts.store;
    const { server } = app.site.services!.find(({ id }) => id === 1002)!;
    const macs = { own: '52:54:00:00:10:02', other: '52:54:00:00:10:99', unknown: '52:54:00:00:ff:ff' };
    const other = app.site.servers!.find(({ name }) => name.toLowerCase() !== server!.toLowerCase())!.name;
    const servers = app.site.servers!.map((one) => {
      const mac =
        one.name === other ? macs.other : one.name.toLowerCase() === server!.toLowerCase() ? macs.own : undefined;
      return mac === undefined ? one : { ...one, macs: [mac] };
    });
    await applySite(app.parts, { ...app.site, switches: [], servers });
    const cabledTo = async (...seen: string[]) => {
      const switches: Switches = {
        ...app.parts.switches,
        use: (name, work) =>
          app.parts.switches.use(name, (device, waits) =>
            work({ ...device, neighbours: async () => [{ ifIndex: 1, macs: seen }] }, waits),
          ),
      };
      app.pass(3_600_000);
      await trafficPoll({ ...app.parts, switches }).run(signal);
      return (await portsOfSwitch(queries, 'polled'))[0]!.cabled_to;
    };
    assert.equal(await cabledTo(macs.other), other.toLowerCase());
    assert.equal(await cabledTo(macs.unknown), null);
    assert.equal(await cabledTo(macs.other), other.toLowerCase());
    assert.equal(await cabledTo(macs.own, macs.other), null);
    assert.equal(await cabledTo(), null);
  });
});

function openSwitchesOf(app: TestApp) {
  const opened = openSwitches({ ...app.parts, drivers: switchDrivers });
  return { opened, [Symbol.asyncDispose]: () => opened.close() };
}
