// Creates recovery codes, which replace the code of the authenticator app once each, and shows how many are left.
import { Text } from '@mantine/core';
import type { JSX } from 'react';
import { useChange } from '../../data/operations.ts';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { NewSecret } from '../../parts/new-secret.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { t } from '../../text/text.ts';
import { ProofFields, proofValues, useProof } from './proof-fields.tsx';
import { SignInMethodCard } from './sign-in-method-card.tsx';

export interface RecoveryCodesCardProps {
  readonly left: number;
  readonly hasApp: boolean;
  readonly reason: string | undefined;
}

export function RecoveryCodesCard({ left, hasApp, reason }: RecoveryCodesCardProps): JSX.Element {
  return (
    <SignInMethodCard
      title={t('Recovery codes')}
      description={t('Use one in place of an authenticator code if you lose your phone. Each code works once.')}
      state={
        <StateBadge
          state={left === 0 ? 'None' : 'Left'}
          label={left === 0 ? t('None') : t('{count} left', { count: left })}
        />
      }
      action={
        <FormButton
          variant="default"
          title={t('Create recovery codes')}
          disabledReason={reason ?? (hasApp ? undefined : t('Set up an authenticator app first.'))}
          form={(close) => <CreateForm hasEarlier={left > 0} close={close} />}
        />
      }
    />
  );
}

function CreateForm({ hasEarlier, close }: { hasEarlier: boolean; close: () => void }): JSX.Element {
  const fields = useFormFields(proofValues);
  const proof = useProof(fields);
  const create = useChange('recoveryCodesCreate', { invalidates: ['sessionGet'] });
  if (create.data !== undefined)
    return (
      <NewSecret label={t('Recovery codes')} secret={create.data.codes.join('\n')} onDone={close}>
        <Text size="sm">
          {t('Keep them where you can reach them without your phone, such as in a password manager.')}
        </Text>
      </NewSecret>
    );
  return (
    <Form
      fields={fields}
      submitLabel={t('Create')}
      onCancel={close}
      onSubmit={async () => create.mutateAsync(await proof.getProof())}
    >
      <Text size="sm">
        {hasEarlier
          ? t('Your current recovery codes stop working. Confirm your identity first.')
          : t('Confirm your identity first.')}
      </Text>
      <ProofFields {...proof.props} />
    </Form>
  );
}
