// Services in a table, of all customers or of one.
import { Table, Text } from '@mantine/core';
import type { JSX } from 'react';
import type { Row } from '../../data/staff-pages.ts';
import { serviceTypeLabels } from '../../parts/service-types.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { CustomerLink, DeviceLink, ServiceLink } from '../parts/links.tsx';

const columns = [{ label: 'Service', isNumber: true, width: 1 }, 'Hostname', 'Status', 'Type', 'IP address', 'Device'];

export interface ServiceTableProps {
  readonly services: readonly Row<'serviceList'>[];
  readonly customerColumn: 'visible' | 'hidden';
}

export function ServiceTable({ services, customerColumn }: ServiceTableProps): JSX.Element {
  return (
    <TableCard
      label="Services"
      columns={customerColumn === 'visible' ? [...columns, 'Customer'] : columns}
      minWidth={customerColumn === 'visible' ? 900 : 760}
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
          <Table.Td>{serviceTypeLabels[service.type]}</Table.Td>
          <Table.Td ff="monospace">{service.ip}</Table.Td>
          <Table.Td ff="monospace">
            <DeviceLink device={service.server === '' ? vmName(service.vmid) : service.server} />
          </Table.Td>
          {customerColumn === 'visible' && (
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
