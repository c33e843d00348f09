// A switch and its ports: traffic, errors, neighbours, and the servers and customers behind them.
import { Card, Checkbox, SimpleGrid } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState, type JSX } from 'react';
import { useStaffRead } from '../data/operations.ts';
import { pollMs, useStaffPages } from '../data/staff-pages.ts';
import { Facts } from '../parts/facts.tsx';
import { Page } from '../parts/page.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { Section } from '../parts/section.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { t } from '../text/text.ts';
import { ConditionAlert, conditionFacts } from './equipment/condition.tsx';
import { portColumns } from './equipment/port-columns.tsx';
import { countText } from './equipment/units.ts';
import { SearchBar } from './parts/search-bar.tsx';
import { PagedTable } from './parts/paged-table.tsx';

export function SwitchPage(): JSX.Element {
  const { switch: name } = useParams({ strict: false }) as { switch: string };
  const known = useStaffRead('switchGet', { name }, { refetchMs: pollMs });
  return (
    <Page title={name} breadcrumbs={[{ label: t('Switches'), to: '/staff/switches' }]}>
      <QueryResult query={known} lines={6}>
        {(device) => (
          <>
            <ConditionAlert {...device} />
            <Card>
              <SimpleGrid minColWidth="320px" verticalSpacing={6}>
                <Facts facts={conditionFacts(device)} />
                <Facts
                  facts={[
                    [t('Description'), device.description],
                    [t('Started'), <Timestamp key="started" at={device.started} isRelative fallback={t('Unknown')} />],
                    [
                      t('Ports with a link'),
                      t('{up} of {total}', { up: countText(device.portsup), total: countText(device.ports) }),
                    ],
                    [t('Ports with errors'), countText(device.portswitherrors)],
                    [t('Ports read'), <Timestamp key="read" at={device.read} isRelative fallback={t('Never')} />],
                  ]}
                />
              </SimpleGrid>
            </Card>
          </>
        )}
      </QueryResult>
      <Section title={t('Ports')}>
        <Ports name={name} />
      </Section>
    </Page>
  );
}

function Ports({ name }: { name: string }): JSX.Element {
  const [search, setSearch] = useState('');
  const [hasErrors, setHasErrors] = useState(false);
  const ports = useStaffPages('portList', {
    switch: name,
    search: search || undefined,
    errors: hasErrors || undefined,
  });
  return (
    <>
      <SearchBar label={t('Search ports')} placeholder={t('Port, neighbour, server, customer…')} onSearch={setSearch}>
        <Checkbox
          label={t('Only ports with errors')}
          checked={hasErrors}
          onChange={(event) => setHasErrors(event.currentTarget.checked)}
        />
      </SearchBar>
      <PagedTable
        query={ports}
        lines={8}
        empty={<EmptyCard icon="network" title={t('No matching ports')} />}
        label={t('Ports')}
        columns={portColumns}
        rowKey={portKey}
        minWidth={940}
      />
    </>
  );
}

/** A port that cannot be identified has the number that another may have now. */
function portKey({ index, name, problem }: { index: string; name: string; problem: string }): string {
  return `${index} ${name} ${problem}`;
}
