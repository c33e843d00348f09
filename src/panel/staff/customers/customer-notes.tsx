// Staff's notes on a customer, who never sees them.
import { ActionIcon, Card, Group, Stack, Text, Textarea, Tooltip } from '@mantine/core';
import { useState, type JSX } from 'react';
import { usePermissionDenial } from '../../data/identity.ts';
import { useStaffChange, useStaffRead } from '../../data/operations.ts';
import { useStaffPages, type Row } from '../../data/staff-pages.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Dimmed } from '../../parts/dimmed.tsx';
import { useFormFields } from '../../parts/form-fields.ts';
import { Form } from '../../parts/form.tsx';
import { EmptyCard, QueryResult } from '../../parts/query-result.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { Icon } from '../../shell/icons.tsx';
import { ShowMore } from '../parts/show-more.tsx';
import { rich } from '../../text/rich.ts';
import { t } from '../../text/text.ts';

type Note = Row<'noteList'>;
const textProps = { required: true, autosize: true, minRows: 2, maxRows: 12, maxLength: 4000 } as const;

export function CustomerNotes({ account }: { account: string }): JSX.Element {
  const notes = useStaffPages('noteList', { account });
  const denial = usePermissionDenial()('operator:notes');
  return (
    <Stack>
      {denial === undefined && <NewNote account={account} />}
      <QueryResult
        query={notes}
        empty={
          <EmptyCard icon="edit" title={t('No notes yet')}>
            {t('Notes are for staff only. The customer never sees them.')}
          </EmptyCard>
        }
      >
        {(all) => all.map((note) => <NoteCard key={note.id} note={note} />)}
      </QueryResult>
      <ShowMore query={notes} />
    </Stack>
  );
}

/** Also the form of the fast action on the customer's page. */
export function NewNote({ account, close }: { account: string; close?: () => void }): JSX.Element {
  const fields = useFormFields({ text: '' });
  const create = useStaffChange('noteCreate', { successMessage: t('Note saved') });
  return (
    <Form
      fields={fields}
      submitLabel={t('Save note')}
      close={close}
      onSubmit={async () => {
        await create.mutateAsync({ account, text: fields.values.text.trim() });
        fields.set({ text: '' });
      }}
    >
      <Textarea
        label={t('New note')}
        description={t('For staff only: the customer never sees it')}
        {...textProps}
        {...fields.input('text')}
      />
    </Form>
  );
}

function NoteCard({ note }: { note: Note }): JSX.Element {
  const { data: session } = useStaffRead('sessionGet', {});
  const [isEditing, setEditing] = useState(false);
  const remove = useStaffChange('noteDelete', { successMessage: t('Note deleted') });
  const isAuthor = session?.name === note.operator;
  return (
    <Card padding="md" component="article" aria-label={t('Note by {name}', { name: note.operator })}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Dimmed size="xs">
          {note.operator}, <Timestamp at={note.created} />
          {note.changed !== '' && <> · {rich('edited {time}', { time: <Timestamp at={note.changed} isRelative /> })}</>}
        </Dimmed>
        <Group gap={4} wrap="nowrap">
          {isAuthor && !isEditing && (
            <Tooltip label={t('Edit')}>
              <ActionIcon variant="subtle" color="gray" aria-label={t('Edit note')} onClick={() => setEditing(true)}>
                <Icon name="edit" size={16} />
              </ActionIcon>
            </Tooltip>
          )}
          {(isAuthor || session?.role === 'owner') && (
            <ConfirmButton
              size="compact-xs"
              variant="subtle"
              color="red"
              question={t('Delete this note?')}
              consequence={t('This cannot be undone.')}
              confirmLabel={t('Delete')}
              aria-label={t('Delete note')}
              onConfirm={() => remove.mutateAsync({ id: note.id })}
            />
          )}
        </Group>
      </Group>
      {isEditing ? (
        <EditNote note={note} close={() => setEditing(false)} />
      ) : (
        <Text size="sm" className="wrap-anywhere" style={{ whiteSpace: 'pre-wrap' }}>
          {note.text}
        </Text>
      )}
    </Card>
  );
}

function EditNote({ note, close }: { note: Note; close: () => void }): JSX.Element {
  const fields = useFormFields({ text: note.text });
  const update = useStaffChange('noteUpdate', { successMessage: t('Note saved') });
  return (
    <Form
      fields={fields}
      submitLabel={t('Save')}
      close={close}
      onSubmit={() => update.mutateAsync({ id: note.id, text: fields.values.text.trim() })}
    >
      <Textarea aria-label={t('Note')} {...textProps} {...fields.input('text')} />
    </Form>
  );
}
