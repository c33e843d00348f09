// Operator API: tax data of accounts.
import type { taxOperator } from '#contract/operator/tax.ts';
import * as taxes from '#app/billing/tax/tax-data.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const taxHandlers: HandlersOf<typeof taxOperator> = {
  taxGet: (context, { account }) => taxes.operatorTaxGet(context, account),
  taxUpdate: respondWith('Tax Data Changed', taxes.operatorTaxUpdate),
  taxValidate: respondWith('Validation Started', (context, { account }) => taxes.taxValidate(context, account)),
  taxOverride: respondWith('Tax Override Set', taxes.taxOverride),
};
