// The host name of a server.
import { TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { useChange } from '../../data/read.ts';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';
import { useDeviceRefusal, type ShownDevice } from './device.ts';
import { PartCard } from './part-card.tsx';

export function NameCard({ shown }: { shown: ShownDevice }): JSX.Element {
  const { device } = shown;
  const refused = useDeviceRefusal()(shown, 'device:write');
  const fields = useFields({ hostname: device.hostname });
  const change = useChange('deviceHostnameSet', { done: 'The host name is changed.' });
  const isSame = fields.values.hostname === device.hostname;
  return (
    <PartCard title="Host name">
      <Form
        fields={fields}
        label="Change host name"
        reason={refused ?? (isSame ? 'That is its name already.' : undefined)}
        send={() => change.mutateAsync({ service: device.service, hostname: fields.values.hostname.trim() })}
      >
        <TextInput
          label="Host name"
          description="As the server is listed, and as it calls itself after its next installation"
          autoComplete="off"
          spellCheck={false}
          {...fields.input('hostname')}
        />
      </Form>
    </PartCard>
  );
}
