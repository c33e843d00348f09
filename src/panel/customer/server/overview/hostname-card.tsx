// Changes the hostname of a server.
import { TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { useChange } from '../../../data/operations.ts';
import { useFormFields } from '../../../parts/form-fields.ts';
import { Form } from '../../../parts/form.tsx';
import { useUnavailableReason, type ServerInfo } from '../device.ts';
import { SectionCard } from '../section-card.tsx';

export function HostnameCard({ server }: { server: ServerInfo }): JSX.Element {
  const { device } = server;
  const unavailableReason = useUnavailableReason()(server, 'device:write');
  const fields = useFormFields({ hostname: device.hostname });
  const change = useChange('deviceHostnameSet', { successMessage: 'Hostname changed' });
  const isSame = fields.values.hostname === device.hostname;
  return (
    <SectionCard title="Hostname">
      <Form
        fields={fields}
        submitLabel="Change hostname"
        disabledReason={unavailableReason ?? (isSame ? 'The hostname is unchanged.' : undefined)}
        onSubmit={() => change.mutateAsync({ service: device.service, hostname: fields.values.hostname.trim() })}
      >
        <TextInput
          label="Hostname"
          description="Shown in the panel. The server itself picks it up at the next reinstall."
          autoComplete="off"
          spellCheck={false}
          {...fields.input('hostname')}
        />
      </Form>
    </SectionCard>
  );
}
