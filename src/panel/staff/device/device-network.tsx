// The network of a device, as staff see it: addresses, switch ports with traffic and errors, and null routes.
import { Anchor, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import type { PortState } from '#sdk/v2.ts';
import { TrafficMonthCard } from '../../customer/server/network/traffic-month.tsx';
import { SectionCard } from '../../customer/server/section-card.tsx';
import { useScopeDenial } from '../../data/identity.ts';
import { useChange, useRead, useStaffRead } from '../../data/operations.ts';
import { useStaffPages } from '../../data/staff-pages.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Dimmed } from '../../parts/dimmed.tsx';
import { Facts } from '../../parts/facts.tsx';
import { notifyError } from '../../parts/notify-error.ts';
import { QueryResult } from '../../parts/query-result.tsx';
import { Section } from '../../parts/section.tsx';
import { TrafficGraph } from '../../parts/traffic-graph.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { t } from '../../text/text.ts';
import { portColumns } from '../equipment/port-columns.tsx';
import { AddNullRouteButton, NullRouteTable } from '../parts/null-routes.tsx';
import type { DeviceDetail } from './device-detail.ts';

export function DeviceNetwork({ detail }: { detail: DeviceDetail }): JSX.Element {
  const month = useRead('monthGet', { service: detail.service }, { enabled: detail.service !== '' });
  return (
    <Stack>
      <Section title={t('Traffic')}>
        <TrafficGraph service={detail.service} committed={month.data?.committed} />
        {month.data !== undefined && detail.type === 'dedicated' && <TrafficMonthCard month={month.data} />}
      </Section>
      <SectionCard title={t('IP addresses')}>
        {detail.service === '' ? <Dimmed>{t('Not assigned')}</Dimmed> : <Addresses service={detail.service} />}
      </SectionCard>
      {detail.type === 'dedicated' && <Ports device={detail.device} service={detail.service} />}
      {detail.service !== '' && <NullRoutes service={detail.service} ip={detail.ip} />}
    </Stack>
  );
}

function Addresses({ service }: { service: string }): JSX.Element {
  const query = useStaffRead('serviceGet', { id: service });
  return (
    <QueryResult query={query} lines={2}>
      {({ ip, netblocks }) => (
        <Facts
          facts={[
            [t('Main address'), ip],
            [t('Blocks'), netblocks.join(', ')],
          ]}
        />
      )}
    </QueryResult>
  );
}

/** Which switches a server is connected to is part of its hardware. */
function Ports({ device, service }: { device: string; service: string }): JSX.Element {
  const hardware = useRead('deviceHardwareGet', { service });
  return (
    <QueryResult query={hardware} lines={4}>
      {({ ports }) => {
        const [port, ...others] = Object.values(ports).flatMap((states) => Object.values(states));
        if (port !== undefined)
          return Object.keys(ports).map((name) => (
            <SwitchPorts key={name} name={name} device={device} port={others.length === 0 ? port : undefined} />
          ));
        return (
          <SectionCard title={t('Switch ports')}>
            <Dimmed>{t('This server is not connected to a managed switch.')}</Dimmed>
          </SectionCard>
        );
      }}
    </QueryResult>
  );
}

interface SwitchPortsProps {
  readonly name: string;
  readonly device: string;
  /** Its only port, as it is now; the table has what was last read. */
  readonly port: PortState | undefined;
}

function SwitchPorts({ name, device, port }: SwitchPortsProps): JSX.Element {
  const ports = useStaffPages('portList', { switch: name, search: device });
  return (
    <Section
      title={t('Switch ports')}
      actions={
        <Group gap="sm">
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to="/staff/switches/$switch" params={{ switch: name }} {...props} />}
          >
            {name}
          </Anchor>
          {port !== undefined && <PortButton device={device} isEnabled={port.ifAdminStatus === 'up'} />}
        </Group>
      }
    >
      <QueryResult query={ports} lines={3}>
        {(all) => (
          <TableCard
            label={t('Switch ports')}
            columns={portColumns}
            // The search also finds names that contain the name.
            rows={all.filter(({ server }) => server === device)}
            rowKey={({ index }) => index}
            minWidth={940}
          />
        )}
      </QueryResult>
    </Section>
  );
}

function PortButton({ device, isEnabled }: { device: string; isEnabled: boolean }): JSX.Element {
  const denial = useScopeDenial()('network:write');
  const enable = useChange('portEnable', { successMessage: t('Switch port enabled') });
  const disable = useChange('portDisable', { successMessage: t('Switch port disabled') });
  // The client knows the device.
  const input = { service: '' };
  return isEnabled ? (
    <ConfirmButton
      size="xs"
      variant="light"
      color="red"
      disabledReason={denial}
      question={t('Disable {name}?', { name: device })}
      consequence={t(
        'The server goes offline immediately, until the port is enabled again. The console keeps working.',
      )}
      confirmLabel={t('Disable port')}
      onConfirm={() => disable.mutateAsync(input)}
    />
  ) : (
    <ActionButton
      size="xs"
      disabledReason={denial}
      loading={enable.isPending}
      onClick={() => enable.mutate(input, { onError: notifyError })}
    >
      {t('Enable')}
    </ActionButton>
  );
}

function NullRoutes({ service, ip }: { service: string; ip: string }): JSX.Element {
  const nullRoutes = useStaffPages('nullrouteList', {}, { length: 1000 });
  return (
    <Section title={t('Null routes')} actions={<AddNullRouteButton ip={ip} />}>
      <QueryResult query={nullRoutes} lines={2}>
        {(all) => {
          const own = all.filter((route) => route.service === service);
          return own.length === 0 ? <Dimmed>{t('No null routes')}</Dimmed> : <NullRouteTable rows={own} />;
        }}
      </QueryResult>
    </Section>
  );
}
