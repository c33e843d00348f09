// Jobs that failed as often as they may, with the reason of the last time.
import { Card, Table } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffChange, useStaffRead } from '../../data/read.ts';
import { watchMs } from '../../data/staff-pages.ts';
import { usePowerRefusal } from '../../data/who.ts';
import { Act } from '../../parts/act.tsx';
import { Answer, Empty, Failed } from '../../parts/answer.tsx';
import { Moment } from '../../parts/moment.tsx';
import { TableCard } from '../../parts/table-card.tsx';

const columns = ['Kind', { label: 'Tries', isNumber: true }, 'Failed', 'Why', { label: 'Actions', width: 1 }];

export function FailedJobs(): JSX.Element {
  const jobs = useStaffRead('jobList', {}, { everyMs: watchMs });
  const refusal = usePowerRefusal()('operator:equipment');
  const retry = useStaffChange('jobRetry', { done: 'The job is tried again.' });
  return (
    <Answer of={jobs}>
      {(all) =>
        all.length === 0 ? (
          <Card>
            <Empty icon="check" title="No job has failed">
              A job that fails is tried again by itself; one that failed as often as it may stands here.
            </Empty>
          </Card>
        ) : (
          <>
            {retry.error !== null && <Failed error={retry.error} />}
            <TableCard label="Failed jobs" columns={columns} minWidth={720}>
              {all.map(({ id, kind, attempts, error, failed }) => (
                <Table.Tr key={id}>
                  <Table.Td ff="monospace">{kind}</Table.Td>
                  <Table.Td ta="right" className="numbers">
                    {attempts}
                  </Table.Td>
                  <Table.Td>
                    <Moment at={failed} ago />
                  </Table.Td>
                  <Table.Td className="wrap-anywhere">{error}</Table.Td>
                  <Table.Td>
                    <Act
                      size="compact-sm"
                      variant="default"
                      reason={refusal}
                      aria-label={`Try again: ${kind} ${id}`}
                      onClick={() => retry.mutate({ id })}
                    >
                      Try again
                    </Act>
                  </Table.Td>
                </Table.Tr>
              ))}
            </TableCard>
          </>
        )
      }
    </Answer>
  );
}
