// Jobs whose retries all failed, with the last error.
import { Card, Table } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffChange, useStaffRead } from '../../data/operations.ts';
import { pollMs } from '../../data/staff-pages.ts';
import { usePermissionDenial } from '../../data/identity.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { QueryResult, EmptyState, ErrorAlert } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { TableCard } from '../../parts/table-card.tsx';

const columns = ['Kind', { label: 'Attempts', isNumber: true }, 'Failed', 'Error', { label: 'Actions', width: 1 }];

export function FailedJobs(): JSX.Element {
  const jobs = useStaffRead('jobList', {}, { refetchMs: pollMs });
  const denial = usePermissionDenial()('operator:equipment');
  const retry = useStaffChange('jobRetry', { successMessage: 'Job retried' });
  return (
    <QueryResult query={jobs}>
      {(all) =>
        all.length === 0 ? (
          <Card>
            <EmptyState icon="check" title="No failed jobs">
              Failing jobs are retried automatically. Jobs whose retries all failed appear here.
            </EmptyState>
          </Card>
        ) : (
          <>
            {retry.error !== null && <ErrorAlert error={retry.error} />}
            <TableCard label="Failed jobs" columns={columns} minWidth={720}>
              {all.map(({ id, kind, attempts, error, failed }) => (
                <Table.Tr key={id}>
                  <Table.Td ff="monospace">{kind}</Table.Td>
                  <Table.Td ta="right" className="numbers">
                    {attempts}
                  </Table.Td>
                  <Table.Td>
                    <Timestamp at={failed} isRelative />
                  </Table.Td>
                  <Table.Td className="wrap-anywhere">{error}</Table.Td>
                  <Table.Td>
                    <ActionButton
                      size="compact-sm"
                      variant="default"
                      disabledReason={denial}
                      aria-label={`Retry: ${kind} ${id}`}
                      onClick={() => retry.mutate({ id })}
                    >
                      Retry
                    </ActionButton>
                  </Table.Td>
                </Table.Tr>
              ))}
            </TableCard>
          </>
        )
      }
    </QueryResult>
  );
}
