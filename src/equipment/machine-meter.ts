// The traffic of a virtual machine in a calendar month, out of counters that begin anew whenever it is started. What was moved
// between the last reading and a stop is not seen: it is never made up, and nothing is counted twice.
import type { MachineUse } from '#drivers/hypervisor/driver.ts';
import type { MachineMeter } from '#store/devices/machines.ts';

export function metered(before: MachineMeter, use: Pick<MachineUse, 'received' | 'sent'>, now: number): MachineMeter {
  // A node that cannot tell just now has moved nothing that is known of.
  const received = use.received ?? before.counter_received;
  const sent = use.sent ?? before.counter_sent;
  return {
    traffic_month: monthOf(now),
    traffic_bytes:
      movedThisMonth(before, now) + since(before.counter_received, received) + since(before.counter_sent, sent),
    counter_received: received,
    counter_sent: sent,
  };
}

/** What was moved in the present month, as far as it was counted. */
export function movedThisMonth({ traffic_month, traffic_bytes }: MachineMeter, now: number): number {
  return traffic_month === monthOf(now) ? traffic_bytes : 0;
}

/** A counter that went back has begun anew. */
function since(before: number, now: number): number {
  return now >= before ? now - before : now;
}

function monthOf(now: number): number {
  const date = new Date(now);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
