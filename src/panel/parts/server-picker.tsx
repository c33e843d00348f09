// The servers that a person or an API key is limited to: a picker for forms, and a short text for lists.
import { MultiSelect, Tooltip } from '@mantine/core';
import type { JSX } from 'react';
import { useScopeDenial } from '../data/identity.ts';
import { useRead } from '../data/operations.ts';
import { t, tCount } from '../text/text.ts';
import { Dimmed } from './dimmed.tsx';

export interface ServerPickerProps {
  readonly description: string;
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
  readonly error: string | undefined;
}

export function ServerPicker({ description, value, onChange, error }: ServerPickerProps): JSX.Element {
  const names = useServerNames();
  // A limit may name a server that is terminated and no longer listed.
  const numbers = [...new Set([...names.keys(), ...value])];
  return (
    <MultiSelect
      label={t('Limit to servers')}
      description={description}
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

/** Names the servers when it is pointed at. */
export function ServerLimits({ services }: { services: readonly string[] }): JSX.Element {
  const names = useServerNames();
  return (
    <Tooltip
      label={services.map((number) => names.get(number) ?? number).join(', ')}
      disabled={services.length === 0}
      multiline
    >
      <Dimmed size="xs">
        {tCount(services.length, { one: 'Only {count} server', other: 'Only {count} servers' })}
      </Dimmed>
    </Tooltip>
  );
}

/** Returns host names by service number, as far as you can see them. */
function useServerNames(): ReadonlyMap<string, string> {
  const canRead = useScopeDenial()('device:read') === undefined;
  const devices = useRead('deviceList', {}, { enabled: canRead });
  return new Map((devices.data ?? []).map(({ service, hostname }) => [service, `${hostname} (${service})`]));
}
