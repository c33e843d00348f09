// The server list: power, health, IP address and type of every server in the account.
import { Badge, Button, Card, Checkbox, Group, MultiSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState, type JSX } from 'react';
import { useRead } from '../data/operations.ts';
import { Dimmed } from '../parts/dimmed.tsx';
import { FilterInput } from '../parts/filter-input.tsx';
import { useGrowingRows } from '../parts/growing-rows.ts';
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
import { t, tCount } from '../text/text.ts';

const choices = Object.entries({ all: t('All'), ...serviceTypeLabels }).map(([value, label]) => ({ value, label }));

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
  const labels = useMemo(() => allLabels(devices.data ?? []), [devices.data]);
  // Deferred, so that typing does not wait for a search among 10,000 servers.
  const searchedHash = useDeferredValue(hash);
  const matches = useMemo(
    () => searchServers(devices.data ?? [], parseFilter(searchedHash)),
    [devices.data, searchedHash],
  );
  return (
    <Page title={t('Servers')} description={t('Your dedicated servers and virtual machines')}>
      <Group gap="sm">
        <FilterInput
          label={t('Search servers')}
          placeholder={t('Hostname, IP address, label or service ID')}
          value={filter.text}
          onChange={(text) => change({ text })}
        />
        <SegmentedControl
          aria-label={t('Server type')}
          value={filter.type}
          onChange={(next) => change({ type: next as TypeFilter })}
          data={choices}
        />
        {(labels.length > 0 || filter.labels.length > 0) && (
          <MultiSelect
            aria-label={t('Labels')}
            placeholder={filter.labels.length === 0 ? t('Labels') : ''}
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
        {() => {
          if (matches.length === 0) return <NoMatches clear={() => show('')} />;
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
      aria-label={t('Select {name}', { name: serverName(device) })}
      checked={selected.has(service)}
      onChange={({ currentTarget: { checked } }) =>
        setSelected(new Set(checked ? [...selected, service] : [...selected].filter((id) => id !== service)))
      }
    />
  );
}

const noServers = (
  <EmptyCard icon="server" title={t('No servers yet')}>
    {t('A server appears here as soon as you order it.')}
  </EmptyCard>
);
function NoMatches({ clear }: { clear: () => void }): JSX.Element {
  return (
    <EmptyCard
      icon="search"
      title={t('No servers match')}
      action={
        <Button variant="default" size="xs" onClick={clear}>
          {t('Clear filter')}
        </Button>
      }
    >
      {t('Try another search term, type or label.')}
    </EmptyCard>
  );
}

const columns: readonly Column<ServerInfo>[] = [
  { label: t('Server'), cell: (server) => <Name server={server} /> },
  { label: t('Power'), cell: ({ state }) => <LastKnownPower state={state} /> },
  { label: t('Health'), cell: ({ state }) => <Health state={state} /> },
  { label: t('IP address'), ff: 'monospace', cell: ({ device }) => device.ip },
  { label: t('Type'), cell: ({ device }) => serviceTypeLabels[device.type] },
  { label: t('Status'), cell: ({ device }) => <StateBadge state={device.status} /> },
  {
    label: t('Actions'),
    isNumber: true,
    cell: (server) => <PowerMenu server={server} power={server.state?.power ?? 'unknown'} />,
  },
];

function List({ servers, selection }: { servers: readonly ServerInfo[]; selection: Selection }): JSX.Element {
  const { selected, setSelected } = selection;
  const isAll = servers.every(({ device }) => selected.has(device.service));
  const selectAll = (
    <Checkbox
      label={tCount(servers.length, { one: 'Select {count} server', other: 'Select all {count} servers' })}
      size="xs"
      checked={isAll}
      indeterminate={!isAll && selected.size > 0}
      onChange={() => setSelected(new Set(isAll ? [] : servers.map(({ device }) => device.service)))}
    />
  );
  const { visible, endRef } = useGrowingRows(servers);
  const isWide = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  if (!isWide)
    return (
      <Stack gap="sm">
        {selectAll}
        {visible.map((server) => (
          <ServerCard key={server.device.service} server={server} selection={selection} />
        ))}
        {endRef !== undefined && <div ref={endRef} />}
      </Stack>
    );
  const selectColumn: Column<ServerInfo> = {
    label: t('Select'),
    width: 1,
    cell: (server) => <SelectServer server={server} {...selection} />,
  };
  return (
    <Stack gap="sm">
      {selectAll}
      <TableCard
        label={t('Servers')}
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
