// A device for staff: everything its customer can do with it, and what only the provider sees.
import { Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState, type JSX } from 'react';
import type { Device } from '#sdk/v2.ts';
import { NextBootCard } from '../customer/server/power/next-boot-card.tsx';
import { PowerCard } from '../customer/server/power/power-card.tsx';
import { SectionCard } from '../customer/server/section-card.tsx';
import { DeviceApiProvider, useStaffRead } from '../data/operations.ts';
import { pollMs } from '../data/staff-pages.ts';
import { HashTabs } from '../parts/hash-tabs.tsx';
import { Page } from '../parts/page.tsx';
import { LoadingLines, QueryResult } from '../parts/query-result.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import type { DeviceDetail } from './device/device-detail.ts';
import { DeviceNetwork } from './device/device-network.tsx';
import { DeviceFacts, DeviceHistory } from './device/device-history.tsx';
import { MachineMigration } from './device/machine-migration.tsx';
import { ReasonBar } from './device/reason-bar.tsx';
import { createStaffDeviceApi } from './device/staff-device-api.ts';
import { DeviceRestrictions, HardwareScan } from './parts/device-panel.tsx';
import { Lifecycle } from './parts/lifecycle.tsx';
import { ServerSensors } from './parts/server-sensors.tsx';
import { t } from '../text/text.ts';

const ConsoleTab = lazy(async () => ({
  default: (await import('../customer/server/console/console-tab.tsx')).ConsoleTab,
}));
const InstallTab = lazy(async () => ({
  default: (await import('../customer/server/install/install-tab.tsx')).InstallTab,
}));
const HardwareTab = lazy(async () => ({
  default: (await import('../customer/server/hardware/hardware-tab.tsx')).HardwareTab,
}));

export function DevicePage(): JSX.Element {
  const { device } = useParams({ strict: false }) as { device: string };
  const detail = useStaffRead('deviceGet', { device }, { refetchMs: pollMs });
  return (
    <QueryResult query={detail} lines={8}>
      {(known) => <DeviceSections key={device} detail={known} />}
    </QueryResult>
  );
}

function DeviceSections({ detail }: { detail: DeviceDetail }): JSX.Element {
  const [reason, setReason] = useState('');
  const { device } = detail;
  const api = useMemo(() => createStaffDeviceApi(device, reason), [device, reason]);
  const server = { device: asCustomersDevice(detail), state: undefined };
  const isServer = detail.type === 'dedicated';
  const tabs = [
    {
      id: 'overview',
      label: t('Overview'),
      content: () => (
        <SimpleGrid minColWidth="320px">
          <PowerCard server={server} />
          <NextBootCard server={server} />
          <SectionCard title={t('Device')}>
            <DeviceFacts detail={detail} />
          </SectionCard>
          <SectionCard title={t('Restrictions')}>
            <Stack gap="sm">
              <Lifecycle name={device} detail={detail} />
              <DeviceRestrictions device={device} />
            </Stack>
          </SectionCard>
          {detail.node !== '' && (
            <SectionCard title={t('Migration')}>
              <MachineMigration device={device} service={detail.service} node={detail.node} />
            </SectionCard>
          )}
        </SimpleGrid>
      ),
    },
    { id: 'console', label: t('Console'), content: () => <ConsoleTab server={server} /> },
    { id: 'network', label: t('Network'), content: () => <DeviceNetwork detail={detail} /> },
    { id: 'install', label: t('Install'), content: () => <InstallTab server={server} /> },
    {
      id: 'hardware',
      label: t('Hardware'),
      content: () => (
        <Stack>
          {isServer && (
            <SectionCard title={t('Inventory')}>
              <HardwareScan server={device} />
            </SectionCard>
          )}
          <HardwareTab service={detail.service} />
        </Stack>
      ),
    },
    ...(isServer
      ? [
          {
            id: 'sensors',
            label: t('Sensors'),
            content: () => (
              <SectionCard title={t('Sensors and event log')}>
                <ServerSensors server={device} />
              </SectionCard>
            ),
          },
        ]
      : []),
    { id: 'history', label: t('History'), content: () => <DeviceHistory detail={detail} /> },
  ];
  return (
    <Page
      breadcrumbs={[
        detail.node === ''
          ? { label: t('Racks'), to: '/staff/racks' }
          : { label: detail.node, to: `/staff/nodes/${detail.node}` },
      ]}
      title={device}
      description={
        <Group gap="md" mt={6} fz="sm">
          <StateBadge state={detail.status} {...(detail.status === '' && { label: t('In stock') })} />
          {detail.hostname !== '' && <Text span inherit children={detail.hostname} />}
        </Group>
      }
    >
      <DeviceApiProvider value={api}>
        <Stack>
          <ReasonBar reason={reason} setReason={setReason} hasCustomer={detail.service !== ''} />
          <Suspense fallback={<LoadingLines lines={6} />}>
            <HashTabs label={t('Device sections')} tabs={tabs} />
          </Suspense>
        </Stack>
      </DeviceApiProvider>
    </Page>
  );
}

/** Staff are not stopped by the state of the service or the device. */
function asCustomersDevice({ device, type, hostname, ip, service, alias }: DeviceDetail): Device {
  const shared = { service, name: device, hostname: hostname === '' ? device : hostname, status: 'Active', ip };
  return (
    type === 'dedicated'
      ? { ...shared, type, server: device, alias }
      : { ...shared, type, vmid: device.replace('vm-', '') }
  ) as Device;
}
