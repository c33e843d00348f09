// Jobs whose retries all failed, with the last error.
import type { JSX } from 'react';
import { useStaffChange } from '../../data/operations.ts';
import { useStaffPages, type Row } from '../../data/staff-pages.ts';
import { usePermissionDenial } from '../../data/identity.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { EmptyCard, ErrorAlert, QueryResult } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { ShowMore } from '../parts/show-more.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import { t } from '../../text/text.ts';

type FailedJob = Row<'jobList'>;
const noFailedJobs = (
  <EmptyCard icon="check" title={t('No failed jobs')}>
    {t('Failing jobs are retried automatically. Jobs whose retries all failed appear here.')}
  </EmptyCard>
);

export function FailedJobs(): JSX.Element {
  const jobs = useStaffPages('jobList', {});
  const denial = usePermissionDenial()('operator:equipment');
  const retry = useStaffChange('jobRetry', { successMessage: t('Job retried') });
  const columns: readonly Column<FailedJob>[] = [
    { label: t('Kind'), ff: 'monospace', cell: ({ kind }) => kind },
    { label: t('Attempts'), isNumber: true, cell: ({ attempts }) => attempts },
    { label: t('Failed'), cell: ({ failed }) => <Timestamp at={failed} isRelative /> },
    { label: t('Error'), className: 'wrap-anywhere', cell: ({ error }) => error },
    {
      label: t('Actions'),
      width: 1,
      cell: ({ id, kind }) => (
        <ActionButton
          isInRow
          disabledReason={denial}
          aria-label={t('Retry: {name} {id}', { name: kind, id })}
          loading={retry.isPending && retry.variables.id === id}
          onClick={() => retry.mutate({ id })}
        >
          {t('Retry')}
        </ActionButton>
      ),
    },
  ];
  return (
    <>
      <QueryResult query={jobs} empty={noFailedJobs}>
        {(all) => (
          <>
            {retry.error !== null && <ErrorAlert error={retry.error} />}
            <TableCard label={t('Failed jobs')} columns={columns} rows={all} rowKey={({ id }) => id} minWidth={720} />
          </>
        )}
      </QueryResult>
      <ShowMore query={jobs} />
    </>
  );
}
