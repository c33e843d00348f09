// API keys: made, changed, rotated and revoked. A key's text is shown once, when it is made.
import { Card, Code, Group, Switch, Table, Text, Tooltip } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { Contact, Key } from '#sdk/v2.ts';
import { useChange, useRead } from '../data/read.ts';
import { useRefusal } from '../data/who.ts';
import { Act, AskFirst } from '../parts/act.tsx';
import { Answer, Empty } from '../parts/answer.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { CourseDialogue, useCourse } from '../parts/secret-course.tsx';
import { StateBadge } from '../parts/state.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { Icon } from '../shell/icons.tsx';
import { KeyForm } from './keys/key-form.tsx';
import { KeyRotation } from './keys/key-rotation.tsx';
import { grantText } from './keys/grant-text.ts';

const titles = {
  make: 'New API key',
  edit: ({ name }: Key) => `Change ${name}`,
  rotate: ({ name }: Key) => `Rotate ${name}`,
  show: 'Your API key',
};

export function KeysPage(): JSX.Element {
  const keys = useRead('keyGet', {});
  const refusal = useRefusal();
  const course = useCourse<Key>();
  return (
    <Page
      title="API keys"
      about="For programs: each key with what it may do, from where, and until when."
      actions={
        <Act leftSection={<Icon name="plus" size={16} />} reason={refusal('account:keys')} onClick={course.make}>
          New key
        </Act>
      }
    >
      <Answer of={keys}>{(all) => <Keys keys={all} edit={course.edit} rotate={course.rotate} />}</Answer>
      <CourseDialogue
        course={course}
        titles={titles}
        form={KeyForm}
        formSize="xl"
        rotation={KeyRotation}
        secret="API key"
      >
        <Text size="sm">
          Send it with each request as <Code>X-API-KEY</Code>.
        </Text>
      </CourseDialogue>
    </Page>
  );
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
