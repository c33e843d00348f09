// Traffic from the switch's counters to figures, graphs and samples, polled with the test's clock on the lab's switch.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inflateSync } from 'node:zlib';
import { seedLabTraffic } from '#server/lab/lab-traffic.ts';
import { applySite } from '#app/site/apply.ts';
import { switchDrivers } from '#drivers/switch/registry.ts';
import { openSwitches } from '#equipment/switches.ts';
import { readTraffic } from '#equipment/traffic.ts';
import { sampleMarks, sampleAt, unmeasured } from '#traffic/series.ts';
import { labPorts } from '#lab/network.ts';
import { startLabSwitch, type LabSwitch } from '#lab/switch/switch.ts';
import { labOctetsBetween } from '#lab/switch/traffic.ts';
import { housekeeping } from '#reconcilers/housekeeping.ts';
import { trafficPoll } from '#reconcilers/traffic-poll.ts';
import { portsOfSwitch, switchFind } from '#store/network/switches.ts';
import { trafficDayPut, trafficDays } from '#store/network/traffic.ts';
import { assertRejected } from '#test/support/devices.ts';
import { networkCalls, type NetworkCalls } from '#test/support/network.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
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
      await trafficDayPut(queries, { port_id: port!.id, day_start, packed });
    await housekeeping(app.parts.store, app.parts.clock).run(new AbortController().signal);
    assert.equal((await trafficDays(queries, port!.id, 0, today))[0]!.day_start, retainedDay);
  });
});

describeOnEngines('polling', ({ owned, openApp }) => {
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
      ports: [{ ifIndex: 1 }],
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
});

function openSwitchesOf(app: TestApp) {
  const opened = openSwitches({ ...app.parts, drivers: switchDrivers });
  return { opened, [Symbol.asyncDispose]: () => opened.close() };
}
