// Legacy: balance and invoices.
import type { billingLegacy } from '#contract/legacy/billing.ts';
import type { Handlers } from '#contract/endpoint.ts';
import { balanceGet } from '#app/account/accounts.ts';
import { invoiceGet, invoiceList } from '#app/billing/invoices.ts';
import type { Context, Visitor } from '#app/app.ts';

export const billingHandlers: Handlers<typeof billingLegacy, Context, Visitor> = {
  balanceGet,
  invoiceList: (context, { status }) => invoiceList(context, status),
  invoiceGet: (context, { invoice }) => invoiceGet(context, invoice),
};
