// What is searched for in a list: a text that waits until the typing stops, and choices beside it.
import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState, type JSX, type ReactNode } from 'react';
import { Icon } from '../../shell/icons.tsx';

export interface SearchBarProps {
  readonly label: string;
  readonly placeholder: string;
  readonly onSearch: (text: string) => void;
  readonly children?: ReactNode;
}
const waitMs = 250;

export function SearchBar({ label, placeholder, onSearch, children }: SearchBarProps): JSX.Element {
  const [text, setText] = useState('');
  const later = useDebouncedCallback((typed: string) => onSearch(typed.trim()), waitMs);
  return (
    <Group gap="sm">
      <TextInput
        type="search"
        aria-label={label}
        placeholder={placeholder}
        leftSection={<Icon name="search" size={16} />}
        value={text}
        maxLength={100}
        flex="1 1 220px"
        maw={420}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          later(value);
        }}
      />
      {children}
    </Group>
  );
}

export interface ChoiceProps<T extends string> {
  readonly label: string;
  /** What is said for no choice. */
  readonly any: string;
  readonly options: readonly T[];
  readonly value: T | undefined;
  readonly onChange: (value: T | undefined) => void;
}

export function Choice<T extends string>({ label, any, options, value, onChange }: ChoiceProps<T>): JSX.Element {
  return (
    <Select
      aria-label={label}
      w={150}
      allowDeselect={false}
      data={[{ value: '', label: any }, ...options.map((option) => ({ value: option as string, label: option }))]}
      value={value ?? ''}
      onChange={(next) => onChange(next === '' || next === null ? undefined : (next as T))}
    />
  );
}
