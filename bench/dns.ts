// DNS next to its peers: adding a record and reading a zone of 20 records through our API and through PowerDNS's HTTP
// API on SQLite, durable on both sides; queries per second next to PowerDNS and NSD, each on one core; the API during a
// flood of queries; and what a thousand times as many zones cost. Rounds alternate and the median ratio counts, because
// timings on this machine vary.
//
//   node bench/dns.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { temporaryFolder } from '../test/support/folder.ts';
import { type PowerDns, startPowerDns } from '../test/support/powerdns.ts';
import {
  type DnsHostyard,
  queriesPerSecond,
  type Rcode,
  sendQueries,
  startNsd,
  startWithZones,
  zoneRecords,
} from './support/dns.ts';
import { median, printFigure } from './support/figures.ts';
import { type Run, cores, load, pin, residentMegabytes } from './support/load.ts';

const limits = {
  readRatio: 10,
  writeRatio: 1,
  queryRatio: 1,
  signedRatio: 0.5,
  flood: 1.5,
  recordBytes: 400,
  loadSeconds: 10,
  growth: 1.5,
};
const rounds = 5;
/** More, because a collection of garbage can double a round of calls that take 0.2 s. */
const growthRounds = 11;
const roundSeconds = 2;
const queryRounds = 3;
const warmUpSeconds = 5;
const addsPerRound = 200;
const callsPerRound = 300;
const fewZones = 100;
const manyZones = 100_000;
const recordsPerZone = 20;
/** More than any server answers in a round, so that random names do not repeat. */
const queriesPerFile = 400_000;
const flood = { queries: 100_000, perSecond: 20_000 };

await using small = await temporaryFolder('bench');
await using large = await temporaryFolder('bench');
await using nsdFolder = await temporaryFolder('bench');
await using few = await startWithZones(small.path, fewZones);
// Durable by default, and with its default caches.
await using powerDns = await startPowerDns(['gsqlite3-pragma-synchronous=2', 'cache-ttl=20', 'query-cache-ttl=20']);
const zone = 'z0.bench.test';
await fillPowerDns(powerDns);
const agent = new Agent({ connections: 1 });
let added = 0;

await measureReads();
await measureWrites();
await measureQueries();
await measureSignatures();
await measureFlood();
await measureGrowth();
await agent.destroy();

async function measureReads(): Promise<void> {
  const hostyardTarget = { url: `${few.url}/v2/dns/record/1`, pid: few.pid };
  const powerDnsTarget = { url: `${zonesUrl(powerDns)}/${zone}.`, pid: powerDns.pid };
  for (const { pid } of [hostyardTarget, powerDnsTarget]) pin(pid, cores.measured);
  load(hostyardTarget, `X-API-KEY: ${few.key}`, warmUpSeconds);
  const runs = { hostyard: [] as Run[], powerDns: [] as Run[] };
  for (let round = 0; round < rounds; round++) {
    runs.hostyard.push(load(hostyardTarget, `X-API-KEY: ${few.key}`, roundSeconds));
    runs.powerDns.push(load(powerDnsTarget, `X-API-KEY: ${powerDns.apiKey}`, roundSeconds));
  }
  for (const [name, peerRuns] of [
    ['PowerDNS', runs.powerDns],
    ['Hostyard', runs.hostyard],
  ] as const) {
    const cpu = median(peerRuns.map(({ microseconds }) => microseconds)).toFixed(0);
    const rate = median(peerRuns.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0);
    printFigure(`${name}, reads of a zone of 20 records per second (${cpu} µs of CPU each)`, rate);
  }
  // Compares CPU time on one core, which other load on the machine does not distort.
  const ratio = median(
    runs.hostyard.map(({ microseconds }, round) => runs.powerDns[round]!.microseconds / microseconds),
  );
  printFigure(
    'reads per core, times the peer',
    ratio.toFixed(2),
    `>= ${limits.readRatio}`,
    ratio >= limits.readRatio,
    'PowerDNS',
  );
  // The same request at both: the one that DNS tools repeat.
  const forTools = { url: `${few.url}/api/v1/servers/localhost/zones/${zone}.`, pid: few.pid };
  const toolRuns = Array.from({ length: rounds }, () => load(forTools, `X-API-KEY: ${few.key}`, roundSeconds));
  const toolRatio = median(runs.powerDns.map((run, round) => run.microseconds / toolRuns[round]!.microseconds));
  printFigure('the same through the PowerDNS-compatible API', toolRatio.toFixed(2));
}

