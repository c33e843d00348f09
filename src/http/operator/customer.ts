// Operator API: the data of a customer's page, and the search.
import type { licenceOperator } from '#contract/operator/licence.ts';
import type { noteOperator } from '#contract/operator/note.ts';
import type { recordOperator } from '#contract/operator/record.ts';
import type { searchOperator } from '#contract/operator/search.ts';
import * as notes from '#app/operator/notes.ts';
import * as records from '#app/operator/records.ts';
import { searchGet } from '#app/operator/search.ts';
import { licenceOrderDeliver, licenceOrderList } from '#app/software/licence-admin.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const customerPageHandlers: HandlersOf<
  typeof noteOperator & typeof recordOperator & typeof searchOperator & typeof licenceOperator
> = {
  noteList: notes.noteList,
  noteCreate: notes.noteCreate,
  noteUpdate: notes.noteUpdate,
  noteDelete: respondWith('Note Deleted', (context, { id }) => notes.noteDelete(context, id)),
  contactList: records.contactList,
  invoiceList: records.invoiceList,
  invoiceGet: (context, { id }) => records.invoiceGet(context, id),
  paymentList: records.paymentList,
  eventList: records.eventList,
  searchGet,
  licenceOrderList,
  licenceOrderDeliver: respondWith('Licence Delivered', licenceOrderDeliver),
};
