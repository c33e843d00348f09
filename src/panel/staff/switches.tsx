// Switches: whether they respond, and how many of their ports have a link or errors.
import type { JSX } from 'react';
import { useStaffPages, type Row } from '../data/staff-pages.ts';
import { Dimmed } from '../parts/dimmed.tsx';
import { Page } from '../parts/page.tsx';
import { EmptyCard } from '../parts/query-result.tsx';
import { type Column } from '../parts/table-card.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { t } from '../text/text.ts';
import { ConditionBadge } from './equipment/condition.tsx';
import { countText } from './equipment/units.ts';
import { SwitchLink } from './parts/links.tsx';
import { PagedTable } from './parts/paged-table.tsx';

const columns: readonly Column<Row<'switchList'>>[] = [
  {
    label: t('Name'),
    cell: ({ name, description, driver }) => (
      <>
        <SwitchLink name={name} />
        <Dimmed size="xs" className="wrap-anywhere">
          {description === '' ? driver : description}
        </Dimmed>
      </>
    ),
  },
  { label: t('Status'), cell: ({ state }) => <ConditionBadge state={state} /> },
  {
    label: t('Ports with a link'),
    isNumber: true,
    cell: ({ portsup, ports }) =>
      ports === '' ? '—' : t('{up} of {total}', { up: countText(portsup), total: countText(ports) }),
  },
  { label: t('Ports with errors'), isNumber: true, cell: ({ portswitherrors }) => countText(portswitherrors) },
  { label: t('Rack'), ff: 'monospace', cell: ({ rack, unit }) => (rack === '' ? '—' : `${rack}, U${unit}`) },
  { label: t('Last seen'), cell: ({ seen }) => <Timestamp at={seen} isRelative fallback={t('Never')} /> },
];

export function SwitchesPage(): JSX.Element {
  const switches = useStaffPages('switchList', {});
  return (
    <Page title={t('Switches')} description={t('State and ports as last read')}>
      <PagedTable
        query={switches}
        lines={6}
        empty={
          <EmptyCard icon="network" title={t('No switches in the site file')}>
            {t('Add them to the site file, then run “hostyard apply” on the server.')}
          </EmptyCard>
        }
        label={t('Switches')}
        columns={columns}
        rowKey={({ name }) => name}
        minWidth={820}
      />
    </Page>
  );
}
