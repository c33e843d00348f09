// What is recorded about a device: place, customers, certificates, work, and what uses it now.
import { Alert, Stack } from '@mantine/core';
import type { JSX } from 'react';
import { SectionCard } from '../../customer/server/section-card.tsx';
import { Dimmed } from '../../parts/dimmed.tsx';
import { Facts } from '../../parts/facts.tsx';
import { PlainTable, type Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import type { DeviceDetail } from './device-detail.ts';
import { CustomerLink, ServiceLink } from '../parts/links.tsx';
import { RecentWork } from '../parts/recent-work.tsx';

const workLength = 20;

export function DeviceFacts({ detail }: { detail: DeviceDetail }): JSX.Element {
  const { service, account, hostname, ip, model, node, rack, unit, firmware, lock } = detail;
  return (
    <Stack gap="sm">
      {lock.map(({ purpose, holder, until }) => (
        <Alert key={holder} color="blue" variant="light" title={`In use: ${purpose}`}>
          <Dimmed size="xs">
            Held by {holder} until <Timestamp at={until} />, unless it is extended
          </Dimmed>
        </Alert>
      ))}
      <Facts
        facts={[
          ['Customer', <CustomerLink key="customer" account={account} />],
          ['Service', <ServiceLink key="service" service={service} children={hostname} />],
          ['IP address', ip],
          ['Model', model],
          ['Node', node],
          ['Position', rack === '' ? '' : `${rack}, unit ${unit}`],
          ['Last seen', <Timestamp key="seen" at={detail.seen} isRelative fallback="Never" />],
          ...firmware.map(({ component, version }): [string, string] => [`Firmware: ${component}`, version]),
        ]}
      />
    </Stack>
  );
}

type Tenant = DeviceDetail['tenants'][number];
const tenantColumns: readonly Column<Tenant>[] = [
  { label: 'Service', cell: ({ service, hostname }) => <ServiceLink service={service} children={hostname} /> },
  { label: 'Customer', cell: ({ account }) => <CustomerLink account={account} /> },
  { label: 'Until', cell: ({ until }) => <Timestamp at={until} fallback="Now" /> },
];
type Certificate = DeviceDetail['certificates'][number];
const certificateColumns: readonly Column<Certificate>[] = [
  { label: 'Issued', cell: ({ issued }) => <Timestamp at={issued} /> },
  { label: 'After service', cell: ({ formerservice }) => <ServiceLink service={formerservice} /> },
  { label: 'For service', cell: ({ service }) => <ServiceLink service={service} /> },
];

export function DeviceHistory({ detail }: { detail: DeviceDetail }): JSX.Element {
  const { tenants, certificates, service } = detail;
  return (
    <Stack>
      <SectionCard title="Customers">
        {tenants.length === 0 && <Dimmed>No customer has had this device</Dimmed>}
        {tenants.length > 0 && (
          <PlainTable
            label="Customers"
            columns={tenantColumns}
            rows={tenants}
            rowKey={(row) => row.service}
            minWidth={320}
          />
        )}
      </SectionCard>
      <SectionCard title="Certificates">
        {certificates.length === 0 && <Dimmed>No certificates</Dimmed>}
        {certificates.length > 0 && (
          <PlainTable
            label="Certificates"
            columns={certificateColumns}
            rows={certificates}
            rowKey={(row) => row.id}
            minWidth={320}
          />
        )}
      </SectionCard>
      {service !== '' && (
        <SectionCard title="Work">
          <RecentWork limit={workLength} service={service} />
        </SectionCard>
      )}
    </Stack>
  );
}
