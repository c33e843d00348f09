// Where events are sent, and which.
import { MultiSelect, Text, TextInput } from '@mantine/core';
import type { JSX } from 'react';
import { eventKinds, eventTypes, type EventType } from '#contract/events.ts';
import type { Webhook } from '#sdk/v2.ts';
import { useChange } from '../../data/read.ts';
import { useFields } from '../../parts/fields.ts';
import { Form } from '../../parts/form.tsx';

export interface WebhookFormProps {
  readonly of?: Webhook;
  readonly close: () => void;
  /** With the secret of a new webhook. */
  readonly onMade: (secret: string) => void;
}

interface Values {
  readonly url: string;
  readonly description: string;
  readonly events: readonly EventType[];
}

const groups = [...new Set(eventTypes.map(subjectOf))].map((subject) => ({
  group: subject,
  items: eventTypes.filter((type) => subjectOf(type) === subject),
}));

function subjectOf(type: string): string {
  return type.split('.')[0]!;
}

export function WebhookForm({ of, close, onMade }: WebhookFormProps): JSX.Element {
  const fields = useFields<Values>({
    url: of?.url ?? 'https://',
    description: of?.description ?? '',
    events: (of?.events ?? []) as EventType[],
  });
  const { url, description, events } = fields.values;
  const make = useChange('webhookCreate', { changes: ['webhookGet'] });
  const change = useChange('webhookUpdate', { done: 'The webhook is changed.', changes: ['webhookGet'] });
  const send = async (): Promise<void> => {
    if (of !== undefined) {
      await change.mutateAsync({ id: of.id, url, description, events });
      close();
      return;
    }
    const { secret } = await make.mutateAsync({ url, events, ...(description === '' ? {} : { description }) });
    onMade(secret);
  };
  return (
    <Form fields={fields} label={of === undefined ? 'Make the webhook' : 'Save'} cancel={close} send={send}>
      <TextInput
        label="URL"
        description="Each event is posted to it as JSON, signed; any 2xx answer within 10 seconds is success."
        type="url"
        required
        data-autofocus
        {...fields.input('url')}
      />
      <TextInput label="Description" maxLength={255} {...fields.input('description')} />
      <MultiSelect
        label="Events"
        description="None picked: all of them."
        placeholder={events.length === 0 ? 'All events' : ''}
        data={groups}
        value={[...events]}
        error={fields.errorOf('events')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'All events' }}
        nothingFoundMessage="No such event."
        renderOption={({ option }) => (
          <div>
            <Text size="sm" ff="monospace">
              {option.value}
            </Text>
            <Text size="xs" c="dimmed">
              {eventKinds[option.value as EventType].summary}
            </Text>
          </div>
        )}
        onChange={(picked) => fields.set({ events: picked as EventType[] })}
      />
    </Form>
  );
}
