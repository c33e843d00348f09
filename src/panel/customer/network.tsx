// Network events: attacks on the servers of the account, each with its course, and the null-routes.
import { Card, Group, Select, Title } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useRead } from '../data/read.ts';
import { Answer, Empty } from '../parts/answer.tsx';
import { Page } from '../parts/page.tsx';
import { AttackList } from './network/attack-list.tsx';
import { NullrouteButton } from './network/nullroute-button.tsx';
import { Nullroutes } from './network/nullroutes.tsx';

const everyServer = '';
/** More servers than this are not asked for their null-routes all at once. */
const fewServers = 12;

export function NetworkPage(): JSX.Element {
  const [service, setService] = useState(everyServer);
  const devices = useRead('deviceList', {});
  const known = devices.data ?? [];
  const chosen = known.filter((device) => service === everyServer || device.service === service);
  const dedicated = chosen.flatMap((device) =>
    device.type === 'dedicated' ? [{ service: device.service, server: device.server, hostname: device.hostname }] : [],
  );
  const names = new Map(known.map((device) => [device.service, device.hostname]));
  return (
    <Page
      title="Network events"
      about="Attacks on your servers, as the provider’s detectors saw them, and what was done about them."
      actions={
        <Select
          size="xs"
          w={220}
          aria-label="Server"
          allowDeselect={false}
          searchable
          data={[
            { value: everyServer, label: 'All servers' },
            ...known.map((device) => ({ value: device.service, label: device.hostname })),
          ]}
          value={service}
          onChange={(next) => setService(next ?? everyServer)}
        />
      }
    >
      <Title order={2} size="h4">
        Attacks
      </Title>
      <AttackList key={service} service={service === everyServer ? undefined : service} names={names} />
      <Group justify="space-between" mt="md">
        <Title order={2} size="h4">
          Null-routes
        </Title>
        <NullrouteButton servers={dedicated} />
      </Group>
      <Answer of={devices} lines={3}>
        {() => {
          if (dedicated.length > fewServers)
            return (
              <Card>
                <Empty icon="shield" title="Choose a server">
                  Its null-routes are shown here then.
                </Empty>
              </Card>
            );
          return dedicated.length === 0 ? (
            <Card>
              <Empty icon="shield" title="No dedicated server">
                Null-routes are for addresses of dedicated servers.
              </Empty>
            </Card>
          ) : (
            <Nullroutes servers={dedicated} />
          );
        }}
      </Answer>
    </Page>
  );
}
