// A few letters above a table, by which its rows are found.
import { TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { Icon } from '../shell/icons.tsx';

export interface FindBoxProps {
  readonly label: string;
  readonly placeholder: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

export function FindBox({ label, placeholder, text, onChange }: FindBoxProps): JSX.Element {
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      leftSection={<Icon name="search" size={16} />}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
      style={{ flex: '1 1 180px' }}
      maw={360}
      type="search"
    />
  );
}
