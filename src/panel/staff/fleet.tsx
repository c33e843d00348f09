// The fleet: what needs attention first, then the state of everything else.
import { Anchor, Badge, Card, Group, SimpleGrid, Stack, Table, Text, ThemeIcon, Title } from '@mantine/core';
import { Link, Navigate } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { useStaffChange, useStaffRead } from '../data/operations.ts';
import { pollMs } from '../data/staff-pages.ts';
import { usePermissionDenial } from '../data/identity.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { QueryResult, ErrorAlert } from '../parts/query-result.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { Page } from '../parts/page.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { Icon } from '../shell/icons.tsx';
import { listConcerns, type Concern, type Fleet } from './fleet/concerns.ts';
import { DeviceLink } from './parts/links.tsx';
import { mountKindNames } from './racks/rack-units.ts';

export function FleetPage(): JSX.Element {
  const self = useStaffRead('sessionGet', {});
  const fleet = useStaffRead('fleetGet', {}, { refetchMs: pollMs });
  // Staff have no permissions until they have set up a second factor.
  if (self.data?.powers.length === 0) return <Navigate to="/staff/security" />;
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
        <Text size="sm" c="dimmed" className="wrap-anywhere">
          {fix}
        </Text>
      </div>
    </Group>
  );
}

const driftNames = { machine: 'VM', 'null-route': 'Null route', zone: 'Zone' } as const;
const equipmentNames = { server: 'BMCs', switch: 'Switches', node: 'Hypervisors' } as const;

function Figures({ fleet }: { fleet: Fleet }): JSX.Element {
  const runningCount = fleet.workflows.reduce((sum, { count }) => sum + Number(count), 0);
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      {fleet.equipment.map(({ kind, total, silent }) => (
        <Figure key={kind} name={equipmentNames[kind]} to="/staff/racks">
          {Number(total) - Number(silent)}
          <Text span size="sm" c="dimmed">
            {' '}
            of {total} responding
          </Text>
        </Figure>
      ))}
      <Figure name="Running jobs" to="/staff/work">
        {runningCount}
      </Figure>
      <Figure name="Pending requests" to="/staff/requests">
        {fleet.addressrequests}
      </Figure>
      <Figure name="Last backup">
        <Text span size="md" fw={650}>
          {fleet.backup === '' ? 'Never' : <Timestamp at={fleet.backup} isRelative />}
        </Text>
      </Figure>
    </SimpleGrid>
  );
}

interface FigureProps {
  readonly name: string;
  readonly to?: string;
  readonly children: ReactNode;
}

function Figure({ name, to, children }: FigureProps): JSX.Element {
  return (
    <Card padding="sm">
      <Text size="sm" c="dimmed">
        {to === undefined ? (
          name
        ) : (
          <Link to={to} className="plain">
            {name}
          </Link>
        )}
      </Text>
      <Text size="xl" fw={650} className="numbers" component="div">
        {children}
      </Text>
    </Card>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }): JSX.Element {
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

function Details({ fleet: { silent, drift, held, reconcilers } }: { fleet: Fleet }): JSX.Element {
  return (
    <>
      {silent.length > 0 && (
        <Section title="Not responding">
          <TableCard label="Not responding" columns={['Name', 'Type', 'Last seen', 'Error']} minWidth={620}>
            {silent.map(({ kind, name, error, seen }) => (
              <Table.Tr key={`${kind} ${name}`}>
                <Table.Td ff="monospace">
                  <DeviceLink device={name} />
                </Table.Td>
                <Table.Td>{mountKindNames[kind]}</Table.Td>
                <Table.Td>{seen === '' ? 'Never' : <Timestamp at={seen} isRelative />}</Table.Td>
                <Table.Td className="wrap-anywhere">{error}</Table.Td>
              </Table.Tr>
            ))}
          </TableCard>
        </Section>
      )}
      {drift.length > 0 && (
        <Section title="Out of sync">
          <TableCard label="Out of sync" columns={['Name', 'Type', 'Expected', 'Actual']} minWidth={620}>
            {drift.map(({ kind, name, wanted, seen }) => (
              <Table.Tr key={`${kind} ${name}`}>
                <Table.Td ff="monospace">{name}</Table.Td>
                <Table.Td>{driftNames[kind]}</Table.Td>
                <Table.Td>{wanted}</Table.Td>
                <Table.Td className="wrap-anywhere">{seen}</Table.Td>
              </Table.Tr>
            ))}
          </TableCard>
        </Section>
      )}
      {held.length > 0 && (
        <Section title="Restricted devices">
          <TableCard
            label="Restricted devices"
            columns={['Device', 'Restriction', 'Reason', 'By', 'Since']}
            minWidth={620}
          >
            {held.map(({ device, kind, reason, operator, since }) => (
              <Table.Tr key={`${device} ${kind}`}>
                <Table.Td ff="monospace">
                  <DeviceLink device={device} />
                </Table.Td>
                <Table.Td>
                  <StateBadge state={kind === 'locked' ? 'Locked' : 'Maintenance'} />
                </Table.Td>
                <Table.Td className="wrap-anywhere">{reason}</Table.Td>
                <Table.Td>{operator}</Table.Td>
                <Table.Td>
                  <Timestamp at={since} isRelative />
                </Table.Td>
              </Table.Tr>
            ))}
          </TableCard>
        </Section>
      )}
      <Section title="Background sync">
        <TableCard
          label="Background sync"
          columns={['Task', 'Status', 'Last success', { label: 'Pending', isNumber: true }]}
          minWidth={520}
        >
          {reconcilers.map(({ name, state, error, succeeded, backlog }) => (
            <Table.Tr key={name}>
              <Table.Td ff="monospace">{name}</Table.Td>
              <Table.Td className="wrap-anywhere">
                <StateBadge state={{ well: 'Success', failed: 'Failed', late: 'Overdue' }[state]} /> {error}
              </Table.Td>
              <Table.Td>{succeeded === '' ? 'Never' : <Timestamp at={succeeded} isRelative />}</Table.Td>
              <Table.Td ta="right" className="numbers">
                {backlog}
              </Table.Td>
            </Table.Tr>
          ))}
        </TableCard>
      </Section>
    </>
  );
}
