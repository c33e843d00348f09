// Rotates the secret of a webhook. Both secrets sign for a while, so that the receiver can switch over without losing
// an event.
import type { JSX } from 'react';
import type { Webhook } from '#sdk/v2.ts';
import { useChange } from '../../data/operations.ts';
import { RotateForm, type RotateFormProps } from '../../parts/rotate-form.tsx';

type RotateSecretFormProps = Pick<RotateFormProps, 'close' | 'onCreated'> & { item: Webhook };

export function RotateSecretForm({ item, ...props }: RotateSecretFormProps): JSX.Element {
  const change = useChange('webhookUpdate', { invalidates: ['webhookGet'] });
  return (
    <RotateForm
      description={`Events for ${item.url} are signed with a new secret from now on.`}
      label="Old secret also signs for"
      rotate={async (overlap) => (await change.mutateAsync({ id: item.id, rotate: true, overlap })).secret}
      {...props}
    />
  );
}
