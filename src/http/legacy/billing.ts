// Legacy: balance and invoices.
import type { billingLegacy } from '#contract/legacy/billing.ts';
import { balanceGet } from '#app/account/accounts.ts';
import { invoiceGet, invoiceList } from '#app/billing/invoices.ts';
import type { HandlersOf } from '../handler.ts';

export const billingHandlers: HandlersOf<typeof billingLegacy> = {
  balanceGet,
  invoiceList: (context, { status }) => invoiceList(context, status),
  invoiceGet: (context, { invoice }) => invoiceGet(context, invoice),
};
