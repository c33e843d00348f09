// The account's own identity provider and its domains. Only the account itself may change them.
import { Code, Group, List, PasswordInput, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import type { SignOnSettingsSetInput } from '#sdk/v2.ts';
import { useChange, useRead, type Result } from '../../data/operations.ts';
import { QueryResult } from '../../parts/query-result.tsx';
import { FormButton } from '../../parts/form-button.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { StateBadge } from '../../parts/state-badge.tsx';
import { PlainTable, type Column } from '../../parts/table-card.tsx';
import { rich } from '../../text/rich.ts';
import { t } from '../../text/text.ts';
import { ProofFields, proofValues, useProof } from './proof-fields.tsx';
import { SignInMethodCard } from './sign-in-method-card.tsx';

type Settings = Result<'signOnSettingsGet'>;
type Domain = Settings['domains'][number];
type Grants = SignOnSettingsSetInput['grants'];

const domainColumns = (reason: string | undefined): readonly Column<Domain>[] => [
  { label: t('Domain'), fw: 600, className: 'wrap-anywhere', cell: ({ domain }) => domain },
  { label: t('State'), cell: (domain) => <DomainState domain={domain} /> },
  { label: t('Actions'), width: 1, cell: (domain) => <DomainActions domain={domain} reason={reason} /> },
];

export function SignOnCard({ reason }: { reason: string | undefined }): JSX.Element {
  const settings = useRead('signOnSettingsGet', {});
  return (
    <SignInMethodCard
      title={t('Single sign-on')}
      description={t(
        'Your team signs in through your own identity provider (OpenID Connect). You can always sign in with your password and second factor.',
      )}
      action={
        settings.data && (
          <FormButton
            variant="default"
            title={settings.data.configured === '1' ? t('Edit identity provider') : t('Set up identity provider')}
            disabledReason={reason}
            form={(close) => <ProviderForm settings={settings.data} close={close} />}
          />
        )
      }
    >
      <QueryResult query={settings} lines={2}>
        {(loaded) => (loaded.configured === '1' ? <Provider settings={loaded} reason={reason} /> : <></>)}
      </QueryResult>
    </SignInMethodCard>
  );
}

function Provider({ settings, reason }: { settings: Settings; reason: string | undefined }): JSX.Element {
  const { issuer, redirecturi, domains } = settings;
  return (
    <Stack>
      <List size="sm">
        <List.Item>{rich('Issuer: {issuer}', { issuer: <Code className="wrap-anywhere">{issuer}</Code> })}</List.Item>
        <List.Item>
          {rich('Redirect URI: {address}', {
            address: <Code className="wrap-anywhere">{`${location.origin}${redirecturi}`}</Code>,
          })}
        </List.Item>
      </List>
      {domains.length > 0 && (
        <PlainTable
          label={t('Domains of single sign-on')}
          columns={domainColumns(reason)}
          rows={domains}
          rowKey={({ domain }) => domain}
          minWidth={420}
        />
      )}
      <Group>
        <FormButton
          isInRow
          title={t('Add domain')}
          disabledReason={reason}
          form={(close) => <AddDomainForm close={close} />}
        />
        <FormButton
          size="compact-sm"
          variant="light"
          color="red"
          title={t('Remove identity provider')}
          disabledReason={reason}
          form={(close) => <RemoveProviderForm close={close} />}
        />
      </Group>
    </Stack>
  );
}

function DomainState({ domain: { verified, required, record, content } }: { domain: Domain }): JSX.Element {
  if (verified !== '') return <StateBadge state={required === '1' ? 'Required' : 'Verified'} />;
  return (
    <Text size="sm" className="wrap-anywhere">
      {rich('Publish the TXT record {record} with the content {content}, then verify.', {
        record: <Code>{record}</Code>,
        content: <Code>{content}</Code>,
      })}
    </Text>
  );
}

function DomainActions({ domain, reason }: { domain: Domain; reason: string | undefined }): JSX.Element {
  return (
    <Group gap="xs" wrap="nowrap">
      <FormButton
        isInRow
        aria-label={
          domain.verified === ''
            ? t('Verify {domain}', { domain: domain.domain })
            : t('Change {domain}', { domain: domain.domain })
        }
        title={t('Verify domain')}
        disabledReason={reason}
        form={(close) => <VerifyForm domain={domain} close={close} />}
      >
        {domain.verified === '' ? t('Verify') : t('Change')}
      </FormButton>
      <FormButton
        size="compact-sm"
        variant="light"
        color="red"
        aria-label={t('Remove {domain}', { domain: domain.domain })}
        title={t('Remove domain')}
        disabledReason={reason}
        form={(close) => <RemoveDomainForm domain={domain.domain} close={close} />}
      >
        {t('Remove')}
      </FormButton>
    </Group>
  );
}

/** One group per line, as in `admins: device:read, dns:write`. */
function readGrants(text: string): Grants {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const at = line.indexOf(': ');
      const permissions = line.slice(at + 1).split(',');
      return {
        value: line.slice(0, Math.max(at, 0)).trim(),
        permissions: permissions.map((name) => name.trim()) as Grants[number]['permissions'],
      };
    });
}

