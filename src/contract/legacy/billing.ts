// Legacy: balance and invoices, in the v2 shapes.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { InvoiceDetail, InvoiceListItem, Money, invoiceStatuses } from '../shapes/account.ts';

export const billingLegacy = {
  balanceGet: endpoint({
    method: 'GET',
    path: '/billing/balance',
    tag: 'billing',
    access: 'billing:read',
    summary: 'Get the balance',
    description: 'The amount that the account owes; negative if it has credit.',
    result: Money,
  }),
  invoiceList: endpoint({
    method: 'GET',
    path: '/billing/invoice/{status}',
    tag: 'billing',
    access: 'billing:read',
    summary: 'List invoices',
    params: { status: p.optional(p.Choice(...invoiceStatuses)) },
    result: Type.Array(InvoiceListItem),
  }),
  invoiceGet: endpoint({
    method: 'POST',
    path: '/billing/invoice',
    tag: 'billing',
    access: 'billing:read',
    effect: 'none',
    summary: 'Get an invoice',
    description: 'Includes its lines.',
    params: { invoice: p.Id },
    result: InvoiceDetail,
  }),
} as const;
