// The events of the account, newest first, updated live.
import { Button, Center, Group } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useRead } from '../data/operations.ts';
import { Dimmed } from '../parts/dimmed.tsx';
import { FilterInput } from '../parts/filter-input.tsx';
import { Page } from '../parts/page.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { formatNumber, t } from '../text/text.ts';
import { EventTable } from './events/event-table.tsx';

const pageLength = 100;
/** The most that the API returns at once; the CLI and the API reach everything older. */
const maxEvents = 1000;

export function EventsPage(): JSX.Element {
  const [limit, setLimit] = useState(pageLength);
  const [query, setQuery] = useState('');
  const log = useRead('eventLogGet', { newest: true, limit }, { keepsPrevious: true });
  return (
    <Page title={t('Events')} description={t('Activity on your servers, zones and account, updated live')}>
      <Group>
        <FilterInput
          label={t('Filter events')}
          placeholder={t('Server, zone, person or event')}
          value={query}
          onChange={setQuery}
        />
      </Group>
      <QueryResult query={log} lines={10} shape="table">
        {({ events }) => (
          <>
            <EventTable label={t('Events')} events={events} query={query} empty={noEvents} />
            {events.length === limit && limit < maxEvents && (
              <Center>
                <Button
                  variant="default"
                  size="xs"
                  loading={log.isFetching}
                  onClick={() => setLimit(Math.min(limit * 2, maxEvents))}
                >
                  {t('Load older')}
                </Button>
              </Center>
            )}
            {events.length === maxEvents && (
              <Dimmed ta="center">
                {t('These are the last {count} events. Older ones are in the API and the command line.', {
                  count: formatNumber(maxEvents),
                })}
              </Dimmed>
            )}
          </>
        )}
      </QueryResult>
    </Page>
  );
}

const noEvents = (
  <EmptyCard icon="work" title={t('No events yet')}>
    {t('Power changes, DNS changes, invoices and sign-ins appear here.')}
  </EmptyCard>
);
