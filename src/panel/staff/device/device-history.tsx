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
import { rich } from '../../text/rich.ts';
import { t } from '../../text/text.ts';

const workLength = 20;

export function DeviceFacts({ detail }: { detail: DeviceDetail }): JSX.Element {
  const { service, account, hostname, ip, model, node, rack, unit, firmware, lock } = detail;
  return (
    <Stack gap="sm">
      {lock.map(({ purpose, holder, until }) => (
        <Alert key={holder} color="blue" variant="light" title={t('In use: {purpose}', { purpose })}>
          <Dimmed size="xs">
            {rich('Held by {holder} until {time}, unless it is extended', { holder, time: <Timestamp at={until} /> })}
          </Dimmed>
        </Alert>
      ))}
      <Facts
        facts={[
          [t('Customer'), <CustomerLink key="customer" account={account} />],
          [t('Service'), <ServiceLink key="service" service={service} children={hostname} />],
          [t('IP address'), ip],
          [t('Model'), model],
          [t('Hypervisor'), node],
          [t('Position'), rack === '' ? '' : t('{rack}, unit {unit}', { rack, unit })],
          [t('Last seen'), <Timestamp key="seen" at={detail.seen} isRelative fallback={t('Never')} />],
          ...firmware.map(({ component, version }): [string, string] => [
            t('Firmware: {component}', { component }),
            version,
          ]),
        ]}
      />
    </Stack>
  );
}

type Tenant = DeviceDetail['tenants'][number];
const tenantColumns: readonly Column<Tenant>[] = [
  { label: t('Service'), cell: ({ service, hostname }) => <ServiceLink service={service} children={hostname} /> },
  { label: t('Customer'), cell: ({ account }) => <CustomerLink account={account} /> },
  { label: t('Until'), cell: ({ until }) => <Timestamp at={until} fallback={t('Now')} /> },
];
type Certificate = DeviceDetail['certificates'][number];
const certificateColumns: readonly Column<Certificate>[] = [
  { label: t('Issued'), cell: ({ issued }) => <Timestamp at={issued} /> },
  { label: t('After service'), cell: ({ formerservice }) => <ServiceLink service={formerservice} /> },
  { label: t('For service'), cell: ({ service }) => <ServiceLink service={service} /> },
];

export function DeviceHistory({ detail }: { detail: DeviceDetail }): JSX.Element {
  const { tenants, certificates, service } = detail;
  return (
    <Stack>
      <SectionCard title={t('Customers')}>
        {tenants.length === 0 && <Dimmed>{t('No customer has had this device')}</Dimmed>}
        {tenants.length > 0 && (
          <PlainTable
            label={t('Customers')}
            columns={tenantColumns}
            rows={tenants}
            rowKey={(row) => row.service}
            minWidth={320}
          />
        )}
      </SectionCard>
      <SectionCard title={t('Certificates')}>
        {certificates.length === 0 && <Dimmed>{t('No certificates')}</Dimmed>}
        {certificates.length > 0 && (
          <PlainTable
            label={t('Certificates')}
            columns={certificateColumns}
            rows={certificates}
            rowKey={(row) => row.id}
            minWidth={320}
          />
        )}
      </SectionCard>
      {service !== '' && (
        <SectionCard title={t('Work')}>
          <RecentWork limit={workLength} service={service} />
        </SectionCard>
      )}
    </Stack>
  );
}
