// Creates, edits, rotates and revokes API keys. A key's secret is shown only once, when it is created.
import { Card, Code, Group, Switch, Table, Text, Tooltip } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { Contact, Key } from '#sdk/v2.ts';
import { useChange, useRead } from '../data/operations.ts';
import { useScopeDenial } from '../data/identity.ts';
import { ActionButton, ConfirmButton } from '../parts/action-button.tsx';
import { QueryResult, EmptyState } from '../parts/query-result.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { Page } from '../parts/page.tsx';
import { SecretDialog, useSecretDialog } from '../parts/secret-dialog.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { TableCard } from '../parts/table-card.tsx';
import { Icon } from '../shell/icons.tsx';
import { KeyForm } from './keys/key-form.tsx';
import { RotateKeyForm } from './keys/rotate-key-form.tsx';
import { scopeDetails, scopeSummary } from '../parts/scope-summary.ts';

const titles = {
  create: 'New API key',
  edit: ({ name }: Key) => `Edit ${name}`,
  rotate: ({ name }: Key) => `Rotate ${name}`,
  reveal: 'Your API key',
};

export function KeysPage(): JSX.Element {
  const keys = useRead('keyGet', {});
  const scopeDenial = useScopeDenial();
  const dialog = useSecretDialog<Key>();
  return (
    <Page
      title="API keys"
      description="Keys for API access"
      actions={
        <ActionButton
          leftSection={<Icon name="plus" size={16} />}
          disabledReason={scopeDenial('account:keys')}
          onClick={dialog.create}
        >
          New key
        </ActionButton>
      }
    >
      <QueryResult query={keys}>{(all) => <Keys keys={all} edit={dialog.edit} rotate={dialog.rotate} />}</QueryResult>
      <SecretDialog
        control={dialog}
        titles={titles}
        form={KeyForm}
        formSize="xl"
        rotation={RotateKeyForm}
        secretLabel="API key"
      >
        <Text size="sm">
          Send it with every request in the header <Code>X-API-KEY</Code>.
        </Text>
      </SecretDialog>
    </Page>
  );
}

interface KeysProps {
  readonly keys: readonly Key[];
  readonly edit: (key: Key) => void;
  readonly rotate: (key: Key) => void;
}

function Keys({ keys, edit, rotate }: KeysProps): JSX.Element {
  const [showsInactive, setShowsInactive] = useState(false);
  const scopeDenial = useScopeDenial();
  const contacts = useRead('contactGet', {}, { enabled: scopeDenial('account:read') === undefined });
  const inactiveCount = keys.filter((key) => key.status !== 'Active').length;
  const visible = keys.filter((key) => showsInactive || key.status === 'Active');
  return (
    <>
      {inactiveCount > 0 && (
        <Switch
          label={`Show ${inactiveCount} inactive`}
          checked={showsInactive}
          onChange={(event) => setShowsInactive(event.currentTarget.checked)}
        />
      )}
      {visible.length === 0 ? (
        <Card>
          <EmptyState icon="key" title="No API keys">
            Create one key per application, with only the permissions it needs.
          </EmptyState>
        </Card>
      ) : (
        <TableCard
          label="API keys"
          columns={[
            'Name',
            'Status',
            'Permissions',
            'Allowed networks',
            'Last used',
            'Expires',
            { label: 'Actions', width: 1 },
          ]}
          minWidth={960}
        >
          {visible.map((key) => (
            <Row
              key={key.id}
              apiKey={key}
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
  readonly apiKey: Key;
  readonly contact: Contact | undefined;
  readonly edit: () => void;
  readonly rotate: () => void;
}

function Row({ apiKey: key, contact, edit, rotate }: RowProps): JSX.Element {
  const scopeDenial = useScopeDenial();
  const revoke = useChange('keyDelete', { successMessage: `${key.name} revoked`, invalidates: ['keyGet', 'auditGet'] });
  const reason = key.status === 'Revoked' ? 'The key is revoked.' : scopeDenial('account:keys');
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
        <Tooltip label={scopeDetails(key.scopes)} events={{ hover: true, focus: true, touch: true }}>
          <Text size="sm" component="span" tabIndex={0} aria-description={scopeDetails(key.scopes)}>
            {scopeSummary(key.scopes)}
          </Text>
        </Tooltip>
      </Table.Td>
      <Table.Td>
        {key.allow.length === 0 ? (
          <Text size="sm" c="dimmed">
            All
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
            <Timestamp at={key.lastused} isRelative />
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
          <Timestamp at={key.expires} />
        )}
      </Table.Td>
      <Table.Td>
        <Group gap={6} wrap="nowrap">
          <ActionButton
            size="compact-sm"
            variant="default"
            disabledReason={reason}
            onClick={edit}
            aria-label={`Edit ${key.name}`}
          >
            Edit
          </ActionButton>
          <ActionButton
            size="compact-sm"
            variant="default"
            disabledReason={reason}
            onClick={rotate}
            aria-label={`Rotate ${key.name}`}
          >
            Rotate
          </ActionButton>
          <ConfirmButton
            size="compact-sm"
            variant="light"
            color="red"
            disabledReason={reason}
            aria-label={`Revoke ${key.name}`}
            question={`Revoke “${key.name}”?`}
            consequence="Applications that use this key lose access immediately, and sessions opened with it end. This cannot be undone."
            confirmLabel="Revoke"
            onConfirm={() => revoke.mutateAsync({ id: key.id })}
          >
            Revoke
          </ConfirmButton>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
