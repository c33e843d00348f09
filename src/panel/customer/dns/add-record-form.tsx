// The form for a new record. It stays open after a record was added, so that several can be added in a row.
import { Alert, Button, Card, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useRef, type JSX } from 'react';
import type { Zone } from '#sdk/v2.ts';
import { useChange } from '../../data/operations.ts';
import { useFormFields } from '../../parts/form-fields.ts';
import { absoluteName } from './record-names.ts';
import { newRecordTypeNames, newRecordTypes, defaultTtlSeconds, type NewRecordType } from './record-types.ts';
import styles from './add-record-form.module.css';

export function AddRecordForm({ zone, close }: { zone: Zone; close: () => void }): JSX.Element {
  const fields = useFormFields({ record: '', type: 'A' as keyof typeof newRecordTypes, content: '', ttl: '' });
  const create = useChange('recordCreate', {
    successMessage: 'Record added',
    invalidates: ['recordList', 'zoneHistoryGet'],
  });
  const name = useRef<HTMLInputElement>(null);
  const add = async (): Promise<void> => {
    const { record, type, content, ttl } = fields.values;
    try {
      await create.mutateAsync({
        domain: zone.domain_id,
        record: absoluteName(zone.name, record),
        type: type satisfies NewRecordType,
        content: content.trim(),
        // Passed on as typed: the API rejects a TTL that is not a number.
        ...(ttl.trim() === '' ? {} : { ttl: ttl.trim() as unknown as number }),
      });
      fields.reset();
      fields.set({ type, ttl });
      name.current?.focus();
    } catch (error) {
      fields.showError(error);
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
            label="TTL (seconds)"
            placeholder={String(defaultTtlSeconds)}
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
        {fields.values.type === 'ALIAS' && (
          <Text size="sm" c="dimmed" mt="xs">
            Queries for this name are answered with the addresses of the other. Also works for the zone itself (@).
          </Text>
        )}
        {fields.formError !== undefined && (
          <Alert color="red" variant="light" role="alert" mt="sm">
            {fields.formError}
          </Alert>
        )}
      </form>
    </Card>
  );
}
