// The loops that keep equipment and database in sync: when each ran, when it runs next, and on which instance.
import type { JSX } from 'react';
import { useStaffRead, type StaffResult } from '../data/operations.ts';
import { Dimmed } from '../parts/dimmed.tsx';
import { Page } from '../parts/page.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { TableCard, type Column } from '../parts/table-card.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { lagText } from './equipment/units.ts';
import { Runbook } from './jobs/runbook.tsx';
import { SyncBadge } from './jobs/sync-badge.tsx';
import { t } from '../text/text.ts';

type Loop = StaffResult<'reconcilerList'>[number];

const refetchMs = 10_000;
const columns: readonly Column<Loop>[] = [
  { label: t('Task'), ff: 'monospace', cell: ({ name }) => name },
  { label: t('Status'), cell: ({ state }) => <SyncBadge state={state} /> },
  { label: t('Last success'), cell: ({ succeeded }) => <Timestamp at={succeeded} isRelative fallback={t('Never')} /> },
  { label: t('Next run'), cell: ({ next }) => <Timestamp at={next} isRelative fallback={t('Running now')} /> },
  { label: t('Lag'), isNumber: true, cell: ({ lag }) => (lag === '0' ? '—' : lagText(Number(lag))) },
  { label: t('Pending'), isNumber: true, cell: ({ backlog }) => backlog },
  { label: t('Instance'), className: 'wrap-anywhere', cell: ({ instance }) => instance || '—' },
  {
    label: t('Last error'),
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
  const loops = useStaffRead('reconcilerList', {}, { refetchMs });
  return (
    <Page title={t('Background sync')} description={t('Tasks that keep equipment and database in sync')}>
      <QueryResult query={loops} lines={8} empty={<EmptyCard icon="refresh" title={t('Nothing runs yet')} />}>
        {(all) => (
          <>
            <Dimmed>
              {t('{count} of {total} need attention', {
                count: all.filter(({ state }) => state === 'failed' || state === 'late').length,
                total: all.length,
              })}
            </Dimmed>
            <TableCard
              label={t('Background sync')}
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
