// What happened to a server, newest first, as it happens.
import { Table, Text } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../../data/read.ts';
import { Answer, Empty } from '../../parts/answer.tsx';
import { eventText } from '../../parts/event-text.ts';
import { Moment } from '../../parts/moment.tsx';
import { TableCard } from '../../parts/table-card.tsx';

const shownEvents = 200;

export function EventsTab({ service }: { service: string }): JSX.Element {
  const log = useRead('eventLogGet', { newest: true, limit: shownEvents, service });
  return (
    <Answer of={log} lines={8}>
      {({ events }) =>
        events.length === 0 ? (
          <Empty icon="work" title="Nothing has happened yet">
            Power, installations, addresses and attacks are told here as they happen.
          </Empty>
        ) : (
          <TableCard
            label="Events of the server"
            columns={[{ label: 'When', width: 250 }, 'What happened', { label: 'Kind', width: 240 }]}
            minWidth={640}
          >
            {events.toReversed().map((event) => (
              <Table.Tr key={event.id}>
                <Table.Td>
                  <Moment at={event.timestamp} />
                </Table.Td>
                <Table.Td>{eventText(event)}</Table.Td>
                <Table.Td>
                  <Text size="xs" ff="monospace" c="dimmed">
                    {event.type}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </TableCard>
        )
      }
    </Answer>
  );
}
