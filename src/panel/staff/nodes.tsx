// Hypervisors: whether they respond, and what they have room for.
import type { JSX } from 'react';
import { useStaffPages, type Row } from '../data/staff-pages.ts';
import { Dimmed } from '../parts/dimmed.tsx';
import { Page } from '../parts/page.tsx';
import { EmptyCard } from '../parts/query-result.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { type Column } from '../parts/table-card.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { t } from '../text/text.ts';
import { CapacityCell } from './equipment/capacity.tsx';
import { ConditionBadge } from './equipment/condition.tsx';
import { countText, diskText } from './equipment/units.ts';
import { memoryText } from '../parts/traffic-units.ts';
import { NodeLink } from './parts/links.tsx';
import { PagedTable } from './parts/paged-table.tsx';

const columns: readonly Column<Row<'nodeList'>>[] = [
  {
    label: t('Name'),
    cell: ({ name, driver, version }) => (
      <>
        <NodeLink node={name} />
        <Dimmed size="xs">{version === '' ? driver : `${driver}, ${version}`}</Dimmed>
      </>
    ),
  },
  {
    label: t('Status'),
    cell: ({ state, maintenance }) => (
      <>
        <ConditionBadge state={state} />
        {maintenance !== '' && <StateBadge state="maintenance" label={t('Maintenance')} />}
      </>
    ),
  },
  { label: t('Machines'), isNumber: true, cell: ({ machines }) => countText(machines) },
  {
    label: t('Processors'),
    isNumber: true,
    cell: ({ vcpus, cpus }) =>
      cpus === '' ? (
        <Dimmed>{t('Unknown')}</Dimmed>
      ) : (
        t('{vcpus} virtual on {cpus}', { vcpus: countText(vcpus), cpus: countText(cpus) })
      ),
  },
  {
    label: t('Memory'),
    miw: 150,
    cell: ({ memorymb }) => <CapacityCell name={t('Memory')} amount={memorymb} format={memoryText} />,
  },
  {
    label: t('Storage'),
    miw: 150,
    cell: ({ diskgb }) => <CapacityCell name={t('Storage')} amount={diskgb} format={diskText} />,
  },
  { label: t('Last seen'), cell: ({ seen }) => <Timestamp at={seen} isRelative fallback={t('Never')} /> },
];

export function NodesPage(): JSX.Element {
  const nodes = useStaffPages('nodeList', {});
  return (
    <Page title={t('Hypervisors')} description={t('Capacity and state as last read')}>
      <PagedTable
        query={nodes}
        lines={6}
        empty={
          <EmptyCard icon="server" title={t('No hypervisors in the site file')}>
            {t('Add them to the site file, then run “hostyard apply” on the server.')}
          </EmptyCard>
        }
        label={t('Hypervisors')}
        columns={columns}
        rowKey={({ name }) => name}
        minWidth={960}
      />
    </Page>
  );
}
