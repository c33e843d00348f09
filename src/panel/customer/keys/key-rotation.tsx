// A new secret for a key: its name, scopes and networks stay.
import type { JSX } from 'react';
import type { Key } from '#sdk/v2.ts';
import { useChange } from '../../data/read.ts';
import { RotateForm, type RotateFormProps } from '../../parts/rotate-form.tsx';

export function KeyRotation({ of, ...props }: Pick<RotateFormProps, 'close' | 'onMade'> & { of: Key }): JSX.Element {
  const change = useChange('keyUpdate', { changes: ['keyGet', 'auditGet'] });
  return (
    <RotateForm
      about="The key gets a new secret; its name, scopes and networks stay."
      label="The old secret works on for"
      rotate={async (overlap) => (await change.mutateAsync({ id: of.id, rotate: true, overlap })).key}
      {...props}
    />
  );
}
