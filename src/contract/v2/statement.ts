// Version 2: account statements, and the delivery of e-invoices.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { File } from '../shapes/file.ts';
import { DeliveryItem } from '../shapes/delivery-list.ts';
import { Statement } from '../shapes/statement.ts';

/** The first and the last day. */
export const statementPeriod = { from: p.CalendarDate, until: p.CalendarDate } as const;

const readEndpoint = { method: 'GET', tag: 'account', access: 'billing:read', addition: true } as const;

export const statementV2 = {
  statementGet: endpoint({
    ...readEndpoint,
    path: '/v2/account/statement',
    summary: 'Get an account statement',
    description: 'Opening balance, invoices, payments and closing balance of a period. Days are those of UTC.',
    params: statementPeriod,
    cost: 5,
    result: Statement,
    errors: ['state_conflict'],
  }),
  statementPdf: endpoint({
    ...readEndpoint,
    path: '/v2/account/statement/pdf',
    summary: 'Download an account statement as PDF',
    params: statementPeriod,
    cost: 25,
    file: 'application/pdf',
    result: File,
    errors: ['state_conflict'],
  }),
  statementCsv: endpoint({
    ...readEndpoint,
    path: '/v2/account/statement/csv',
    summary: 'Download an account statement as CSV',
    description: 'One line per entry, between the opening and the closing balance.',
    params: statementPeriod,
    cost: 5,
    file: 'text/csv',
    result: File,
    errors: ['state_conflict'],
  }),
  invoiceDeliveryList: endpoint({
    ...readEndpoint,
    path: '/v2/account/invoice/delivery',
    summary: 'List deliveries of e-invoices',
    description:
      'Lists invoices that were sent through the e-invoicing network, newest first, with their outcome. Pass the last id as `before` for the next page.',
    params: { ...p.pageBefore(p.Id), invoice: p.optional(p.Id) },
    result: Type.Array(DeliveryItem),
  }),
} as const;
