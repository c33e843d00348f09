// The job queue in /metrics, counted at scrape time.
import { Gauge, type Registry } from 'prom-client';
import type { App } from '#app/app.ts';
import { collectFromDatabase } from './database-metrics.ts';

export function addQueueGauges(registry: Registry, app: App): void {
  const gauge = new Gauge({
    name: 'hostyard_jobs',
    help: 'Jobs by kind and state; failed jobs need attention',
    labelNames: ['kind', 'state'],
    registers: [registry],
    async collect() {
      gauge.reset();
      await collectFromDatabase(app, 'hostyard_jobs', app.queue.counts(), (counts) => {
        for (const [kind, states] of counts) {
          for (const [state, count] of Object.entries(states)) gauge.set({ kind, state }, count);
        }
      });
    },
  });
}
