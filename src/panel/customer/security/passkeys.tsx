// Lists, adds and removes passkeys.
import { Modal, Table, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import type { JSX } from 'react';
import { useChange, useRead } from '../../data/operations.ts';
import { rethrowPasskeyError, passkeysUnavailableReason } from '../../data/passkeys.ts';
import { ActionButton, ConfirmButton } from '../../parts/action-button.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { PlainTable } from '../../parts/table-card.tsx';
import { SignInMethodCard } from './sign-in-method-card.tsx';

export function PasskeysCard({ reason }: { reason: string | undefined }): JSX.Element {
  const [isOpen, { open, close }] = useDisclosure(false);
  const passkeys = useRead('passkeyGet', {}, { enabled: reason === undefined });
  return (
    <SignInMethodCard
      title="Passkeys"
      description="Sign in with a fingerprint, your face or a security key instead of password and code. Phishing-resistant."
      action={
        <ActionButton variant="default" disabledReason={reason ?? passkeysUnavailableReason()} onClick={open}>
          Add passkey
        </ActionButton>
      }
    >
      {reason === undefined && (
        <QueryResult query={passkeys} lines={2}>
          {(all) =>
            all.length === 0 ? (
              <Text size="sm">No passkeys yet</Text>
            ) : (
              <PlainTable
                label="Your passkeys"
                columns={['Name', 'Created', 'Last used', { label: 'Actions', width: 1 }]}
                minWidth={480}
              >
                {all.map((passkey) => (
                  <Row key={passkey.id} {...passkey} />
                ))}
              </PlainTable>
            )
          }
        </QueryResult>
      )}
      <Modal opened={isOpen} onClose={close} title="Add passkey" closeOnClickOutside={false}>
        {isOpen && <AddPasskeyForm close={close} />}
      </Modal>
    </SignInMethodCard>
  );
}

interface RowProps {
  readonly id: string;
  readonly name: string;
  readonly created: string;
  readonly lastused: string;
}

function Row({ id, name, created, lastused }: RowProps): JSX.Element {
  const remove = useChange('passkeyDelete', {
    successMessage: `${name} removed`,
    invalidates: ['passkeyGet', 'sessionGet'],
  });
  return (
    <Table.Tr>
      <Table.Td fw={600} className="wrap-anywhere">
        {name}
      </Table.Td>
      <Table.Td>
        <Timestamp at={created} />
      </Table.Td>
      <Table.Td>{lastused === '' ? 'Never' : <Timestamp at={lastused} isRelative />}</Table.Td>
      <Table.Td>
        <ConfirmButton
          size="compact-sm"
          variant="light"
          color="red"
          aria-label={`Remove ${name}`}
          question={`Remove the passkey “${name}”?`}
          consequence="It can no longer be used to sign in. Your device may keep offering it until you delete it there, too."
          confirmLabel="Remove"
          onConfirm={() => remove.mutateAsync({ id })}
        >
          Remove
        </ConfirmButton>
      </Table.Td>
    </Table.Tr>
  );
}

function AddPasskeyForm({ close }: { close: () => void }): JSX.Element {
  const fields = useFormFields({ name: '' });
  const begin = useChange('passkeyBegin', { invalidates: [] });
  const create = useChange('passkeyCreate', {
    successMessage: 'Passkey added',
    invalidates: ['passkeyGet', 'sessionGet'],
  });
  const send = async (): Promise<void> => {
    const { startRegistration } = await import('@simplewebauthn/browser');
    const options = await begin.mutateAsync({});
    const credential = await startRegistration({
      optionsJSON: options as PublicKeyCredentialCreationOptionsJSON,
    }).catch(rethrowPasskeyError);
    await create.mutateAsync({ name: fields.values.name, credential });
    close();
  };
  return (
    <Form fields={fields} submitLabel="Continue" onCancel={close} onSubmit={send}>
      <Text size="sm">Choose a name to recognise it by. Your browser then asks where to store the passkey.</Text>
      <TextInput label="Name" placeholder="Laptop" required maxLength={64} data-autofocus {...fields.input('name')} />
    </Form>
  );
}