async function measureWrites(): Promise<void> {
  const ratios: number[] = [];
  const rates = { hostyard: [] as number[], powerDns: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const hostyard = await measureRate(addsPerRound, () => addToHostyard(few, 1, zone));
    const peer = await measureRate(addsPerRound, () => addToPowerDns(`n${added++}.${zone}`));
    if (round === 0) continue;
    ratios.push(hostyard / peer);
    rates.hostyard.push(hostyard);
    rates.powerDns.push(peer);
  }
  printFigure('PowerDNS, records added per second, sequentially', median(rates.powerDns).toFixed(0));
  printFigure('Hostyard, the same', median(rates.hostyard).toFixed(0));
  const ratio = median(ratios);
  printFigure(
    'records added per second, times the peer',
    ratio.toFixed(1),
    `> ${limits.writeRatio}`,
    ratio > limits.writeRatio,
    'PowerDNS',
  );
}

/** Names that exist, names that do not, and names that no query has asked for before, which no cache helps with. */
async function measureQueries(): Promise<void> {
  const nsd = await startNsd(nsdFolder.path, zone);
  await using _ = nsd.daemon;
  const servers = [
    { name: 'Hostyard', port: few.dnsPort, pid: few.pid },
    { name: 'PowerDNS', port: powerDns.port, pid: powerDns.pid },
    { name: 'NSD', port: nsd.port, pid: nsd.daemon.process.pid! },
  ];
  for (const { pid } of servers) pin(pid, cores.measured);
  const kinds: { label: string; name: (index: number) => string; rcode: Rcode }[] = [
    { label: 'existing names', name: (index) => `h${index % 17}`, rcode: 'NOERROR' },
    { label: 'missing names', name: (index) => `no${index % 1000}`, rcode: 'NXDOMAIN' },
    { label: 'random subdomains', name: randomLabels, rcode: 'NXDOMAIN' },
  ];
  for (const { label, name, rcode } of kinds) {
    const rates = servers.map(() => [] as number[]);
    for (let round = 0; round <= queryRounds; round++)
      for (const [index, { port }] of servers.entries()) {
        const rate = queriesPerSecond(port, writeQueries(`${label} ${round}`, name), roundSeconds, rcode);
        if (round > 0) rates[index]!.push(rate);
      }
    const [ours, powerDnsRates] = rates as [number[], number[], number[]];
    for (const [index, server] of servers.entries())
      printFigure(`${server.name}, queries per second for ${label}`, median(rates[index]!).toFixed(0));
    const ratio = median(ours.map((rate, round) => rate / powerDnsRates[round]!));
    printFigure(
      `queries per second for ${label}, times the peer`,
      ratio.toFixed(2),
      `>= ${limits.queryRatio}`,
      ratio >= limits.queryRatio,
      'PowerDNS',
    );
  }
}

