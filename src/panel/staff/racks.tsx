// Racks, drawn as they stand, and what can be done with a thing in them.
import { Alert, Drawer, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffRead } from '../data/read.ts';
import { watchMs } from '../data/staff-pages.ts';
import { Answer, Empty } from '../parts/answer.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { StateBadge } from '../parts/state.tsx';
import { DeviceHolds, Discover } from './parts/device-panel.tsx';
import { Facts } from './parts/facts.tsx';
import { CustomerLink, ServiceLink } from './parts/links.tsx';
import { useOpened } from './parts/opened.ts';
import { RackDrawing, type Held } from './racks/rack-drawing.tsx';
import { unitText, type Mount, type Rack } from './racks/rack-units.ts';

export function RacksPage(): JSX.Element {
  const racks = useStaffRead('rackList', {}, { everyMs: watchMs });
  const fleet = useStaffRead('fleetGet', {}, { everyMs: watchMs });
  const { opened, open, close } = useOpened();
  const held: Held = Object.fromEntries(
    (fleet.data?.held ?? []).map(({ device, kind }) => [device, kind === 'locked' ? 'Locked' : 'Maintenance'] as const),
  );
  return (
    <Page title="Racks" about="What stands where, and how it does. Choose a thing to see more of it.">
      <Answer of={racks} lines={12}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon="rack" title="No racks yet">
              Racks, and the units that servers, switches and nodes take, stand in the site file.
            </Empty>
          ) : (
            <SimpleGrid cols={{ base: 1, xs: 2, md: 3, xl: 4 }} spacing="md">
              {all.map((rack) => (
                <RackDrawing key={rack.name} rack={rack} held={held} opened={opened} open={open} />
              ))}
            </SimpleGrid>
          )
        }
      </Answer>
      <Drawer
        opened={opened !== undefined}
        onClose={close}
        position="right"
        size="md"
        title={opened}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {opened !== undefined && <Device name={opened} racks={racks.data ?? []} />}
      </Drawer>
    </Page>
  );
}

function Device({ name, racks }: { name: string; racks: readonly Rack[] }): JSX.Element {
  const place = racks
    .flatMap((rack) => rack.mounts.map((mount) => ({ rack, mount })))
    .find(({ mount }) => mount.name === name);
  const isServer = place === undefined || place.mount.kind === 'server';
  return (
    <Stack>
      {place === undefined ? (
        <Text size="sm" c="dimmed">
          It stands in no rack of the site file.
        </Text>
      ) : (
        <Seen rack={place.rack} mount={place.mount} />
      )}
      {isServer && <Server name={name} />}
    </Stack>
  );
}

function Seen({ rack, mount }: { rack: Rack; mount: Mount }): JSX.Element {
  return (
    <>
      <Facts
        facts={[
          ['State', <StateBadge key="state" state={mount.state} />],
          ['Kind', mount.kind],
          ['Place', `${rack.name}, ${unitText(mount)}`],
          ['Last answered', mount.seen === '' ? 'never' : <Moment key="seen" at={mount.seen} ago />],
        ]}
      />
      {mount.error !== '' && (
        <Alert color="red" variant="light" title="It did not answer">
          {mount.error}
        </Alert>
      )}
    </>
  );
}

function Server({ name }: { name: string }): JSX.Element {
  const services = useStaffRead('serviceList', { search: name, limit: 100 });
  const service = services.data?.find(({ server, status }) => server === name && status !== 'Terminated');
  return (
    <>
      <Answer of={services} lines={2}>
        {() =>
          service === undefined ? (
            <Text size="sm">Nobody has it: it is free.</Text>
          ) : (
            <Facts
              facts={[
                [
                  'Service',
                  <Group key="service" gap="xs">
                    <ServiceLink service={service.id}>{service.hostname}</ServiceLink>
                    <StateBadge state={service.status} />
                  </Group>,
                ],
                ['Customer', <CustomerLink key="customer" account={service.account} />],
                ['Address', <Text key="ip" span inherit ff="monospace" children={service.ip} />],
              ]}
            />
          )
        }
      </Answer>
      <Title order={3} size="h5">
        Hold it back
      </Title>
      <DeviceHolds device={name} />
      <Title order={3} size="h5">
        Hardware
      </Title>
      <Discover server={name} />
    </>
  );
}
