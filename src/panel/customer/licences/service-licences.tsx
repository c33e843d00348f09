// The licences of one service.
import { Card, Group, Text, Title } from '@mantine/core';
import type { JSX } from 'react';
import type { Device, LicenceDetail } from '#sdk/v2.ts';
import { useLegacyChange } from '../../data/legacy.ts';
import { useRead } from '../../data/operations.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { DangerButton } from '../../parts/confirm-button.tsx';
import { Dimmed } from '../../parts/dimmed.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { Day, Money } from '../../parts/money.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { PlainTable, type Column } from '../../parts/table-card.tsx';
import { licenceQueries, OrderForm } from './order-form.tsx';
import { licenceLabel, licenceType } from '#contract/licence-name.ts';
import { t } from '../../text/text.ts';

const columns: readonly Column<LicenceDetail>[] = [
  { label: t('Licence'), fw: 600, cell: licenceLabel },
  { label: t('Status'), cell: ({ status }) => <StateBadge state={status} of="licence" /> },
  { label: t('Since'), cell: ({ since }) => <Day on={since} /> },
  { label: t('Until'), cell: ({ until }) => <Day on={until} /> },
  { label: t('Monthly'), isNumber: true, cell: ({ price }) => <Money amount={price} /> },
  { label: t('Key'), cell: (licence) => <LicenceKey licence={licence} /> },
];

export function ServiceLicences({ device }: { device: Device }): JSX.Element {
  const scopeDenial = useScopeDenial();
  const licences = useRead('deviceLicenceList', { service: device.service });
  const cancelColumn: Column<LicenceDetail> = {
    label: t('Actions'),
    width: 1,
    cell: (licence) => <CancelButton licence={licence} device={device} />,
  };
  return (
    <Card component="section" aria-label={t('Licences of {hostname}', { hostname: device.hostname })} padding={0}>
      <Group justify="space-between" p="md" gap="sm">
        <div>
          <Title order={2} size="h5">
            {device.hostname}
          </Title>
          <Dimmed>
            {device.name} · {t('service {service}', { service: device.service })}
          </Dimmed>
        </div>
        <FormButton
          size="xs"
          variant="default"
          icon="plus"
          title={t('Order licence for {hostname}', { hostname: device.hostname })}
          disabledReason={scopeDenial('software:order')}
          form={(close) => <OrderForm device={device} close={close} />}
          aria-label={t('Order licence for {hostname}', { hostname: device.hostname })}
        >
          {t('Order licence')}
        </FormButton>
      </Group>
      <QueryResult query={licences} lines={1} empty={noLicences}>
        {(all) => (
          <PlainTable
            label={t('Licences of {hostname}', { hostname: device.hostname })}
            columns={[...columns, cancelColumn]}
            rows={all}
            rowKey={({ orderid }) => orderid}
            minWidth={820}
          />
        )}
      </QueryResult>
    </Card>
  );
}

const noLicences = (
  <Dimmed px="md" pb="md">
    {t('No licences')}
  </Dimmed>
);

function LicenceKey({ licence: { key, status } }: { licence: LicenceDetail }): JSX.Element {
  if (key === '') return <Dimmed>{status === 'Pending' ? t('Awaiting delivery') : '—'}</Dimmed>;
  return (
    <Text size="sm" ff="monospace" className="wrap-anywhere">
      {key}
    </Text>
  );
}

function CancelButton({ licence, device }: { licence: LicenceDetail; device: Device }): JSX.Element {
  const scopeDenial = useScopeDenial();
  const name = licenceLabel(licence);
  const cancel = useLegacyChange('softwareCancel', {
    successMessage: t('{name} cancelled', { name }),
    invalidates: licenceQueries,
  });
  const inactiveReasons: Readonly<Record<string, string>> = {
    Cancelled: t('The licence is cancelled.'),
    Ended: t('The licence has ended.'),
  };
  return (
    <DangerButton
      disabledReason={scopeDenial('software:order') ?? inactiveReasons[licence.status]}
      aria-label={t('Cancel {name} of {hostname}', { name, hostname: device.hostname })}
      question={t('Cancel {name} of {hostname}?', { name, hostname: device.hostname })}
      consequence={
        licence.status === 'Pending'
          ? t('The order ends now, and its invoice is cancelled or credited.')
          : t('The licence works until the end of the paid month and is not renewed.')
      }
      confirmLabel={t('Cancel licence')}
      dismissLabel={t('Keep licence')}
      onConfirm={() =>
        cancel.mutateAsync({ service: device.service, type: licenceType(device), license: licence.license })
      }
    >
      {t('Cancel')}
    </DangerButton>
  );
}
