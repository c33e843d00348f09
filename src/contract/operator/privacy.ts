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
    description: 'In the background. The customer sees who asked for it and why.',
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
    description: 'Those that customers requested are for them only.',
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
      'Keep a copy of this list with your backups: after a restore, `erasure replay` erases the same accounts again. Pass the last account as `after` for the next page.',
    params: { limit: p.optional(p.Whole(1, 1000)), after: p.optional(p.Id) },
    result: Type.Array(OperatorErasure),
  }),
  erasureRequest: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/erasure',
    command: 'erasure request',
    summary: 'Request that an account is erased',
    description: 'On behalf of the customer, with the same conditions and the same waiting time.',
    params: { id: p.Id, reason: p.Text() },
    target: ['id', 'reason'],
    result: Type.String(),
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
    result: Type.String(),
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
      'Without waiting time and conditions. Only for accounts that had been erased when the backup was restored. Returns how many have to be erased again.',
    params: { accounts: p.List(p.Id, { max: 1000 }), reason: p.Text() },
    target: ['accounts', 'reason'],
    result: Type.String(),
    errors: ['state_conflict'],
  }),
} as const;
