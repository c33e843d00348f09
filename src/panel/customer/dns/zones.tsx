// DNS: the zones of the account, and the reverse names of its addresses.
import { Button, Modal, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useState, type JSX } from 'react';
import { useChange, useRead } from '../../data/read.ts';
import { useRefusal } from '../../data/who.ts';
import { Act } from '../../parts/act.tsx';
import { Answer, Empty } from '../../parts/answer.tsx';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';
import { Page } from '../../parts/page.tsx';
import { PlaceTabs } from '../../parts/place-tabs.tsx';
import { ReverseNames } from '../../parts/reverse-names.tsx';
import { Icon } from '../../shell/icons.tsx';
import { ZoneList } from './zone-list.tsx';

export function ZonesPage(): JSX.Element {
  const refusal = useRefusal()('dns:write');
  const [isAdding, { open, close }] = useDisclosure(false);
  useHotkeys([['n', () => refusal === undefined && open()]]);
  return (
    <Page
      title="DNS"
      about="Your zones, and the names of your addresses."
      actions={
        <Act leftSection={<Icon name="plus" size={16} />} reason={refusal} onClick={open}>
          New zone
        </Act>
      }
    >
      <PlaceTabs
        label="Parts of DNS"
        tabs={[
          { id: 'zones', label: 'Zones', content: () => <Zones onAdd={refusal === undefined ? open : undefined} /> },
          { id: 'reverse', label: 'Reverse names', content: () => <Reverse /> },
        ]}
      />
      <Modal opened={isAdding} onClose={close} title="New zone" centered>
        <ZoneAdd close={close} />
      </Modal>
    </Page>
  );
}

function Zones({ onAdd }: { onAdd: (() => void) | undefined }): JSX.Element {
  const zones = useRead('zoneList', {});
  return (
    <Answer of={zones} lines={8}>
      {(found) =>
        found.length > 0 ? (
          <ZoneList zones={found} />
        ) : (
          <Empty icon="dns" title="No zones yet">
            <Stack gap="sm" align="center">
              Add the zone of a domain of yours, then point the domain to our name servers at its registrar.
              {onAdd !== undefined && (
                <Button variant="light" onClick={onAdd}>
                  Add the first zone
                </Button>
              )}
            </Stack>
          </Empty>
        )
      }
    </Answer>
  );
}

function ZoneAdd({ close }: { close: () => void }): JSX.Element {
  const fields = useFields({ domain: '' });
  const create = useChange('zoneCreate', { changes: ['zoneList'] });
  const navigate = useNavigate();
  return (
    <Form
      fields={fields}
      label="Add the zone"
      cancel={close}
      send={async () => {
        const domain = await create.mutateAsync({ domain: fields.values.domain.trim() });
        close();
        await navigate({ to: '/dns/$domain', params: { domain } });
      }}
    >
      <TextInput
        label="Domain"
        description="It begins with its SOA and our name servers."
        placeholder="example.net"
        required
        withAsterisk={false}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        {...fields.input('domain')}
      />
    </Form>
  );
}

function Reverse(): JSX.Element {
  const refusal = useRefusal()('device:read');
  const [service, setService] = useState('');
  const devices = useRead('deviceList', {}, { enabled: refusal === undefined });
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        What an address is called when somebody looks it up. Mail servers ask for it.
      </Text>
      {devices.data !== undefined && (
        <NativeSelect
          label="Server"
          maw={420}
          value={service}
          onChange={(event) => setService(event.currentTarget.value)}
          data={[
            { value: '', label: 'All servers' },
            ...devices.data.map((device) => ({
              value: String(device.service),
              label: `${device.hostname} (service ${device.service})`,
            })),
          ]}
        />
      )}
      <ReverseNames key={service} service={service === '' ? undefined : service} abovePx={410} />
    </Stack>
  );
}
