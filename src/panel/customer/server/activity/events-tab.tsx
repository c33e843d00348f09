// The event log of a server, newest first, updated live.
import { Table } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../../../data/operations.ts';
import { QueryResult, EmptyState } from '../../../parts/query-result.tsx';
import { eventText } from '../../../parts/event-text.ts';
import { Timestamp } from '../../../parts/timestamp.tsx';
import { TableCard } from '../../../parts/table-card.tsx';

const maxEvents = 200;

export function EventsTab({ service }: { service: string }): JSX.Element {
  const log = useRead('eventLogGet', { newest: true, limit: maxEvents, service });
  return (
    <QueryResult query={log} lines={8}>
      {({ events }) =>
        events.length === 0 ? (
          <EmptyState icon="work" title="No events yet">
            Power changes, installations, address changes and attacks appear here.
          </EmptyState>
        ) : (
          <TableCard label="Server events" columns={[{ label: 'Time', width: 250 }, 'Event']} minWidth={480}>
            {events.toReversed().map((event) => (
              <Table.Tr key={event.id}>
                <Table.Td>
                  <Timestamp at={event.timestamp} />
                </Table.Td>
                <Table.Td>{eventText(event)}</Table.Td>
              </Table.Tr>
            ))}
          </TableCard>
        )
      }
    </QueryResult>
  );
}
