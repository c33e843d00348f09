// Signs in as a customer, in this tab, and opens their overview.
import { Select, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useStaffChange } from '../../data/operations.ts';
import { queryClient } from '../../data/query-client.ts';
import { signInWithKey } from '../../data/session.ts';
import { ReasonInput } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { t } from '../../text/text.ts';

export function ImpersonationForm({ account, close }: { account: string; close: () => void }): JSX.Element {
  const fields = useFormFields({ reason: '', minutes: '30' });
  const start = useStaffChange('impersonationStart');
  const navigate = useNavigate();
  const send = async (): Promise<void> => {
    const { reason, minutes } = fields.values;
    const { key } = await start.mutateAsync({ account, reason: reason.trim(), minutes: Number(minutes) });
    await signInWithKey(key);
    queryClient.removeQueries({ queryKey: ['customer'] });
    await navigate({ to: '/' });
  };
  return (
    <Form fields={fields} submitLabel={t('View as customer')} onSubmit={send} onCancel={close}>
      <Text size="sm">
        {t(
          'You see the panel as the customer does, without consoles and licence keys, and cannot change anything. The customer sees your name and the reason, and can end it at any time.',
        )}
      </Text>
      <ReasonInput {...fields.input('reason')} />
      <Select
        label={t('Duration')}
        data={['15', '30', '60'].map((value) => ({ value, label: t('{count} minutes', { count: value }) }))}
        value={fields.values.minutes}
        allowDeselect={false}
        onChange={(minutes) => fields.set({ minutes: minutes! })}
        error={fields.errorOf('minutes')}
      />
    </Form>
  );
}
