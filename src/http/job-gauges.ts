// The job queue in /metrics, counted when it is asked for.
import { Gauge, type Registry } from 'prom-client';
import type { Yard } from '#app/yard.ts';

export function jobGauges(registry: Registry, yard: Yard): void {
  const gauge = new Gauge({
    name: 'hostyard_jobs',
    help: 'Jobs by kind and state; failed ones wait for the operator',
    labelNames: ['kind', 'state'],
    registers: [registry],
    async collect() {
      gauge.reset();
      try {
        for (const [kind, counts] of await yard.jobs.counts()) {
          for (const [state, count] of Object.entries(counts)) gauge.set({ kind, state }, count);
        }
      } catch (error) {
        // The other metrics are wanted most when the database does not answer.
        yard.log.warn({ err: error }, 'jobs could not be counted');
      }
    },
  });
}
