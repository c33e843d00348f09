// Archives of everything about an account, and erasure; our addition.
import { Type } from 'typebox';
import { Moment } from './account.ts';
import { described, momentOrEmpty, text } from './text.ts';

const exportStatuses = ['Queued', 'Ready', 'Failed', 'Replaced'] as const;
export type ExportStatus = (typeof exportStatuses)[number];

const exported = {
  id: text,
  status: Type.Enum(exportStatuses),
  size: described('In bytes'),
  error: described('Why it failed'),
  created: Moment,
  ready: momentOrEmpty('When it was completed'),
  expires: described('When it is deleted; time in UTC'),
};
export const AccountExport = Type.Object({
  ...exported,
  operator: described('The member of staff who requested it; empty if you did'),
});
export const OperatorAccountExport = Type.Object({ ...exported, account: text, operator: text, reason: text });
export const NewAccountExport = Type.Object({ id: text });

const erasureStatuses = ['Waiting', 'Cancelled', 'Erasing', 'Erased', 'Purging', 'Purged'] as const;
export type ErasureStatus = (typeof erasureStatuses)[number];

const erasure = {
  status: Type.Enum(erasureStatuses, {
    description: 'Erased: only what tax law requires is kept; Purged: nothing is kept',
  }),
  requested: Moment,
  eraseon: described('When the waiting time ends; time in UTC'),
  operator: described('The member of staff who requested it; empty if the account’s owner did'),
  reason: described('Why staff requested it, or why it was cancelled'),
};
export const Erasure = Type.Object(erasure);
export const OperatorErasure = Type.Object({
  account: text,
  ...erasure,
  erased: momentOrEmpty('When it was completed'),
  keptuntil: momentOrEmpty('When tax law no longer requires its invoices'),
  purged: momentOrEmpty('When the invoices were deleted'),
});
/** What keeps an account from being erased. */
export const ErasurePreview = Type.Object({
  erasure: Type.Union([Erasure, Type.Null()]),
  obstacles: Type.Array(text, { description: 'Obstacles to settle first' }),
  waitingdays: text,
  keptyears: described('How long invoices are kept, as tax law requires'),
});
