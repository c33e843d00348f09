// The command palette, which finds servers, zones, records, invoices, actions and pages. It loads nothing before it is
// opened. Records are searched on the server, and for staff customers and services.
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, useSpotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useDeferredValue, useMemo, useState, type JSX, type KeyboardEvent } from 'react';
import type { InvoiceListItem, ZoneRecord } from '#sdk/v2.ts';
import { useRead, useReads } from '../data/operations.ts';
import type { Portal } from '../data/session.ts';
import { asciiName, unicodeName } from '../customer/dns/unicode-name.ts';
import { useDateFormats } from '../parts/dates.ts';
import { Icon, type IconName } from './icons.tsx';
import type { NavItem } from './navigation.ts';
import { maxPerKind, searchCandidates, type Kind, type PaletteItem } from './palette-search.ts';
import { useSchemeSwitch } from './scheme-switch.ts';
import { paletteStore } from './palette-state.ts';
import { showShortcuts } from './shortcuts.tsx';
import { useStaffSearch } from './staff-search.tsx';
import { t, tData } from '../text/text.ts';

const debounceMs = 250;
const minSearchLength = 2;
/** Limits of the API. */
const maxSearchLength = 64;

const groupLabels: Readonly<Record<Kind, string>> = {
  server: t('Servers'),
  zone: t('Zones'),
  record: t('DNS records'),
  invoice: t('Invoices'),
  customer: t('Customers'),
  address: t('IP addresses'),
  action: t('Actions'),
  page: t('Pages'),
};

export function Palette({ items, portal }: { items: readonly NavItem[]; portal: Portal }): JSX.Element {
  // Deferred, so that the palette appears before its list of 10,000 servers is ready.
  const isOpen = useDeferredValue(useSpotlight(paletteStore).opened);
  const [typed, setText] = useState('');
  // Deferred, so that typing does not wait for a search among 10,000 servers.
  const text = useDeferredValue(typed);
  const [search] = useDebouncedValue(text.trim(), debounceMs);
  const canSee = (to: string): boolean => isOpen && portal === 'customer' && items.some((item) => item.to === to);
  const found = [
    ...useStaffSearch(portal === 'staff' ? search : ''),
    ...useServers(canSee('/servers'), text),
    ...useZones(canSee('/dns'), search),
    ...useInvoices(canSee('/invoices')),
    ...useActions(items),
    ...usePages(items),
  ];
  const groups = searchCandidates(found, text).map(({ kind, found: best }): SpotlightActionGroupData => ({
    group: groupLabels[kind],
    actions: best.map(({ id, label, description, icon, open }) => ({
      id,
      label,
      ...(description === undefined ? {} : { description }),
      leftSection: <Icon name={icon} />,
      onClick: open,
    })),
  }));
  return (
    <Spotlight
      store={paletteStore}
      actions={groups}
      filter={(_query, actions) => actions}
      query={typed}
      onQueryChange={setText}
      shortcut={null}
      nothingFound={t('No results')}
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <Icon name="search" />,
        placeholder:
          portal === 'staff'
            ? t('Search customers, services, addresses, invoices…')
            : t('Search servers, zones, records, invoices, pages…'),
        'aria-label': t('Search'),
        onKeyDown: selectFirstOnEnter,
      }}
    />
  );
}

function usePages(items: readonly NavItem[]): PaletteItem[] {
  const navigate = useNavigate();
  return items.map(({ to, label, icon, keywords }) => ({
    id: to,
    kind: 'page',
    label,
    icon,
    keywords: [keywords],
    open: () => void navigate({ to }),
  }));
}

const serverTabs = [
  {
    tab: 'console',
    label: (name: string) => t('Open the console of {name}', { name }),
    icon: 'console',
    keywords: [t('vnc serial terminal')],
  },
  {
    tab: 'install',
    label: (name: string) => t('Reinstall {name}', { name }),
    icon: 'disc',
    keywords: [t('rescue iso system')],
  },
  {
    tab: 'network',
    label: (name: string) => t('Show the network of {name}', { name }),
    icon: 'graph',
    keywords: [t('traffic addresses ports')],
  },
] as const;

