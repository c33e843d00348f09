// Null-routes one of the customer's own IP addresses, after explaining what that means.
import { Autocomplete, Select, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { JSX } from 'react';
import { HostyardError } from '#sdk/v2.ts';
import { useLegacyChange } from '../../data/legacy.ts';
import { useRead } from '../../data/operations.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { nullrouteQueries, type NullrouteServer } from './nullroute.ts';
import { t } from '../../text/text.ts';

export function NullrouteButton({ servers }: { servers: readonly NullrouteServer[] }): JSX.Element {
  const scopeDenial = useScopeDenial();
  const reason = servers.length === 0 ? t('Only IP addresses of dedicated servers can be null-routed.') : undefined;
  return (
    <FormButton
      size="xs"
      variant="default"
      icon="shield"
      title={t('Add null route')}
      disabledReason={reason ?? scopeDenial('network:write')}
      form={(close) => <NullrouteForm servers={servers} close={close} />}
    />
  );
}

const maxSuggestions = 20;

function NullrouteForm({ servers, close }: { servers: readonly NullrouteServer[]; close: () => void }): JSX.Element {
  const fields = useFormFields({ server: servers[0]!.server, ip: '' });
  const { server, ip } = fields.values;
  const selected = servers.find((candidate) => candidate.server === server)!;
  const addresses = useRead('netblockList', { service: selected.service });
  const add = useLegacyChange('nullrouteSet', { invalidates: nullrouteQueries });
  const send = async (): Promise<void> => {
    const result = await add.mutateAsync({ server, ip: ip.trim(), action: 'add' }).catch((error: unknown) => {
      const isForeignAddress = error instanceof HostyardError && error.status === 404;
      throw isForeignAddress
        ? new Error(t('{ip} is not assigned to {hostname}.', { ip: ip.trim(), hostname: selected.hostname }))
        : error;
    });
    const isDone = result === 'Null-routed';
    const message = isDone
      ? t('{ip} null-routed', { ip: ip.trim() })
      : t('The router is not responding. {ip} will be null-routed as soon as it does.', { ip: ip.trim() });
    notifications.show({ message, color: isDone ? 'teal' : 'orange' });
  };
  return (
    <Form
      fields={fields}
      submitLabel={t('Add null route')}
      close={close}
      disabledReason={ip.trim() === '' ? t('Enter an IP address first.') : undefined}
      onSubmit={send}
    >
      <Text size="sm">
        {t(
          'All traffic to the address is dropped in our network. An attack no longer reaches your server, and neither does any other traffic, until you remove the null route.',
        )}
      </Text>
      {servers.length > 1 && (
        <Select
          label={t('Server')}
          allowDeselect={false}
          data={servers.map((option) => ({ value: option.server, label: option.hostname }))}
          value={server}
          onChange={(next) => next !== null && fields.set({ server: next, ip: '' })}
        />
      )}
      <Autocomplete
        label={t('IP address')}
        required
        autoComplete="off"
        data-autofocus
        data={Object.keys(addresses.data ?? {}).filter((address) => !address.includes('/'))}
        limit={maxSuggestions}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={ip}
        error={fields.errorOf('ip')}
        onChange={(next) => fields.set({ ip: next })}
      />
    </Form>
  );
}
