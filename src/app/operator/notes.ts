// Staff's notes on customers. The audit log of the customer never mentions them.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { AccountNote as NoteShape, noteOperator } from '#contract/operator/note.ts';
import { conflict, requireFound } from '#lib/api-error.ts';
import { optionalTimeText, timeText } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import * as store from '#store/operator/account-notes.ts';
import type { Context } from '../app.ts';
import { getCustomer, pageLength } from './accounts.ts';

type Note = Static<typeof NoteShape>;

export async function noteList(
  { queries }: Context,
  { account, limit = pageLength, before }: InputOf<typeof noteOperator.noteList>,
): Promise<Note[]> {
  return (await store.noteList(queries, account as AccountId, { limit, before })).map(noteShape);
}

export async function noteCreate(
  { queries, app, caller }: Context,
  { account, text }: InputOf<typeof noteOperator.noteCreate>,
): Promise<Note> {
  const { id: account_id } = await getCustomer(queries, account);
  const note = { account_id, operator: caller.operator!.name, text, created_at: app.clock.now(), changed_at: null };
  return noteShape({ ...note, id: await store.noteInsert(queries, note) });
}

export async function noteUpdate(
  context: Context,
  { id, text }: InputOf<typeof noteOperator.noteUpdate>,
): Promise<Note> {
  const { queries, app, caller } = context;
  const note = await getNote(context, id);
  if (note.operator !== caller.operator!.name) throw conflict('Only the author of a note can edit it.');
  const change = { text, changed_at: app.clock.now() };
  await store.noteUpdate(queries, id, change);
  return noteShape({ ...note, ...change });
}

export async function noteDelete(context: Context, id: number): Promise<void> {
  const { queries, caller } = context;
  const note = await getNote(context, id);
  const { name, role } = caller.operator!;
  if (note.operator !== name && role !== 'owner') throw conflict('Only its author and owners can delete a note.');
  await store.noteDelete(queries, id);
}

async function getNote({ queries }: Context, id: number): Promise<store.AccountNote> {
  return requireFound(await store.noteFind(queries, id), 'Note not found.');
}

function noteShape(note: store.AccountNote): Note {
  return {
    id: String(note.id),
    account: String(note.account_id),
    operator: note.operator,
    text: note.text,
    created: timeText(note.created_at),
    changed: optionalTimeText(note.changed_at),
  };
}
