// Null-routing an address of one's own, with what that means before it is done.
import { Autocomplete, Modal, Select, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import type { JSX } from 'react';
import { HostyardError } from '#sdk/v2.ts';
import { useLegacyChange } from '../../data/legacy.ts';
import { useRead } from '../../data/read.ts';
import { useRefusal } from '../../data/who.ts';
import { Act } from '../../parts/act.tsx';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';
import { Icon } from '../../shell/icons.tsx';
import { nullroutesStale, type NullrouteServer } from './nullroute.ts';

export function NullrouteButton({ servers }: { servers: readonly NullrouteServer[] }): JSX.Element {
  const [isOpen, { open, close }] = useDisclosure(false);
  const refusal = useRefusal();
  const reason = servers.length === 0 ? 'Only addresses of dedicated servers can be null-routed.' : undefined;
  return (
    <>
      <Act
        size="xs"
        variant="default"
        leftSection={<Icon name="shield" size={16} />}
        reason={reason ?? refusal('network:write')}
        onClick={open}
      >
        Null-route an address
      </Act>
      <Modal opened={isOpen} onClose={close} title="Null-route an address" centered>
        <NullrouteForm servers={servers} close={close} />
      </Modal>
    </>
  );
}

const shownAddresses = 20;

function NullrouteForm({ servers, close }: { servers: readonly NullrouteServer[]; close: () => void }): JSX.Element {
  const fields = useFields({ server: servers[0]!.server, ip: '' });
  const { server, ip } = fields.values;
  const chosen = servers.find((each) => each.server === server)!;
  const addresses = useRead('netblockList', { service: chosen.service });
  const add = useLegacyChange('nullrouteSet', { changes: nullroutesStale });
  const send = async (): Promise<void> => {
    const answer = await add.mutateAsync({ server, ip: ip.trim(), action: 'add' }).catch((error: unknown) => {
      const isNotIts = error instanceof HostyardError && error.status === 404;
      throw isNotIts ? new Error(`${ip.trim()} is not an address of ${chosen.hostname}.`) : error;
    });
    const isDone = answer === 'Null-routed';
    const message = isDone
      ? `${ip.trim()} is null-routed.`
      : `The router does not answer now. ${ip.trim()} is null-routed as soon as it does.`;
    notifications.show({ message, color: isDone ? 'teal' : 'orange' });
    close();
  };
  return (
    <Form
      fields={fields}
      label="Null-route it"
      cancel={close}
      reason={ip.trim() === '' ? 'Which address?' : undefined}
      send={send}
    >
      <Text size="sm">
        Everything that is sent to the address is dropped in the provider’s network. An attack on it no longer reaches
        your server, and neither does anything else, until you lift it.
      </Text>
      {servers.length > 1 && (
        <Select
          label="Server"
          allowDeselect={false}
          data={servers.map((each) => ({ value: each.server, label: each.hostname }))}
          value={server}
          onChange={(next) => next !== null && fields.set({ server: next, ip: '' })}
        />
      )}
      <Autocomplete
        label="Address"
        required
        autoComplete="off"
        data-autofocus
        data={Object.keys(addresses.data ?? {})}
        limit={shownAddresses}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={ip}
        error={fields.errorOf('ip')}
        onChange={(next) => fields.set({ ip: next })}
      />
    </Form>
  );
}
