// Who did what, newest first.
import { Card, Stack, Table, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { AuditListInput } from '#sdk/operator.ts';
import { useStaffPages } from '../../data/staff-pages.ts';
import { Answer, Empty } from '../../parts/answer.tsx';
import { Moment } from '../../parts/moment.tsx';
import { StateBadge } from '../../parts/state.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { CustomerLink } from './links.tsx';
import { More } from './more.tsx';

const columns = ['When', 'Who', 'Did', 'To', 'Outcome', 'Log of'];

export function AuditTable({ filter }: { filter: AuditListInput }): JSX.Element {
  const entries = useStaffPages('auditList', filter);
  return (
    <Stack>
      <Answer of={entries} lines={8}>
        {(all) =>
          all.length === 0 ? (
            <Card>
              <Empty icon="audit" title="Nothing of that kind">
                Every change stands here, whoever made it.
              </Empty>
            </Card>
          ) : (
            <TableCard label="Audit log" columns={columns} minWidth={900}>
              {all.map((entry) => (
                <Table.Tr key={`${entry.account} ${entry.id}`}>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>
                    <Moment at={entry.time} />
                  </Table.Td>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>
                    {who(entry)}
                    <Text size="xs" c="dimmed" ff="monospace">
                      {entry.address}
                    </Text>
                  </Table.Td>
                  <Table.Td ff="monospace">{entry.operation}</Table.Td>
                  <Table.Td className="wrap-anywhere" maw={260}>
                    {entry.target}
                  </Table.Td>
                  <Table.Td>
                    <StateBadge state={entry.outcome === 'success' ? 'Success' : entry.outcome} />
                  </Table.Td>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>
                    <CustomerLink account={entry.account} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </TableCard>
          )
        }
      </Answer>
      <More of={entries} />
    </Stack>
  );
}

function who({ operator, contact, key }: { operator: string; contact: string; key: string }): string {
  if (operator !== '') return `${operator} (staff)`;
  return contact === '' ? `Key ${key}` : `Contact ${contact}`;
}
