// The environment of the DNS benchmark: Hostyard with its own site, zones inserted into its database by the thousand,
// NSD and dnsperf.
import { execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKeyText } from '#lib/key-text.ts';
import { pathOf } from '#store/dns/path.ts';
import { openStore } from '#store/open.ts';
import { contentToWire } from '#protocols/dns/rdata.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import { startDaemon, type Daemon } from '../../test/support/daemon.ts';
import { type Hostyard, startHostyard } from './hostyard.ts';
import { cores } from './load.ts';
import type { AccountId } from '#store/account-id.ts';

export interface DnsHostyard extends Hostyard {
  readonly key: string;
  readonly dnsPort: number;
}

const account = 1 as AccountId;
const recordsPerZone = 20;

/** Starts with this number of zones in its database, twenty records each, named z0.bench.test and so on. */
export async function startWithZones(folder: string, zones: number): Promise<DnsHostyard> {
  const data = join(folder, 'data');
  mkdirSync(data, { recursive: true });
  const dnsPort = await freePort();
  const key = createKeyText();
  const site = join(folder, 'site.yaml');
  const name = { firstname: 'Ada', lastname: 'Winter', email: 'ada@example.net', address1: 'Street 1', city: 'Town' };
  const address = { state: 'State', postcode: '1015CJ', country: 'NL' };
  const limits = { rate: 1_000_000, burst: 10_000_000 };
  const identity = { id: key.printableId, hash: key.secretHash.toString('hex') };
  // YAML is a superset of JSON.
  const text = JSON.stringify({
    provider: { name: 'Bench', currency: { code: 'EUR' } },
    nameserver: {
      names: ['ns1.example.net', 'ns2.example.net'],
      listen: `127.0.0.1:${dnsPort}`,
      responsesPerSecond: 1_000_000,
    },
    customers: [{ id: account, ...name, ...address, keys: [{ name: 'bench', ...identity, scopes: ['all'], limits }] }],
  });
  writeFileSync(site, text);
  const settings = { HOSTYARD_DATA: data, HOSTYARD_SITE: site };
  // The first start creates the account.
  await (await startHostyard(settings))[Symbol.asyncDispose]();
  await insertZones(data, zones);
  const hostyard = await startHostyard(settings);
  return { ...hostyard, key: key.text, dnsPort };
}

export function zoneRecords(zone: string): { name: string; type: keyof typeof rrTypes; content: string }[] {
  const hosts = Array.from({ length: recordsPerZone - 3 }, (_, index) => ({
    name: `h${index}.${zone}`,
    type: 'A' as const,
    content: `192.0.2.${index}`,
  }));
  return [
    {
      name: zone,
      type: 'SOA',
      content: 'ns1.example.net hostmaster.example.net 2026010100 10800 3600 604800 3600',
    },
    { name: zone, type: 'NS', content: 'ns1.example.net' },
    { name: zone, type: 'NS', content: 'ns2.example.net' },
    ...hosts,
  ];
}

const zonesAtOnce = 100;
async function insertZones(data: string, zones: number): Promise<void> {
  const store = await openStore({ dataFolder: data, database: undefined });
  for (let start = 0; start < zones; start += zonesAtOnce) {
    await store.transaction(async (queries) => {
      const names = Array.from({ length: zonesAtOnce }, (_, index) => `z${start + index}.bench.test`);
      const common = { account_id: account, kind: 'forward' as const, revision: 1, created_at: 0 };
      const zoneRows = await queries
        .insertInto('zones')
        .values(names.map((name) => ({ ...common, name, path: pathOf(name), record_count: recordsPerZone })))
        .returning(['id', 'name'])
        .execute();
      const rows = zoneRows.flatMap(({ id, name }) =>
        zoneRecords(name).map((record) => ({
          account_id: account,
          zone_id: id,
          name: record.name,
          path: pathOf(record.name),
          type: rrTypes[record.type],
          ttl: 3600,
          content: record.content,
          rdata: contentToWire(rrTypes[record.type], record.content),
          address: null,
        })),
      );
      await queries.insertInto('records').values(rows).execute();
    });
  }
  await store.close();
}

export async function startNsd(folder: string, zone: string): Promise<{ port: number; daemon: Daemon }> {
  const port = await freePort();
  const lines = zoneRecords(zone).map(
    ({ name, type, content }) => `${name}. 3600 IN ${type} ${dottedContent(type, content)}`,
  );
  writeFileSync(join(folder, 'zone'), `${lines.join('\n')}\n`);
  const config = `server:
  ip-address: 127.0.0.1
  port: ${port}
  username: ""
  zonesdir: "${folder}"
  pidfile: "${folder}/nsd.pid"
  xfrdfile: "${folder}/xfrd.state"
  zonelistfile: "${folder}/zone.list"
  database: ""
  rrl-ratelimit: 0
remote-control:
  control-enable: no
zone:
  name: ${zone}
  zonefile: zone
`;
  writeFileSync(join(folder, 'nsd.conf'), config);
  const daemon = await startDaemon('nsd', ['-d', '-c', join(folder, 'nsd.conf')]);
  await sleep(1000);
  return { port, daemon };
}

function dottedContent(type: string, content: string): string {
  if (type === 'NS') return `${content}.`;
  return type === 'SOA' ? content.replace(/^(\S+) (\S+)/, '$1. $2.') : content;
}

export type Rcode = 'NOERROR' | 'NXDOMAIN';

/**
 * Returns the queries per second that Debian's dnsperf measures with 100 in flight, on the core that the servers do not
 * have. All must get this code.
 */
export function queriesPerSecond(
  port: number,
  file: string,
  seconds: number,
  rcode: Rcode = 'NOERROR',
  signatures: 'with signatures' | 'without signatures' = 'without signatures',
): number {
  const dnssec = signatures === 'with signatures' ? ['-e', '-D'] : [];
  const command = ['--cpu-list', String(cores.other), 'dnsperf', ...dnsperf(port, file), ...dnssec];
  const output = execFileSync('taskset', [...command, '-l', String(seconds)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lost = Number(/Queries lost:\s+(\d+)/.exec(output)?.[1]);
  if (new RegExp(`${rcode} \\d+ \\(([\\d.]+)%\\)`).exec(output)?.[1] !== '100.00')
    throw new Error(`some queries failed:\n${output}`);
  if (lost > 0) console.log(`  (${lost} queries lost)`);
  return Number(/Queries per second:\s+([\d.]+)/.exec(output)?.[1]);
}

/** Sends all queries of the file once, this many per second. Resolves when all are answered. */
export async function sendQueries(port: number, file: string, perSecond: number): Promise<void> {
  const child = spawn('dnsperf', [...dnsperf(port, file), '-n', '1', '-Q', String(perSecond)], { stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error(`dnsperf ended with ${code}`);
}

function dnsperf(port: number, file: string): string[] {
  return ['-s', '127.0.0.1', '-p', String(port), '-d', file, '-c', '4', '-q', '100'];
}

async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return port;
}
