// Search results for staff in the command palette: customers and services, searched on the server because there are
// many.
import type { SpotlightActionData } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useStaffRead } from '../data/operations.ts';
import { Icon } from './icons.tsx';

const minSearchLength = 2;
const limit = 6;

export function useStaffSearch(search: string): SpotlightActionData[] {
  const navigate = useNavigate();
  const options = { enabled: search.length >= minSearchLength };
  const customers = useStaffRead('accountList', { search, limit }, options);
  const services = useStaffRead('serviceList', { search, limit }, options);
  if (!options.enabled) return [];
  return [
    ...(customers.data ?? []).map(({ id, firstname, lastname, companyname, email }) => ({
      id: `customer ${id}`,
      label: `${firstname} ${lastname}`,
      description: [`Customer ${id}`, companyname, email].filter((part) => part !== '').join(' · '),
      keywords: [search],
      leftSection: <Icon name="people" />,
      onClick: () => void navigate({ to: '/staff/customers/$account', params: { account: id } as never }),
    })),
    ...(services.data ?? []).map(({ id, hostname, name, ip, server }) => ({
      id: `service ${id}`,
      label: hostname,
      description: [`Service ${id}`, name, ip, server].filter((part) => part !== '').join(' · '),
      keywords: [search],
      leftSection: <Icon name="server" />,
      onClick: () => void navigate({ to: '/staff/services', hash: id }),
    })),
  ];
}
