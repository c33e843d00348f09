// The event log of a server, newest first, updated live.
import type { JSX } from 'react';
import { useRead } from '../../../data/operations.ts';
import { QueryResult, EmptyState } from '../../../parts/query-result.tsx';
import { t } from '../../../text/text.ts';
import { EventTable } from '../../events/event-table.tsx';

const maxEvents = 200;

export function EventsTab({ service }: { service: string }): JSX.Element {
  const log = useRead('eventLogGet', { newest: true, limit: maxEvents, service });
  return (
    <QueryResult query={log} lines={8}>
      {({ events }) => <EventTable label={t('Server events')} events={events} empty={noEvents} withoutSubject />}
    </QueryResult>
  );
}

const noEvents = (
  <EmptyState icon="work" title={t('No events yet')}>
    {t('Power changes, installations, address changes and attacks appear here.')}
  </EmptyState>
);
