// TSIG keys, with which DNS tools update and transfer zones. A secret is shown only once, with the lines that the tools need.
import { Modal, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useState, type JSX } from 'react';
import { dnsLimitsText } from '#contract/shapes/dns-limits.ts';
import { tsigAlgorithms } from '#contract/shapes/tsig.ts';
import type { NewTsigKey, TsigKey } from '#sdk/v2.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { useChange, useRead } from '../../data/operations.ts';
import { ActionButton, ConfirmButton } from '../../parts/action-button.tsx';
import { Dimmed } from '../../parts/dimmed.tsx';
import { DnsLimitsInput } from '../../parts/dns-limits-input.tsx';
import { limitsInput, limitsValue } from '../../parts/dns-limits.ts';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { NewSecretDialog, SecretValue } from '../../parts/new-secret.tsx';
import { EmptyCard, QueryResult } from '../../parts/query-result.tsx';
import { Section } from '../../parts/section.tsx';
import { TableCard, type Column } from '../../parts/table-card.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';

const noKeys = (
  <EmptyCard icon="key" title="No TSIG keys">
    Create one to change records with nsupdate, certbot, lego or cert-manager.
  </EmptyCard>
);

const columns: readonly Column<TsigKey>[] = [
  {
    label: 'Name',
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
  { label: 'Algorithm', cell: ({ algorithm }) => algorithm },
  { label: 'DNS records', cell: ({ dns }) => (dns.length === 0 ? <Dimmed>All</Dimmed> : dnsLimitsText(dns)) },
  { label: 'Last used', cell: ({ lastused }) => <Timestamp at={lastused} isRelative fallback="Never" /> },
  { label: 'Actions', width: 1, cell: (key) => <DeleteButton tsigKey={key} /> },
];

export function TsigKeys(): JSX.Element {
  const keys = useRead('tsigKeyList', {});
  const scopeDenial = useScopeDenial();
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<NewTsigKey>();
  return (
    <Section
      title="TSIG keys"
      actions={
        <ActionButton
          icon="plus"
          variant="default"
          disabledReason={scopeDenial('account:keys')}
          onClick={() => setIsCreating(true)}
        >
          New TSIG key
        </ActionButton>
      }
    >
      <Dimmed>For DNS tools that send updates to our name servers (RFC 2136) or transfer zones.</Dimmed>
      <QueryResult query={keys} empty={noKeys}>
        {(all) => <TableCard label="TSIG keys" columns={columns} rows={all} rowKey={({ id }) => id} minWidth={720} />}
      </QueryResult>
      <Modal
        opened={isCreating}
        onClose={() => setIsCreating(false)}
        title="New TSIG key"
        size="lg"
        closeOnClickOutside={false}
      >
        <TsigKeyForm close={() => setIsCreating(false)} onCreated={setCreated} />
      </Modal>
      <NewSecretDialog
        title="Your TSIG key"
        label="Secret"
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
    successMessage: `${name} created`,
    invalidates: ['tsigKeyList', 'auditGet'],
  });
  const send = async (): Promise<void> => {
    onCreated(await create.mutateAsync({ name, algorithm, dns: limitsInput(dns) }));
    close();
  };
  return (
    <Form fields={fields} submitLabel="Create TSIG key" onCancel={close} onSubmit={send}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label="Name" required maxLength={64} data-autofocus {...fields.input('name')} />
        <Select
          label="Algorithm"
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
      <SecretValue label="Key name" secret={tsigname} />
      <SecretValue label="Key file, for nsupdate -k" secret={keyFile.join('\n')} />
      <SecretValue label="certbot (rfc2136.ini)" secret={certbot.join('\n')} />
    </>
  );
}

function DeleteButton({ tsigKey: { id, name } }: { readonly tsigKey: TsigKey }): JSX.Element {
  const scopeDenial = useScopeDenial();
  const remove = useChange('tsigKeyDelete', {
    successMessage: `${name} deleted`,
    invalidates: ['tsigKeyList', 'auditGet'],
  });
  return (
    <ConfirmButton
      size="compact-sm"
      variant="light"
      color="red"
      disabledReason={scopeDenial('account:keys')}
      aria-label={`Delete ${name}`}
      question={`Delete “${name}”?`}
      consequence="DNS tools that use this key can no longer change or transfer zones. This cannot be undone."
      confirmLabel="Delete"
      onConfirm={() => remove.mutateAsync({ id })}
    />
  );
}