/** Queries of a signed zone, which may cost half of the speed: compared to PowerDNS without signatures. The first round makes them. */
async function measureSignatures(): Promise<void> {
  await call(`${few.url}/v2/dns/dnssec`, 'PUT', { 'x-api-key': few.key }, { domain: 1 });
  for (const { pid } of [few, powerDns]) pin(pid, cores.measured);
  const kinds: { label: string; name: (index: number) => string; rcode: Rcode }[] = [
    { label: 'existing names', name: (index) => `h${index % 17}`, rcode: 'NOERROR' },
    { label: 'random subdomains', name: randomLabels, rcode: 'NXDOMAIN' },
  ];
  for (const { label, name, rcode } of kinds) {
    const ratios = { unsigned: [] as number[], powerDns: [] as number[] };
    for (let round = 0; round <= queryRounds; round++) {
      const file = writeQueries(`signed ${label} ${round}`, name);
      const unsigned = queriesPerSecond(few.dnsPort, file, roundSeconds, rcode);
      const peer = queriesPerSecond(powerDns.port, file, roundSeconds, rcode);
      const signed = queriesPerSecond(few.dnsPort, file, roundSeconds, rcode, 'with signatures');
      if (round === 0) continue;
      ratios.unsigned.push(signed / unsigned);
      ratios.powerDns.push(signed / peer);
    }
    const ratio = median(ratios.powerDns);
    printFigure(
      `signed answers for ${label}, times the peer (times ours unsigned: ${median(ratios.unsigned).toFixed(2)})`,
      ratio.toFixed(2),
      `>= ${limits.signedRatio}`,
      ratio >= limits.signedRatio,
      'PowerDNS, unsigned',
    );
  }
}

/**
 * The API's response time while queries for random subdomains come in, compared to without. All processes share the
 * cores, or the source of the queries would take the time of the API's client.
 */
async function measureFlood(): Promise<void> {
  pin(few.pid, 'any');
  const file = writeQueries('flood', randomLabels, flood.queries);
  const times = { quiet: [] as number[], flooded: [] as number[] };
  const measureUntil = async (list: number[], isOver: () => boolean): Promise<void> => {
    while (!isOver()) {
      const startMs = performance.now();
      await read(few, 2);
      list.push(performance.now() - startMs);
    }
  };
  const quietUntilMs = performance.now() + (flood.queries / flood.perSecond) * 1000;
  await measureUntil(times.quiet, () => performance.now() > quietUntilMs);
  let isOver = false;
  const sent = sendQueries(few.dnsPort, file, flood.perSecond).finally(() => void (isOver = true));
  await measureUntil(times.flooded, () => isOver);
  await sent;
  const [quiet, flooded] = [median(times.quiet), median(times.flooded)];
  const label = `API median during ${flood.queries} random-subdomain queries (${quiet.toFixed(2)} → ${flooded.toFixed(2)} ms)`;
  const growth = flooded / quiet;
  printFigure(label, growth.toFixed(2), `<= ${limits.flood}`, growth <= limits.flood, 'without queries');
}

/** Reads, adds and queries over all zones, with few zones and with many. */
async function measureGrowth(): Promise<void> {
  await using many = await startWithZones(large.path, manyZones);
  const loadSeconds = (many.startMs - few.startMs) / 1000;
  printFigure(
    `${manyZones} zones, seconds until they are answered`,
    loadSeconds.toFixed(1),
    `< ${limits.loadSeconds}`,
    loadSeconds < limits.loadSeconds,
  );
  const moreMegabytes = residentMegabytes(many.pid) - residentMegabytes(few.pid);
  const recordBytes = (moreMegabytes * 2 ** 20) / ((manyZones - fewZones) * recordsPerZone);
  printFigure(
    `memory per record, of ${manyZones * recordsPerZone}, in bytes`,
    recordBytes.toFixed(0),
    `<= ${limits.recordBytes}`,
    recordBytes <= limits.recordBytes,
  );
  for (const { pid } of [few, many]) pin(pid, cores.measured);
  const servers = [
    { server: few, zones: fewZones, file: queryFile(fewZones) },
    { server: many, zones: manyZones, file: queryFile(manyZones) },
  ];
  const times = { get: [] as number[][], add: [] as number[][], query: [] as number[][] };
  for (let round = 0; round <= growthRounds; round++) {
    const measured: { get: number; add: number; query: number }[] = [];
    for (const { server, zones, file } of servers) {
      const randomZone = () => Math.floor(Math.random() * zones);
      const get = 1 / (await measureRate(callsPerRound, () => read(server, randomZone() + 1)));
      const add = 1 / (await measureRate(callsPerRound, () => addAnywhere(server, randomZone())));
      measured.push({ get, add, query: 1 / queriesPerSecond(server.dnsPort, file, 1) });
    }
    if (round === 0) continue;
    for (const kind of ['get', 'add', 'query'] as const) times[kind].push(measured.map((round) => round[kind]));
  }
  for (const [kind, pairs] of Object.entries(times)) {
    const ratio = median(pairs.map(([baseline, grown]) => grown! / baseline!));
    const micro = (index: number) => (median(pairs.map((pair) => pair[index]!)) * 1e6).toFixed(0);
    const label = `${kind}, ${fewZones} → ${manyZones} zones (${micro(0)} → ${micro(1)} µs)`;
    printFigure(label, ratio.toFixed(2), `< ${limits.growth}`, ratio < limits.growth, `${fewZones} zones`);
  }
}

