// Services in a table, of all customers or of one.
import type { JSX } from 'react';
import type { Row } from '../../data/staff-pages.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { serviceTypeLabels } from '../../parts/service-types.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import { CustomerLink, DeviceLink, ServiceLink } from '../parts/links.tsx';

type Service = Row<'serviceList'>;
const columns: readonly Column<Service>[] = [
  { label: 'Service', isNumber: true, width: 1, cell: ({ id }) => id },
  {
    label: 'Hostname',
    cell: ({ id, hostname, name }) => (
      <>
        <ServiceLink service={id}>{hostname}</ServiceLink>
        <Dimmed size="xs">{name}</Dimmed>
      </>
    ),
  },
  { label: 'Status', cell: ({ status }) => <StateBadge state={status} /> },
  { label: 'Type', cell: ({ type }) => serviceTypeLabels[type] },
  { label: 'IP address', ff: 'monospace', cell: ({ ip }) => ip },
  {
    label: 'Device',
    ff: 'monospace',
    cell: ({ server, vmid }) => <DeviceLink device={server === '' ? vmName(vmid) : server} />,
  },
];
const customerColumns: readonly Column<Service>[] = [
  ...columns,
  { label: 'Customer', cell: ({ account }) => <CustomerLink account={account} /> },
];

export interface ServiceTableProps {
  readonly services: readonly Service[];
  readonly customerColumn: 'visible' | 'hidden';
}

export function ServiceTable({ services, customerColumn }: ServiceTableProps): JSX.Element {
  return (
    <TableCard
      label="Services"
      columns={customerColumn === 'visible' ? customerColumns : columns}
      rows={services}
      rowKey={({ id }) => id}
      minWidth={customerColumn === 'visible' ? 900 : 760}
    />
  );
}

function vmName(vmid: string): string {
  return vmid === '' ? '' : `vm-${vmid}`;
}
