// Creates or edits a webhook: its URL and events.
import { MultiSelect, Text, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { eventKinds, eventTypes, type EventType } from '#contract/events/events.ts';
import type { Webhook } from '#sdk/v2.ts';
import { useChange } from '../../data/operations.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import type { SecretFormProps } from '../../parts/secret-dialog.tsx';
import { t } from '../../text/text.ts';

interface Values {
  readonly url: string;
  readonly description: string;
  readonly events: readonly EventType[];
}

const groups = [...new Set(eventTypes.map(eventSubject))].map((subject) => ({
  group: subject,
  items: eventTypes.filter((type) => eventSubject(type) === subject),
}));

function eventSubject(type: string): string {
  return type.split('.')[0]!;
}

export function WebhookForm({ item, close, onCreated }: SecretFormProps<Webhook>): JSX.Element {
  const fields = useFormFields<Values>({
    url: item?.url ?? 'https://',
    description: item?.description ?? '',
    events: (item?.events ?? []) as EventType[],
  });
  const { url, description, events } = fields.values;
  const create = useChange('webhookCreate', { invalidates: ['webhookGet'] });
  const change = useChange('webhookUpdate', { successMessage: t('Webhook updated'), invalidates: ['webhookGet'] });
  const send = async (): Promise<void> => {
    if (item !== undefined) {
      await change.mutateAsync({ id: item.id, url, description, events });
      close();
      return;
    }
    const { secret } = await create.mutateAsync({ url, events, description: description || undefined });
    onCreated(secret);
  };
  return (
    <Form
      fields={fields}
      submitLabel={item === undefined ? t('Create webhook') : t('Save')}
      onCancel={close}
      onSubmit={send}
    >
      <TextInput
        label="URL"
        description={t(
          'Events are sent as signed JSON in POST requests. Any 2xx response within 10 seconds counts as delivered.',
        )}
        type="url"
        required
        data-autofocus
        {...fields.input('url')}
      />
      <TextInput label={t('Description')} maxLength={255} {...fields.input('description')} />
      <MultiSelect
        label={t('Events')}
        description={t('Leave empty for all events')}
        placeholder={events.length === 0 ? t('All events') : ''}
        data={groups}
        value={[...events]}
        error={fields.errorOf('events')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('All events') }}
        nothingFoundMessage={t('No events found')}
        renderOption={({ option }) => (
          <div>
            <Text size="sm" ff="monospace">
              {option.value}
            </Text>
            <Dimmed size="xs">{eventKinds[option.value as EventType].summary}</Dimmed>
          </div>
        )}
        onChange={(next) => fields.set({ events: next as EventType[] })}
      />
    </Form>
  );
}
