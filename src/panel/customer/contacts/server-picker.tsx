// Picks the servers that a person is limited to.
import { MultiSelect } from '@mantine/core';
import type { JSX } from 'react';
import { useScopeDenial } from '../../data/identity.ts';
import { useRead } from '../../data/operations.ts';
import { t } from '../../text/text.ts';

export interface ServerPickerProps {
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
  readonly error: string | undefined;
}

export function ServerPicker({ value, onChange, error }: ServerPickerProps): JSX.Element {
  const names = useServerNames();
  // A limit may name a server that is terminated and no longer listed.
  const numbers = [...new Set([...names.keys(), ...value])];
  return (
    <MultiSelect
      label={t('Limit to servers')}
      description={t('No other servers exist for this person, neither in the panel nor in the API.')}
      placeholder={value.length === 0 ? t('All servers') : undefined}
      data={numbers.map((number) => ({ value: number, label: names.get(number) ?? number }))}
      limit={100}
      value={[...value]}
      error={error}
      searchable
      clearable
      hidePickedOptions
      onChange={onChange}
    />
  );
}

/** Returns host names by service number, as far as you can see them. */
export function useServerNames(): ReadonlyMap<string, string> {
  const canRead = useScopeDenial()('device:read') === undefined;
  const devices = useRead('deviceList', {}, { enabled: canRead });
  return new Map((devices.data ?? []).map(({ service, hostname }) => [service, `${hostname} (${service})`]));
}
