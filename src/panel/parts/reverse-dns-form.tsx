// Sets the reverse DNS of an IPv6 address that is not listed yet.
import { Checkbox, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import { useChange } from '../data/operations.ts';
import { useFormFields } from './form-fields.ts';
import { Form } from './form.tsx';
import { t } from '../text/text.ts';

export function ReverseDnsForm({ close }: { close: () => void }): JSX.Element {
  const fields = useFormFields({ ip: '', record: '' });
  const [isForward, setForward] = useState(false);
  const set = useChange('reverseSet', {
    successMessage: t('Reverse DNS saved'),
    invalidates: ['reverseList', 'netblockList', 'recordList'],
  });
  return (
    <Form
      fields={fields}
      submitLabel={t('Save')}
      close={close}
      onSubmit={async () => {
        const { ip, record } = fields.values;
        await set.mutateAsync({ ip: ip.trim(), record: record.trim(), ...(isForward ? { forward: true } : {}) });
      }}
    >
      <TextInput
        label={t('Address')}
        description={t('In one of your IPv6 networks')}
        placeholder="2001:db8:1::25"
        required
        withAsterisk={false}
        data-autofocus
        spellCheck={false}
        autoComplete="off"
        {...fields.input('ip')}
      />
      <TextInput
        label={t('Hostname')}
        placeholder="mail.example.net"
        required
        withAsterisk={false}
        spellCheck={false}
        autoComplete="off"
        {...fields.input('record')}
      />
      <Checkbox
        label={t('Also create the AAAA record in your zone')}
        checked={isForward}
        onChange={(event) => setForward(event.currentTarget.checked)}
      />
    </Form>
  );
}
