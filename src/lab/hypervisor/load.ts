// The load of the lab's machines: a function of time alone, so that stored history matches later counters.
import { intervalSeconds, intervalStart, type Sample } from '#traffic/series.ts';
import { labOctetsBetween } from '../switch/traffic.ts';
import type { LabShape } from './machine.ts';

export interface LabCounters {
  readonly received: number;
  readonly sent: number;
  readonly diskRead: number;
  readonly diskWritten: number;
  readonly cpuMs: number;
}

const megabit = 1_000_000;
/** Of memory and disk space. */
export const usedShares = { memory: 0.3, disk: 0.15 };
export const bytesPerMb = 2 ** 20;
export const bytesPerGb = 2 ** 30;

/** In the afternoon of a working day, per virtual CPU. */
const busyShare = 0.4;

/** Returns what the machine counts between two times, in milliseconds since 1970. */
export function labCounters(name: string, vcpus: number, fromMs: number, toMs: number): LabCounters {
  const seed = Number(name.replace(/\D/g, '')) || 1;
  const between = (offset: number, inRate: number, outRate: number) =>
    labOctetsBetween({ seed: seed + offset, inBitsPerSecond: inRate, outBitsPerSecond: outRate }, fromMs, toMs);
  const network = between(0, 0.5 * megabit, 2 * megabit);
  const disk = between(1000, 2 * megabit, 5 * megabit);
  // Milliseconds per second, in place of bytes.
  const cpu = between(2000, 8 * 1000 * busyShare * vcpus, 0);
  return {
    received: network.in,
    sent: network.out,
    diskRead: disk.in,
    diskWritten: disk.out,
    cpuMs: cpu.in,
  };
}

/** Returns the samples of a machine before the lab's first start, as its hypervisor would have counted them. */
export function labPastUsage(
  name: string,
  { vcpus, memoryMb, diskGb }: Pick<LabShape, 'vcpus' | 'memoryMb' | 'diskGb'>,
  fromSeconds: number,
  toSeconds: number,
) {
  const samples = { network: [] as Sample[], disk: [] as Sample[], cpu: [] as Sample[], space: [] as Sample[] };
  const end = intervalStart(toSeconds);
  const space = {
    inBytes: Math.ceil(memoryMb * usedShares.memory),
    outBytes: Math.ceil(diskGb * (bytesPerGb / bytesPerMb) * usedShares.disk),
  };
  for (let start = intervalStart(fromSeconds); start < end; start += intervalSeconds) {
    const counted = labCounters(name, vcpus, start * 1000, (start + intervalSeconds) * 1000);
    samples.network.push({ start, inBytes: counted.received, outBytes: counted.sent, marks: 0 });
    samples.disk.push({ start, inBytes: counted.diskRead, outBytes: counted.diskWritten, marks: 0 });
    samples.cpu.push({ start, inBytes: counted.cpuMs, outBytes: 0, marks: 0 });
    samples.space.push({ start, ...space, marks: 0 });
  }
  return samples;
}
