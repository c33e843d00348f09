// The server list: power, health, IP address and type of every server in the account.
import { Badge, Card, Checkbox, Group, MultiSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useLocation, useNavigate } from '@tanstack/react-router';
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
import {
  allLabels,
  filterQuery,
  parseFilter,
  searchServers,
  type ServerFilter,
  type TypeFilter,
} from './server/server-search.ts';
import { BulkActions } from './servers/bulk-actions.tsx';
import { SavedFilters } from './servers/saved-filters.tsx';

const choices = Object.entries({ all: 'All', ...serviceTypeLabels }).map(([value, label]) => ({ value, label }));

export function ServersPage(): JSX.Element {
  const devices = useRead('deviceList', {});
  const states = useDeviceStates();
  // In the address, so that a filter can be bookmarked and shared.
  const { hash } = useLocation();
  const navigate = useNavigate();
  const filter = parseFilter(hash);
  const query = filterQuery(filter);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const show = (next: string): void => {
    setSelected(new Set());
    void navigate({ to: '.', hash: next, replace: true, resetScroll: false });
  };
  const change = (part: Partial<ServerFilter>): void => show(filterQuery({ ...filter, ...part }));
  const labels = allLabels(devices.data ?? []);
  return (
    <Page title="Servers" description="Your dedicated servers and virtual machines">
      <Group gap="sm">
        <FilterInput
          label="Search servers"
          placeholder="Hostname, IP address, label or service ID"
          value={filter.text}
          onChange={(text) => change({ text })}
        />
        <SegmentedControl
          aria-label="Server type"
          value={filter.type}
          onChange={(next) => change({ type: next as TypeFilter })}
          data={choices}
        />
        {(labels.length > 0 || filter.labels.length > 0) && (
          <MultiSelect
            aria-label="Labels"
            placeholder={filter.labels.length === 0 ? 'Labels' : ''}
            data={[...new Set([...labels, ...filter.labels])]}
            value={[...filter.labels]}
            onChange={(next) => change({ labels: next })}
            miw={160}
            searchable
            clearable
          />
        )}
        <SavedFilters query={query} onChoose={show} />
      </Group>
      <QueryResult query={devices} empty={noServers}>
        {(all) => {
          const matches = searchServers(all, filter);
          if (matches.length === 0) return noMatches;
          const servers = matches.map((device) => ({ device, state: states.get(device.service) }));
          const chosen = servers.filter(({ device }) => selected.has(device.service));
          return (
            <>
              {chosen.length > 0 && (
                <BulkActions servers={chosen} labels={labels} onClear={() => setSelected(new Set())} />
              )}
              <List servers={servers} selection={{ selected, setSelected }} />
            </>
          );
        }}
      </QueryResult>
    </Page>
  );
}

interface Selection {
  readonly selected: ReadonlySet<string>;
  readonly setSelected: (selected: ReadonlySet<string>) => void;
}

function SelectServer({ server: { device }, selected, setSelected }: Selection & { server: ServerInfo }): JSX.Element {
  const { service } = device;
  return (
    <Checkbox
      aria-label={`Select ${serverName(device)}`}
      checked={selected.has(service)}
      onChange={({ currentTarget: { checked } }) =>
        setSelected(new Set(checked ? [...selected, service] : [...selected].filter((id) => id !== service)))
      }
    />
  );
}

const noServers = (
  <EmptyCard icon="server" title="No servers yet">
    A server appears here as soon as you order it.
  </EmptyCard>
);
const noMatches = (
  <EmptyCard icon="search" title="No servers match">
    Try another search term, type or label.
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

function List({ servers, selection }: { servers: readonly ServerInfo[]; selection: Selection }): JSX.Element {
  const { selected, setSelected } = selection;
  const isAll = servers.every(({ device }) => selected.has(device.service));
  const selectAll = (
    <Checkbox
      label={servers.length === 1 ? 'Select 1 server' : `Select all ${servers.length} servers`}
      size="xs"
      checked={isAll}
      indeterminate={!isAll && selected.size > 0}
      onChange={() => setSelected(new Set(isAll ? [] : servers.map(({ device }) => device.service)))}
    />
  );
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  if (!isWide)
    return (
      <Stack gap="sm">
        {selectAll}
        {servers.map((server) => (
          <ServerCard key={server.device.service} server={server} selection={selection} />
        ))}
      </Stack>
    );
  const selectColumn: Column<ServerInfo> = {
    label: 'Select',
    width: 1,
    cell: (server) => <SelectServer server={server} {...selection} />,
  };
  return (
    <Stack gap="sm">
      {selectAll}
      <TableCard
        label="Servers"
        columns={[selectColumn, ...columns]}
        rows={servers}
        rowKey={({ device }) => device.service}
        minWidth={900}
      />
    </Stack>
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
      {device.labels.length > 0 && (
        <Group gap={4} mt={4}>
          {device.labels.map((label) => (
            <Badge key={label} size="sm" variant="default" tt="none">
              {label}
            </Badge>
          ))}
        </Group>
      )}
    </div>
  );
}

function ServerCard({ server, selection }: { server: ServerInfo; selection: Selection }): JSX.Element {
  const { device, state } = server;
  return (
    <Card fz="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <SelectServer server={server} {...selection} />
          <Name server={server} />
        </Group>
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
