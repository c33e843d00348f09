// Imports payments from a bank list: each is credited to the account whose invoice its text mentions. Payments that
// mention none, or those of several accounts, are listed for a person to review.
import { ApiError } from '#lib/api-error.ts';
import { dayMs, dayNumberText } from '#lib/time.ts';
import { moneyText } from '#lib/money.ts';
import { receiptFind } from '#store/billing/receipts.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../app.ts';
import { readBankList, type BankRow } from './bank-list.ts';
import { createPayerFinder, deriveReferences } from './bank-matching.ts';
import { receivePayment } from './payments.ts';
import type { AccountId } from '#store/account-id.ts';

/**
 * Skips outgoing payments, and duplicates, which are known from an earlier import. Calls `record` in the transaction of
 * each received payment.
 */
export async function importBankList(
  app: App,
  file: string,
  method: string,
  record: (queries: Queries, account: AccountId, reference: string) => Promise<void>,
) {
  const { rows, problems } = readBankList(file);
  const findPayers = await createPayerFinder(app.store.queries);
  const unmatched = [...problems];
  const references = createReferences(rows);
  let [received, receivedCents, duplicates, outgoing] = [0, 0, 0, 0];
  for (const [index, row] of rows.entries()) {
    if (row.cents <= 0) {
      outgoing++;
      continue;
    }
    const reference = references[index]!;
    // Found by its reference alone: the invoice that its text mentions may have been paid since.
    const receipt = await receiptFind(app.store.queries, method, reference);
    const accounts = receipt === undefined ? await findPayers(row.text) : [receipt.account_id];
    const paymentText = `${dayNumberText(row.day)} ${moneyText(row.cents)} "${row.text}"`;
    if (accounts.length !== 1) {
      const reason = accounts.length === 0 ? 'mentions no invoice' : 'mentions invoices of several accounts';
      unmatched.push({ line: row.line, reason: `${paymentText} ${reason}` });
      continue;
    }
    const account = accounts[0]!;
    const payment = { payer: { account }, cents: row.cents, paidAt: row.day * dayMs, method, reference };
    try {
      const outcome = await app.store.transaction(async (queries) => {
        const result = await receivePayment(app, queries, payment);
        if (result === 'received') await record(queries, account, reference);
        return result;
      });
      if (outcome === 'duplicate') duplicates++;
      else [received, receivedCents] = [received + 1, receivedCents + row.cents];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      unmatched.push({ line: row.line, reason: `${paymentText}: ${error.message}` });
    }
  }
  unmatched.sort((left, right) => left.line - right.line);
  return { received, receivedCents, duplicates, outgoing, unmatched };
}

/** Returns the bank's own reference, or one derived from the row. */
function createReferences(rows: readonly BankRow[]): string[] {
  const unnamed = rows.filter(({ reference }) => reference === '');
  const derived = deriveReferences(unnamed.map(({ day, cents, text }) => `${day} ${cents} ${text}`));
  const references = new Map(unnamed.map((row, index) => [row, `list-${derived[index]!}`]));
  return rows.map((row) => references.get(row) ?? row.reference);
}
