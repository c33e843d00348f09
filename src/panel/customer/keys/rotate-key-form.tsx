// Rotates the secret of an API key.
import type { JSX } from 'react';
import type { Key } from '#sdk/v2.ts';
import { useChange } from '../../data/operations.ts';
import { RotateForm, type RotateFormProps } from '../../parts/rotate-form.tsx';

export function RotateKeyForm({
  item,
  ...props
}: Pick<RotateFormProps, 'close' | 'onCreated'> & { item: Key }): JSX.Element {
  const change = useChange('keyUpdate', { invalidates: ['keyGet', 'auditGet'] });
  return (
    <RotateForm
      description="Replaces the secret. Name, permissions and allowed networks stay the same."
      label="Old secret stays valid for"
      rotate={async (overlap) => (await change.mutateAsync({ id: item.id, rotate: true, overlap })).key}
      {...props}
    />
  );
}
