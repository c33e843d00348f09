// Operator API: staff's notes on customers, which customers never see.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { Moment } from '../shapes/account.ts';
import { described, momentOrEmpty, text } from '../shapes/text.ts';

const NoteText = p.Text({ max: 4000 });

export const AccountNote = Type.Object({
  id: text,
  account: text,
  operator: described('The name of its author'),
  text,
  created: Moment,
  changed: momentOrEmpty('When it was last edited'),
});

const writeEndpoint = { path: '/operator/note', tag: 'account', access: 'operator:notes', effect: 'stored' } as const;

export const noteOperator = {
  noteList: endpoint({
    method: 'GET',
    path: '/operator/note',
    tag: 'account',
    access: 'operator:read',
    command: 'note list',
    summary: 'List staff’s notes on an account, newest first',
    description: 'Customers never see them. They are deleted when the account is erased.',
    params: { account: p.Id, ...p.pageBefore(p.Id) },
    result: Type.Array(AccountNote),
  }),
  noteCreate: endpoint({
    ...writeEndpoint,
    method: 'POST',
    command: 'note create',
    summary: 'Write a note on an account',
    params: { account: p.Id, text: NoteText },
    target: ['account'],
    result: AccountNote,
  }),
  noteUpdate: endpoint({
    ...writeEndpoint,
    method: 'PUT',
    command: 'note update',
    summary: 'Edit a note',
    description: 'Only its author can edit it.',
    params: { id: p.Id, text: NoteText },
    target: ['id'],
    result: AccountNote,
    errors: ['state_conflict'],
  }),
  noteDelete: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    command: 'note delete',
    summary: 'Delete a note',
    description: 'Only its author and owners can delete it.',
    params: { id: p.Id },
    target: ['id'],
    errors: ['state_conflict'],
  }),
} as const;
