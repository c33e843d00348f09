// A new record, above the table. It stays open after one was added, for the next.
import { Alert, Button, Card, Group, NativeSelect, TextInput } from '@mantine/core';
import { useRef, type JSX } from 'react';
import type { Zone } from '#sdk/v2.ts';
import { useChange } from '../../data/read.ts';
import { useFields } from '../../parts/fields.ts';
import { fullName } from './record-names.ts';
import { newRecordTypeNames, newRecordTypes, usualTtlSeconds, type NewRecordType } from './record-types.ts';
import styles from './record-add.module.css';

export function RecordAdd({ zone, close }: { zone: Zone; close: () => void }): JSX.Element {
  const fields = useFields({ record: '', type: 'A' as keyof typeof newRecordTypes, content: '', ttl: '' });
  const create = useChange('recordCreate', { done: 'Record added.', changes: ['recordList', 'zoneHistoryGet'] });
  const name = useRef<HTMLInputElement>(null);
  const add = async (): Promise<void> => {
    const { record, type, content, ttl } = fields.values;
    try {
      await create.mutateAsync({
        domain: zone.domain_id,
        record: fullName(zone.name, record),
        type: type satisfies NewRecordType,
        content: content.trim(),
        // As it was typed: what is no number is for the interface to refuse.
        ...(ttl.trim() === '' ? {} : { ttl: ttl.trim() as unknown as number }),
      });
      fields.clear();
      fields.set({ type, ttl });
      name.current?.focus();
    } catch (error) {
      fields.refuse(error);
    }
  };
  return (
    <Card padding="sm" component="section" aria-label="New record">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close();
        }}
      >
        <div className={styles['fields']}>
          <TextInput
            ref={name}
            label="Name"
            placeholder="@"
            autoFocus
            autoComplete="off"
            spellCheck={false}
            rightSection={
              <span className={styles['zone']} aria-hidden="true">
                .{zone.name}
              </span>
            }
            rightSectionWidth="auto"
            rightSectionPointerEvents="none"
            classNames={{ input: styles['mono']!, section: styles['section']! }}
            {...fields.input('record')}
          />
          <NativeSelect label="Type" data={newRecordTypeNames} {...fields.input('type')} />
          <TextInput
            label="Content"
            required
            withAsterisk={false}
            placeholder={newRecordTypes[fields.values.type]}
            autoComplete="off"
            spellCheck={false}
            classNames={{ input: styles['mono']! }}
            {...fields.input('content')}
          />
          <TextInput
            label="TTL, seconds"
            placeholder={String(usualTtlSeconds)}
            inputMode="numeric"
            autoComplete="off"
            classNames={{ input: styles['mono']! }}
            {...fields.input('ttl')}
          />
          <Group gap="xs" wrap="nowrap" className={styles['buttons']!}>
            <Button type="submit" loading={create.isPending}>
              Add
            </Button>
            <Button variant="default" onClick={close}>
              Close
            </Button>
          </Group>
        </div>
        {fields.refusal !== undefined && (
          <Alert color="red" variant="light" role="alert" mt="sm">
            {fields.refusal}
          </Alert>
        )}
      </form>
    </Card>
  );
}
