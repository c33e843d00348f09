// Services in a table, of all customers or of one.
import type { JSX } from 'react';
import type { Row } from '../../data/staff-pages.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { serviceTypeLabels } from '../../parts/service-types.ts';
import { StateBadge } from '../../parts/state-badge.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import { CustomerLink, DeviceLink, ServiceLink } from '../parts/links.tsx';
import { t } from '../../text/text.ts';

type Service = Row<'serviceList'>;
const columns: readonly Column<Service>[] = [
  { label: t('Service'), isNumber: true, width: 1, cell: ({ id }) => id },
  {
    label: t('Hostname'),
    cell: ({ id, hostname, name }) => (
      <>
        <ServiceLink service={id}>{hostname}</ServiceLink>
        <Dimmed size="xs">{name}</Dimmed>
      </>
    ),
  },
  { label: t('Status'), cell: ({ status }) => <StateBadge state={status} /> },
  { label: t('Type'), cell: ({ type }) => serviceTypeLabels[type] },
  { label: t('IP address'), ff: 'monospace', cell: ({ ip }) => ip },
  {
    label: t('Device'),
    ff: 'monospace',
    cell: ({ server, vmid }) => <DeviceLink device={server === '' ? vmName(vmid) : server} />,
  },
];
const customerColumns: readonly Column<Service>[] = [
  ...columns,
  { label: t('Customer'), cell: ({ account }) => <CustomerLink account={account} /> },
];

export interface ServiceTableProps {
  readonly services: readonly Service[];
  readonly customerColumn: 'visible' | 'hidden';
}

export function ServiceTable({ services, customerColumn }: ServiceTableProps): JSX.Element {
  return (
    <TableCard
      label={t('Services')}
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
