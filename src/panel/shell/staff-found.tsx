// What the palette finds for staff: customers and services by a few letters, asked of the server, since there are many.
import type { SpotlightActionData } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useStaffRead } from '../data/read.ts';
import { Icon } from './icons.tsx';

const shortest = 2;
const limit = 6;

export function useStaffFound(search: string): SpotlightActionData[] {
  const navigate = useNavigate();
  const asked = { enabled: search.length >= shortest };
  const customers = useStaffRead('accountList', { search, limit }, asked);
  const services = useStaffRead('serviceList', { search, limit }, asked);
  if (!asked.enabled) return [];
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
