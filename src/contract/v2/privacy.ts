// Version 2, our addition: an archive of everything about the account, and its erasure.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { ownProof } from '../proof.ts';
import { File } from '../shapes/file.ts';
import { AccountExport, ErasurePreview, NewAccountExport } from '../shapes/privacy.ts';

const readEndpoint = { method: 'GET', tag: 'account', access: 'account:read', addition: true } as const;
const ownerEndpoint = { tag: 'session', access: 'account:write', effect: 'stored', addition: true } as const;

export const privacyV2 = {
  accountExportCreate: endpoint({
    ...ownerEndpoint,
    method: 'POST',
    path: '/v2/account/export',
    proof: 'caller',
    cost: 25,
    summary: 'Request an archive of everything about the account',
    description:
      'For the owner, in a session. The archive is created in the background and can be downloaded for seven days; a new one replaces it. Up to three per day.',
    params: ownProof,
    result: NewAccountExport,
    errors: ['state_conflict'],
  }),
  accountExportList: endpoint({
    ...readEndpoint,
    path: '/v2/account/export',
    summary: 'List archives of the account, newest first',
    result: Type.Array(AccountExport),
  }),
  accountExportFile: endpoint({
    ...readEndpoint,
    tag: 'session',
    path: '/v2/account/export/file',
    cost: 25,
    summary: 'Download an archive of the account',
    description: 'A ZIP file with an index, JSON and documents. For the owner, in a session.',
    params: { id: p.Id },
    file: 'application/zip',
    result: File,
    errors: ['state_conflict'],
  }),
  erasureGet: endpoint({
    ...readEndpoint,
    path: '/v2/account/erasure',
    summary: 'Get the erasure request, and what is blocking it',
    result: ErasurePreview,
  }),
  erasureRequest: endpoint({
    ...ownerEndpoint,
    method: 'POST',
    path: '/v2/account/erasure',
    proof: 'caller',
    summary: 'Request the erasure of the account',
    description:
      'For the owner, in a session. Requires that all services are terminated and the balance is settled. The account is erased after a waiting time, during which you can cancel the request. Data that tax law requires is kept for the required time.',
    params: ownProof,
    errors: ['state_conflict'],
  }),
  erasureCancel: endpoint({
    ...ownerEndpoint,
    method: 'DELETE',
    path: '/v2/account/erasure',
    summary: 'Cancel the request to erase the account',
    errors: ['state_conflict'],
  }),
} as const;
