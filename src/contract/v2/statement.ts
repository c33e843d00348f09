// Version 2: account statements, and the delivery of e-invoices.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { File } from '../shapes/file.ts';
import { DeliveryItem } from '../shapes/delivery-list.ts';
import { Statement } from '../shapes/statement.ts';

/** The first and the last day. */
export const statementPeriod = { from: p.CalendarDate, until: p.CalendarDate } as const;

export const statementV2 = {
  statementGet: endpoint({
    method: 'GET',
    path: '/v2/account/statement',
    tag: 'account',
    access: 'billing:read',
    addition: true,
    summary: 'Get an account statement',
    description: 'Opening balance, invoices, payments and closing balance of a period. Days are those of UTC.',
    params: statementPeriod,
    cost: 5,
    result: Statement,
    errors: ['state_conflict'],
  }),
  statementPdf: endpoint({
    method: 'GET',
    path: '/v2/account/statement/pdf',
    tag: 'account',
    access: 'billing:read',
    addition: true,
    summary: 'Download an account statement as PDF',
    params: statementPeriod,
    cost: 25,
    file: 'application/pdf',
    result: File,
    errors: ['state_conflict'],
  }),
  statementCsv: endpoint({
    method: 'GET',
    path: '/v2/account/statement/csv',
    tag: 'account',
    access: 'billing:read',
    addition: true,
    summary: 'Download an account statement as CSV',
    description: 'One line for each booking, between those of the opening and the closing balance.',
    params: statementPeriod,
    cost: 5,
    file: 'text/csv',
    result: File,
    errors: ['state_conflict'],
  }),
  invoiceDeliveryList: endpoint({
    method: 'GET',
    path: '/v2/account/invoice/delivery',
    tag: 'account',
    access: 'billing:read',
    addition: true,
    summary: 'List deliveries of e-invoices',
    description:
      'What became of invoices that were sent through the e-invoicing network, newest first. Pass the last id as `before` for the next page.',
    params: { ...p.newestFirst, invoice: p.optional(p.Id) },
    result: Type.Array(DeliveryItem),
  }),
} as const;
