// Search results for staff in the command palette, from one search on the server over everything that they look for.
import { useNavigate } from '@tanstack/react-router';
import { useStaffRead, type StaffResult } from '../data/operations.ts';
import { useDateFormats } from '../parts/dates.ts';
import type { IconName } from './icons.tsx';
import type { Kind, PaletteItem } from './palette-search.ts';
import { t, tData } from '../text/text.ts';

type SearchResult = StaffResult<'searchGet'>[number];

const minSearchLength = 2;
const limit = 10;
const kinds: Readonly<
  Record<SearchResult['kind'], { readonly label: string; readonly icon: IconName; readonly group: Kind }>
> = {
  customer: { label: t('Customer'), icon: 'people', group: 'customer' },
  contact: { label: t('Contact'), icon: 'person', group: 'customer' },
  service: { label: t('Service'), icon: 'server', group: 'server' },
  server: { label: t('Server'), icon: 'rack', group: 'server' },
  switch: { label: t('Switch'), icon: 'rack', group: 'server' },
  node: { label: t('Hypervisor'), icon: 'rack', group: 'server' },
  netblock: { label: t('Address block'), icon: 'address', group: 'address' },
  invoice: { label: t('Invoice'), icon: 'invoice', group: 'invoice' },
  zone: { label: t('Zone'), icon: 'dns', group: 'zone' },
};
/** Kinds whose ids people know. */
const numbered = new Set<SearchResult['kind']>(['customer', 'service']);

export function useStaffSearch(search: string): PaletteItem[] {
  const navigate = useNavigate();
  const { day } = useDateFormats();
  const options = { enabled: search.length >= minSearchLength };
  const results = useStaffRead('searchGet', { text: search, limit }, options);
  if (!options.enabled) return [];
  const textOf = (part: string): string => (/^\d{4}-\d\d-\d\d$/.test(part) ? day(new Date(part)) : tData(part));
  return (results.data ?? []).map(({ kind, id, title, subtitle, link }) => {
    const [to, hash] = link.split('#');
    const { label, icon, group } = kinds[kind];
    return {
      id: `${kind} ${id}`,
      kind: group,
      label: title,
      description: [numbered.has(kind) ? `${label} ${id}` : label, ...subtitle.split(' · ').map(textOf)]
        .filter((part) => part !== '')
        .join(' · '),
      // The server decides what matches, by more than the label.
      keywords: [search],
      icon,
      open: () => void navigate({ to: to!, ...(hash !== undefined && { hash }) }),
    };
  });
}