function addAnywhere(server: DnsHostyard, index: number): Promise<void> {
  return addToHostyard(server, index + 1, `z${index}.bench.test`);
}

async function addToHostyard(server: DnsHostyard, domain: number, name: string): Promise<void> {
  const record = { domain, record: `a${added++}.${name}`, type: 'A', content: '192.0.2.77' };
  await call(`${server.url}/v2/dns/record`, 'POST', { 'x-api-key': server.key }, record);
}

async function addToPowerDns(name: string): Promise<void> {
  const records = [{ content: '192.0.2.77', disabled: false }];
  const rrsets = [{ name: `${name}.`, type: 'A', ttl: 3600, changetype: 'REPLACE', records }];
  await call(`${zonesUrl(powerDns)}/${zone}.`, 'PATCH', { 'x-api-key': powerDns.apiKey }, { rrsets });
}

async function read(server: DnsHostyard, domain: number): Promise<void> {
  await call(`${server.url}/v2/dns/record/${domain}`, 'GET', { 'x-api-key': server.key });
}

async function call(
  url: string,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH',
  headers: Record<string, string>,
  body?: object,
): Promise<void> {
  const response = await request(url, {
    dispatcher: agent,
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.body.text();
  if (response.statusCode >= 300) throw new Error(`${response.statusCode}: ${text}`);
}

/** Returns sequential operations per second. */
async function measureRate(count: number, operation: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  for (let done = 0; done < count; done++) await operation();
  return (count / (performance.now() - startMs)) * 1000;
}

function zonesUrl(server: PowerDns): string {
  return `${server.apiUrl}/api/v1/servers/localhost/zones`;
}

async function fillPowerDns(server: PowerDns): Promise<void> {
  const sets = Map.groupBy(zoneRecords(zone), ({ name, type }) => `${name}. ${type}`);
  const dotted = (type: string, content: string): string =>
    type === 'A' ? content : content.replace(/[a-z][\w.]*[a-z](?= |$)/g, '$&.');
  const rrsets = [...sets.values()].map((set) => ({
    name: `${set[0]!.name}.`,
    type: set[0]!.type,
    ttl: 3600,
    records: set.map(({ type, content }) => ({ content: dotted(type, content), disabled: false })),
  }));
  const body = { name: `${zone}.`, kind: 'Master', nameservers: [], rrsets };
  await fetch(zonesUrl(server), {
    method: 'POST',
    headers: { 'X-API-Key': server.apiKey },
    body: JSON.stringify(body),
  }).then(async (response) => {
    if (response.status !== 201) throw new Error(await response.text());
  });
}

function queryFile(zones: number): string {
  const file = join(small.path, `queries-${zones}`);
  const lines = Array.from({ length: 20_000 }, () => {
    const index = Math.floor(Math.random() * zones);
    return `h${Math.floor(Math.random() * 17)}.z${index}.bench.test A`;
  });
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

function writeQueries(name: string, labels: (index: number) => string, count = queriesPerFile): string {
  const file = join(small.path, name);
  writeFileSync(file, Array.from({ length: count }, (_, index) => `${labels(index)}.${zone} A\n`).join(''));
  return file;
}

function randomLabels(): string {
  const label = (): string => Math.random().toString(36).slice(2, 12);
  return `${label()}.${label()}`;
}
