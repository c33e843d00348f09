// The audit log, newest first.
import { Card, Stack, Table, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { AuditListInput } from '#sdk/operator.ts';
import { useStaffPages } from '../../data/staff-pages.ts';
import { QueryResult, EmptyState } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { changeLabel, targetLabel } from '../../parts/operation-labels.ts';
import { AuditResult } from '../../parts/audit-result.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { CustomerLink } from './links.tsx';
import { ShowMore } from './show-more.tsx';

const columns = ['Time', 'User', 'Action', 'Target', 'Result', 'Customer'];

export function AuditTable({ filter }: { filter: AuditListInput }): JSX.Element {
  const entries = useStaffPages('auditList', filter);
  return (
    <Stack>
      <QueryResult query={entries} lines={8}>
        {(all) =>
          all.length === 0 ? (
            <Card>
              <EmptyState icon="audit" title="No entries found">
                Every change to an account is listed here.
              </EmptyState>
            </Card>
          ) : (
            <TableCard label="Audit log" columns={columns} minWidth={900}>
              {all.map((entry) => (
                <Table.Tr key={`${entry.account} ${entry.id}`}>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>
                    <Timestamp at={entry.time} />
                  </Table.Td>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>
                    {actorText(entry)}
                    <Text size="xs" c="dimmed" ff="monospace">
                      {entry.address}
                    </Text>
                  </Table.Td>
                  <Table.Td title={entry.operation}>{changeLabel(entry.operation)}</Table.Td>
                  <Table.Td className="wrap-anywhere" maw={260}>
                    {targetLabel(entry.target)}
                  </Table.Td>
                  <Table.Td>
                    <AuditResult outcome={entry.outcome} />
                  </Table.Td>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>
                    <CustomerLink account={entry.account} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </TableCard>
          )
        }
      </QueryResult>
      <ShowMore list={entries} />
    </Stack>
  );
}

function actorText({ operator, contact, key }: { operator: string; contact: string; key: string }): string {
  if (operator !== '') return `${operator} (staff)`;
  return contact === '' ? `API key ${key}` : `Contact ${contact}`;
}
