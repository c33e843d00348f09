// The built-in name server in /metrics. Its thread counts in shared memory, so a scrape does not disturb it.
import { Counter, Gauge, type Registry } from 'prom-client';
import type { App } from '#app/app.ts';
import type { NameServerStatus } from '#app/dns/name-server-threads.ts';

/** Adds nothing if the built-in name server is not used. */
export function addNameServerMetrics(registry: Registry, { nameService }: App): void {
  if (nameService.status() === undefined) return;
  const status = (): NameServerStatus => nameService.status()!;
  const registers = [registry];
  const addCounter = (name: string, help: string, label: string, read: () => Record<string, number>): void => {
    const counter: Counter = new Counter({
      name: `hostyard_dns_${name}_total`,
      help,
      labelNames: [label],
      registers,
      collect() {
        counter.reset();
        for (const [value, count] of Object.entries(read())) counter.inc({ [label]: value }, count);
      },
    });
  };
  addCounter('queries', 'DNS queries received', 'transport', () => {
    const { udpQueries: udp, tcpQueries: tcp } = status().counters;
    return { udp, tcp };
  });
  addCounter('limited', 'DNS responses above the rate limit of a network', 'action', () => {
    const { droppedByLimit: dropped, truncatedByLimit: truncated } = status().counters;
    return { dropped, truncated };
  });
  addCounter('connections_closed', 'DNS connections closed because all slots were taken', 'reason', () => {
    const { evictedConnections: evicted, refusedConnections: refused } = status().counters;
    return { evicted, refused };
  });
  const addGauge = (name: string, help: string, read: () => number): void => {
    const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(read()) });
  };
  addGauge('hostyard_dns_up', '1 if the name server is running', () => Number(status().isRunning));
  addGauge('hostyard_dns_restarts', 'Restarts of the name server after it ended', () => status().restarts);
}
