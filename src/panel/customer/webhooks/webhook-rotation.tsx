// A new secret for a webhook. For a while both sign, so that a receiver can change over without losing an event.
import type { JSX } from 'react';
import type { Webhook } from '#sdk/v2.ts';
import { useChange } from '../../data/read.ts';
import { RotateForm, type RotateFormProps } from '../../parts/rotate-form.tsx';

type WebhookRotationProps = Pick<RotateFormProps, 'close' | 'onMade'> & { of: Webhook };

export function WebhookRotation({ of, ...props }: WebhookRotationProps): JSX.Element {
  const change = useChange('webhookUpdate', { changes: ['webhookGet'] });
  return (
    <RotateForm
      about={`What is sent to ${of.url} is signed with a new secret from now on.`}
      label="The old secret signs too for"
      rotate={async (overlap) => (await change.mutateAsync({ id: of.id, rotate: true, overlap })).secret}
      {...props}
    />
  );
}
