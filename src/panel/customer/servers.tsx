// The server list: power, health, IP address and type of every server in the account.
import { Anchor, Card, Group, SegmentedControl, Stack, Table, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useState, type JSX } from 'react';
import { useRead } from '../data/operations.ts';
import { QueryResult, EmptyState } from '../parts/query-result.tsx';
import { Page } from '../parts/page.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { Icon } from '../shell/icons.tsx';
import { serverName, useDeviceStates, type ServerInfo } from './server/device.ts';
import { Health } from './server/health.tsx';
import { PowerMenu } from './server/power/power-controls.tsx';
import { LastKnownPower } from './server/power/power-state.tsx';
import { serviceTypeLabels } from '../parts/service-types.ts';
import { searchServers, type TypeFilter } from './server/server-search.ts';

const choices = [
  { value: 'all', label: 'All' },
  { value: 'dedicated', label: serviceTypeLabels.dedicated },
  { value: 'vps', label: serviceTypeLabels.vps },
  { value: 'cloud', label: serviceTypeLabels.cloud },
] satisfies { value: TypeFilter; label: string }[];

export function ServersPage(): JSX.Element {
  const devices = useRead('deviceList', {});
  const states = useDeviceStates();
  const [text, setText] = useState('');
  const [type, setType] = useState<TypeFilter>('all');
  return (
    <Page title="Servers" description="Your dedicated servers and virtual machines">
      <Group gap="sm">
        <TextInput
          aria-label="Search servers"
          placeholder="Hostname, IP address or service ID"
          leftSection={<Icon name="search" size={16} />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          flex={1}
          miw={200}
          maw={360}
        />
        <SegmentedControl
          aria-label="Server type"
          value={type}
          onChange={(next) => setType(next as TypeFilter)}
          data={choices}
        />
      </Group>
      <QueryResult query={devices}>
        {(all) => {
          if (all.length === 0)
            return (
              <Card>
                <EmptyState icon="server" title="No servers yet">
                  A server appears here as soon as you order it.
                </EmptyState>
              </Card>
            );
          const matches = searchServers(all, text, type);
          if (matches.length === 0)
            return (
              <Card>
                <EmptyState icon="search" title="No servers match">
                  Try another search term or type.
                </EmptyState>
              </Card>
            );
          return <List servers={matches.map((device) => ({ device, state: states.get(device.service) }))} />;
        }}
      </QueryResult>
    </Page>
  );
}

function List({ servers }: { servers: readonly ServerInfo[] }): JSX.Element {
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  if (!isWide)
    return (
      <Stack gap="sm">
        {servers.map((server) => (
          <ServerCard key={server.device.service} server={server} />
        ))}
      </Stack>
    );
  const columns = ['Server', 'Power', 'Health', 'IP address', 'Type', 'Status', { label: 'Actions', isNumber: true }];
  return (
    <TableCard label="Servers" columns={columns} minWidth={820} verticalSpacing="xs">
      {servers.map((server) => (
        <Row key={server.device.service} server={server} />
      ))}
    </TableCard>
  );
}

function Name({ server: { device } }: { server: ServerInfo }): JSX.Element {
  return (
    <div>
      <Anchor
        renderRoot={(props) => <Link to="/servers/$service" params={{ service: device.service }} {...props} />}
        size="sm"
        fw={600}
        c="bright"
      >
        {serverName(device)}
      </Anchor>
      <Text size="xs" c="dimmed">
        {device.name} · {device.service}
      </Text>
    </div>
  );
}

function Row({ server }: { server: ServerInfo }): JSX.Element {
  const { device, state } = server;
  return (
    <Table.Tr>
      <Table.Td>
        <Name server={server} />
      </Table.Td>
      <Table.Td>
        <LastKnownPower state={state} />
      </Table.Td>
      <Table.Td>
        <Health state={state} />
      </Table.Td>
      <Table.Td ff="monospace" fz="sm">
        {device.ip}
      </Table.Td>
      <Table.Td>{serviceTypeLabels[device.type]}</Table.Td>
      <Table.Td>
        <StateBadge state={device.status} />
      </Table.Td>
      <Table.Td ta="right">
        <PowerMenu server={server} power={state?.power ?? 'unknown'} />
      </Table.Td>
    </Table.Tr>
  );
}

function ServerCard({ server }: { server: ServerInfo }): JSX.Element {
  const { device, state } = server;
  return (
    <Card fz="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Name server={server} />
        <PowerMenu server={server} power={state?.power ?? 'unknown'} />
      </Group>
      <Group justify="space-between" mt="sm" align="flex-end">
        <LastKnownPower state={state} />
        <Health state={state} />
      </Group>
      <Group justify="space-between" mt="sm">
        <Text ff="monospace" size="sm">
          {device.ip}
        </Text>
        <StateBadge state={device.status} />
      </Group>
    </Card>
  );
}
