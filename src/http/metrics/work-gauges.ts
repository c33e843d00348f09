// Reconcilers and workflows in /metrics, looked up when it is asked for. The cluster has one of each, so every node tells the
// same.
import { Gauge, type Registry } from 'prom-client';
import { workReport, type WorkReport } from '#app/work-report.ts';
import type { Yard } from '#app/yard.ts';
import { lookedUp } from '../looked-up.ts';

const underWay = ['Queued', 'Running', 'Stuck'] as const;

export function workGauges(registry: Registry, yard: Yard): void {
  let looking: Promise<WorkReport> | undefined;
  /** All gauges are asked at once and share one look. */
  const look = (): Promise<WorkReport> => (looking ??= workReport(yard).finally(() => (looking = undefined)));

  function gauge(name: string, help: string, label: string, read: (report: WorkReport) => Iterable<[string, number]>) {
    const made: Gauge = new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        made.reset();
        await lookedUp(yard, name, look(), (report) => {
          for (const [value, number] of read(report)) made.set({ [label]: value }, number);
        });
      },
    });
  }

  const ofReconcilers = (what: string, help: string, read: (row: WorkReport['reconcilers'][number]) => number | null) =>
    gauge(`hostyard_reconciler_${what}`, help, 'name', ({ reconcilers }) =>
      reconcilers.flatMap((row): [string, number][] => {
        const value = read(row);
        return value === null ? [] : [[row.name, value]];
      }),
    );
  ofReconcilers(
    'last_success_seconds',
    'When it last succeeded, in seconds since 1970',
    ({ last_success_at: at }) => at && at / 1000,
  );
  ofReconcilers('duration_seconds', 'How long its last successful run took', ({ last_duration_ms: ms }) =>
    ms === null ? null : ms / 1000,
  );
  ofReconcilers('backlog', 'What its last successful run left to do', ({ backlog }) => backlog);
  gauge(
    'hostyard_workflows',
    'Workflows under way; Stuck ones go on by themselves once what keeps them is mended',
    'status',
    ({ workflows }) => underWay.map((status) => [status, workflows.find((row) => row.status === status)?.count ?? 0]),
  );
}
