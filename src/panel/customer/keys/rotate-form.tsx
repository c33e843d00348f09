// A new secret for a key that stays what it is. The old one works on for a while, so that no program stands still meanwhile.
import { Text } from '@mantine/core';
import type { JSX } from 'react';
import type { Key } from '#sdk/v2.ts';
import { useChange } from '../../data/read.ts';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';
import { OverlapSelect } from '../../parts/overlap-select.tsx';

export interface RotateFormProps {
  readonly of: Key;
  readonly close: () => void;
  readonly onMade: (secret: string) => void;
}

export function RotateForm({ of, close, onMade }: RotateFormProps): JSX.Element {
  const fields = useFields({ overlap: '86400' });
  const rotate = useChange('keyUpdate', { changes: ['keyGet', 'auditGet'] });
  const send = async (): Promise<void> => {
    const { key } = await rotate.mutateAsync({ id: of.id, rotate: true, overlap: Number(fields.values.overlap) });
    onMade(key);
  };
  return (
    <Form fields={fields} label="Rotate" cancel={close} send={send}>
      <Text size="sm">The key gets a new secret; its name, scopes and networks stay.</Text>
      <OverlapSelect label="The old secret works on for" fields={fields} />
    </Form>
  );
}
