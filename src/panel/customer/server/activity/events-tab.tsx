// The event log of a server, newest first, updated live.
import type { JSX } from 'react';
import type { Event } from '#sdk/v2.ts';
import { useRead } from '../../../data/operations.ts';
import { QueryResult, EmptyState } from '../../../parts/query-result.tsx';
import { eventText } from '../../../parts/event-text.ts';
import { Timestamp } from '../../../parts/timestamp.tsx';
import { TableCard, type Column } from '../../../parts/table-card.tsx';

const maxEvents = 200;
const columns: readonly Column<Event>[] = [
  { label: 'Time', width: 250, cell: ({ timestamp }) => <Timestamp at={timestamp} /> },
  { label: 'Event', cell: eventText },
];

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
          <TableCard
            label="Server events"
            columns={columns}
            rows={events.toReversed()}
            rowKey={({ id }) => id}
            minWidth={480}
          />
        )
      }
    </QueryResult>
  );
}
