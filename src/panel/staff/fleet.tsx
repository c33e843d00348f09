// The fleet: what needs attention first, then the state of everything else.
import { Anchor, Badge, Card, Group, SimpleGrid, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { reclaimSteps } from '#contract/states/servers.ts';
import { useStaffChange, useStaffRead } from '../data/operations.ts';
import { pollMs } from '../data/staff-pages.ts';
import { usePermissionDenial } from '../data/identity.ts';
import { Dimmed } from '../parts/dimmed.tsx';
import { ActionButton } from '../parts/action-button.tsx';
import { QueryResult, ErrorAlert } from '../parts/query-result.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { FigureCard } from '../parts/figure.tsx';
import { Page } from '../parts/page.tsx';
import { capitalize } from '../parts/sensor-report.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { Section } from '../parts/section.tsx';
import { TableCard, type Column, type TableProps } from '../parts/table-card.tsx';
import { Icon } from '../shell/icons.tsx';
import { Runbook } from './jobs/runbook.tsx';
import { SyncBadge } from './jobs/sync-badge.tsx';
import { equipmentPages, listConcerns, type Concern, type Fleet } from './fleet/concerns.ts';
import { DeviceLink, EquipmentLink } from './parts/links.tsx';
import { QuarantineActions, type QuarantinedServer } from './parts/quarantine.tsx';
import { mountKindNames } from './racks/rack-units.ts';
import { t, tData } from '../text/text.ts';

export function FleetPage(): JSX.Element {
  const fleet = useStaffRead('fleetGet', {}, { refetchMs: pollMs });
  return (
    <Page title={t('Fleet')} description={t('Alerts and system health')} actions={<Backup />}>
      <QueryResult query={fleet} lines={10}>
        {(state) => (
          <>
            <Concerns concerns={listConcerns(state, Date.now())} />
            <Figures fleet={state} />
            <Details fleet={state} />
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function Backup(): JSX.Element {
  const denial = usePermissionDenial()('operator:owner');
  const create = useStaffChange('backupCreate', { successMessage: t('Backup created and verified') });
  return (
    <>
      {create.error !== null && <ErrorAlert error={create.error} />}
      <ActionButton
        variant="default"
        disabledReason={denial}
        loading={create.isPending}
        onClick={() => create.mutate({})}
      >
        {t('Back up now')}
      </ActionButton>
    </>
  );
}

function Concerns({ concerns }: { concerns: readonly Concern[] }): JSX.Element {
  return (
    <Card component="section" aria-labelledby="needs">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="needs">
          {t('Needs attention')}
        </Title>
        <Badge variant="light" color={concerns.length === 0 ? 'teal' : 'orange'}>
          {concerns.length === 0 ? t('None') : concerns.length}
        </Badge>
      </Group>
      {concerns.length === 0 ? (
        <Group gap="sm">
          <ThemeIcon color="teal" variant="light" radius="xl">
            <Icon name="check" size={16} />
          </ThemeIcon>
          <Text size="sm">{t('All equipment is responding and no requests are pending.')}</Text>
        </Group>
      ) : (
        <Stack gap="sm">
          {concerns.map((concern) => (
            <ConcernLine key={concern.title} concern={concern} />
          ))}
        </Stack>
      )}
    </Card>
  );
}

function ConcernLine({ concern: { severity, title, fix, to, hash, runbook } }: { concern: Concern }): JSX.Element {
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <ThemeIcon color={severity === 'error' ? 'red' : 'orange'} variant="light" radius="xl">
        <Icon name="warning" size={16} />
      </ThemeIcon>
      <div>
        <Text size="sm" fw={600}>
          {to === undefined ? (
            title
          ) : (
            <Anchor component={Link} to={to} hash={hash ?? ''} inherit>
              {title}
            </Anchor>
          )}
        </Text>
        <Dimmed className="wrap-anywhere">{fix}</Dimmed>
        {runbook !== undefined && <Runbook page={runbook} />}
      </div>
    </Group>
  );
}

const driftNames = {
  machine: t('Machine'),
  'null-route': t('Null route'),
  zone: t('Zone'),
  port: t('Switch port'),
} as const;
const equipmentNames = { server: 'BMCs', switch: t('Switches'), node: t('Hypervisors') } as const;

function Figures({ fleet }: { fleet: Fleet }): JSX.Element {
  const runningCount = fleet.workflows.reduce((sum, { count }) => sum + Number(count), 0);
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      {fleet.equipment.map(({ kind, total, silent }) => (
        <FigureCard key={kind} name={equipmentNames[kind]} to={equipmentPages[kind]}>
          {Number(total) - Number(silent)}
          <Text span size="sm" c="dimmed">
            {' '}
            {t('of {total} responding', { total })}
          </Text>
        </FigureCard>
      ))}
      <FigureCard name={t('Running jobs')} to="/staff/work">
        {runningCount}
      </FigureCard>
      <FigureCard name={t('Pending requests')} to="/staff/requests">
        {fleet.addressrequests}
      </FigureCard>
      <FigureCard name={t('Last backup')}>
        <Text span size="md" fw={650}>
          <Timestamp at={fleet.backup} isRelative fallback={t('Never')} />
        </Text>
      </FigureCard>
    </SimpleGrid>
  );
}

const silentColumns: readonly Column<Fleet['silent'][number]>[] = [
  {
    label: t('Name'),
    ff: 'monospace',
    cell: ({ kind, name }) => <EquipmentLink kind={kind} name={name} />,
  },
  { label: t('Type'), cell: ({ kind }) => mountKindNames[kind] },
  { label: t('Last seen'), cell: ({ seen }) => <Timestamp at={seen} isRelative fallback={t('Never')} /> },
  { label: t('Error'), className: 'wrap-anywhere', cell: ({ error }) => error },
];
const driftColumns: readonly Column<Fleet['drift'][number]>[] = [
  { label: t('Name'), ff: 'monospace', cell: ({ name }) => name },
  { label: t('Type'), cell: ({ kind }) => driftNames[kind] },
  { label: t('Expected'), cell: ({ wanted }) => wanted },
  { label: t('Actual'), className: 'wrap-anywhere', cell: ({ seen }) => seen },
];
const restrictionColumns: readonly Column<Fleet['held'][number]>[] = [
  { label: t('Device'), ff: 'monospace', cell: ({ device }) => <DeviceLink device={device} /> },
  {
    label: t('Restriction'),
    cell: ({ kind }) => <StateBadge state={kind} label={kind === 'locked' ? t('Locked') : t('Maintenance')} />,
  },
  { label: t('Reason'), className: 'wrap-anywhere', cell: ({ reason }) => reason },
  { label: t('By'), cell: ({ operator }) => operator },
  { label: t('Since'), cell: ({ since }) => <Timestamp at={since} isRelative /> },
];
const quarantineColumns: readonly Column<QuarantinedServer>[] = [
  { label: t('Server'), ff: 'monospace', cell: ({ server }) => <DeviceLink device={server} /> },
  { label: t('Failed step'), cell: ({ step }) => tData(reclaimSteps[step]) },
  { label: t('Reason'), className: 'wrap-anywhere', cell: ({ reason }) => reason },
  { label: t('Service ended'), cell: ({ since }) => <Timestamp at={since} isRelative /> },
  { label: t('Action'), cell: ({ server, step }) => <QuarantineActions server={server} step={step} /> },
];
const faultColumns: readonly Column<Fleet['faults'][number]>[] = [
  { label: t('Server'), ff: 'monospace', cell: ({ server }) => <DeviceLink device={server} /> },
  { label: t('Sensor'), cell: ({ sensor }) => sensor },
  {
    label: t('Severity'),
    cell: ({ severity }) => (
      <StateBadge state={severity} label={severity === 'critical' ? t('Critical') : t('Warning')} />
    ),
  },
  { label: t('Problem'), className: 'wrap-anywhere', cell: ({ detail }) => capitalize(detail) },
  { label: t('Since'), cell: ({ since }) => <Timestamp at={since} isRelative /> },
];
const reconcilerColumns: readonly Column<Fleet['reconcilers'][number]>[] = [
  { label: t('Task'), ff: 'monospace', cell: ({ name }) => name },
  {
    label: t('Status'),
    className: 'wrap-anywhere',
    cell: ({ state, error }) => (
      <>
        <SyncBadge state={state} /> {error}
      </>
    ),
  },
  { label: t('Last success'), cell: ({ succeeded }) => <Timestamp at={succeeded} isRelative fallback={t('Never')} /> },
  { label: t('Pending'), isNumber: true, cell: ({ backlog }) => backlog },
];

function Details({ fleet: { quarantined, faults, silent, drift, held, reconcilers } }: { fleet: Fleet }): JSX.Element {
  const byKind = ({ kind, name }: { kind: string; name: string }): string => `${kind} ${name}`;
  return (
    <>
      <TableSection
        title={t('In quarantine')}
        columns={quarantineColumns}
        rows={quarantined}
        rowKey={({ server }) => server}
      />
      <TableSection
        title={t('Hardware faults')}
        columns={faultColumns}
        rows={faults}
        rowKey={({ server, sensor }) => `${server} ${sensor}`}
      />
      <TableSection title={t('Not responding')} columns={silentColumns} rows={silent} rowKey={byKind} />
      <TableSection title={t('Out of sync')} columns={driftColumns} rows={drift} rowKey={byKind} />
      <TableSection
        title={t('Restricted devices')}
        columns={restrictionColumns}
        rows={held}
        rowKey={({ device, kind }) => `${device} ${kind}`}
      />
      <TableSection
        title={t('Background sync')}
        columns={reconcilerColumns}
        rows={reconcilers}
        rowKey={({ name }) => name}
      />
    </>
  );
}

/** Shows nothing without rows. */
function TableSection<Row>({ title, ...table }: Omit<TableProps<Row>, 'label' | 'minWidth'> & { title: string }) {
  if (table.rows.length === 0) return null;
  return (
    <Section title={title}>
      <TableCard label={title} minWidth={620} {...table} />
    </Section>
  );
}
