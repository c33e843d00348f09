// Operator API: archives of everything about an account, and erasure, for customers who ask by letter.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { File } from '../shapes/file.ts';
import { NewAccountExport, OperatorAccountExport, OperatorErasure } from '../shapes/privacy.ts';

const readEndpoint = { method: 'GET', tag: 'account', access: 'operator:read' } as const;
const writeEndpoint = { tag: 'account', access: 'operator:customers', effect: 'stored' } as const;

export const privacyOperator = {
  accountExportCreate: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/account/export',
    command: 'export create',
    summary: 'Create an archive of everything about an account',
    description: 'Runs in the background. The customer sees who requested it and why.',
    params: { id: p.Id, reason: p.Text() },
    target: ['id', 'reason'],
    result: NewAccountExport,
    errors: ['state_conflict'],
  }),
  accountExportList: endpoint({
    ...readEndpoint,
    path: '/operator/account/export',
    command: 'export list',
    summary: 'List archives of an account, newest first',
    params: { id: p.Id },
    result: Type.Array(OperatorAccountExport),
  }),
  accountExportFile: endpoint({
    ...readEndpoint,
    access: 'operator:customers',
    path: '/operator/account/export/file',
    command: 'export download',
    summary: 'Download an archive that staff created',
    description: 'Only customers can download archives that they requested themselves.',
    params: { export: p.Id },
    file: 'application/zip',
    result: File,
    errors: ['state_conflict'],
  }),
  erasureList: endpoint({
    ...readEndpoint,
    path: '/operator/erasure',
    command: 'erasure list',
    summary: 'List erasures of accounts',
    description:
      'Keep a copy of this list with your backups: after restoring one, `erasure replay` erases the same accounts again. Pass the last account as `after` for the next page.',
    params: p.pageAfter(p.Id),
    result: Type.Array(OperatorErasure),
  }),
  erasureRequest: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/erasure',
    command: 'erasure request',
    summary: 'Request the erasure of an account',
    description: 'Acts on behalf of the customer, with the same conditions and waiting time.',
    params: { id: p.Id, reason: p.Text() },
    target: ['id', 'reason'],
    errors: ['state_conflict'],
  }),
  erasureCancel: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    path: '/operator/erasure',
    command: 'erasure cancel',
    summary: 'Cancel the erasure of an account',
    params: { id: p.Id },
    target: ['id'],
    errors: ['state_conflict'],
  }),
  erasureReplay: endpoint({
    ...writeEndpoint,
    access: 'operator:owner',
    method: 'POST',
    path: '/operator/erasure/replay',
    command: 'erasure replay',
    summary: 'Erase accounts again after a restore',
    description:
      'Erases them without waiting time or conditions. Pass only accounts that had been erased before the restore. Returns the number of accounts that have to be erased again.',
    params: { accounts: p.List(p.Id, { max: 1000 }), reason: p.Text() },
    target: ['accounts', 'reason'],
    errors: ['state_conflict'],
  }),
} as const;
