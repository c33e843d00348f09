// The command palette: every page, every server and every zone by a few letters.
import { Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useDebouncedValue } from '@mantine/hooks';
import { useState, type JSX, type KeyboardEvent } from 'react';
import { useRead } from '../data/read.ts';
import type { Face } from '../data/session.ts';
import { Icon } from './icons.tsx';
import type { Place } from './places.ts';
import { useStaffFound } from './staff-found.tsx';

const waitMs = 250;

export function Palette({ places, face }: { places: readonly Place[]; face: Face }): JSX.Element {
  const navigate = useNavigate();
  const sees = (to: string): boolean => face === 'customer' && places.some((place) => place.to === to);
  const devices = useRead('deviceList', {}, { enabled: sees('/servers') });
  const zones = useRead('zoneList', {}, { enabled: sees('/dns') });
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), waitMs);
  const found = useStaffFound(face === 'staff' ? search : '');
  const actions: SpotlightActionData[] = [
    ...found,
    ...places.map((place) => ({
      id: place.to,
      label: place.label,
      keywords: place.also?.split(' ') ?? [],
      leftSection: <Icon name={place.icon} />,
      onClick: () => void navigate({ to: place.to }),
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
      query={typed}
      onQueryChange={setTyped}
      shortcut={['mod + K']}
      nothingFound="Nothing of that name."
      highlightQuery
      limit={12}
      scrollable
      searchProps={{
        leftSection: <Icon name="search" />,
        placeholder: face === 'staff' ? 'Go to a page, a customer, a service…' : 'Go to a page, a server, a zone…',
        'aria-label': 'Search',
        onKeyDown: enterFirst,
      }}
    />
  );
}

/** What was found later than it was typed is not chosen yet: Enter goes to the first of it all the same. */
function enterFirst({ key }: KeyboardEvent): void {
  if (key !== 'Enter' || document.querySelector('[data-action][data-selected]') !== null) return;
  document.querySelector<HTMLElement>('[data-action]')?.click();
}
