// The fleet: what needs a person first, then how everything does. It is looked at again every few seconds.
import { Anchor, Badge, Card, Group, SimpleGrid, Stack, Table, Text, ThemeIcon, Title } from '@mantine/core';
import { Link, Navigate } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { useStaffChange, useStaffRead } from '../data/read.ts';
import { watchMs } from '../data/staff-pages.ts';
import { usePowerRefusal } from '../data/who.ts';
import { Act } from '../parts/act.tsx';
import { Answer, Failed } from '../parts/answer.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { StateBadge } from '../parts/state.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { Icon } from '../shell/icons.tsx';
import { concernsOf, type Concern, type Fleet } from './fleet/concerns.ts';
import { DeviceLink } from './parts/links.tsx';

export function FleetPage(): JSX.Element {
  const self = useStaffRead('sessionGet', {});
  const fleet = useStaffRead('fleetGet', {}, { everyMs: watchMs });
  // Whoever has no second factor yet can do nothing else.
  if (self.data?.powers.length === 0) return <Navigate to="/staff/security" />;
  return (
    <Page title="Fleet" about="What needs a person, and how everything does." actions={<Backup />}>
      <Answer of={fleet} lines={10}>
        {(seen) => (
          <>
            <Concerns concerns={concernsOf(seen, Date.now())} />
            <Figures fleet={seen} />
            <Details fleet={seen} />
          </>
        )}
      </Answer>
    </Page>
  );
}

function Backup(): JSX.Element {
  const refusal = usePowerRefusal()('operator:owner');
  const create = useStaffChange('backupCreate', { done: 'The backup is taken and checked.' });
  return (
    <>
      {create.error !== null && <Failed error={create.error} />}
      <Act variant="default" reason={refusal} loading={create.isPending} onClick={() => create.mutate({})}>
        Take a backup
      </Act>
    </>
  );
}

function Concerns({ concerns }: { concerns: readonly Concern[] }): JSX.Element {
  return (
    <Card component="section" aria-labelledby="needs">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="needs">
          Needs a person
        </Title>
        <Badge variant="light" color={concerns.length === 0 ? 'teal' : 'orange'} tt="none">
          {concerns.length === 0 ? 'Nothing' : concerns.length}
        </Badge>
      </Group>
      {concerns.length === 0 ? (
        <Group gap="sm">
          <ThemeIcon color="teal" variant="light" radius="xl">
            <Icon name="check" size={16} />
          </ThemeIcon>
          <Text size="sm">Everything answers, and nobody waits.</Text>
        </Group>
      ) : (
        <Stack gap="sm">
          {concerns.map((concern) => (
            <ConcernLine key={concern.says} of={concern} />
          ))}
        </Stack>
      )}
    </Card>
  );
}

function ConcernLine({ of: { severity, says, mend, to, hash } }: { of: Concern }): JSX.Element {
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <ThemeIcon color={severity === 'fault' ? 'red' : 'orange'} variant="light" radius="xl">
        <Icon name="warning" size={16} />
      </ThemeIcon>
      <div>
        <Text size="sm" fw={600}>
          {to === undefined ? (
            says
          ) : (
            <Anchor component={Link} to={to} hash={hash ?? ''} inherit>
              {says}
            </Anchor>
          )}
        </Text>
        <Text size="sm" c="dimmed" className="wrap-anywhere">
          {mend}
        </Text>
      </div>
    </Group>
  );
}

const equipmentNames = { server: 'Controllers', switch: 'Switches', node: 'Nodes' } as const;

function Figures({ fleet }: { fleet: Fleet }): JSX.Element {
  const underWay = fleet.workflows.reduce((sum, { count }) => sum + Number(count), 0);
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
      {fleet.equipment.map(({ kind, total, silent }) => (
        <Figure key={kind} name={equipmentNames[kind]} to="/staff/racks">
          {Number(total) - Number(silent)}
          <Text span size="sm" c="dimmed">
            {' '}
            of {total} answer
          </Text>
        </Figure>
      ))}
      <Figure name="Work under way" to="/staff/work">
        {underWay}
      </Figure>
      <Figure name="Requests waiting" to="/staff/requests">
        {fleet.addressrequests}
      </Figure>
      <Figure name="Last backup">
        <Text span size="md" fw={650}>
          {fleet.backup === '' ? 'never' : <Moment at={fleet.backup} ago />}
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
        <Section title="Does not answer">
          <TableCard label="Does not answer" columns={['Name', 'Kind', 'Last answered', 'Why']} minWidth={620}>
            {silent.map(({ kind, name, error, seen }) => (
              <Table.Tr key={`${kind} ${name}`}>
                <Table.Td ff="monospace">
                  <DeviceLink device={name} />
                </Table.Td>
                <Table.Td>{kind}</Table.Td>
                <Table.Td>{seen === '' ? 'never' : <Moment at={seen} ago />}</Table.Td>
                <Table.Td className="wrap-anywhere">{error}</Table.Td>
              </Table.Tr>
            ))}
          </TableCard>
        </Section>
      )}
      {drift.length > 0 && (
        <Section title="Not yet as wanted">
          <TableCard label="Not yet as wanted" columns={['Name', 'Kind', 'Wanted', 'Seen']} minWidth={620}>
            {drift.map(({ kind, name, wanted, seen }) => (
              <Table.Tr key={`${kind} ${name}`}>
                <Table.Td ff="monospace">{name}</Table.Td>
                <Table.Td>{kind}</Table.Td>
                <Table.Td>{wanted}</Table.Td>
                <Table.Td className="wrap-anywhere">{seen}</Table.Td>
              </Table.Tr>
            ))}
          </TableCard>
        </Section>
      )}
      {held.length > 0 && (
        <Section title="Held back from customers">
          <TableCard label="Held back" columns={['Device', 'How', 'Reason', 'By', 'Since']} minWidth={620}>
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
                  <Moment at={since} ago />
                </Table.Td>
              </Table.Tr>
            ))}
          </TableCard>
        </Section>
      )}
      <Section title="What keeps the world as it is wanted">
        <TableCard
          label="Reconcilers"
          columns={['Reconciler', 'State', 'Last success', { label: 'Left over', isNumber: true }]}
          minWidth={520}
        >
          {reconcilers.map(({ name, state, error, succeeded, backlog }) => (
            <Table.Tr key={name}>
              <Table.Td ff="monospace">{name}</Table.Td>
              <Table.Td className="wrap-anywhere">
                <StateBadge state={{ well: 'Success', failed: 'Failed', late: 'Overdue' }[state]} /> {error}
              </Table.Td>
              <Table.Td>{succeeded === '' ? 'never' : <Moment at={succeeded} ago />}</Table.Td>
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
