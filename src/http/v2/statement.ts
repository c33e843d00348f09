// v2: account statements, and the delivery of e-invoices.
import type { statementV2 } from '#contract/v2/statement.ts';
import { invoiceDeliveryList } from '#app/billing/delivery/lists.ts';
import { getStatement, getStatementCsv, getStatementPdf } from '#app/billing/statements/statements.ts';
import type { HandlersOf } from '../handler.ts';

export const statementHandlers: HandlersOf<typeof statementV2> = {
  statementGet: ({ queries, caller }, period) => getStatement(queries, caller.account, period),
  statementPdf: ({ queries, caller }, period) => getStatementPdf(queries, caller.account, period),
  statementCsv: ({ queries, caller }, period) => getStatementCsv(queries, caller.account, period),
  invoiceDeliveryList,
};
