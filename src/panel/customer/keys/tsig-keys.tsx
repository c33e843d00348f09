// TSIG keys, with which DNS tools update and transfer zones. A secret is shown only once, with the lines that the tools need.
import { Modal, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import { dnsLimitsText } from '#text/dns-limits-text.ts';
import { tsigAlgorithms } from '#contract/shapes/tsig.ts';
import type { NewTsigKey, TsigKey } from '#sdk/v2.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { useChange, useRead } from '../../data/operations.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { DangerButton } from '../../parts/confirm-button.tsx';
import { Dimmed } from '../../parts/dimmed.tsx';
import { DnsLimitsInput } from '../../parts/dns-limits-input.tsx';
import { limitsInput, limitsValue } from '../../parts/dns-limits.ts';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { NewSecretDialog, SecretValue } from '../../parts/new-secret.tsx';
import { EmptyCard } from '../../parts/query-result.tsx';
import { Section } from '../../parts/section.tsx';
import { QueryTable, type Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { t } from '../../text/text.ts';

const noKeys = (
  <EmptyCard icon="key" title={t('No TSIG keys')}>
    {t('Create one to change records with nsupdate, certbot, lego or cert-manager.')}
  </EmptyCard>
);

const columns: readonly Column<TsigKey>[] = [
  {
    label: t('Name'),
    cell: ({ name, tsigname }) => (
      <>
        <Text size="sm" fw={600} className="wrap-anywhere">
          {name}
        </Text>
        <Dimmed size="xs" ff="monospace" className="wrap-anywhere">
          {tsigname}
        </Dimmed>
      </>
    ),
  },
  { label: t('Algorithm'), cell: ({ algorithm }) => algorithm },
  { label: t('DNS records'), cell: ({ dns }) => (dns.length === 0 ? <Dimmed>{t('All')}</Dimmed> : dnsLimitsText(dns)) },
  { label: t('Last used'), cell: ({ lastused }) => <Timestamp at={lastused} isRelative fallback={t('Never')} /> },
  { label: t('Actions'), width: 1, cell: (key) => <DeleteButton tsigKey={key} /> },
];

export function TsigKeys(): JSX.Element {
  const keys = useRead('tsigKeyList', {});
  const scopeDenial = useScopeDenial();
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<NewTsigKey>();
  return (
    <Section
      title={t('TSIG keys')}
      actions={
        <ActionButton
          icon="plus"
          variant="default"
          disabledReason={scopeDenial('account:keys')}
          onClick={() => setIsCreating(true)}
        >
          {t('New TSIG key')}
        </ActionButton>
      }
    >
      <Dimmed>{t('For DNS tools that send updates to our name servers (RFC 2136) or transfer zones.')}</Dimmed>
      <QueryTable query={keys} label={t('TSIG keys')} columns={columns} minWidth={720} empty={noKeys} />
      <Modal
        opened={isCreating}
        onClose={() => setIsCreating(false)}
        title={t('New TSIG key')}
        size="lg"
        closeOnClickOutside={false}
      >
        <TsigKeyForm close={() => setIsCreating(false)} onCreated={setCreated} />
      </Modal>
      <NewSecretDialog
        title={t('Your TSIG key')}
        label={t('Secret')}
        secret={created?.secret ?? ''}
        onDone={() => setCreated(undefined)}
      >
        {created !== undefined && <ToolLines tsigKey={created} />}
      </NewSecretDialog>
    </Section>
  );
}

interface TsigKeyFormProps {
  readonly close: () => void;
  readonly onCreated: (key: NewTsigKey) => void;
}

function TsigKeyForm({ close, onCreated }: TsigKeyFormProps): JSX.Element {
  const fields = useFormFields({
    name: '',
    algorithm: tsigAlgorithms[0] as TsigKey['algorithm'],
    dns: limitsValue([]),
  });
  const { name, algorithm, dns } = fields.values;
  const create = useChange('tsigKeyCreate', {
    successMessage: t('{name} created', { name }),
    invalidates: ['tsigKeyList', 'auditGet'],
  });
  const send = async (): Promise<void> => {
    onCreated(await create.mutateAsync({ name, algorithm, dns: limitsInput(dns) }));
  };
  return (
    <Form fields={fields} submitLabel={t('Create TSIG key')} close={close} onSubmit={send}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={t('Name')} required maxLength={64} data-autofocus {...fields.input('name')} />
        <Select
          label={t('Algorithm')}
          data={tsigAlgorithms}
          value={algorithm}
          allowDeselect={false}
          onChange={(chosen) => fields.set({ algorithm: chosen as TsigKey['algorithm'] })}
        />
      </SimpleGrid>
      <DnsLimitsInput value={dns} error={fields.errorOf('dns')} onChange={(limits) => fields.set({ dns: limits })} />
    </Form>
  );
}

function ToolLines({ tsigKey: { tsigname, algorithm, secret } }: { readonly tsigKey: NewTsigKey }): JSX.Element {
  const keyFile = [`key "${tsigname}" {`, `  algorithm ${algorithm};`, `  secret "${secret}";`, '};'];
  const certbot = [
    'dns_rfc2136_server = IP address of our name server',
    `dns_rfc2136_name = ${tsigname}`,
    `dns_rfc2136_secret = ${secret}`,
    `dns_rfc2136_algorithm = ${algorithm.toUpperCase()}`,
  ];
  return (
    <>
      <SecretValue label={t('Key name')} secret={tsigname} />
      <SecretValue label={t('Key file, for nsupdate -k')} secret={keyFile.join('\n')} />
      <SecretValue label={t('certbot (rfc2136.ini)')} secret={certbot.join('\n')} />
    </>
  );
}

function DeleteButton({ tsigKey: { id, name } }: { readonly tsigKey: TsigKey }): JSX.Element {
  const scopeDenial = useScopeDenial();
  const remove = useChange('tsigKeyDelete', {
    successMessage: t('{name} deleted', { name }),
    invalidates: ['tsigKeyList', 'auditGet'],
  });
  return (
    <DangerButton
      disabledReason={scopeDenial('account:keys')}
      aria-label={t('Delete {name}', { name })}
      question={t('Delete “{name}”?', { name })}
      consequence={t('DNS tools that use this key can no longer change or transfer zones. This cannot be undone.')}
      confirmLabel={t('Delete')}
      onConfirm={() => remove.mutateAsync({ id })}
    />
  );
}
