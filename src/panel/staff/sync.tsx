// The loops that keep equipment and database in sync: when each ran, when it runs next, and on which instance.
import type { JSX } from 'react';
import type { Methods } from '#sdk/operator.ts';
import { useStaffRead } from '../data/operations.ts';
import { Dimmed } from '../parts/dimmed.tsx';
import { Page } from '../parts/page.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { TableCard, type Column } from '../parts/table-card.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { Runbook } from './jobs/runbook.tsx';

type Loop = Awaited<ReturnType<Methods['reconcilerList']>>[number];

const pollMs = 10_000;
const states = { well: 'Success', running: 'Running', failed: 'Failed', late: 'Overdue' } as const;
const columns: readonly Column<Loop>[] = [
  { label: 'Task', ff: 'monospace', cell: ({ name }) => name },
  { label: 'Status', cell: ({ state }) => <StateBadge state={states[state]} /> },
  { label: 'Last success', cell: ({ succeeded }) => <Timestamp at={succeeded} isRelative fallback="Never" /> },
  { label: 'Next run', cell: ({ next }) => <Timestamp at={next} isRelative fallback="Running now" /> },
  { label: 'Lag', isNumber: true, cell: ({ lag }) => (lag === '0' ? '—' : lagText(Number(lag))) },
  { label: 'Pending', isNumber: true, cell: ({ backlog }) => backlog },
  { label: 'Instance', className: 'wrap-anywhere', cell: ({ instance }) => instance || '—' },
  {
    label: 'Last error',
    className: 'wrap-anywhere',
    maw: 320,
    cell: ({ error, state }) => (
      <>
        {error}
        {(state === 'failed' || state === 'late') && <Runbook page="HostyardReconcilerLate" />}
      </>
    ),
  },
];

export function SyncPage(): JSX.Element {
  const loops = useStaffRead('reconcilerList', {}, { refetchMs: pollMs });
  return (
    <Page title="Background sync" description="Tasks that keep equipment and database in sync">
      <QueryResult query={loops} lines={8} empty={<EmptyCard icon="refresh" title="Nothing runs yet" />}>
        {(all) => (
          <>
            <Dimmed>
              {all.filter(({ state }) => state === 'failed' || state === 'late').length} of {all.length} need attention
            </Dimmed>
            <TableCard
              label="Background sync"
              columns={columns}
              rows={all.toSorted(byUrgency)}
              rowKey={({ name }) => name}
              minWidth={1000}
            />
          </>
        )}
      </QueryResult>
    </Page>
  );
}

const urgency: Readonly<Record<Loop['state'], number>> = { failed: 0, late: 1, running: 2, well: 2 };

function byUrgency(left: Loop, right: Loop): number {
  return urgency[left.state] - urgency[right.state] || left.name.localeCompare(right.name);
}

function lagText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
