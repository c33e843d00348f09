// Passkeys: made by the browser or the device, listed, and forgotten.
import { Modal, Table, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import type { JSX } from 'react';
import { useChange, useRead } from '../../data/read.ts';
import { passkeyTrouble, passkeysReason } from '../../data/passkeys.ts';
import { Act, AskFirst } from '../../parts/act.tsx';
import { Answer } from '../../parts/answer.tsx';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PlainTable } from '../../parts/table-card.tsx';
import { WayCard } from './way-card.tsx';

export function Passkeys({ reason }: { reason: string | undefined }): JSX.Element {
  const [isOpen, { open, close }] = useDisclosure(false);
  const passkeys = useRead('passkeyGet', {}, { enabled: reason === undefined });
  return (
    <WayCard
      title="Passkeys"
      about="Your fingerprint, your face or a security key instead of password and code. A page that only looks like this one cannot use it."
      action={
        <Act variant="default" reason={reason ?? passkeysReason()} onClick={open}>
          Add a passkey
        </Act>
      }
    >
      {reason === undefined && (
        <Answer of={passkeys} lines={2}>
          {(all) =>
            all.length === 0 ? (
              <Text size="sm">You have none yet.</Text>
            ) : (
              <PlainTable
                label="Your passkeys"
                columns={['Name', 'Made', 'Last used', { label: 'Actions', width: 1 }]}
                minWidth={480}
              >
                {all.map((passkey) => (
                  <Row key={passkey.id} {...passkey} />
                ))}
              </PlainTable>
            )
          }
        </Answer>
      )}
      <Modal opened={isOpen} onClose={close} title="Add a passkey" closeOnClickOutside={false}>
        {isOpen && <Add close={close} />}
      </Modal>
    </WayCard>
  );
}

interface RowProps {
  readonly id: string;
  readonly name: string;
  readonly created: string;
  readonly lastused: string;
}

function Row({ id, name, created, lastused }: RowProps): JSX.Element {
  const forget = useChange('passkeyDelete', { done: `${name} is forgotten.`, changes: ['passkeyGet', 'sessionGet'] });
  return (
    <Table.Tr>
      <Table.Td fw={600} className="wrap-anywhere">
        {name}
      </Table.Td>
      <Table.Td>
        <Moment at={created} />
      </Table.Td>
      <Table.Td>{lastused === '' ? 'Never' : <Moment at={lastused} ago />}</Table.Td>
      <Table.Td>
        <AskFirst
          size="compact-sm"
          variant="light"
          color="red"
          aria-label={`Remove ${name}`}
          question={`Remove the passkey “${name}”?`}
          consequence="Nobody signs in with it any more. Your device may go on offering it until you delete it there, too."
          yes="Remove"
          act={() => forget.mutateAsync({ id })}
        >
          Remove
        </AskFirst>
      </Table.Td>
    </Table.Tr>
  );
}

function Add({ close }: { close: () => void }): JSX.Element {
  const fields = useFields({ name: '' });
  const begin = useChange('passkeyBegin', { changes: [] });
  const keep = useChange('passkeyCreate', { done: 'The passkey is added.', changes: ['passkeyGet', 'sessionGet'] });
  const send = async (): Promise<void> => {
    const { startRegistration } = await import('@simplewebauthn/browser');
    const options = await begin.mutateAsync({});
    const credential = await startRegistration({
      optionsJSON: options as PublicKeyCredentialCreationOptionsJSON,
    }).catch(passkeyTrouble);
    await keep.mutateAsync({ name: fields.values.name, credential });
    close();
  };
  return (
    <Form fields={fields} label="Go on" cancel={close} send={send}>
      <Text size="sm">Give it a name that you will know it by. Your browser then asks which device keeps it.</Text>
      <TextInput label="Name" placeholder="Laptop" required maxLength={64} data-autofocus {...fields.input('name')} />
    </Form>
  );
}
