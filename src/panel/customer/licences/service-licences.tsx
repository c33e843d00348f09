// The licences of one service.
import { Card, Group, Modal, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { JSX } from 'react';
import type { Device, LicenceDetail } from '#sdk/v2.ts';
import { useLegacyChange } from '../../data/legacy.ts';
import { useRead } from '../../data/operations.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { ActionButton, ConfirmButton } from '../../parts/action-button.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { Day, Money } from '../../parts/money.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { PlainTable } from '../../parts/table-card.tsx';
import { Icon } from '../../shell/icons.tsx';
import { OrderForm } from './order-form.tsx';
import { licenceName } from '../../parts/licence-name.ts';
import { licenceQueries, licenceServiceType } from './licence.ts';

const columns = [
  'Licence',
  'Status',
  'Since',
  'Until',
  { label: 'Monthly', isNumber: true },
  'Key',
  { label: 'Actions', width: 1 },
];

export function ServiceLicences({ device }: { device: Device }): JSX.Element {
  const [isOrdering, { open, close }] = useDisclosure(false);
  const scopeDenial = useScopeDenial();
  const licences = useRead('deviceLicenceList', { service: device.service });
  return (
    <Card component="section" aria-label={`Licences of ${device.hostname}`} padding={0}>
      <Group justify="space-between" p="md" gap="sm">
        <div>
          <Title order={2} size="h5">
            {device.hostname}
          </Title>
          <Text size="sm" c="dimmed">
            {device.name} · service {device.service}
          </Text>
        </div>
        <ActionButton
          size="xs"
          variant="default"
          leftSection={<Icon name="plus" size={16} />}
          disabledReason={scopeDenial('software:order')}
          onClick={open}
          aria-label={`Order licence for ${device.hostname}`}
        >
          Order licence
        </ActionButton>
      </Group>
      <QueryResult query={licences} lines={1}>
        {(all) =>
          all.length === 0 ? (
            <Text size="sm" c="dimmed" px="md" pb="md">
              No licences
            </Text>
          ) : (
            <PlainTable label={`Licences of ${device.hostname}`} columns={columns} minWidth={820}>
              {all.map((licence) => (
                <Row key={licence.orderid} licence={licence} device={device} />
              ))}
            </PlainTable>
          )
        }
      </QueryResult>
      <Modal
        opened={isOrdering}
        onClose={close}
        title={`Order a licence for ${device.hostname}`}
        closeOnClickOutside={false}
      >
        {isOrdering && <OrderForm device={device} close={close} />}
      </Modal>
    </Card>
  );
}

function Row({ licence, device }: { licence: LicenceDetail; device: Device }): JSX.Element {
  const scopeDenial = useScopeDenial();
  const name = licenceName(licence.license);
  const cancel = useLegacyChange('softwareCancel', {
    successMessage: `${name} cancelled`,
    invalidates: licenceQueries,
  });
  const inactiveReason = ['Cancelled', 'Ended'].includes(licence.status)
    ? `The licence is ${licence.status.toLowerCase()}.`
    : undefined;
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600}>
          {name}
        </Text>
      </Table.Td>
      <Table.Td>
        <StateBadge state={licence.status} />
      </Table.Td>
      <Table.Td>
        <Day on={licence.since} />
      </Table.Td>
      <Table.Td>
        <Day on={licence.until} />
      </Table.Td>
      <Table.Td ta="right">
        <Money amount={licence.price} />
      </Table.Td>
      <Table.Td>
        {licence.key === '' ? (
          <Text size="sm" c="dimmed">
            {licence.status === 'Pending' ? 'Awaiting delivery' : '—'}
          </Text>
        ) : (
          <Text size="sm" ff="monospace" className="wrap-anywhere">
            {licence.key}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <ConfirmButton
          size="compact-sm"
          variant="light"
          color="red"
          disabledReason={scopeDenial('software:order') ?? inactiveReason}
          aria-label={`Cancel ${name} of ${device.hostname}`}
          question={`Cancel ${name} of ${device.hostname}?`}
          consequence="The licence works until the end of the paid month and is not renewed."
          confirmLabel="Cancel licence"
          onConfirm={() =>
            cancel.mutateAsync({ service: device.service, type: licenceServiceType(device), license: licence.license })
          }
        >
          Cancel
        </ConfirmButton>
      </Table.Td>
    </Table.Tr>
  );
}
