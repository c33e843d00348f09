// The command palette, which finds pages, servers and zones. For staff it searches customers and services on the
// server.
import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useDebouncedValue } from '@mantine/hooks';
import { useState, type JSX, type KeyboardEvent } from 'react';
import { useRead } from '../data/operations.ts';
import type { Portal } from '../data/session.ts';
import { Icon } from './icons.tsx';
import type { NavItem } from './navigation.ts';
import { useStaffSearch } from './staff-search.tsx';

const debounceMs = 250;

export function Palette({ items, portal }: { items: readonly NavItem[]; portal: Portal }): JSX.Element {
  const navigate = useNavigate();
  const canSee = (to: string): boolean => portal === 'customer' && items.some((item) => item.to === to);
  const devices = useRead('deviceList', {}, { enabled: canSee('/servers') });
  const zones = useRead('zoneList', {}, { enabled: canSee('/dns') });
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), debounceMs);
  const staffResults = useStaffSearch(portal === 'staff' ? search : '');
  const actions: SpotlightActionData[] = [
    ...staffResults,
    ...items.map((item) => ({
      id: item.to,
      label: item.label,
      keywords: item.keywords.split(' '),
      leftSection: <Icon name={item.icon} />,
      onClick: () => void navigate({ to: item.to }),
    })),
    ...(devices.data ?? []).map((device) => ({
      id: `service ${device.service}`,
      label: device.hostname,
      description: `${device.name} · service ${device.service}`,
      keywords: [String(device.service), device.ip ?? ''],
      leftSection: <Icon name="server" />,
      onClick: () => void navigate({ to: '/servers/$service', params: { service: String(device.service) } }),
    })),
    ...(zones.data ?? []).map((zone) => ({
      id: `zone ${zone.domain_id}`,
      label: zone.name,
      description: 'DNS zone',
      leftSection: <Icon name="dns" />,
      onClick: () => void navigate({ to: '/dns/$domain', params: { domain: String(zone.domain_id) } }),
    })),
  ];
  return (
    <Spotlight
      actions={actions}
      query={text}
      onQueryChange={setText}
      shortcut={['mod + K']}
      nothingFound="No results"
      highlightQuery
      limit={12}
      scrollable
      searchProps={{
        leftSection: <Icon name="search" />,
        placeholder: portal === 'staff' ? 'Search pages, customers, services…' : 'Search pages, servers, zones…',
        'aria-label': 'Search',
        onKeyDown: selectFirstOnEnter,
      }}
    />
  );
}

/** Opens the first result on Enter if none is selected yet, because the results arrived after typing. */
function selectFirstOnEnter({ key }: KeyboardEvent): void {
  if (key !== 'Enter' || document.querySelector('[data-action][data-selected]') !== null) return;
  document.querySelector<HTMLElement>('[data-action]')?.click();
}
