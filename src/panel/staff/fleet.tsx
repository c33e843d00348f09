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
import { listConcerns, type Concern, type Fleet } from './fleet/concerns.ts';
import { DeviceLink, MountLink } from './parts/links.tsx';
import { QuarantineActions, type QuarantinedServer } from './parts/quarantine.tsx';
import { mountKindNames } from './racks/rack-units.ts';

export function FleetPage(): JSX.Element {
  const fleet = useStaffRead('fleetGet', {}, { refetchMs: pollMs });
  return (
    <Page title="Fleet" description="Alerts and system health" actions={<Backup />}>
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
  const create = useStaffChange('backupCreate', { successMessage: 'Backup created and verified' });
  return (
    <>
      {create.error !== null && <ErrorAlert error={create.error} />}
      <ActionButton
        variant="default"
        disabledReason={denial}
        loading={create.isPending}
        onClick={() => create.mutate({})}
      >
        Back up now
      </ActionButton>
    </>
  );
}

function Concerns({ concerns }: { concerns: readonly Concern[] }): JSX.Element {
  return (
    <Card component="section" aria-labelledby="needs">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="needs">
          Needs attention
        </Title>
        <Badge variant="light" color={concerns.length === 0 ? 'teal' : 'orange'} tt="none">
          {concerns.length === 0 ? 'None' : concerns.length}
        </Badge>
      </Group>
      {concerns.length === 0 ? (
        <Group gap="sm">
          <ThemeIcon color="teal" variant="light" radius="xl">
            <Icon name="check" size={16} />
          </ThemeIcon>
          <Text size="sm">All equipment is responding and no requests are pending.</Text>
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

function ConcernLine({ concern: { severity, title, fix, to, hash } }: { concern: Concern }): JSX.Element {
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
      </div>
    </Group>
  );
}

const driftNames = { machine: 'VM', 'null-route': 'Null route', zone: 'Zone', port: 'Switch port' } as const;
const equipmentNames = { server: 'BMCs', switch: 'Switches', node: 'Hypervisors' } as const;

function Figures({ fleet }: { fleet: Fleet }): JSX.Element {
  const runningCount = fleet.workflows.reduce((sum, { count }) => sum + Number(count), 0);
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      {fleet.equipment.map(({ kind, total, silent }) => (
        <FigureCard key={kind} name={equipmentNames[kind]} to="/staff/racks">
          {Number(total) - Number(silent)}
          <Text span size="sm" c="dimmed">
            {' '}
            of {total} responding
          </Text>
        </FigureCard>
      ))}
      <FigureCard name="Running jobs" to="/staff/work">
        {runningCount}
      </FigureCard>
      <FigureCard name="Pending requests" to="/staff/requests">
        {fleet.addressrequests}
      </FigureCard>
      <FigureCard name="Last backup">
        <Text span size="md" fw={650}>
          <Timestamp at={fleet.backup} isRelative fallback="Never" />
        </Text>
      </FigureCard>
    </SimpleGrid>
  );
}

const silentColumns: readonly Column<Fleet['silent'][number]>[] = [
  {
    label: 'Name',
    ff: 'monospace',
    cell: ({ kind, name }) => (kind === 'server' ? <DeviceLink device={name} /> : <MountLink name={name} />),
  },
  { label: 'Type', cell: ({ kind }) => mountKindNames[kind] },
  { label: 'Last seen', cell: ({ seen }) => <Timestamp at={seen} isRelative fallback="Never" /> },
  { label: 'Error', className: 'wrap-anywhere', cell: ({ error }) => error },
];
const driftColumns: readonly Column<Fleet['drift'][number]>[] = [
  { label: 'Name', ff: 'monospace', cell: ({ name }) => name },
  { label: 'Type', cell: ({ kind }) => driftNames[kind] },
  { label: 'Expected', cell: ({ wanted }) => wanted },
  { label: 'Actual', className: 'wrap-anywhere', cell: ({ seen }) => seen },
];
const restrictionColumns: readonly Column<Fleet['held'][number]>[] = [
  { label: 'Device', ff: 'monospace', cell: ({ device }) => <DeviceLink device={device} /> },
  { label: 'Restriction', cell: ({ kind }) => <StateBadge state={kind === 'locked' ? 'Locked' : 'Maintenance'} /> },
  { label: 'Reason', className: 'wrap-anywhere', cell: ({ reason }) => reason },
  { label: 'By', cell: ({ operator }) => operator },
  { label: 'Since', cell: ({ since }) => <Timestamp at={since} isRelative /> },
];
const quarantineColumns: readonly Column<QuarantinedServer>[] = [
  { label: 'Server', ff: 'monospace', cell: ({ server }) => <DeviceLink device={server} /> },
  { label: 'Failed step', cell: ({ step }) => reclaimSteps[step] },
  { label: 'Reason', className: 'wrap-anywhere', cell: ({ reason }) => reason },
  { label: 'Service ended', cell: ({ since }) => <Timestamp at={since} isRelative /> },
  { label: 'Action', cell: ({ server, step }) => <QuarantineActions server={server} step={step} /> },
];
const faultColumns: readonly Column<Fleet['faults'][number]>[] = [
  { label: 'Server', ff: 'monospace', cell: ({ server }) => <DeviceLink device={server} /> },
  { label: 'Sensor', cell: ({ sensor }) => sensor },
  {
    label: 'Severity',
    cell: ({ severity }) => <StateBadge state={severity === 'critical' ? 'Critical' : 'Warning'} />,
  },
  { label: 'Problem', className: 'wrap-anywhere', cell: ({ detail }) => capitalize(detail) },
  { label: 'Since', cell: ({ since }) => <Timestamp at={since} isRelative /> },
];
const reconcilerStates = { well: 'Success', failed: 'Failed', late: 'Overdue' } as const;
const reconcilerColumns: readonly Column<Fleet['reconcilers'][number]>[] = [
  { label: 'Task', ff: 'monospace', cell: ({ name }) => name },
  {
    label: 'Status',
    className: 'wrap-anywhere',
    cell: ({ state, error }) => (
      <>
        <StateBadge state={reconcilerStates[state]} /> {error}
      </>
    ),
  },
  { label: 'Last success', cell: ({ succeeded }) => <Timestamp at={succeeded} isRelative fallback="Never" /> },
  { label: 'Pending', isNumber: true, cell: ({ backlog }) => backlog },
];

function Details({ fleet: { quarantined, faults, silent, drift, held, reconcilers } }: { fleet: Fleet }): JSX.Element {
  const byKind = ({ kind, name }: { kind: string; name: string }): string => `${kind} ${name}`;
  return (
    <>
      <TableSection
        title="In quarantine"
        columns={quarantineColumns}
        rows={quarantined}
        rowKey={({ server }) => server}
      />
      <TableSection
        title="Hardware faults"
        columns={faultColumns}
        rows={faults}
        rowKey={({ server, sensor }) => `${server} ${sensor}`}
      />
      <TableSection title="Not responding" columns={silentColumns} rows={silent} rowKey={byKind} />
      <TableSection title="Out of sync" columns={driftColumns} rows={drift} rowKey={byKind} />
      <TableSection
        title="Restricted devices"
        columns={restrictionColumns}
        rows={held}
        rowKey={({ device, kind }) => `${device} ${kind}`}
      />
      <TableSection
        title="Background sync"
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
