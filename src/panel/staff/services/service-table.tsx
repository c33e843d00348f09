// Services of customers in a table.
import { Table, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { Row } from '../../data/staff-pages.ts';
import { StateBadge } from '../../parts/state.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { CustomerLink, DeviceLink, ServiceLink } from '../parts/links.tsx';

const columns = [{ label: 'Service', isNumber: true, width: 1 }, 'Host name', 'State', 'Kind', 'Address', 'Device'];

export interface ServiceTableProps {
  readonly services: readonly Row<'serviceList'>[];
  /** Whether whose each is has to be said. */
  readonly customers: 'shown' | 'known';
}

export function ServiceTable({ services, customers }: ServiceTableProps): JSX.Element {
  return (
    <TableCard
      label="Services"
      columns={customers === 'shown' ? [...columns, 'Customer'] : columns}
      minWidth={customers === 'shown' ? 900 : 760}
    >
      {services.map((service) => (
        <Table.Tr key={service.id}>
          <Table.Td ta="right" className="numbers">
            {service.id}
          </Table.Td>
          <Table.Td>
            <ServiceLink service={service.id}>{service.hostname}</ServiceLink>
            <Text size="xs" c="dimmed">
              {service.name}
            </Text>
          </Table.Td>
          <Table.Td>
            <StateBadge state={service.status} />
          </Table.Td>
          <Table.Td>{service.type}</Table.Td>
          <Table.Td ff="monospace">{service.ip}</Table.Td>
          <Table.Td ff="monospace">
            <DeviceLink device={service.server === '' ? vmName(service.vmid) : service.server} />
          </Table.Td>
          {customers === 'shown' && (
            <Table.Td>
              <CustomerLink account={service.account} />
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </TableCard>
  );
}

function vmName(vmid: string): string {
  return vmid === '' ? '' : `vm-${vmid}`;
}
