// Inputs for the content of a record, one for each field of its type.
import { NativeSelect, Text, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import type { RecordField } from './record-fields.ts';
import styles from './add-record-form.module.css';

export interface RecordInputsProps {
  readonly fields: readonly RecordField[];
  readonly values: readonly string[];
  readonly errors: readonly (string | undefined)[];
  /** About the content as a whole. */
  readonly error: string | undefined;
  readonly onChange: (values: readonly string[]) => void;
}

export function RecordInputs({ fields, values, errors, error, onChange }: RecordInputsProps): JSX.Element {
  return (
    <div className={styles['parts']}>
      {fields.map((field, index) => {
        const { label, kind, placeholder, choices } = field;
        const common = {
          label,
          error: errors[index],
          value: values[index] ?? '',
          onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
            onChange(fields.map((_, at) => (at === index ? value : (values[at] ?? '')))),
        };
        const isNarrow = kind === 'number' || choices !== undefined;
        return (
          <div key={label} className={styles[isNarrow ? 'narrow' : 'broad']}>
            {choices === undefined ? (
              <TextInput
                {...common}
                placeholder={placeholder}
                autoComplete="off"
                spellCheck={false}
                classNames={{ input: styles['mono']! }}
                {...(kind === 'number' ? { inputMode: 'numeric' } : {})}
              />
            ) : (
              <NativeSelect
                {...common}
                value={common.value || choices[0]![0]}
                data={choices.map(([value, meaning]) => ({ value, label: `${value} – ${meaning}` }))}
              />
            )}
          </div>
        );
      })}
      {error !== undefined && (
        <Text size="sm" c="red" role="alert" style={{ flexBasis: '100%' }}>
          {error}
        </Text>
      )}
    </div>
  );
}
