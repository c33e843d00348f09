// Metrics of an account's services for Prometheus. Everything is read from what was recorded, with one query per table and no
// call to equipment. Unknown values are absent: a missing power state is not off, and old samples are not the current ones.
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { WholeFile } from '#contract/shapes/file.ts';
import { machineSeriesOf, spaceUnitBytes } from '#equipment/machine-samples.ts';
import { BoundedMap } from '#lib/bounded-map.ts';
import { writeExposition, type MetricFamily, type MetricSample } from '#lib/exposition.ts';
import { pauseWork } from '#lib/slices.ts';
import {
  blocksSince,
  measuredServices,
  portsOfAccount,
  storedMetersOf,
  type MeasuredService,
} from '#store/devices/service-metrics.ts';
import { sensorReadings } from '#store/devices/sensors.ts';
import { hypervisorMeters, type StoredMachineMeters } from '#store/network/machine-samples.ts';
import { blockSamples, type MemberSample } from '#traffic/sample-block.ts';
import { intervalSeconds, unmeasured } from '#traffic/series.ts';
import { canCustomersSeeSensors } from '../servers/sensors.ts';
import { isServiceVisible } from '../services/limits.ts';
import type { App, Context } from '../app.ts';
import { trafficThisMonth } from './stats.ts';

const decompress = promisify(inflateRaw);
const bytesPerMb = 2 ** 20;
const bytesPerGb = 2 ** 30;
const maxTotals = 20_000;
/** A sample is recorded when its interval has ended; older ones are no longer current. */
const currentSeconds = 3 * intervalSeconds;

export async function exportMetrics(context: Context): Promise<WholeFile> {
  const { queries, caller, app } = context;
  const services = (await measuredServices(queries, caller.account)).filter(({ id }) =>
    isServiceVisible(caller.services, id),
  );
  const since = Math.floor(app.clock.now() / 1000) - currentSeconds;
  const families = [
    ...stateFamilies(services),
    ...((await canCustomersSeeSensors(app, queries)) ? [sensorFamily(services)] : []),
    ...(await machineFamilies(context, services, since)),
    await bandwidthFamily(context, services),
    await trafficOfServers(context, services, since),
  ].flat();
  return { name: 'metrics.txt', bytes: Buffer.from(writeExposition(families)) };
}

function stateFamilies(services: readonly MeasuredService[]): MetricFamily[] {
  const known = services.filter(({ power_state, power_error }) => power_state !== null && power_error === null);
  const sizes = (name: string, help: string, sizeOf: (service: MeasuredService) => number): MetricFamily =>
    gauge(
      name,
      help,
      services.map((service) => sampleOf(service.id, sizeOf(service))).filter(({ value }) => value > 0),
    );
  return [
    gauge(
      'device_info',
      'Always 1; its labels are what is known about the service',
      services.map(({ id, hostname, type }) => ({ labels: { service: String(id), hostname, type }, value: 1 })),
    ),
    gauge(
      'device_power_on',
      '1 if the device is on, 0 if it is off; absent if that is unknown',
      known.map(({ id, power_state }) => sampleOf(id, power_state === 'on' ? 1 : 0)),
    ),
    sizes('device_memory_size_bytes', 'Memory of a machine', ({ memory_mb }) => (memory_mb ?? 0) * bytesPerMb),
    sizes('device_disk_size_bytes', 'Disk of a machine, without volumes', ({ disk_gb }) => (disk_gb ?? 0) * bytesPerGb),
    sizes(
      'device_bandwidth_allowance_bytes',
      'Traffic of a machine that is included in a month',
      ({ bandwidth_gb }) => (bandwidth_gb ?? 0) * bytesPerGb,
    ),
  ];
}

function sensorFamily(services: readonly MeasuredService[]): MetricFamily {
  return gauge('device_sensor_value', 'Sensors of a server, in the unit of the label', services.flatMap(sensorSamples));
}

/** Leaves out sensors that could not be read at the last check. */
function sensorSamples({ id, readings, sensor_error }: MeasuredService): MetricSample[] {
  if (readings === null || sensor_error !== null) return [];
  return sensorReadings.decode(readings).flatMap(({ name, kind, value, unit = '' }) => {
    const labels = { service: String(id), sensor: name, kind, unit };
    return value === undefined ? [] : [{ labels, value }];
  });
}