function useServers(enabled: boolean, text: string): PaletteItem[] {
  const navigate = useNavigate();
  const devices = useRead('deviceList', {}, { enabled });
  const open = useCallback(
    (service: string, hash = ''): void => void navigate({ to: '/servers/$service', params: { service }, hash }),
    [navigate],
  );
  // The list is cached if another page shows it, whether the palette is open or not.
  const list = enabled ? devices.data : undefined;
  const servers = useMemo(
    () =>
      (list ?? []).map(({ service, hostname, name, ip }): PaletteItem => ({
        id: `service ${service}`,
        kind: 'server',
        label: hostname,
        description: [name, ip ?? '', t('service {id}', { id: service })].filter(Boolean).join(' · '),
        icon: 'server',
        open: () => open(String(service)),
      })),
    [list, open],
  );
  const best = text.trim() === '' ? undefined : searchCandidates(servers, text)[0]?.found[0];
  const actions = serverTabs.map(({ tab, label, icon, keywords }): PaletteItem => ({
    id: `action ${tab}`,
    kind: 'action',
    label: label(best?.label ?? ''),
    keywords: [...keywords, text],
    icon,
    open: () => open(best!.id.slice('service '.length), tab),
  }));
  return best === undefined ? servers : [...servers, ...actions];
}

function useZones(enabled: boolean, search: string): PaletteItem[] {
  const navigate = useNavigate();
  const zones = useRead('zoneList', {}, { enabled }).data ?? [];
  const names = new Map(zones.map(({ domain_id, name }) => [domain_id, name]));
  const open = (name: string): void => void navigate({ to: '/dns/$domain', params: { domain: name } });
  return [
    ...zones.map(({ domain_id, name }): PaletteItem => ({
      id: `zone ${domain_id}`,
      kind: 'zone',
      label: unicodeName(name),
      keywords: [name],
      icon: 'dns',
      open: () => open(name),
    })),
    ...useRecords(enabled && zones.length > 0, search).map(({ id, domain_id, name, type, content }): PaletteItem => ({
      id: `record ${id}`,
      kind: 'record',
      label: unicodeName(name),
      description: `${type} ${content}`,
      keywords: [name],
      icon: 'dns',
      open: () => open(names.get(domain_id) ?? domain_id),
    })),
  ];
}

/** Returns the records whose name or content begins with the first word. */
function useRecords(enabled: boolean, search: string): readonly ZoneRecord[] {
  const [word = ''] = search.split(/\s+/);
  const name = { text: asciiName(word).slice(0, maxSearchLength), field: 'name', limit: maxPerKind } as const;
  const content = { text: word.slice(0, maxSearchLength), field: 'content', limit: maxPerKind } as const;
  const inputs = word.length < minSearchLength ? [] : [name, content];
  const records = useReads('recordSearch', inputs, { enabled }).flatMap(({ data }) => data ?? []);
  return [...new Map(records.map((record) => [record.id, record])).values()];
}

function useInvoices(enabled: boolean): PaletteItem[] {
  const navigate = useNavigate();
  const { day } = useDateFormats();
  const invoices = useRead('invoiceGet', {}, { enabled }).data as readonly InvoiceListItem[] | undefined;
  return (invoices ?? []).map(({ id, invoicenum, date, status }) => ({
    id: `invoice ${id}`,
    kind: 'invoice',
    label: invoicenum === '' ? t('Invoice {number}', { number: id }) : invoicenum,
    description: `${day(new Date(date))} · ${tData(status)}`,
    keywords: [t('invoice')],
    icon: 'invoice',
    open: () => void navigate({ to: '/invoices', hash: id }),
  }));
}

function useActions(items: readonly NavItem[]): PaletteItem[] {
  const navigate = useNavigate();
  const scheme = useSchemeSwitch();
  const action = (label: string, icon: IconName, open: () => void, ...keywords: string[]): PaletteItem => ({
    id: `action ${label}`,
    kind: 'action',
    label,
    icon,
    keywords,
    open,
  });
  return [
    ...(items.some(({ to }) => to === '/dns')
      ? [action(t('New zone'), 'plus', () => void navigate({ to: '/dns', hash: 'new' }), t('add domain dns'))]
      : []),
    action(scheme.label, scheme.icon, scheme.run, t('theme colour')),
    action(t('Keyboard shortcuts'), 'console', showShortcuts, t('help keys')),
  ];
}

/** Opens the first result on Enter if none is selected yet, because the results arrived after typing. */
function selectFirstOnEnter({ key }: KeyboardEvent): void {
  if (key !== 'Enter' || document.querySelector('[data-action][data-selected]') !== null) return;
  document.querySelector<HTMLElement>('[data-action]')?.click();
}
