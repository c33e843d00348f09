// The lab's switch: which port belongs to which service, and its traffic.
import { intervalSeconds, intervalStart, type Sample } from '#traffic/series.ts';
import type { LabPortOptions } from './switch/ports.ts';
import { labOctetsBetween } from './switch/traffic.ts';

export const labSwitchName = 'dc01sw01';

const gigabit = 1_000_000_000;
const megabit = 1_000_000;

/** Nothing is plugged into the last port. */
const plan = [
  { service: 1001, alias: 'cust-1001 web1', inMegabits: 94, outMegabits: 18 },
  { service: 1002, alias: 'cust-1002 db1', inMegabits: 11, outMegabits: 6 },
  { service: 1101, alias: 'cust-1101 mail', inMegabits: 4, outMegabits: 3, errorsPerMinute: 2 },
  { service: undefined, alias: 'spare', inMegabits: 0, outMegabits: 0 },
];

export const labPortServices = plan.map(({ service }, index) => ({ ifIndex: index + 1, service }));

export const labPorts: readonly LabPortOptions[] = plan.map(
  ({ service, alias, inMegabits, outMegabits, errorsPerMinute = 0 }, index) => ({
    ifIndex: index + 1,
    name: `ge-0/0/${index}`,
    alias,
    speedBitsPerSecond: gigabit,
    errorsPerMinute,
    ...(service === undefined
      ? {}
      : { traffic: { seed: service, inBitsPerSecond: inMegabits * megabit, outBitsPerSecond: outMegabits * megabit } }),
  }),
);

/** Returns the samples of a port before the lab's first start, as its switch would have counted them. */
export function labPastTraffic(ifIndex: number, fromSeconds: number, toSeconds: number): Sample[] {
  const traffic = labPorts.find((port) => port.ifIndex === ifIndex)?.traffic;
  if (traffic === undefined) return [];
  const samples: Sample[] = [];
  const end = intervalStart(toSeconds);
  for (let start = intervalStart(fromSeconds); start < end; start += intervalSeconds) {
    const octets = labOctetsBetween(traffic, start * 1000, (start + intervalSeconds) * 1000);
    samples.push({ start, inBytes: octets.in, outBytes: octets.out, marks: 0 });
  }
  return samples;
}
