// Reconcilers and workflows in /metrics, read at scrape time. The cluster has one of each, so every instance reports
// the same.
import { Gauge, type Registry } from 'prom-client';
import { getWorkReport, type WorkReport } from '#app/health/background-work.ts';
import type { App } from '#app/app.ts';
import { collectFromDatabase } from './database-metrics.ts';

const activeStatuses = ['Queued', 'Running', 'Stuck'] as const;

export function addWorkGauges(registry: Registry, app: App): void {
  let pendingReport: Promise<WorkReport> | undefined;
  /** All gauges are collected at once and share one query. */
  const getReport = (): Promise<WorkReport> =>
    (pendingReport ??= getWorkReport(app).finally(() => (pendingReport = undefined)));

  function addGauge(
    name: string,
    help: string,
    label: string,
    read: (report: WorkReport) => Iterable<[string, number]>,
  ) {
    const metric: Gauge = new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        metric.reset();
        await collectFromDatabase(app, name, getReport(), (report) => {
          for (const [value, number] of read(report)) metric.set({ [label]: value }, number);
        });
      },
    });
  }

  const addReconcilerGauge = (
    what: string,
    help: string,
    read: (row: WorkReport['reconcilers'][number]) => number | null,
  ) =>
    addGauge(`hostyard_reconciler_${what}`, help, 'name', ({ reconcilers }) =>
      reconcilers.flatMap((row): [string, number][] => {
        const value = read(row);
        return value === null ? [] : [[row.name, value]];
      }),
    );
  addReconcilerGauge(
    'last_success_seconds',
    'Time of the last success, in seconds since 1970',
    ({ last_success_at: at }) => at && at / 1000,
  );
  addReconcilerGauge('duration_seconds', 'Duration of the last successful run', ({ last_duration_ms: ms }) =>
    ms === null ? null : ms / 1000,
  );
  addReconcilerGauge('backlog', 'Work left by the last successful run', ({ backlog }) => backlog);
  addGauge(
    'hostyard_workflows',
    'Workflows in progress; Stuck ones continue by themselves once their problem is fixed',
    'status',
    ({ workflows }) =>
      activeStatuses.map((status) => [status, workflows.find((row) => row.status === status)?.count ?? 0]),
  );
}
