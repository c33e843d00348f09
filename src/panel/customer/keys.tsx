// Creates, edits, rotates and revokes API keys. A key's secret is shown only once, when it is created.
import { Code, Group, Switch, Text, Tooltip } from '@mantine/core';
import { useState, type JSX } from 'react';
import { dnsLimitsText } from '#text/dns-limits-text.ts';
import type { Key } from '#sdk/v2.ts';
import { useChange, useRead } from '../data/operations.ts';
import { useScopeDenial } from '../data/identity.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Dimmed } from '../parts/dimmed.tsx';
import { EmptyCard, QueryResult } from '../parts/query-result.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { Page } from '../parts/page.tsx';
import { SecretDialog, useSecretDialog, type SecretDialogControl } from '../parts/secret-dialog.tsx';
import { ServerLimits } from '../parts/server-picker.tsx';
import { StateBadge } from '../parts/state-badge.tsx';
import { TableCard, type Column } from '../parts/table-card.tsx';
import { contactName } from './contacts/contact.ts';
import { KeyForm } from './keys/key-form.tsx';
import { TsigKeys } from './keys/tsig-keys.tsx';
import { scopeDetails, scopeSummary } from '../parts/scope-summary.ts';
import { rich } from '../text/rich.ts';
import { t } from '../text/text.ts';

const titles = {
  create: t('New API key'),
  edit: ({ name }: Key) => t('Edit {name}', { name }),
  rotate: ({ name }: Key) => t('Rotate {name}', { name }),
  reveal: t('Your API key'),
};

const rotationText = t('Replaces the secret. Name, permissions and allowed networks stay the same.');

export function KeysPage(): JSX.Element {
  const keys = useRead('keyGet', {});
  const scopeDenial = useScopeDenial();
  const dialog = useSecretDialog<Key>();
  const rotate = useChange('keyUpdate', { invalidates: ['keyGet', 'auditGet'] });
  return (
    <Page
      title={t('API keys')}
      description={t('Keys for API access')}
      actions={
        <ActionButton icon="plus" disabledReason={scopeDenial('account:keys')} onClick={dialog.create}>
          {t('New key')}
        </ActionButton>
      }
    >
      <QueryResult query={keys}>{(all) => <Keys keys={all} dialog={dialog} />}</QueryResult>
      <TsigKeys />
      <SecretDialog
        control={dialog}
        titles={titles}
        form={KeyForm}
        formSize="xl"
        rotation={({ id }) => ({
          description: rotationText,
          label: t('Old secret stays valid for'),
          rotate: async (overlap) => (await rotate.mutateAsync({ id, rotate: true, overlap })).key,
        })}
        secretLabel={t('API key')}
      >
        <Text size="sm">
          {rich('Send it with every request in the header {header}.', { header: <Code>X-API-KEY</Code> })}
        </Text>
      </SecretDialog>
    </Page>
  );
}

function Keys({ keys, dialog }: { keys: readonly Key[]; dialog: SecretDialogControl<Key> }): JSX.Element {
  const [showsInactive, setShowsInactive] = useState(false);
  const scopeDenial = useScopeDenial();
  const contacts = useRead('contactGet', {}, { enabled: scopeDenial('account:read') === undefined });
  const inactiveCount = keys.filter((key) => key.status !== 'Active').length;
  const visible = keys.filter((key) => showsInactive || key.status === 'Active');
  const ownerName = (id: string): string => {
    const contact = contacts.data?.find((candidate) => candidate.id === id);
    return contact === undefined ? t('Contact {id}', { id }) : contactName(contact);
  };
  const columns: readonly Column<Key>[] = [
    {
      label: t('Name'),
      cell: ({ name, contact }) => (
        <>
          <Text size="sm" fw={600} className="wrap-anywhere">
            {name}
          </Text>
          {contact !== '' && <Dimmed size="xs">{ownerName(contact)}</Dimmed>}
        </>
      ),
    },
    ...keyColumns,
    { label: t('Actions'), width: 1, cell: (key) => <KeyActions apiKey={key} dialog={dialog} /> },
  ];
  return (
    <>
      {inactiveCount > 0 && (
        <Switch
          label={t('Show {count} inactive', { count: inactiveCount })}
          checked={showsInactive}
          onChange={(event) => setShowsInactive(event.currentTarget.checked)}
        />
      )}
      {visible.length === 0 ? (
        <EmptyCard icon="key" title={t('No API keys')}>
          {t('Create one key per application, with only the permissions it needs.')}
        </EmptyCard>
      ) : (
        <TableCard label={t('API keys')} columns={columns} rows={visible} rowKey={({ id }) => id} minWidth={960} />
      )}
    </>
  );
}

const keyColumns: readonly Column<Key>[] = [
  { label: t('Status'), cell: ({ status }) => <StateBadge state={status} /> },
  {
    label: t('Permissions'),
    cell: ({ scopes, services, dns }) => (
      <>
        <Tooltip label={scopeDetails(scopes)} events={{ hover: true, focus: true, touch: true }}>
          <Text size="sm" component="span" tabIndex={0} aria-description={scopeDetails(scopes)}>
            {scopeSummary(scopes)}
          </Text>
        </Tooltip>
        {services.length > 0 && <ServerLimits services={services} />}
        {dns.length > 0 && <Dimmed size="xs">DNS: {dnsLimitsText(dns)}</Dimmed>}
      </>
    ),
  },
  {
    label: t('Allowed networks'),
    cell: ({ allow }) =>
      allow.length === 0 ? (
        <Dimmed>{t('All')}</Dimmed>
      ) : (
        allow.map((network) => (
          <Text key={network} size="sm" ff="monospace">
            {network}
          </Text>
        ))
      ),
  },
  {
    label: t('Last used'),
    cell: ({ lastused, lastaddress }) => (
      <>
        <Timestamp at={lastused} isRelative fallback={t('Never')} />
        <Dimmed size="xs" ff="monospace">
          {lastaddress}
        </Dimmed>
      </>
    ),
  },
  { label: t('Expires'), cell: ({ expires }) => <Timestamp at={expires} fallback={t('Never')} /> },
];

function KeyActions({ apiKey: key, dialog }: { apiKey: Key; dialog: SecretDialogControl<Key> }): JSX.Element {
  const scopeDenial = useScopeDenial();
  const revoke = useChange('keyDelete', {
    successMessage: t('{name} revoked', { name: key.name }),
    invalidates: ['keyGet', 'auditGet'],
  });
  const disabledReason = key.status === 'Revoked' ? t('The key is revoked.') : scopeDenial('account:keys');
  const common = { size: 'compact-sm', variant: 'default', disabledReason };
  return (
    <Group gap={6} wrap="nowrap">
      <ActionButton {...common} onClick={() => dialog.edit(key)} aria-label={t('Edit {name}', { name: key.name })}>
        {t('Edit')}
      </ActionButton>
      <ActionButton {...common} onClick={() => dialog.rotate(key)} aria-label={t('Rotate {name}', { name: key.name })}>
        {t('Rotate')}
      </ActionButton>
      <ConfirmButton
        {...common}
        variant="light"
        color="red"
        aria-label={t('Revoke {name}', { name: key.name })}
        question={t('Revoke “{name}”?', { name: key.name })}
        consequence={t(
          'Applications that use this key lose access immediately, and sessions opened with it end. This cannot be undone.',
        )}
        confirmLabel={t('Revoke')}
        onConfirm={() => revoke.mutateAsync({ id: key.id })}
      />
    </Group>
  );
}
