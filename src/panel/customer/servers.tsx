// The server list: power, health, IP address and type of every server in the account.
import { Card, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState, type JSX } from 'react';
import { useRead } from '../data/operations.ts';
import { Dimmed } from '../parts/dimmed.tsx';
import { FilterInput } from '../parts/filter-input.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { Page } from '../parts/page.tsx';
import { ServerLink } from '../parts/server-link.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { TableCard, type Column } from '../parts/table-card.tsx';
import { serverName, useDeviceStates, type ServerInfo } from './server/device.ts';
import { Health } from './server/health.tsx';
import { PowerMenu } from './server/power/power-controls.tsx';
import { LastKnownPower } from './server/power/power-state.tsx';
import { serviceTypeLabels } from '../parts/service-types.ts';
import { searchServers, type TypeFilter } from './server/server-search.ts';

const choices = Object.entries({ all: 'All', ...serviceTypeLabels }).map(([value, label]) => ({ value, label }));

export function ServersPage(): JSX.Element {
  const devices = useRead('deviceList', {});
  const states = useDeviceStates();
  const [text, setText] = useState('');
  const [type, setType] = useState<TypeFilter>('all');
  return (
    <Page title="Servers" description="Your dedicated servers and virtual machines">
      <Group gap="sm">
        <FilterInput
          label="Search servers"
          placeholder="Hostname, IP address or service ID"
          value={text}
          onChange={setText}
        />
        <SegmentedControl
          aria-label="Server type"
          value={type}
          onChange={(next) => setType(next as TypeFilter)}
          data={choices}
        />
      </Group>
      <QueryResult query={devices} empty={noServers}>
        {(all) => {
          const matches = searchServers(all, text, type);
          if (matches.length === 0) return noMatches;
          return <List servers={matches.map((device) => ({ device, state: states.get(device.service) }))} />;
        }}
      </QueryResult>
    </Page>
  );
}

const noServers = (
  <EmptyCard icon="server" title="No servers yet">
    A server appears here as soon as you order it.
  </EmptyCard>
);
const noMatches = (
  <EmptyCard icon="search" title="No servers match">
    Try another search term or type.
  </EmptyCard>
);
const columns: readonly Column<ServerInfo>[] = [
  { label: 'Server', cell: (server) => <Name server={server} /> },
  { label: 'Power', cell: ({ state }) => <LastKnownPower state={state} /> },
  { label: 'Health', cell: ({ state }) => <Health state={state} /> },
  { label: 'IP address', ff: 'monospace', cell: ({ device }) => device.ip },
  { label: 'Type', cell: ({ device }) => serviceTypeLabels[device.type] },
  { label: 'Status', cell: ({ device }) => <StateBadge state={device.status} /> },
  {
    label: 'Actions',
    isNumber: true,
    cell: (server) => <PowerMenu server={server} power={server.state?.power ?? 'unknown'} />,
  },
];

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
  return (
    <TableCard
      label="Servers"
      columns={columns}
      rows={servers}
      rowKey={({ device }) => device.service}
      minWidth={820}
    />
  );
}

function Name({ server: { device } }: { server: ServerInfo }): JSX.Element {
  return (
    <div>
      <ServerLink service={device.service} size="sm" fw={600} c="bright">
        {serverName(device)}
      </ServerLink>
      <Dimmed size="xs">
        {device.name} · {device.service}
      </Dimmed>
    </div>
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
