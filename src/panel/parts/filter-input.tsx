// A search box that filters the rows of a table.
import { TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { Icon } from '../shell/icons.tsx';

export interface FilterInputProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function FilterInput({ label, placeholder, value, onChange }: FilterInputProps): JSX.Element {
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      leftSection={<Icon name="search" size={16} />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      style={{ flex: '1 1 180px' }}
      maw={360}
      type="search"
    />
  );
}
