// The form to plan and to change maintenance.
import { Checkbox, SimpleGrid, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { useStaffChange, type StaffResult } from '../../data/operations.ts';
import { fromLocalInput, toLocalInput } from '../../parts/dates.ts';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { parseTimestamp } from '../../parts/timestamp.tsx';
import { t } from '../../text/text.ts';

export type Maintenance = StaffResult<'maintenanceList'>[number];

const hourSeconds = 3600;
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
    const values = { ...rest, start: fromLocalInput(start)!, end: fromLocalInput(end)! };
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
  const start = maintenance === undefined ? nextHour() : secondsOf(maintenance.start);
  return {
    title: maintenance?.title ?? '',
    text: maintenance?.text ?? '',
    start: toLocalInput(start),
    end: toLocalInput(maintenance === undefined ? start + 2 * hourSeconds : secondsOf(maintenance.end)),
    all: maintenance?.all ?? false,
    racks: [...(maintenance?.racks ?? [])],
    switches: [...(maintenance?.switches ?? [])],
    nodes: [...(maintenance?.nodes ?? [])],
    servers: [...(maintenance?.servers ?? [])],
  };
}

/** On the hour, tomorrow. */
function nextHour(): number {
  return (Math.ceil(Date.now() / 1000 / hourSeconds) + 24) * hourSeconds;
}

function secondsOf(time: string): number {
  return Number(parseTimestamp(time)) / 1000;
}
