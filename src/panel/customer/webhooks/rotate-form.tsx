// A new secret for a webhook. For a while both sign, so that a receiver can change over without losing an event.
import { Text } from '@mantine/core';
import type { JSX } from 'react';
import type { Webhook } from '#sdk/v2.ts';
import { useChange } from '../../data/read.ts';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';
import { OverlapSelect } from '../../parts/overlap-select.tsx';

export interface RotateFormProps {
  readonly of: Webhook;
  readonly close: () => void;
  readonly onMade: (secret: string) => void;
}

export function RotateForm({ of, close, onMade }: RotateFormProps): JSX.Element {
  const fields = useFields({ overlap: '86400' });
  const rotate = useChange('webhookUpdate', { changes: ['webhookGet'] });
  const send = async (): Promise<void> => {
    const { secret } = await rotate.mutateAsync({ id: of.id, rotate: true, overlap: Number(fields.values.overlap) });
    onMade(secret);
  };
  return (
    <Form fields={fields} label="Rotate" cancel={close} send={send}>
      <Text size="sm" className="wrap-anywhere">
        What is sent to {of.url} is signed with a new secret from now on.
      </Text>
      <OverlapSelect label="The old secret signs too for" fields={fields} />
    </Form>
  );
}