/** A machine has one customer for life, so its counters since its start are the customer's. */
async function machineFamilies(
  { queries }: Context,
  services: readonly MeasuredService[],
  since: number,
): Promise<MetricFamily[]> {
  const machines = new Set(services.filter(({ node }) => node !== null).map(({ id }) => id));
  const nodes = [...new Set(services.flatMap(({ node }) => node ?? []))];
  const meters = new Map<number, StoredMachineMeters>();
  for (const packed of await storedMetersOf(queries, 'machine', nodes)) {
    for (const [service, stored] of hypervisorMeters.decode((await decompress(packed)).toString()))
      if (machines.has(service) && (stored.cpu?.last.atMs ?? 0) >= since * 1000) meters.set(service, stored);
    await pauseWork('outside a transaction');
  }
  const samples = await latestSamples(await blocksSince(queries, 'machine', nodes, since), machines);
  const counter = (
    name: string,
    help: string,
    read: (meter: StoredMachineMeters) => string | number | undefined,
    unit = 1,
  ): MetricFamily => ({
    name: `hostyard_${name}`,
    help,
    type: 'counter',
    samples: [...meters].flatMap(([service, stored]) => {
      const value = read(stored);
      return value === undefined ? [] : [sampleOf(service, Number(value) / unit)];
    }),
  });
  const ofSeries = (series: 'space' | 'network') => samples.filter((sample) => machineSeriesOf(sample) === series);
  const space = (name: string, help: string, field: 'inBytes' | 'outBytes'): MetricFamily =>
    gauge(
      name,
      help,
      // 0 is unknown.
      ofSeries('space').flatMap((sample) =>
        sample[field] === 0 ? [] : [sampleOf(sample.member, sample[field] * spaceUnitBytes)],
      ),
    );
  return [
    counter('device_cpu_seconds_total', 'Processor time since the start', ({ cpu }) => cpu?.last.inOctets, 1000),
    space('device_memory_used_bytes', 'Memory that a machine uses', 'inBytes'),
    space('device_disk_used_bytes', 'Disk space that a machine uses', 'outBytes'),
    counter('device_disk_read_bytes_total', 'Read since the start', ({ disk }) => disk?.last.inOctets),
    counter('device_disk_written_bytes_total', 'Written since the start', ({ disk }) => disk?.last.outOctets),
    counter('device_network_receive_bytes_total', 'Received since the start', ({ network }) => network?.last.inOctets),
    counter('device_network_transmit_bytes_total', 'Sent since the start', ({ network }) => network?.last.outOctets),
  ];
}

const monthTotals = new WeakMap<App, BoundedMap<number, { readonly interval: number; readonly bytes: number }>>();

/** A month of samples is long, and there is a new one only every five minutes, so a total is kept as long. */
async function bandwidthFamily(context: Context, services: readonly MeasuredService[]): Promise<MetricFamily> {
  const { app } = context;
  const totals = monthTotals.get(app) ?? new BoundedMap(maxTotals);
  monthTotals.set(app, totals);
  const interval = Math.floor(app.clock.now() / 1000 / intervalSeconds);
  const samples: MetricSample[] = [];
  for (const { id, node, traffic_month, traffic_bytes } of services) {
    if (node === null || traffic_month === null || traffic_bytes === null) continue;
    let total = totals.get(id);
    if (total?.interval !== interval) {
      total = { interval, bytes: await trafficThisMonth(context, { service_id: id, traffic_month, traffic_bytes }) };
      totals.set(id, total);
      await pauseWork('outside a transaction');
    }
    samples.push(sampleOf(id, total.bytes));
  }
  return gauge('device_bandwidth_used_bytes', 'Traffic of a machine in this month, in both directions', samples);
}

/** The counters of a switch port continue from one customer to the next, so servers have the rate of the last interval instead. */
async function trafficOfServers(
  { queries, caller }: Context,
  services: readonly MeasuredService[],
  since: number,
): Promise<MetricFamily[]> {
  const servers = new Set(services.filter(({ server }) => server !== null).map(({ id }) => id));
  const ports = (await portsOfAccount(queries, caller.account)).filter(({ service }) => servers.has(service));
  const serviceOfPort = new Map(ports.map(({ id, service }) => [id, service]));
  const switches = [...new Set(ports.map((port) => port.switch))];
  const blocks = await blocksSince(queries, 'port', switches, since);
  const samples = await latestSamples(blocks, new Set(serviceOfPort.keys()));
  const rates = (field: 'inBytes' | 'outBytes'): MetricSample[] => {
    const totals = new Map<number, number>();
    for (const sample of samples) {
      const service = serviceOfPort.get(sample.member)!;
      totals.set(service, (totals.get(service) ?? 0) + sample[field] / intervalSeconds);
    }
    return [...totals].map(([service, rate]) => sampleOf(service, rate));
  };
  // The switch sends to the server.
  return [
    gauge(
      'device_network_receive_bytes_per_second',
      'Average of the last five minutes, of a server',
      rates('outBytes'),
    ),
    gauge(
      'device_network_transmit_bytes_per_second',
      'Average of the last five minutes, of a server',
      rates('inBytes'),
    ),
  ];
}

/** Returns the newest measured sample of each member and series. */
async function latestSamples(blocks: readonly Buffer[], members: ReadonlySet<number>): Promise<MemberSample[]> {
  const latest = new Map<string, MemberSample>();
  for (const block of blocks) {
    for (const sample of blockSamples(block))
      if (members.has(sample.member) && (sample.marks & unmeasured) === 0)
        latest.set(`${sample.member} ${sample.series}`, sample);
    await pauseWork('outside a transaction');
  }
  return [...latest.values()];
}

function gauge(name: string, help: string, samples: readonly MetricSample[]): MetricFamily {
  return { name: `hostyard_${name}`, help, type: 'gauge', samples };
}

function sampleOf(service: number, value: number): MetricSample {
  return { labels: { service: String(service) }, value };
}
