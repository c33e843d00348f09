// The racks, and details and actions for each device in them.
import { Alert, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffRead } from '../data/operations.ts';
import { pollMs, useStaffPages } from '../data/staff-pages.ts';
import { Dimmed } from '../parts/dimmed.tsx';
import { QueryResult, EmptyState } from '../parts/query-result.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { ItemDrawer } from '../parts/item-drawer.tsx';
import { useOpenItem } from '../parts/open-item.ts';
import { Page } from '../parts/page.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { DeviceRestrictions, HardwareScan } from './parts/device-panel.tsx';
import { ServerSensors } from './parts/server-sensors.tsx';
import { Facts } from '../parts/facts.tsx';
import { Lifecycle } from './parts/lifecycle.tsx';
import { CustomerLink, DeviceLink, EquipmentLink, ServiceLink } from './parts/links.tsx';
import { ShowMore } from './parts/show-more.tsx';
import { RackDrawing, type Restrictions } from './racks/rack-drawing.tsx';
import { MountBadge } from './racks/mount-badge.tsx';
import { mountKindNames, unitText, type Mount, type Rack } from './racks/rack-units.ts';
import { t } from '../text/text.ts';

const noRacks = (
  <EmptyState icon="rack" title={t('No racks yet')}>
    {t('Add racks and the positions of your devices to the site file.')}
  </EmptyState>
);

export function RacksPage(): JSX.Element {
  const racks = useStaffPages('rackList', {});
  const fleet = useStaffRead('fleetGet', {}, { refetchMs: pollMs });
  const item = useOpenItem();
  const { openId, open } = item;
  const restrictions: Restrictions = Object.fromEntries([
    ...(fleet.data?.held ?? []).map(
      ({ device, kind }) => [device, kind === 'locked' ? t('Locked') : t('Maintenance')] as const,
    ),
    ...(fleet.data?.quarantined ?? []).map(({ server }) => [server, t('Quarantined')] as const),
  ]);
  return (
    <Page title={t('Racks')} description={t('Select a device for details')}>
      <QueryResult query={racks} lines={12} empty={noRacks}>
        {(all) => (
          <SimpleGrid minColWidth="260px" spacing="md">
            {all.map((rack) => (
              <RackDrawing key={rack.name} rack={rack} restrictions={restrictions} openId={openId} open={open} />
            ))}
          </SimpleGrid>
        )}
      </QueryResult>
      <ShowMore query={racks} />
      <ItemDrawer item={item} size="md" title={openId}>
        {(name) => (
          <Device name={name} racks={racks.data ?? []} areAllLoaded={racks.data !== undefined && !racks.hasNextPage} />
        )}
      </ItemDrawer>
    </Page>
  );
}

interface DeviceProps {
  readonly name: string;
  readonly racks: readonly Rack[];
  /** Whether the device is in no rack if it is in none of these. */
  readonly areAllLoaded: boolean;
}

function Device({ name, racks, areAllLoaded }: DeviceProps): JSX.Element {
  const position = racks
    .flatMap((rack) => rack.mounts.map((mount) => ({ rack, mount })))
    .find(({ mount }) => mount.name === name);
  const isServer = position === undefined || position.mount.kind === 'server';
  return (
    <Stack>
      {position === undefined ? (
        areAllLoaded && <Dimmed>{t('Not in any rack in the site file.')}</Dimmed>
      ) : (
        <MountDetails rack={position.rack} mount={position.mount} />
      )}
      {isServer ? (
        <Server name={name} />
      ) : (
        <Text size="sm">
          <EquipmentLink kind={position.mount.kind} name={name} />
        </Text>
      )}
    </Stack>
  );
}

function MountDetails({ rack, mount }: { rack: Rack; mount: Mount }): JSX.Element {
  return (
    <>
      <Facts
        facts={[
          [t('Status'), <MountBadge key="state" state={mount.state} />],
          [t('Type'), mountKindNames[mount.kind]],
          [t('Position'), `${rack.name}, ${unitText(mount)}`],
          [t('Last seen'), <Timestamp key="seen" at={mount.seen} isRelative fallback={t('Never')} />],
        ]}
      />
      {mount.error !== '' && (
        <Alert color="red" variant="light" title={t('Not responding')}>
          {mount.error}
        </Alert>
      )}
    </>
  );
}

function Server({ name }: { name: string }): JSX.Element {
  const detail = useStaffRead('deviceGet', { device: name });
  return (
    <>
      <QueryResult query={detail} lines={2}>
        {({ service, account, hostname, status, ip }) =>
          service === '' ? (
            <Text size="sm">{t('Not assigned')}</Text>
          ) : (
            <Facts
              facts={[
                [
                  t('Service'),
                  <Group key="service" gap="xs">
                    <ServiceLink service={service}>{hostname}</ServiceLink>
                    <StateBadge state={status} />
                  </Group>,
                ],
                [t('Customer'), <CustomerLink key="customer" account={account} />],
                [t('IP address'), <Text key="ip" span inherit ff="monospace" children={ip} />],
              ]}
            />
          )
        }
      </QueryResult>
      <Text size="sm">
        <DeviceLink device={name}>{t('Power, console and history')}</DeviceLink>
      </Text>
      <Lifecycle name={name} detail={detail.data} />
      <Title order={3} size="h5">
        {t('Restrict device')}
      </Title>
      <DeviceRestrictions device={name} />
      <Title order={3} size="h5">
        {t('Sensors')}
      </Title>
      <ServerSensors server={name} />
      <Title order={3} size="h5">
        {t('Hardware')}
      </Title>
      <HardwareScan server={name} />
    </>
  );
}