function ProviderForm({ settings, close }: { settings: Settings; close: () => void }): JSX.Element {
  const fields = useFormFields({
    issuer: settings.issuer,
    clientid: settings.clientid,
    clientsecret: '',
    claim: settings.claim === '' ? 'groups' : settings.claim,
    scopes: (settings.scopes.length === 0 ? ['openid', 'profile', 'email'] : settings.scopes).join(' '),
    grants: settings.grants.map(({ value, permissions }) => `${value}: ${permissions.join(', ')}`).join('\n'),
    ...proofValues,
  });
  const proof = useProof(fields);
  const save = useChange('signOnSettingsSet', {
    successMessage: t('Identity provider saved'),
    invalidates: ['signOnSettingsGet'],
  });
  const send = async (): Promise<void> => {
    const { issuer, clientid, clientsecret, claim, scopes, grants } = fields.values;
    await save.mutateAsync({
      issuer,
      clientid,
      ...(clientsecret !== '' && { clientsecret }),
      claim,
      scopes: scopes.split(/[\s,]+/).filter((scope) => scope !== ''),
      grants: readGrants(grants),
      ...(await proof.getProof()),
    });
  };
  return (
    <Form fields={fields} submitLabel={t('Save')} close={close} onSubmit={send}>
      <Text size="sm">{t('Register this redirect URI at your identity provider:')}</Text>
      <Code block>{`${location.origin}${settings.redirecturi}`}</Code>
      <TextInput
        label={t('Issuer')}
        placeholder="https://login.example.com"
        required
        data-autofocus
        {...fields.input('issuer')}
      />
      <TextInput label={t('Client ID')} required {...fields.input('clientid')} />
      <PasswordInput
        label={t('Client secret')}
        description={settings.configured === '1' ? t('Leave empty to keep it') : undefined}
        required={settings.configured !== '1'}
        autoComplete="off"
        {...fields.input('clientsecret')}
      />
      <TextInput label={t('Scopes')} required {...fields.input('scopes')} />
      <TextInput label={t('Groups claim')} required {...fields.input('claim')} />
      <Textarea
        label={t('Permissions')}
        description={t('One group per line, with its permissions')}
        placeholder="admins: device:read, dns:write"
        required
        autosize
        minRows={3}
        {...fields.input('grants')}
      />
      <ProofFields {...proof.props} />
    </Form>
  );
}

function AddDomainForm({ close }: { close: () => void }): JSX.Element {
  const fields = useFormFields({ domain: '' });
  const add = useChange('signOnDomainAdd', { successMessage: t('Domain added'), invalidates: ['signOnSettingsGet'] });
  return (
    <Form fields={fields} submitLabel={t('Add')} close={close} onSubmit={() => add.mutateAsync(fields.values)}>
      <TextInput
        label={t('Email domain')}
        placeholder="example.com"
        required
        data-autofocus
        {...fields.input('domain')}
      />
    </Form>
  );
}

function VerifyForm({ domain, close }: { domain: Domain; close: () => void }): JSX.Element {
  const fields = useFormFields(proofValues);
  const proof = useProof(fields);
  const [required, setRequired] = useState(domain.required === '1');
  const verify = useChange('signOnDomainVerify', {
    successMessage: t('Domain verified'),
    invalidates: ['signOnSettingsGet'],
  });
  return (
    <Form
      fields={fields}
      submitLabel={t('Verify')}
      close={close}
      onSubmit={async () => verify.mutateAsync({ domain: domain.domain, required, ...(await proof.getProof()) })}
    >
      <Switch
        label={t('People in this domain can only sign in through the identity provider')}
        checked={required}
        onChange={(event) => setRequired(event.currentTarget.checked)}
      />
      <ProofFields {...proof.props} />
    </Form>
  );
}

function RemoveDomainForm({ domain, close }: { domain: string; close: () => void }): JSX.Element {
  const remove = useChange('signOnDomainDelete', {
    successMessage: t('Domain removed'),
    invalidates: ['signOnSettingsGet'],
  });
  return (
    <RemovalForm
      text={t('People in this domain can no longer sign in through the identity provider.')}
      close={close}
      remove={(proof) => remove.mutateAsync({ domain, ...proof })}
    />
  );
}

function RemoveProviderForm({ close }: { close: () => void }): JSX.Element {
  const remove = useChange('signOnSettingsDelete', {
    successMessage: t('Identity provider removed'),
    invalidates: ['signOnSettingsGet'],
  });
  return (
    <RemovalForm
      text={t('Everyone who signed in through it is signed out.')}
      close={close}
      remove={remove.mutateAsync}
    />
  );
}

interface RemovalFormProps {
  readonly text: string;
  readonly close: () => void;
  readonly remove: (proof: Awaited<ReturnType<ReturnType<typeof useProof>['getProof']>>) => Promise<unknown>;
}

function RemovalForm({ text, close, remove }: RemovalFormProps): JSX.Element {
  const fields = useFormFields(proofValues);
  const proof = useProof(fields);
  return (
    <Form fields={fields} submitLabel={t('Remove')} close={close} onSubmit={async () => remove(await proof.getProof())}>
      <Text size="sm">{text}</Text>
      <ProofFields {...proof.props} />
    </Form>
  );
}
