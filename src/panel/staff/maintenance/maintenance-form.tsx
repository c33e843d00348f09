// The form to plan and to change maintenance. Times are those of the browser.
import { Checkbox, SimpleGrid, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffChange, type StaffResult } from '../../data/operations.ts';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { parseTimestamp } from '../../parts/timestamp.tsx';
import { t } from '../../text/text.ts';

export type Maintenance = StaffResult<'maintenanceList'>[number];

const hourMs = 3_600_000;
const targets = [
  ['racks', t('Racks')],
  ['switches', t('Switches')],
  ['nodes', t('Hypervisors')],
  ['servers', t('Servers')],
] as const;

interface MaintenanceFormProps {
  /** Undefined to plan a new one. */
  readonly maintenance?: Maintenance;
  readonly close: () => void;
}

export function MaintenanceForm({ maintenance, close }: MaintenanceFormProps): JSX.Element {
  const fields = useFormFields(initialValues(maintenance));
  const create = useStaffChange('maintenanceCreate', { successMessage: t('Draft created') });
  const update = useStaffChange('maintenanceUpdate', { successMessage: t('Maintenance changed') });
  const isAnnounced = maintenance?.status === 'Announced';
  const submit = async (): Promise<void> => {
    const { start, end, ...rest } = fields.values;
    const values = { ...rest, start: toSeconds(start), end: toSeconds(end) };
    await (maintenance === undefined
      ? create.mutateAsync(values)
      : update.mutateAsync({ id: maintenance.id, ...values }));
  };
  return (
    <Form fields={fields} submitLabel={isAnnounced ? t('Save and notify') : t('Save')} close={close} onSubmit={submit}>
      {isAnnounced && <Text size="sm">{t('Customers are notified of the change.')}</Text>}
      <TextInput label={t('Title')} required maxLength={255} data-autofocus {...fields.input('title')} />
      <Textarea
        label={t('Text')}
        description={t('What happens, and what customers will notice')}
        required
        autosize
        minRows={3}
        maxLength={4000}
        {...fields.input('text')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t('Start')} type="datetime-local" required {...fields.input('start')} />
        <TextInput label={t('End@@time')} type="datetime-local" required {...fields.input('end')} />
      </SimpleGrid>
      <Checkbox
        label={t('All services')}
        checked={fields.values.all}
        onChange={(event) => fields.set({ all: event.currentTarget.checked })}
      />
      {!fields.values.all &&
        targets.map(([name, label]) => (
          <TagsInput
            key={name}
            label={label}
            value={fields.values[name]}
            error={fields.errorOf(name)}
            splitChars={[',', ' ']}
            onChange={(names) => fields.set({ [name]: names })}
          />
        ))}
    </Form>
  );
}

function initialValues(maintenance: Maintenance | undefined) {
  const start = maintenance === undefined ? nextHour() : Number(parseTimestamp(maintenance.start));
  return {
    title: maintenance?.title ?? '',
    text: maintenance?.text ?? '',
    start: toLocalText(start),
    end: toLocalText(maintenance === undefined ? start + 2 * hourMs : Number(parseTimestamp(maintenance.end))),
    all: maintenance?.all ?? false,
    racks: [...(maintenance?.racks ?? [])],
    switches: [...(maintenance?.switches ?? [])],
    nodes: [...(maintenance?.nodes ?? [])],
    servers: [...(maintenance?.servers ?? [])],
  };
}

/** On the hour, tomorrow. */
function nextHour(): number {
  return Math.ceil((Date.now() + 24 * hourMs) / hourMs) * hourMs;
}

/** For an input of the type `datetime-local`. */
function toLocalText(at: number): string {
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function toSeconds(localText: string): number {
  return Math.floor(new Date(localText).getTime() / 1000);
}
