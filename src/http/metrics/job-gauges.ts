// The job queue in /metrics, counted when it is asked for.
import { Gauge, type Registry } from 'prom-client';
import type { Yard } from '#app/yard.ts';
import { lookedUp } from '../looked-up.ts';

export function jobGauges(registry: Registry, yard: Yard): void {
  const gauge = new Gauge({
    name: 'hostyard_jobs',
    help: 'Jobs by kind and state; failed ones wait for the operator',
    labelNames: ['kind', 'state'],
    registers: [registry],
    async collect() {
      gauge.reset();
      await lookedUp(yard, 'hostyard_jobs', yard.jobs.counts(), (counts) => {
        for (const [kind, states] of counts) {
          for (const [state, count] of Object.entries(states)) gauge.set({ kind, state }, count);
        }
      });
    },
  });
}
