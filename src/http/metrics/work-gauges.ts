// Jobs, reconcilers and workflows in /metrics, read at scrape time. The cluster shares them, so every instance reports
// the same.
import type { Registry } from 'prom-client';
import { getWorkReport, type WorkReport } from '#app/health/background-work.ts';
import type { App } from '#app/app.ts';
import { addDatabaseGauge } from './database-gauge.ts';

const activeStatuses = ['Queued', 'Running', 'Stuck'] as const;

export function addWorkGauges(registry: Registry, app: App): void {
  addDatabaseGauge(registry, app, {
    name: 'hostyard_jobs',
    help: 'Jobs by kind and state; failed jobs need attention',
    labelNames: ['kind', 'state'],
    query: () => app.queue.counts(),
    set(gauge, counts) {
      for (const [kind, states] of counts)
        for (const [state, count] of Object.entries(states)) gauge.set({ kind, state }, count);
    },
  });

  let pendingReport: Promise<WorkReport> | undefined;
  /** The gauges below are collected at once and share one query. */
  const query = (): Promise<WorkReport> =>
    (pendingReport ??= getWorkReport(app).finally(() => (pendingReport = undefined)));
  const addReconcilerGauge = (
    name: string,
    help: string,
    read: (row: WorkReport['reconcilers'][number]) => number | null,
  ): void =>
    addDatabaseGauge(registry, app, {
      name: `hostyard_reconciler_${name}`,
      help,
      labelNames: ['name'],
      query,
      set(gauge, { reconcilers }) {
        for (const row of reconcilers) {
          const value = read(row);
          if (value !== null) gauge.set({ name: row.name }, value);
        }
      },
    });
  addReconcilerGauge(
    'last_success_seconds',
    'Time of the last success, in seconds since 1970',
    ({ last_success_at: at }) => at && at / 1000,
  );
  addReconcilerGauge('duration_seconds', 'Duration of the last successful run', ({ last_duration_ms: ms }) =>
    ms === null ? null : ms / 1000,
  );
  addReconcilerGauge('backlog', 'Work left by the last successful run', ({ backlog }) => backlog);
  addDatabaseGauge(registry, app, {
    name: 'hostyard_workflows',
    help: 'Workflows in progress; Stuck ones continue automatically once their problem is fixed',
    labelNames: ['status'],
    query,
    set(gauge, { workflows }) {
      for (const status of activeStatuses)
        gauge.set({ status }, workflows.find((row) => row.status === status)?.count ?? 0);
    },
  });
}
