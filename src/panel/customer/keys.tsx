// API keys: made, changed, rotated and revoked. A key's text is shown once, when it is made.
import { Card, Code, Group, Modal, Switch, Table, Text, Tooltip } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { Contact, Key } from '#sdk/v2.ts';
import { useChange, useRead } from '../data/read.ts';
import { useRefusal } from '../data/who.ts';
import { Act, AskFirst } from '../parts/act.tsx';
import { Answer, Empty } from '../parts/answer.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { StateBadge } from '../parts/state.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { Icon } from '../shell/icons.tsx';
import { KeyForm } from './keys/key-form.tsx';
import { RotateForm } from './keys/rotate-form.tsx';
import { grantText } from './keys/grant-text.ts';

type Doing =
  | { readonly what: 'make' }
  | { readonly what: 'edit' | 'rotate'; readonly of: Key }
  | { readonly what: 'show'; readonly secret: string };

export function KeysPage(): JSX.Element {
  const keys = useRead('keyGet', {});
  const refusal = useRefusal();
  const [doing, setDoing] = useState<Doing>();
  const close = (): void => setDoing(undefined);
  const show = (secret: string): void => setDoing({ what: 'show', secret });
  return (
    <Page
      title="API keys"
      about="For programs: each key with what it may do, from where, and until when."
      actions={
        <Act
          leftSection={<Icon name="plus" size={16} />}
          reason={refusal('account:keys')}
          onClick={() => setDoing({ what: 'make' })}
        >
          New key
        </Act>
      }
    >
      <Answer of={keys}>
        {(all) => (
          <Keys
            keys={all}
            edit={(of) => setDoing({ what: 'edit', of })}
            rotate={(of) => setDoing({ what: 'rotate', of })}
          />
        )}
      </Answer>
      <Modal
        opened={doing !== undefined}
        onClose={close}
        title={doing === undefined ? '' : titleOf(doing)}
        size={doing?.what === 'make' || doing?.what === 'edit' ? 'xl' : 'md'}
        // What was typed, or a key that is shown once, is not lost by a click beside it.
        closeOnClickOutside={false}
      >
        {doing?.what === 'make' && <KeyForm close={close} onMade={show} />}
        {doing?.what === 'edit' && <KeyForm of={doing.of} close={close} onMade={close} />}
        {doing?.what === 'rotate' && <RotateForm of={doing.of} close={close} onMade={show} />}
        {doing?.what === 'show' && (
          <ShownOnce label="API key" secret={doing.secret} onDone={close}>
            <Text size="sm">
              Send it with each request as <Code>X-API-KEY</Code>.
            </Text>
          </ShownOnce>
        )}
      </Modal>
    </Page>
  );
}

function titleOf(doing: Doing): string {
  if (doing.what === 'make') return 'New API key';
  if (doing.what === 'show') return 'Your API key';
  return doing.what === 'edit' ? `Change ${doing.of.name}` : `Rotate ${doing.of.name}`;
}

interface KeysProps {
  readonly keys: readonly Key[];
  readonly edit: (key: Key) => void;
  readonly rotate: (key: Key) => void;
}

function Keys({ keys, edit, rotate }: KeysProps): JSX.Element {
  const [isAll, setAll] = useState(false);
  const refusal = useRefusal();
  const contacts = useRead('contactGet', {}, { enabled: refusal('account:read') === undefined });
  const ended = keys.filter((key) => key.status !== 'Active').length;
  const shown = keys.filter((key) => isAll || key.status === 'Active');
  return (
    <>
      {ended > 0 && (
        <Switch
          label={`Show the ${ended} that ended`}
          checked={isAll}
          onChange={(event) => setAll(event.currentTarget.checked)}
        />
      )}
      {shown.length === 0 ? (
        <Card>
          <Empty icon="key" title="No API keys">
            Make one for each program, with no more than it needs.
          </Empty>
        </Card>
      ) : (
        <TableCard
          label="API keys"
          columns={['Name', 'State', 'May', 'From', 'Last used', 'Ends', { label: 'Actions', width: 1 }]}
          minWidth={960}
        >
          {shown.map((key) => (
            <Row
              key={key.id}
              of={key}
              contact={contacts.data?.find((contact) => contact.id === key.contact)}
              edit={() => edit(key)}
              rotate={() => rotate(key)}
            />
          ))}
        </TableCard>
      )}
    </>
  );
}

interface RowProps {
  readonly of: Key;
  readonly contact: Contact | undefined;
  readonly edit: () => void;
  readonly rotate: () => void;
}

function Row({ of: key, contact, edit, rotate }: RowProps): JSX.Element {
  const refusal = useRefusal();
  const revoke = useChange('keyDelete', { done: `${key.name} is revoked.`, changes: ['keyGet', 'auditGet'] });
  const reason = key.status === 'Revoked' ? 'It is revoked.' : refusal('account:keys');
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600} className="wrap-anywhere">
          {key.name}
        </Text>
        {key.contact !== '' && (
          <Text size="xs" c="dimmed">
            {contact === undefined ? `Contact ${key.contact}` : `${contact.firstname} ${contact.lastname}`}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <StateBadge state={key.status} />
      </Table.Td>
      <Table.Td>
        <Tooltip label={key.scopes.join(', ')} events={{ hover: true, focus: true, touch: true }}>
          <Text size="sm" component="span" tabIndex={0} aria-description={key.scopes.join(', ')}>
            {grantText(key.scopes)}
          </Text>
        </Tooltip>
      </Table.Td>
      <Table.Td>
        {key.allow.length === 0 ? (
          <Text size="sm" c="dimmed">
            Anywhere
          </Text>
        ) : (
          key.allow.map((network) => (
            <Text key={network} size="sm" ff="monospace">
              {network}
            </Text>
          ))
        )}
      </Table.Td>
      <Table.Td>
        {key.lastused === '' ? (
          <Text size="sm" c="dimmed">
            Never
          </Text>
        ) : (
          <>
            <Moment at={key.lastused} ago />
            <Text size="xs" c="dimmed" ff="monospace">
              {key.lastaddress}
            </Text>
          </>
        )}
      </Table.Td>
      <Table.Td>
        {key.expires === '' ? (
          <Text size="sm" c="dimmed">
            Never
          </Text>
        ) : (
          <Moment at={key.expires} />
        )}
      </Table.Td>
      <Table.Td>
        <Group gap={6} wrap="nowrap">
          <Act size="compact-sm" variant="default" reason={reason} onClick={edit} aria-label={`Change ${key.name}`}>
            Change
          </Act>
          <Act size="compact-sm" variant="default" reason={reason} onClick={rotate} aria-label={`Rotate ${key.name}`}>
            Rotate
          </Act>
          <AskFirst
            size="compact-sm"
            variant="light"
            color="red"
            reason={reason}
            aria-label={`Revoke ${key.name}`}
            question={`Revoke the key “${key.name}”?`}
            consequence="Whatever uses it is refused from this moment on, and nothing brings it back. A page that is signed in with it is signed out."
            yes="Revoke"
            act={() => revoke.mutateAsync({ id: key.id })}
          >
            Revoke
          </AskFirst>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
