// Lists, adds and removes passkeys.
import { Text, TextInput } from '@mantine/core';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import type { JSX } from 'react';
import { useChange, useRead, type Result } from '../../data/operations.ts';
import { rethrowPasskeyError, passkeysUnavailableReason } from '../../data/passkeys.ts';
import { QueryResult } from '../../parts/query-result.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { PlainTable, type Column } from '../../parts/table-card.tsx';
import { t } from '../../text/text.ts';
import { ProofFields, proofValues, useProof } from './proof-fields.tsx';
import { SignInMethodCard } from './sign-in-method-card.tsx';

type Passkey = Result<'passkeyGet'>[number];
const columns: readonly Column<Passkey>[] = [
  { label: t('Name'), fw: 600, className: 'wrap-anywhere', cell: ({ name }) => name },
  { label: t('Created'), cell: ({ created }) => <Timestamp at={created} /> },
  { label: t('Last used'), cell: ({ lastused }) => <Timestamp at={lastused} isRelative fallback={t('Never')} /> },
  { label: t('Actions'), width: 1, cell: ({ id, name }) => <RemoveButton id={id} name={name} /> },
];

export function PasskeysCard({ reason }: { reason: string | undefined }): JSX.Element {
  const passkeys = useRead('passkeyGet', {}, { enabled: reason === undefined });
  return (
    <SignInMethodCard
      title={t('Passkeys')}
      description={t(
        'Sign in with a fingerprint, your face or a security key instead of password and code. Phishing-resistant.',
      )}
      action={
        <FormButton
          variant="default"
          title={t('Add passkey')}
          disabledReason={reason ?? passkeysUnavailableReason()}
          form={(close) => <AddPasskeyForm close={close} />}
        />
      }
    >
      {reason === undefined && (
        <QueryResult query={passkeys} lines={2} empty={<Text size="sm">{t('No passkeys yet')}</Text>}>
          {(all) => (
            <PlainTable
              label={t('Your passkeys')}
              columns={columns}
              rows={all}
              rowKey={({ id }) => id}
              minWidth={480}
            />
          )}
        </QueryResult>
      )}
    </SignInMethodCard>
  );
}

function RemoveButton({ id, name }: Pick<Passkey, 'id' | 'name'>): JSX.Element {
  return (
    <FormButton
      size="compact-sm"
      variant="light"
      color="red"
      aria-label={t('Remove {name}', { name })}
      title={t('Remove the passkey “{name}”?', { name })}
      form={(close) => <RemoveForm id={id} name={name} close={close} />}
    >
      {t('Remove')}
    </FormButton>
  );
}

function RemoveForm({ id, name, close }: Pick<Passkey, 'id' | 'name'> & { close: () => void }): JSX.Element {
  const fields = useFormFields(proofValues);
  const proof = useProof(fields);
  const remove = useChange('passkeyDelete', {
    successMessage: t('{name} removed', { name }),
    invalidates: ['passkeyGet', 'sessionGet'],
  });
  return (
    <Form
      fields={fields}
      submitLabel={t('Remove')}
      close={close}
      onSubmit={async () => remove.mutateAsync({ id, ...(await proof.getProof()) })}
    >
      <Text size="sm">
        {t(
          'It can no longer be used to sign in. Your device may keep offering it until you delete it there, too. Confirm your identity first.',
        )}
      </Text>
      <ProofFields {...proof.props} />
    </Form>
  );
}

function AddPasskeyForm({ close }: { close: () => void }): JSX.Element {
  const fields = useFormFields({ name: '', ...proofValues });
  const proof = useProof(fields);
  const begin = useChange('passkeyBegin', { invalidates: [] });
  const create = useChange('passkeyCreate', {
    successMessage: t('Passkey added'),
    invalidates: ['passkeyGet', 'sessionGet'],
  });
  const send = async (): Promise<void> => {
    const { startRegistration } = await import('@simplewebauthn/browser');
    const options = await begin.mutateAsync(await proof.getProof());
    const credential = await startRegistration({
      optionsJSON: options as PublicKeyCredentialCreationOptionsJSON,
    }).catch(rethrowPasskeyError);
    await create.mutateAsync({ name: fields.values.name, credential });
  };
  return (
    <Form fields={fields} submitLabel={t('Continue')} close={close} onSubmit={send}>
      <Text size="sm">
        {t(
          'Choose a name to recognise it by. Confirm your identity; your browser then asks where to store the passkey.',
        )}
      </Text>
      <TextInput
        label={t('Name')}
        placeholder={t('Laptop')}
        required
        maxLength={64}
        data-autofocus
        {...fields.input('name')}
      />
      <ProofFields {...proof.props} />
    </Form>
  );
}
