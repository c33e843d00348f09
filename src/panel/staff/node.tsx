// A hypervisor: its capacity, and the machines on it with their customers.
import { Card, SimpleGrid } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useStaffRead } from '../data/operations.ts';
import { pollMs, useStaffPages, type Row } from '../data/staff-pages.ts';
import { Dimmed } from '../parts/dimmed.tsx';
import { Facts } from '../parts/facts.tsx';
import { Page } from '../parts/page.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { Section } from '../parts/section.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { type Column } from '../parts/table-card.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { t } from '../text/text.ts';
import { CapacityCard } from './equipment/capacity.tsx';
import { ConditionAlert, conditionFacts } from './equipment/condition.tsx';
import { NodeAdoption } from './equipment/node-adoption.tsx';
import { NodeMaintenance } from './equipment/node-maintenance.tsx';
import { countText, diskText } from './equipment/units.ts';
import { memoryText } from '../parts/traffic-units.ts';
import { CustomerLink, DeviceLink, ServiceLink } from './parts/links.tsx';
import { PagedTable } from './parts/paged-table.tsx';

type Node = Row<'nodeList'>;
const machineStates = { on: t('On'), off: t('Off'), unknown: t('Unknown'), pending: t('Pending') } as const;

const columns: readonly Column<Row<'machineList'>>[] = [
  { label: t('Machine'), ff: 'monospace', cell: ({ device }) => <DeviceLink device={device} /> },
  {
    label: t('Hostname'),
    cell: ({ service, hostname }) => <ServiceLink service={service}>{hostname}</ServiceLink>,
  },
  { label: t('Customer'), cell: ({ account }) => <CustomerLink account={account} /> },
  {
    label: t('State'),
    cell: ({ state, error }) => (
      <>
        <StateBadge state={state} label={machineStates[state]} />
        {error !== '' && <Dimmed size="xs">{error}</Dimmed>}
      </>
    ),
  },
  { label: t('Service'), cell: ({ status }) => <StateBadge state={status} /> },
  { label: t('Processors'), isNumber: true, cell: ({ vcpus }) => vcpus },
  { label: t('Memory'), isNumber: true, cell: ({ memorymb }) => memoryText(memorymb) },
  { label: t('Storage'), isNumber: true, cell: ({ diskgb }) => diskText(diskgb) },
];

export function NodePage(): JSX.Element {
  const { node: name } = useParams({ strict: false }) as { node: string };
  const node = useStaffRead('nodeGet', { name }, { refetchMs: pollMs });
  return (
    <Page title={name} breadcrumbs={[{ label: t('Hypervisors'), to: '/staff/nodes' }]}>
      <QueryResult query={node} lines={10}>
        {(known) => (
          <>
            <ConditionAlert {...known} />
            <NodeMaintenance node={known} />
            <NodeCapacity node={known} />
          </>
        )}
      </QueryResult>
      <Section title={t('Machines')}>
        <Machines node={name} />
      </Section>
      <NodeAdoption node={name} />
    </Page>
  );
}

function NodeCapacity({ node }: { node: Node }): JSX.Element {
  return (
    <>
      <Card>
        <SimpleGrid minColWidth="320px" verticalSpacing={6}>
          <Facts facts={conditionFacts(node)} />
          <Facts
            facts={[
              [t('Version'), node.version],
              [
                t('Processors'),
                node.cpus === '' ? t('Unknown') : t('{vcpus} virtual on {cpus} threads', processorsOf(node)),
              ],
              [t('Capacity read'), <Timestamp key="read" at={node.read} isRelative fallback={t('Never')} />],
            ]}
          />
        </SimpleGrid>
      </Card>
      <SimpleGrid minColWidth="280px">
        <CapacityCard name={t('Memory')} amount={node.memorymb} format={memoryText} />
        <CapacityCard name={t('Storage')} amount={node.diskgb} format={diskText} />
      </SimpleGrid>
    </>
  );
}

function processorsOf({ vcpus, cpus }: Node) {
  return { vcpus: countText(vcpus), cpus: countText(cpus) };
}

function Machines({ node }: { node: string }): JSX.Element {
  const machines = useStaffPages('machineList', { node });
  return (
    <>
      <PagedTable
        query={machines}
        empty={<EmptyCard icon="server" title={t('No machines on this hypervisor')} />}
        label={t('Machines')}
        columns={columns}
        rowKey={({ vmid }) => vmid}
        minWidth={900}
      />
    </>
  );
}
