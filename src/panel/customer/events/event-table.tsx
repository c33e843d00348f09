// Events as sentences, newest first, with everything that is recorded about each one click away.
import type { JSX } from 'react';
import type { Event } from '#sdk/v2.ts';
import { describeEvent, type EventSentence } from '#text/event-sentences.ts';
import { EventSentenceText } from '../../parts/event-sentence.tsx';
import { pageOf } from '../../parts/event-pages.ts';
import { EmptyCard } from '../../parts/query-result.tsx';
import { RawDetails } from '../../parts/raw-details.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { t } from '../../text/text.ts';
import { useEventNames } from '../names.ts';

interface Row {
  readonly event: Event;
  readonly described: EventSentence;
}

export interface EventTableProps {
  readonly label: string;
  /** As the API returns them: oldest first. */
  readonly events: readonly Event[];
  /** Only events whose sentence contains it. */
  readonly query?: string;
  readonly empty: JSX.Element;
  /** On the page of the server that the events concern. */
  readonly withoutSubject?: true;
}

export function EventTable({ label, events, query = '', empty, withoutSubject }: EventTableProps): JSX.Element {
  const nameOf = useEventNames(events);
  if (events.length === 0) return empty;
  const wanted = query.trim().toLowerCase();
  const rows = events
    .toReversed()
    .map((event): Row => ({ event, described: describeEvent(event, nameOf) }))
    .filter(({ described }) => described.sentence.toLowerCase().includes(wanted));
  if (rows.length === 0)
    return (
      <EmptyCard icon="work" title={t('No events match')}>
        {t('Load older entries to search further back.')}
      </EmptyCard>
    );
  const columns: readonly Column<Row>[] = [
    { label: t('Time'), isOneLine: true, width: 200, cell: ({ event }) => <Timestamp at={event.timestamp} /> },
    {
      label: t('What happened'),
      className: 'wrap-anywhere',
      cell: ({ event, described }) => (
        <EventSentenceText
          described={described}
          page={pageOf(event)}
          {...(withoutSubject === true && { withoutSubject })}
        />
      ),
    },
    {
      label: t('More'),
      width: 1,
      cell: ({ event, described }) => <RawDetails title={described.sentence} details={event} />,
    },
  ];
  return <TableCard label={label} columns={columns} rows={rows} rowKey={({ event }) => event.id} minWidth={480} />;
}
