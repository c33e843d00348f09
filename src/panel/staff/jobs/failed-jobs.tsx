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

type FailedJob = Row<'jobList'>;
const noFailedJobs = (
  <EmptyCard icon="check" title="No failed jobs">
    Failing jobs are retried automatically. Jobs whose retries all failed appear here.
  </EmptyCard>
);

export function FailedJobs(): JSX.Element {
  const jobs = useStaffPages('jobList', {});
  const denial = usePermissionDenial()('operator:equipment');
  const retry = useStaffChange('jobRetry', { successMessage: 'Job retried' });
  const columns: readonly Column<FailedJob>[] = [
    { label: 'Kind', ff: 'monospace', cell: ({ kind }) => kind },
    { label: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
    { label: 'Failed', cell: ({ failed }) => <Timestamp at={failed} isRelative /> },
    { label: 'Error', className: 'wrap-anywhere', cell: ({ error }) => error },
    {
      label: 'Actions',
      width: 1,
      cell: ({ id, kind }) => (
        <ActionButton
          size="compact-sm"
          variant="default"
          disabledReason={denial}
          aria-label={`Retry: ${kind} ${id}`}
          onClick={() => retry.mutate({ id })}
        >
          Retry
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
            <TableCard label="Failed jobs" columns={columns} rows={all} rowKey={({ id }) => id} minWidth={720} />
          </>
        )}
      </QueryResult>
      <ShowMore query={jobs} />
    </>
  );
}
