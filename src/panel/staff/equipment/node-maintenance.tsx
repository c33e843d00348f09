// Maintenance and evacuation of a hypervisor: no new machines, and its machines move to others.
import { Alert, Group, Select, Stack, Text } from '@mantine/core';
import { useState, type JSX } from 'react';
import { usePermissionDenial } from '../../data/identity.ts';
import { useStaffChange, useStaffRead, type StaffResult } from '../../data/operations.ts';
import type { Row } from '../../data/staff-pages.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Dimmed } from '../../parts/dimmed.tsx';
import { ReasonButton } from '../../parts/form-button.tsx';
import { EmptyCard, ErrorAlert, QueryResult } from '../../parts/query-result.tsx';
import { Section } from '../../parts/section.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { Icon } from '../../shell/icons.tsx';
import { t, tCount } from '../../text/text.ts';
import { CustomerLink, DeviceLink, ServiceLink } from '../parts/links.tsx';
import { modeChoices, moveText, type MigrationMode } from './migration-text.ts';
import { diskText } from './units.ts';
import { memoryText } from '../../parts/traffic-units.ts';

type Node = Row<'nodeList'>;
type Evacuation = StaffResult<'nodeEvacuationGet'>;
type LeftMachine = Evacuation['machines'][number];

/** While machines move. */
const progressMs = 3000;
const leftStates = { waiting: t('Waiting'), moving: t('Moving'), failed: t('Failed') } as const;

export function NodeMaintenance({ node }: { node: Node }): JSX.Element {
  const { name, maintenance, maintenancereason } = node;
  return (
    <Stack gap="sm">
      {maintenance !== '' && (
        <Alert color="orange" variant="light" icon={<Icon name="wrench" />} title={t('Under maintenance')}>
          {maintenancereason}
          <Dimmed size="xs">
            {t('No machines are placed on this hypervisor.')} · <Timestamp at={maintenance} isRelative />
          </Dimmed>
        </Alert>
      )}
      <MaintenanceActions node={node} />
      {node.evacuation !== 'none' && <EvacuationReport name={name} />}
    </Stack>
  );
}

function MaintenanceActions({ node: { name, maintenance, evacuation, machines } }: { node: Node }): JSX.Element {
  const denialOf = usePermissionDenial();
  const [mode, setMode] = useState<MigrationMode>('auto');
  const start = useStaffChange('nodeMaintenance', { successMessage: t('Maintenance started') });
  const end = useStaffChange('nodeMaintenance', { successMessage: t('Maintenance ended') });
  const evacuate = useStaffChange('nodeEvacuate', { successMessage: t('Evacuation started') });
  const cancel = useStaffChange('nodeEvacuationCancel', { successMessage: t('Evacuation cancelled') });
  const countText = tCount(Number(machines), {
    one: '{count} machine moves to another hypervisor.',
    other: '{count} machines move to other hypervisors, two at a time, the largest first.',
  });
  return (
    <>
      {end.error !== null && <ErrorAlert error={end.error} />}
      <Group gap="xs">
        {maintenance === '' ? (
          <ReasonButton
            variant="default"
            icon="wrench"
            title={t('Start maintenance of {device}?', { device: name })}
            description={t('No machines are placed on it until maintenance ends. Its machines keep running.')}
            confirmLabel={t('Start maintenance')}
            disabledReason={denialOf('operator:equipment')}
            onConfirm={(reason) => start.mutateAsync({ name, enabled: true, reason })}
          />
        ) : (
          <ActionButton
            variant="default"
            disabledReason={denialOf('operator:equipment')}
            loading={end.isPending}
            onClick={() => end.mutate({ name, enabled: false })}
          >
            {t('End maintenance')}
          </ActionButton>
        )}
        {evacuation === 'running' ? (
          <ConfirmButton
            variant="light"
            color="red"
            disabledReason={denialOf('operator:services')}
            question={t('Cancel the evacuation of {name}?', { name })}
            consequence={t('Machines that are moving go back. Those that have moved stay where they are.')}
            confirmLabel={t('Cancel evacuation')}
            dismissLabel={t('Close')}
            onConfirm={() => cancel.mutateAsync({ name })}
          />
        ) : (
          <ReasonButton
            variant="light"
            title={t('Evacuate {name}?', { name })}
            description={
              <Stack gap={4}>
                <Text size="sm">{countText}</Text>
                <Text size="sm">
                  {t('Customers get an event. A machine that cannot move stays here, and you see why.')}
                </Text>
              </Stack>
            }
            extraFields={
              <Select
                label={t('Running machines')}
                allowDeselect={false}
                data={modeChoices}
                value={mode}
                onChange={(value) => setMode((value ?? 'auto') as MigrationMode)}
              />
            }
            confirmLabel={t('Evacuate')}
            disabledReason={denialOf('operator:services')}
            onConfirm={(reason) => evacuate.mutateAsync({ name, reason, mode })}
          />
        )}
      </Group>
    </>
  );
}

const columns: readonly Column<LeftMachine>[] = [
  { label: t('Machine'), ff: 'monospace', cell: ({ device }) => <DeviceLink device={device} /> },
  { label: t('Hostname'), cell: ({ service, hostname }) => <ServiceLink service={service}>{hostname}</ServiceLink> },
  { label: t('Customer'), cell: ({ account }) => <CustomerLink account={account} /> },
  {
    label: t('State'),
    className: 'wrap-anywhere',
    maw: 320,
    cell: (machine) => (
      <>
        <StateBadge state={machine.state === 'moving' ? 'running' : machine.state} label={leftStates[machine.state]} />
        <Dimmed size="xs">{machine.state === 'moving' ? moveText(machine) : machine.reason}</Dimmed>
      </>
    ),
  },
  { label: t('Memory'), isNumber: true, cell: ({ memorymb }) => memoryText(memorymb) },
  { label: t('Storage'), isNumber: true, cell: ({ diskgb }) => diskText(diskgb) },
];

function EvacuationReport({ name }: { name: string }): JSX.Element {
  const evacuation = useStaffRead('nodeEvacuationGet', { name }, { refetchMs: progressMs });
  return (
    <QueryResult query={evacuation}>
      {({ state, started, ended, machines }) => (
        <Section title={state === 'running' ? t('Evacuation in progress') : t('Evacuation ended')}>
          <Dimmed>
            <Timestamp at={ended === '' ? started : ended} isRelative />
          </Dimmed>
          {machines.length === 0 ? (
            <EmptyCard icon="check" title={t('All machines have moved')} />
          ) : (
            <TableCard
              label={t('Machines left')}
              columns={columns}
              rows={machines}
              rowKey={({ device }) => device}
              minWidth={800}
            />
          )}
        </Section>
      )}
    </QueryResult>
  );
}
