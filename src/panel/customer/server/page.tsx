// A server: what it is and how it is at the top, all that can be done with it below, a tab for each kind of it.
import { Anchor, Group, Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense, type ComponentType, type JSX } from 'react';
import { useRead } from '../../data/read.ts';
import { Answer, Awaited, Empty } from '../../parts/answer.tsx';
import { Page } from '../../parts/page.tsx';
import { PlaceTabs } from '../../parts/place-tabs.tsx';
import { StateBadge } from '../../parts/state.tsx';
import { hostnameOf, useDeviceStates, type ShownDevice } from './device.ts';
import { typeWords } from './find.ts';
import { Health } from './health.tsx';
import { OverviewTab } from './overview.tsx';
import { PowerSign } from './power-state.tsx';

const ConsoleTab = lazy(async () => ({ default: (await import('./console.tsx')).ConsoleTab }));
const InstallTab = lazy(async () => ({ default: (await import('./install.tsx')).InstallTab }));
const HardwareTab = lazy(async () => ({ default: (await import('./hardware.tsx')).HardwareTab }));
const NetworkTab = lazy(async () => ({ default: (await import('./network.tsx')).NetworkTab }));
const EventsTab = lazy(async () => ({ default: (await import('./events.tsx')).EventsTab }));

export function ServerPage(): JSX.Element {
  const { service } = useParams({ from: '/within/servers/$service' });
  const devices = useRead('deviceList', {});
  const states = useDeviceStates();
  return (
    <Answer of={devices} lines={8}>
      {(all) => {
        const device = all.find((each) => each.service === service);
        return device === undefined ? <NoServer /> : <Server shown={{ device, state: states.get(service) }} />;
      }}
    </Answer>
  );
}

function NoServer(): JSX.Element {
  return (
    <Page title="Server">
      <Empty icon="server" title="There is no such server in your account">
        <Anchor component={Link} to="/servers" size="sm">
          All servers
        </Anchor>
      </Empty>
    </Page>
  );
}

function Server({ shown }: { shown: ShownDevice }): JSX.Element {
  const { service } = shown.device;
  const tabs = [
    { id: 'overview', label: 'Overview', content: () => <OverviewTab shown={shown} /> },
    { id: 'console', label: 'Console', content: () => fetched(ConsoleTab, { shown }) },
    { id: 'network', label: 'Network', content: () => fetched(NetworkTab, { service }) },
    { id: 'install', label: 'Install', content: () => fetched(InstallTab, { shown }) },
    { id: 'hardware', label: 'Hardware', content: () => fetched(HardwareTab, { service }) },
    { id: 'events', label: 'Events', content: () => fetched(EventsTab, { service }) },
  ];
  return (
    <Page title={hostnameOf(shown.device)} about={<About shown={shown} />}>
      <PlaceTabs key={service} label="Parts of the server" tabs={tabs} />
    </Page>
  );
}

function fetched<Props extends object>(Tab: ComponentType<Props>, props: Props): JSX.Element {
  return (
    <Suspense fallback={<Awaited lines={6} />}>
      <Tab {...props} />
    </Suspense>
  );
}

function About({ shown: { device, state } }: { shown: ShownDevice }): JSX.Element {
  return (
    <Group gap="md" mt={6} fz="sm">
      {state !== undefined && <PowerSign power={state.power} />}
      {state !== undefined && state.health !== 'Good' && <Health state={state} />}
      <StateBadge state={device.status} />
      <Text span size="sm" ff="monospace" c="bright">
        {device.ip}
      </Text>
      <span>
        {typeWords[device.type]} · {device.name} · service {device.service}
        {'server' in device ? ` · ${device.server}` : ''}
      </span>
    </Group>
  );
}
