// The server list: power, health, IP address and type of every server in the account.
import { Button, Checkbox, Group, MultiSelect, SegmentedControl, Stack } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import {
  memo,
  useCallback,
  useDeferredValue,
  useMemo,
  useState,
  type Dispatch,
  type JSX,
  type SetStateAction,
} from 'react';
import type { Device } from '#sdk/v2.ts';
import { useRead } from '../data/operations.ts';
import { FilterInput } from '../parts/filter-input.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { Page } from '../parts/page.tsx';
import { serviceTypeLabels } from '../parts/service-types.ts';
import { useIsPhone } from '../parts/virtual-table.tsx';
import { DeletedMachines } from './machines/deleted-machines.tsx';
import { NewMachineLink } from './machines/new-machine-link.tsx';
import { isVirtualMachine, useDeviceStates } from './server/device.ts';
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
import { ServerCards } from './servers/server-cards.tsx';
import { ServerTable } from './servers/server-table.tsx';
import { t, tCount } from '../text/text.ts';

const choices = Object.entries({ all: t('All'), ...serviceTypeLabels }).map(([value, label]) => ({ value, label }));

export function ServersPage(): JSX.Element {
  const devices = useRead('deviceList', {});
  // In the address, so that a filter can be bookmarked and shared.
  const hash = useLocation({ select: (location) => location.hash });
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
  const hasSuspendedMachine = useMemo(
    () => (devices.data ?? []).some((device) => isVirtualMachine(device) && device.status === 'Suspended'),
    [devices.data],
  );
  // Deferred, so that typing does not wait for a search among 10,000 servers.
  const searchedHash = useDeferredValue(hash);
  const matches = useMemo(
    () => searchServers(devices.data ?? [], parseFilter(searchedHash)),
    [devices.data, searchedHash],
  );
  return (
    <Page
      title={t('Servers')}
      description={t('Your dedicated servers and virtual machines')}
      actions={<NewMachineLink />}
    >
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
      {hasSuspendedMachine && <DeletedMachines />}
      <QueryResult query={devices} empty={noServers} lines={8} shape="table">
        {() =>
          matches.length === 0 ? (
            <NoMatches clear={() => show('')} />
          ) : (
            <List devices={matches} labels={labels} selected={selected} setSelected={setSelected} />
          )
        }
      </QueryResult>
    </Page>
  );
}

const noServers = (
  <EmptyCard icon="server" title={t('No servers yet')} action={<NewMachineLink />}>
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

interface ListProps {
  readonly devices: readonly Device[];
  readonly labels: readonly string[];
  readonly selected: ReadonlySet<string>;
  readonly setSelected: Dispatch<SetStateAction<ReadonlySet<string>>>;
}

/** Memoized, because the page renders with every letter of a search, before the servers that match are known. */
const List = memo(function List({ devices, labels, selected, setSelected }: ListProps): JSX.Element {
  const states = useDeviceStates();
  const chosen = useMemo(
    () =>
      devices
        .filter(({ service }) => selected.has(service))
        .map((device) => ({ device, state: states.get(device.service) })),
    [devices, states, selected],
  );
  const select = useCallback(
    (service: string, isSelected: boolean): void =>
      setSelected((current) => {
        const next = new Set(current);
        if (isSelected) next.add(service);
        else next.delete(service);
        return next;
      }),
    [setSelected],
  );
  const isAll = chosen.length === devices.length;
  const Rows = useIsPhone() ? ServerCards : ServerTable;
  return (
    <Stack gap="sm">
      <Group mih={30}>
        <Checkbox
          label={tCount(devices.length, { one: 'Select {count} server', other: 'Select all {count} servers' })}
          size="xs"
          checked={isAll}
          indeterminate={!isAll && chosen.length > 0}
          onChange={() => setSelected(new Set(isAll ? [] : devices.map(({ service }) => service)))}
        />
        {chosen.length > 0 && <BulkActions servers={chosen} labels={labels} onClear={() => setSelected(new Set())} />}
      </Group>
      <Rows devices={devices} states={states} selected={selected} select={select} />
    </Stack>
  );
});
