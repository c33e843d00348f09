// Computes a virtual machine's traffic per calendar month from counters that restart with the machine. Bytes between the last
// reading and a stop are lost: nothing is estimated, and nothing is counted twice.
import type { MachineUsage } from '#drivers/hypervisor/driver.ts';
import type { MachineMeter } from '#store/devices/machines.ts';

/** Returns the meter after a reading. Counters that the hypervisor cannot report count as unchanged. */
export function readMachineMeter(
  before: MachineMeter,
  use: Pick<MachineUsage, 'received' | 'sent'>,
  now: number,
): MachineMeter {
  const received = use.received ?? before.counter_received;
  const sent = use.sent ?? before.counter_sent;
  const growth = increase(before.counter_received, received) + increase(before.counter_sent, sent);
  return {
    traffic_month: monthOf(now),
    traffic_bytes: bytesThisMonth(before, now) + growth,
    counter_received: received,
    counter_sent: sent,
  };
}

export function bytesThisMonth({ traffic_month, traffic_bytes }: MachineMeter, now: number): number {
  return traffic_month === monthOf(now) ? traffic_bytes : 0;
}

/** A counter that went back has restarted from zero. */
function increase(before: number, now: number): number {
  return now >= before ? now - before : now;
}

function monthOf(now: number): number {
  const date = new Date(now);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
