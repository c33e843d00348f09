// A debounced search box for a list, with filters next to it.
import { Group, SegmentedControl, Select, TextInput, type SegmentedControlProps } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState, type JSX, type ReactNode } from 'react';
import { Icon } from '../../shell/icons.tsx';
import { t, tData } from '../../text/text.ts';

export interface SearchBarProps {
  readonly label: string;
  readonly placeholder: string;
  readonly onSearch: (text: string) => void;
  readonly children?: ReactNode;
}
const debounceMs = 250;

export function SearchBar({ label, placeholder, onSearch, children }: SearchBarProps): JSX.Element {
  const [text, setText] = useState('');
  const searchLater = useDebouncedCallback((value: string) => onSearch(value.trim()), debounceMs);
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
          searchLater(value);
        }}
      />
      {children}
    </Group>
  );
}

interface StatusFilterProps<T extends string> {
  readonly options: readonly T[];
  /** The options themselves by default. */
  readonly labels?: Readonly<Record<T, string>>;
  readonly value: T | undefined;
  readonly onChange: (value: T | undefined) => void;
}
export interface FilterSelectProps<T extends string> extends StatusFilterProps<T> {
  readonly label: string;
  /** Shown if nothing is selected. */
  readonly anyLabel: string;
}

export function FilterSelect<T extends string>({
  label,
  anyLabel,
  options,
  labels,
  value,
  onChange,
}: FilterSelectProps<T>): JSX.Element {
  return (
    <Select
      aria-label={label}
      w={150}
      allowDeselect={false}
      data={[
        { value: '', label: anyLabel },
        ...options.map((option) => ({ value: option as string, label: tData(labels?.[option] ?? option) })),
      ]}
      value={value ?? ''}
      onChange={(next) => onChange(next === '' || next === null ? undefined : (next as T))}
    />
  );
}

export function StatusFilter<T extends string>(props: StatusFilterProps<T>): JSX.Element {
  return <FilterSelect label={t('Status')} anyLabel={t('Any status')} {...props} />;
}

/** Like `StatusFilter`, with all options visible. */
export function StatusTabs<T extends string>(
  props: Pick<SegmentedControlProps<T>, 'value' | 'onChange' | 'data'>,
): JSX.Element {
  return (
    <div style={{ overflowX: 'auto' }}>
      <SegmentedControl aria-label={t('Filter by status')} {...props} />
    </div>
  );
}
