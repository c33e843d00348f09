// Network next to its peers: reading the counters of 100 snmpd agents in one process, and with one snmpbulkget process
// each, in CPU time of the clients, because the agents share the machine; the month's 95th percentile of one port among
// few and among many; a month's chart, and rrdtool's of the same data. Rounds alternate and medians count, because
// timings on this machine vary. Only root can create the agents' network namespace.
//
//   node bench/network.ts
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chartSvg } from '#app/network/graph/chart.ts';
import { svgToPng } from '#app/network/graph/png.ts';
import type { Switch } from '#drivers/switch/driver.ts';
import { snmpSwitchDriver } from '#drivers/switch/snmp/driver.ts';
import { readTraffic } from '#equipment/traffic.ts';
import { daySeconds, intervalSeconds, type Series } from '#traffic/series.ts';
import { computePercentile, computeStatistics } from '#traffic/statistics.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { measure, measureShell, type Cost } from './support/cost.ts';
import { median, printFigure } from './support/figures.ts';
import { community, enterNamespace, startAgents } from './support/snmpd-agents.ts';
import { days, monthStart, samplesOfPort, storeMonth, type StoredMonth } from './support/traffic-month.ts';

const agentCount = 100;
const switchesAtOnce = 40;
const processesAtOnce = 8;
const rounds = 7;
const warmUpMs = 5000;
const readsPerRound = 100;
const charts = 21;
const policy = { attacks: 'count' } as const;
const monthEnd = monthStart + days * daySeconds;

enterNamespace();
await measurePolling();
await using few = await storeMonth(200);
await using many = await storeMonth(2000);
await measureMonth();
await measureChart();

async function measureSeconds(work: () => unknown): Promise<number> {
  const startMs = performance.now();
  await work();
  return (performance.now() - startMs) / 1000;
}

async function measurePolling(): Promise<void> {
  await using agents = await startAgents(agentCount);
  const signal = AbortSignal.timeout(120_000);
  const open = (port: number): Promise<Switch> =>
    snmpSwitchDriver.open({ version: '2c', address: '127.0.0.1', port, community });
  const switches = await Promise.all(agents.ports.map(open));
  const pollAll = async (): Promise<void> => {
    const remaining = switches.values();
    const pollNext = async (): Promise<void> => {
      for (const device of remaining) {
        const { ports } = await device.counters([], signal);
        if (ports.length < 48) throw new Error(`an agent has ${ports.length} ports`);
      }
    };
    await Promise.all(Array.from({ length: switchesAtOnce }, pollNext));
  };
  // Each asks for time and counters of all ports in one request, but not for names: those would not fit in the response.
  const oids = ['1.3.6.1.2.1.1.3', '1.3.6.1.2.1.31.1.1.1.6', '1.3.6.1.2.1.31.1.1.1.10'];
  const bulkget = `snmpbulkget -m '' -v2c -c ${community} -Cn1 -Cr49 127.0.0.1:{} ${oids.join(' ')}`;
  const pollWithSnmpbulkget = `printf '%s\\n' ${agents.ports.join(' ')} | xargs -P ${processesAtOnce} -I {} ${bulkget}`;
  // Warms up, because a poller runs for months.
  for (const until = performance.now() + warmUpMs; performance.now() < until;) await pollAll();
  await measureShell(pollWithSnmpbulkget);
  const costs: { readonly hostyard: Cost; readonly snmpbulkget: Cost }[] = [];
  for (let round = 0; round < rounds; round++)
    costs.push({ hostyard: await measure(pollAll), snmpbulkget: await measureShell(pollWithSnmpbulkget) });
  await Promise.all(switches.map((device) => device[Symbol.asyncDispose]()));
  const perSecond = (by: 'hostyard' | 'snmpbulkget'): string =>
    ((1000 * agentCount) / median(costs.map((cost) => cost[by].wallMs))).toFixed(0);
  console.log(`agents per second: ${perSecond('hostyard')}; snmpbulkget ${perSecond('snmpbulkget')}`);
  const ratio = median(costs.map(({ hostyard, snmpbulkget }) => snmpbulkget.cpuMs / hostyard.cpuMs));
  printFigure(
    `polling ${agentCount} snmpd agents, times less CPU than the peer`,
    ratio.toFixed(2),
    '>= 5',
    ratio >= 5,
    'snmpbulkget',
  );
}

