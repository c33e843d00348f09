// A name for an address that is not listed: of an IPv6 network only the named ones are.
import { Checkbox, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useChange } from '../data/read.ts';
import { useFields } from './fields.ts';
import { Form } from './form.tsx';

export function ReverseNew({ close }: { close: () => void }): JSX.Element {
  const fields = useFields({ ip: '', record: '' });
  const [isForward, setForward] = useState(false);
  const set = useChange('reverseSet', {
    done: 'Reverse name set.',
    changes: ['reverseList', 'netblockList', 'recordList'],
  });
  return (
    <Form
      fields={fields}
      label="Set the name"
      cancel={close}
      send={async () => {
        const { ip, record } = fields.values;
        await set.mutateAsync({ ip: ip.trim(), record: record.trim(), ...(isForward ? { forward: true } : {}) });
        close();
      }}
    >
      <TextInput
        label="Address"
        description="Of a network that is assigned to you"
        placeholder="2001:db8:1::25"
        required
        withAsterisk={false}
        data-autofocus
        spellCheck={false}
        autoComplete="off"
        {...fields.input('ip')}
      />
      <TextInput
        label="Reverse name"
        placeholder="mail.example.net"
        required
        withAsterisk={false}
        spellCheck={false}
        autoComplete="off"
        {...fields.input('record')}
      />
      <Checkbox
        label="Also make the AAAA record of this name, in your own zone"
        checked={isForward}
        onChange={(event) => setForward(event.currentTarget.checked)}
      />
    </Form>
  );
}
