// SSH keys that the account keeps for installations.
import { Textarea, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { useScopeDenial } from '../data/identity.ts';
import { useChange, useRead, type Result } from '../data/operations.ts';
import { DangerButton } from '../parts/confirm-button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { FormButton } from '../parts/form-button.tsx';
import { useFormFields } from '../parts/form-fields.ts';
import { Form } from '../parts/form.tsx';
import { Page } from '../parts/page.tsx';
import { EmptyCard } from '../parts/query-result.tsx';
import { QueryTable, type Column } from '../parts/table-card.tsx';
import { Timestamp } from '../parts/timestamp.tsx';
import { t } from '../text/text.ts';

type SshKey = Result<'sshKeyList'>[number];

export function SshKeysPage(): JSX.Element {
  const keys = useRead('sshKeyList', {});
  const denial = useScopeDenial()('device:write');
  const remove = useChange('sshKeyDelete', { successMessage: t('SSH key deleted'), invalidates: ['sshKeyList'] });
  const add = <AddKeyButton disabledReason={denial} />;
  const columns: readonly Column<SshKey>[] = [
    { label: t('Name'), fw: 600, className: 'wrap-anywhere', cell: ({ name }) => name },
    { label: t('Type'), cell: ({ key }) => key.split(' ', 1)[0] },
    { label: t('Fingerprint'), cell: ({ fingerprint }) => <Copyable value={fingerprint} label={t('fingerprint')} /> },
    { label: t('Added'), cell: ({ created }) => <Timestamp at={created} /> },
    {
      label: t('Actions'),
      width: 1,
      cell: ({ id, name }) => (
        <DangerButton
          aria-label={t('Delete {name}', { name })}
          disabledReason={denial}
          question={t('Delete the SSH key “{name}”?', { name })}
          consequence={t('Servers that were installed with it keep it. It is no longer offered for installations.')}
          confirmLabel={t('Delete')}
          onConfirm={() => remove.mutateAsync({ id })}
        />
      ),
    },
  ];
  return (
    <Page title={t('SSH keys')} description={t('Public keys for installing servers')} actions={add}>
      <QueryTable
        query={keys}
        label={t('SSH keys')}
        columns={columns}
        minWidth={760}
        empty={
          <EmptyCard icon="console" title={t('No SSH keys yet')}>
            {t('Add a public key, then choose it when you install a server. Everyone on the account can use it.')}
          </EmptyCard>
        }
      />
    </Page>
  );
}

function AddKeyButton({ disabledReason }: { disabledReason: string | undefined }): JSX.Element {
  return (
    <FormButton
      icon="plus"
      title={t('Add SSH key')}
      disabledReason={disabledReason}
      form={(close) => <AddKeyForm close={close} />}
    />
  );
}

function AddKeyForm({ close }: { close: () => void }): JSX.Element {
  const fields = useFormFields({ name: '', key: '' });
  const create = useChange('sshKeyCreate', { successMessage: t('SSH key saved'), invalidates: ['sshKeyList'] });
  const save = async (): Promise<void> => {
    const key = fields.values.key.trim();
    // The comment at the end of a key usually names its owner.
    const name = fields.values.name.trim() || key.split(' ').slice(2).join(' ') || 'SSH key';
    await create.mutateAsync({ name: name.slice(0, 64), key });
  };
  return (
    <Form fields={fields} submitLabel={t('Save')} close={close} onSubmit={save}>
      <Textarea
        label={t('Public key')}
        description={t('The line in a file such as id_ed25519.pub')}
        placeholder={t('ssh-ed25519 AAAA… name')}
        required
        autosize
        minRows={3}
        maxRows={8}
        data-autofocus
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...fields.input('key')}
      />
      <TextInput
        label={t('Name')}
        description={t('Defaults to the comment in the key')}
        maxLength={64}
        {...fields.input('name')}
      />
    </Form>
  );
}
