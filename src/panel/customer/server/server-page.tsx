// The page of a server: summary at the top, one tab per topic below.
import { Alert, Anchor, Group } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense, type ComponentType, type JSX } from 'react';
import { useRead } from '../../data/operations.ts';
import { QueryResult, LoadingLines, EmptyState } from '../../parts/query-result.tsx';
import { Page } from '../../parts/page.tsx';
import { HashTabs } from '../../parts/hash-tabs.tsx';
import { RequireScope } from '../../parts/no-access.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { DeletedAlert } from '../machines/deleted-machines.tsx';
import { useOwnMachine } from '../machines/own-machines.ts';
import { isVirtualMachine, serverName, suspensionText, useDeviceStates, type ServerInfo } from './device.ts';
import { serviceTypeLabels } from '../../parts/service-types.ts';
import { Icon } from '../../shell/icons.tsx';
import { Health } from './health.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { RescueBadge } from './overview/rescue-badge.tsx';
import { OverviewTab } from './overview/overview-tab.tsx';
import { PowerIndicator } from './power/power-state.tsx';
import { t } from '../../text/text.ts';

const ConsoleTab = lazy(async () => ({ default: (await import('./console/console-tab.tsx')).ConsoleTab }));
const InstallTab = lazy(async () => ({ default: (await import('./install/install-tab.tsx')).InstallTab }));
const BackupsTab = lazy(async () => ({ default: (await import('../machines/backups-tab.tsx')).BackupsTab }));
const SnapshotsTab = lazy(async () => ({ default: (await import('../machines/snapshots-tab.tsx')).SnapshotsTab }));
const VolumesTab = lazy(async () => ({ default: (await import('../machines/volumes-tab.tsx')).VolumesTab }));
const UsageTab = lazy(async () => ({ default: (await import('../machines/usage-tab.tsx')).UsageTab }));
const HardwareTab = lazy(async () => ({ default: (await import('./hardware/hardware-tab.tsx')).HardwareTab }));
const CertificateTab = lazy(async () => ({
  default: (await import('./certificate/certificate-tab.tsx')).CertificateTab,
}));
const NetworkTab = lazy(async () => ({ default: (await import('./network/network-tab.tsx')).NetworkTab }));
const EventsTab = lazy(async () => ({ default: (await import('./activity/events-tab.tsx')).EventsTab }));

const serverCrumbs = [{ label: t('Servers'), to: '/servers' }];

export function ServerPage(): JSX.Element {
  const { service } = useParams({ from: '/layout/servers/$service' });
  const devices = useRead('deviceList', {});
  const states = useDeviceStates();
  return (
    <QueryResult query={devices} lines={8}>
      {(all) => {
        const device = all.find((candidate) => candidate.service === service);
        return device === undefined ? <ServerNotFound /> : <Server server={{ device, state: states.get(service) }} />;
      }}
    </QueryResult>
  );
}

function ServerNotFound(): JSX.Element {
  return (
    <Page breadcrumbs={serverCrumbs} title={t('Server')}>
      <EmptyState
        icon="server"
        title={t('Server not found')}
        action={
          <Anchor component={Link} to="/servers" size="sm">
            {t('All servers')}
          </Anchor>
        }
      >
        {t('It is not one of your servers, or you do not have access to it.')}
      </EmptyState>
    </Page>
  );
}

function Server({ server }: { server: ServerInfo }): JSX.Element {
  const { device } = server;
  const { service } = device;
  const isDedicated = !isVirtualMachine(device);
  const machine = useOwnMachine(service, !isDedicated && device.status === 'Suspended');
  const deletion = machine?.deleted === '' ? undefined : machine;
  const deviceTabs = [
    { id: 'overview', label: t('Overview'), content: () => <OverviewTab server={server} /> },
    { id: 'console', label: t('Console'), content: () => lazyTab(ConsoleTab, { server }) },
    {
      id: 'network',
      label: t('Network'),
      content: () => <RequireScope scope="network:read">{lazyTab(NetworkTab, { service })}</RequireScope>,
    },
    { id: 'install', label: t('Install'), content: () => lazyTab(InstallTab, { server }) },
    ...(isDedicated
      ? []
      : [
          { id: 'snapshots', label: t('Snapshots'), content: () => lazyTab(SnapshotsTab, { server }) },
          { id: 'backups', label: t('Backups'), content: () => lazyTab(BackupsTab, { server }) },
          { id: 'volumes', label: t('Volumes'), content: () => lazyTab(VolumesTab, { server }) },
          { id: 'usage', label: t('Usage'), content: () => lazyTab(UsageTab, { service }) },
        ]),
    { id: 'hardware', label: t('Hardware'), content: () => lazyTab(HardwareTab, { service }) },
  ];
  const tabs = [
    ...(device.status === 'Terminated' ? [] : deviceTabs),
    ...(isDedicated
      ? [{ id: 'certificate', label: t('Certificate'), content: () => lazyTab(CertificateTab, { device }) }]
      : []),
    {
      id: 'events',
      label: t('Events'),
      content: () => <RequireScope scope="event:read">{lazyTab(EventsTab, { service })}</RequireScope>,
    },
  ];
  return (
    <Page breadcrumbs={serverCrumbs} title={serverName(device)} description={<ServerSummary server={server} />}>
      {device.status === 'Suspended' && deletion !== undefined && <DeletedAlert machine={deletion} />}
      {device.status === 'Suspended' && deletion === undefined && (
        <Alert color="orange" variant="light" icon={<Icon name="warning" />} title={t('Suspended')}>
          {t('{reason} Contact support if you have questions.', { reason: suspensionText(server.state) })}
        </Alert>
      )}
      <HashTabs key={service} label={t('Server sections')} tabs={tabs} />
    </Page>
  );
}

function lazyTab<Props extends object>(Tab: ComponentType<Props>, props: Props): JSX.Element {
  return (
    <Suspense fallback={<LoadingLines lines={6} />}>
      <Tab {...props} />
    </Suspense>
  );
}

function ServerSummary({ server: { device, state } }: { server: ServerInfo }): JSX.Element {
  return (
    <Group gap="md" mt={6} fz="sm">
      {state !== undefined && <PowerIndicator power={state.power} />}
      {state !== undefined && state.health !== 'Good' && <Health state={state} />}
      <StateBadge state={device.status} />
      <RescueBadge server={{ device, state }} />
      <Copyable value={device.ip} label={t('IP address')} />
      <span>
        {serviceTypeLabels[device.type]} · {device.name} · {t('service {service}', { service: device.service })}
        {'server' in device && device.server !== '' ? ` · ${device.server}` : ''}
        {'server' in device && device.alias !== device.server
          ? ` ${t('({alias} in the legacy API)', { alias: device.alias })}`
          : ''}
      </span>
    </Group>
  );
}
