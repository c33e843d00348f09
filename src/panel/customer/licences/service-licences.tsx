// The licences of one service.
import { Card, Group, Modal, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { JSX } from 'react';
import type { Device, LicenceDetail } from '#sdk/v2.ts';
import { useLegacyChange } from '../../data/legacy.ts';
import { useRead } from '../../data/read.ts';
import { useRefusal } from '../../data/who.ts';
import { Act, AskFirst } from '../../parts/act.tsx';
import { Answer } from '../../parts/answer.tsx';
import { Day, Money } from '../../parts/money.tsx';
import { StateBadge } from '../../parts/state.tsx';
import { PlainTable } from '../../parts/table-card.tsx';
import { Icon } from '../../shell/icons.tsx';
import { OrderForm } from './order-form.tsx';
import { changes, licenceName, typeOf } from './licence.ts';

const columns = [
  'Licence',
  'State',
  'Since',
  'Until',
  { label: 'A month', isNumber: true },
  'Key',
  { label: 'Actions', width: 1 },
];

export function ServiceLicences({ of: device }: { of: Device }): JSX.Element {
  const [isOrdering, { open, close }] = useDisclosure(false);
  const refusal = useRefusal();
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
        <Act
          size="xs"
          variant="default"
          leftSection={<Icon name="plus" size={16} />}
          reason={refusal('software:order')}
          onClick={open}
          aria-label={`Order a licence for ${device.hostname}`}
        >
          Order a licence
        </Act>
      </Group>
      <Answer of={licences} lines={1}>
        {(all) =>
          all.length === 0 ? (
            <Text size="sm" c="dimmed" px="md" pb="md">
              No licences.
            </Text>
          ) : (
            <PlainTable label={`Licences of ${device.hostname}`} columns={columns} minWidth={820}>
              {all.map((licence) => (
                <Row key={licence.orderid} of={licence} device={device} />
              ))}
            </PlainTable>
          )
        }
      </Answer>
      <Modal opened={isOrdering} onClose={close} title={`A licence for ${device.hostname}`} closeOnClickOutside={false}>
        {isOrdering && <OrderForm device={device} close={close} />}
      </Modal>
    </Card>
  );
}

function Row({ of: licence, device }: { of: LicenceDetail; device: Device }): JSX.Element {
  const refusal = useRefusal();
  const name = licenceName(licence.license);
  const cancel = useLegacyChange('softwareCancel', { done: `${name} is cancelled.`, changes });
  const over = ['Cancelled', 'Ended'].includes(licence.status) ? `It is ${licence.status.toLowerCase()}.` : undefined;
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" ff="monospace">
          {licence.license}
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
            {licence.status === 'Pending' ? 'On its way' : '—'}
          </Text>
        ) : (
          <Text size="sm" ff="monospace" className="wrap-anywhere">
            {licence.key}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <AskFirst
          size="compact-sm"
          variant="light"
          color="red"
          reason={refusal('software:order') ?? over}
          aria-label={`Cancel ${name} of ${device.hostname}`}
          question={`Cancel ${name} of ${device.hostname}?`}
          consequence="It works on until the end of the month that is paid for, and is not billed again."
          yes="Cancel the licence"
          act={() => cancel.mutateAsync({ service: device.service, type: typeOf(device), license: licence.license })}
        >
          Cancel
        </AskFirst>
      </Table.Td>
    </Table.Tr>
  );
}
