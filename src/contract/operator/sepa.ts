// Operator API: files for the bank, bank statements, and entries that match no customer.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { File } from '../shapes/file.ts';
import { BankEntryItem, BankFileItem, BankStatementItem, entryStates, ImportedStatements } from '../shapes/sepa.ts';

const read = { method: 'GET', tag: 'sepa', access: 'operator:read' } as const;
const write = { tag: 'sepa', access: 'operator:money', effect: 'stored' } as const;

export const sepaOperator = {
  sepaFiles: endpoint({
    ...read,
    path: '/operator/sepa/files',
    command: 'sepa files',
    summary: 'List files for the bank',
    description: 'Newest first. Pass the last `id` as `before` for the next page.',
    params: p.pageBefore(p.Id),
    result: Type.Array(BankFileItem),
  }),
  sepaFile: endpoint({
    ...read,
    access: 'operator:money',
    path: '/operator/sepa/file',
    command: 'sepa download',
    summary: 'Download a file for the bank',
    description:
      'A pain.008 with direct debits or a pain.001 with refunds. Downloading a file again returns the same content.',
    params: { id: p.Id },
    file: 'application/xml',
    result: File,
  }),
  sepaFileDecide: endpoint({
    ...write,
    method: 'PUT',
    path: '/operator/sepa/file',
    command: 'sepa record',
    summary: 'Record what happened to a file',
    description:
      'handed_in: the bank has received the file. rejected: the bank has rejected the whole file, even after it was handed in; its charges fail and are collected again, and the credit of its refunds is restored.',
    params: { id: p.Id, outcome: p.Choice('handed_in', 'rejected') },
    target: ['id', 'outcome'],
    errors: ['state_conflict'],
  }),
  sepaStatements: endpoint({
    ...read,
    path: '/operator/sepa/statements',
    command: 'sepa statements',
    summary: 'List imported bank statements',
    description: 'Newest first. Pass the last `id` as `before` for the next page.',
    params: p.pageBefore(p.Id),
    result: Type.Array(BankStatementItem),
  }),
  sepaImport: endpoint({
    ...write,
    method: 'POST',
    path: '/operator/sepa/statements',
    command: 'sepa import',
    summary: 'Import a bank statement',
    description:
      'camt.053 or camt.054, version .02 or .08, in euro. Bookings are matched in the background. Importing it again changes nothing.',
    params: { statement: p.FileText({ max: 8 * 1024 * 1024 }) },
    maxBodyBytes: 10 * 1024 * 1024,
    result: ImportedStatements,
    errors: ['state_conflict'],
  }),
  sepaEntries: endpoint({
    ...read,
    path: '/operator/sepa/entries',
    command: 'sepa entries',
    summary: 'List bookings of bank statements',
    description:
      'Lists bookings in the given state, by default unmatched, oldest first. Pass the last `id` as `after` for the next page.',
    params: {
      state: p.optional(p.Choice(...entryStates)),
      ...p.pageAfter(p.Id),
    },
    result: Type.Array(BankEntryItem),
  }),
  sepaAssign: endpoint({
    ...write,
    method: 'PUT',
    path: '/operator/sepa/entries',
    command: 'sepa assign',
    summary: 'Assign an unmatched booking to a customer',
    description: 'Records it as a payment by bank transfer.',
    params: { entry: p.Id, account: p.Id },
    target: ['account', 'entry'],
    errors: ['state_conflict'],
  }),
  sepaIgnore: endpoint({
    ...write,
    method: 'DELETE',
    path: '/operator/sepa/entries',
    command: 'sepa ignore',
    summary: 'Ignore an unmatched booking',
    description: 'For bookings that do not concern customers, such as bank fees.',
    params: { entry: p.Id, reason: p.PersonLine },
    target: ['reason', 'entry'],
    errors: ['state_conflict'],
  }),
} as const;