async function measureMonth(): Promise<void> {
  const read = async ({ store, ports }: StoredMonth): Promise<number> => {
    const port = ports[Math.floor(Math.random() * ports.length)]!;
    return (
      1000 *
      (await measureSeconds(async () =>
        computePercentile(await readTraffic(store.queries, port, monthStart, monthEnd), policy),
      ))
    );
  };
  const times = { few: [] as number[], many: [] as number[] };
  for (let round = 0; round < rounds * readsPerRound; round++) {
    const [fewMs, manyMs] = [await read(few), await read(many)];
    if (round < readsPerRound) continue;
    times.few.push(fewMs);
    times.many.push(manyMs);
  }
  const [small, large] = [median(times.few), median(times.many)];
  const growth = large / small;
  printFigure('95th percentile of a month among 2,000 ports, median', `${large.toFixed(2)} ms`, '< 5 ms', large < 5);
  const isFlat = growth < 1.2 && growth > 0.8;
  printFigure('the same, times the peer', growth.toFixed(2), '0.8 to 1.2', isFlat, 'among 200 ports');
  const { bytesPerSample } = many;
  const millions = ((many.ports.length * samplesOfPort) / 1e6).toFixed(0);
  const label = `disk for ${millions} million samples, per direction`;
  printFigure(label, `${bytesPerSample.toFixed(2)} bytes`, '< 8 bytes', bytesPerSample < 8);
}

function readSeries(): Promise<Series> {
  return readTraffic(many.store.queries, many.ports[0]!, monthStart, monthEnd);
}

/** rrdtool keeps running and draws on request, so that its start is not counted. Both read stored data. */
async function measureChart(): Promise<void> {
  const series = await readSeries();
  await using folder = await temporaryFolder('rrd');
  const file = join(folder.path, 'port.rrd');
  const sources = ['DS:in:GAUGE:600:0:U', 'DS:out:GAUGE:600:0:U', `RRA:AVERAGE:0.5:1:${samplesOfPort}`];
  execFileSync('rrdtool', ['create', file, '--start', String(monthStart - 1), '--step', '300', ...sources]);
  const values = Array.from(series.marks, (_, index) => {
    const rate = (bytes: Float64Array): number => (bytes[index]! * 8) / intervalSeconds;
    return `${monthStart + (index + 1) * intervalSeconds}:${rate(series.inBytes)}:${rate(series.outBytes)}`;
  });
  for (let from = 0; from < values.length; from += 1000)
    execFileSync('rrdtool', ['update', file, ...values.slice(from, from + 1000)]);
  const drawing = [
    `graph ${join(folder.path, 'port.png')} --start ${monthStart} --end ${monthEnd} --width 748 --height 184 --title month`,
    `DEF:in=${file}:in:AVERAGE DEF:out=${file}:out:AVERAGE VDEF:p95=out,95,PERCENT`,
    'AREA:in#12a594:In LINE1:out#3451d1:Out HRULE:p95#d6304a:95th',
    ...['in', 'out'].map((name) => `GPRINT:${name}:AVERAGE:%6.1lf%s GPRINT:${name}:MAX:%6.1lf%s`),
  ].join(' ');
  const rrdtool = spawn('rrdtool', ['-'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const output = createInterface({ input: rrdtool.stdout })[Symbol.asyncIterator]();
  const drawWithRrdtool = async (): Promise<void> => {
    rrdtool.stdin.write(`${drawing}\n`);
    for (;;) {
      const line = String((await output.next()).value);
      if (line.startsWith('ERROR')) throw new Error(line);
      if (line.startsWith('OK')) return;
    }
  };
  const drawChart = async (): Promise<void> => {
    const read = await readSeries();
    const statistics = computeStatistics(read, policy);
    await svgToPng(chartSvg({ title: 'month', series: read, statistics, speedBitsPerSecond: 1e9 }));
  };
  const times = { hostyard: [] as number[], rrdtool: [] as number[] };
  for (let time = 0; time < charts + 3; time++) {
    const [seconds, rrdtoolSeconds] = [await measureSeconds(drawChart), await measureSeconds(drawWithRrdtool)];
    if (time < 3) continue;
    times.hostyard.push(seconds * 1000);
    times.rrdtool.push(rrdtoolSeconds * 1000);
  }
  rrdtool.stdin.end();
  await once(rrdtool, 'exit');
  const [ms, rrdtoolMs] = [median(times.hostyard), median(times.rrdtool)];
  const target = `<= ${rrdtoolMs.toFixed(1)} ms`;
  printFigure('chart of a month as PNG', `${ms.toFixed(1)} ms`, target, ms <= rrdtoolMs, 'rrdtool');
}
