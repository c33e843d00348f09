// Chooses the SSH keys of an installation: saved ones, and others typed in.
import { MultiSelect, Textarea } from '@mantine/core';
import type { JSX } from 'react';
import { useRead } from '../../../data/operations.ts';
import type { FormFields } from '../../../parts/form-fields.ts';
import { t } from '../../../text/text.ts';

export interface SshKeyValues {
  readonly saved: readonly string[];
  readonly sshkeys: string;
}
export const noSshKeys: SshKeyValues = { saved: [], sshkeys: '' };

/** Returns the public keys as parameters of a call; none if there are none. */
export function sshKeyInput({ saved, sshkeys }: SshKeyValues): { sshkeys?: string[] } {
  const typed = sshkeys
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const all = [...new Set([...saved, ...typed])];
  return all.length === 0 ? {} : { sshkeys: all };
}

interface SshKeyFieldsProps {
  readonly fields: Pick<FormFields<SshKeyValues>, 'values' | 'set' | 'input'>;
  readonly label?: string;
  readonly description?: string;
}

export function SshKeyFields({
  fields,
  label = t('SSH keys'),
  description = t('Public keys for root, one per line (optional)'),
}: SshKeyFieldsProps): JSX.Element {
  const { data: keys = [] } = useRead('sshKeyList', {});
  return (
    <>
      {keys.length > 0 && (
        <MultiSelect
          label={t('Saved SSH keys')}
          searchable
          nothingFoundMessage={t('No such key')}
          data={keys.map(({ key, name }) => ({ value: key, label: name }))}
          value={[...fields.values.saved]}
          onChange={(saved) => fields.set({ saved })}
        />
      )}
      <Textarea
        label={label}
        description={description}
        placeholder={t('ssh-ed25519 AAAA… name')}
        autosize
        minRows={1}
        maxRows={6}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...fields.input('sshkeys')}
      />
    </>
  );
}
