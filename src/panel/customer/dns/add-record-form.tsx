// The form for a new record, with the fields of its type or as text. It stays open after a record was added, so that several
// can be added in a row.
import { Alert, Anchor, Button, Card, Group, NativeSelect, TextInput } from '@mantine/core';
import { useRef, useState, type JSX } from 'react';
import type { Zone } from '#sdk/v2.ts';
import { useChange } from '../../data/operations.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { useFormFields, type FormFields } from '../../parts/form-fields.ts';
import { t } from '../../text/text.ts';
import { composeContent, recordFields, splitContent } from './record-fields.ts';
import { RecordInputs } from './record-inputs.tsx';
import { absoluteName } from './record-names.ts';
import { newRecordTypeNames, newRecordTypes, defaultTtlSeconds, type NewRecordType } from './record-types.ts';
import { asciiName, unicodeName } from './unicode-name.ts';
import styles from './add-record-form.module.css';

const emptyRecord = { record: '', type: 'A' as keyof typeof newRecordTypes, content: '', ttl: '' };

export function AddRecordForm({ zone, close }: { zone: Zone; close: () => void }): JSX.Element {
  const fields = useFormFields(emptyRecord);
  const { partFields, parts, partErrors, isText, showParts, toggleText, compose } = useContent(fields);
  const create = useChange('recordCreate', {
    successMessage: t('Record added'),
    invalidates: ['recordList', 'zoneHistoryGet'],
  });
  const name = useRef<HTMLInputElement>(null);
  const add = async (): Promise<void> => {
    const { record, type, ttl } = fields.values;
    const content = compose();
    if (content === undefined) return;
    try {
      await create.mutateAsync({
        domain: zone.domain_id,
        record: absoluteName(zone.name, asciiName(record)),
        type: type satisfies NewRecordType,
        content: content.trim(),
        // Passed on as typed: the API rejects a TTL that is not a number.
        ...(ttl.trim() === '' ? {} : { ttl: ttl.trim() as unknown as number }),
      });
      fields.reset();
      showParts([]);
      fields.set({ type, ttl });
      name.current?.focus();
    } catch (error) {
      fields.showError(error);
    }
  };
  return (
    <Card padding="sm" component="section" aria-label={t('New record')}>
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
            label={t('Name')}
            placeholder="@"
            autoFocus
            autoComplete="off"
            spellCheck={false}
            rightSection={
              <span className={styles['zone']} aria-hidden="true">
                .{unicodeName(zone.name)}
              </span>
            }
            rightSectionWidth="auto"
            rightSectionPointerEvents="none"
            classNames={{ input: styles['mono']!, section: styles['section']! }}
            {...fields.input('record')}
          />
          <NativeSelect
            label={t('Type')}
            data={newRecordTypeNames}
            {...fields.input('type')}
            onChange={(event) => {
              fields.set({ type: event.currentTarget.value as keyof typeof newRecordTypes });
              showParts([]);
            }}
          />
          {isText || partFields === undefined ? (
            <TextInput
              label={t('Content')}
              required
              withAsterisk={false}
              placeholder={newRecordTypes[fields.values.type]}
              autoComplete="off"
              spellCheck={false}
              classNames={{ input: styles['mono']! }}
              {...fields.input('content')}
            />
          ) : (
            <RecordInputs
              fields={partFields}
              values={parts}
              errors={partErrors}
              error={fields.errorOf('content')}
              onChange={showParts}
            />
          )}
          <TextInput
            label={t('TTL (seconds)')}
            placeholder={String(defaultTtlSeconds)}
            inputMode="numeric"
            autoComplete="off"
            classNames={{ input: styles['mono']! }}
            {...fields.input('ttl')}
          />
          <Group gap="xs" wrap="nowrap" className={styles['buttons']!}>
            <Button type="submit" loading={create.isPending}>
              {t('Add')}
            </Button>
            <Button variant="default" onClick={close}>
              {t('Close')}
            </Button>
          </Group>
        </div>
        {partFields !== undefined && (
          <Anchor component="button" type="button" size="sm" mt="xs" onClick={toggleText}>
            {isText ? t('Enter as fields') : t('Enter as text')}
          </Anchor>
        )}
        {fields.values.type === 'ALIAS' && (
          <Dimmed mt="xs">
            {t(
              'Queries for this name are answered with the addresses of the other. Also works for the zone itself (@).',
            )}
          </Dimmed>
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

/** The content of the record, which a person enters in the fields of its type or as text. */
function useContent(fields: FormFields<typeof emptyRecord>) {
  const [parts, setParts] = useState<readonly string[]>([]);
  const [partErrors, setPartErrors] = useState<readonly (string | undefined)[]>([]);
  const [isText, setText] = useState(false);
  const partFields = recordFields[fields.values.type];
  const showParts = (values: readonly string[]): void => {
    setParts(values);
    setPartErrors([]);
  };
  /** Takes along what was typed, if it makes sense in the other form. */
  const toggleText = (): void => {
    if (isText) showParts(splitContent(partFields!, fields.values.content) ?? []);
    else {
      const composed = composeContent(partFields!, parts);
      if ('content' in composed) fields.set({ content: composed.content });
    }
    setText(!isText);
  };
  /** Returns undefined, and shows why, if a field is not valid. */
  const compose = (): string | undefined => {
    if (isText || partFields === undefined) return fields.values.content;
    const composed = composeContent(partFields, parts);
    if ('content' in composed) return composed.content;
    setPartErrors(composed.errors);
    return undefined;
  };
  return { partFields, parts, partErrors, isText, showParts, toggleText, compose };
}
