// Imports payments from a bank list: each is credited to the account whose invoice its text mentions. Payments that
// mention none, or those of several accounts, are listed for a person to review.
import { ApiError } from '#lib/api-error.ts';
import { dayMs, dayNumberText } from '#lib/time.ts';
import { moneyText } from '#lib/money.ts';
import { sha256 } from '#lib/secrets.ts';
import { invoiceByNumber, invoicesUnpaid } from '#store/billing/invoices.ts';
import { receiptFind } from '#store/billing/receipts.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../app.ts';
import { readBankList, type BankRow } from './bank-list.ts';
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

/**
 * Returns the bank's own reference, or one derived from the row and the number of identical rows before it. Importing
 * the list again, or a longer list with the same beginning, gives the same references.
 */
function createReferences(rows: readonly BankRow[]): string[] {
  const counts = new Map<string, number>();
  return rows.map(({ day, cents, reference, text }) => {
    if (reference !== '') return reference;
    const content = `${day} ${cents} ${text}`;
    const count = (counts.get(content) ?? 0) + 1;
    counts.set(content, count);
    return `list-${sha256(`${content} ${count}`).toString('hex').slice(0, 32)}`;
  });
}

/**
 * Returns a function that finds the accounts whose invoices a text mentions: unpaid invoices in any spelling, others
 * only exactly.
 */
async function createPayerFinder(queries: Queries): Promise<(text: string) => Promise<AccountId[]>> {
  const unpaid = await invoicesUnpaid(queries);
  return async (text) => {
    const accounts = new Set(
      unpaid.filter(({ number }) => mentionsInvoice(text, number)).map(({ account_id }) => account_id),
    );
    if (accounts.size > 0) return [...accounts];
    for (const word of text.split(/[\s,;:]+/).filter((part) => part !== '')) {
      const invoice = await invoiceByNumber(queries, word);
      if (invoice !== undefined) accounts.add(invoice.account_id);
    }
    return [...accounts];
  };
}

/**
 * Returns true if the number occurs in the text as a whole word. Between its parts the text may have any
 * punctuation or spaces, or none.
 */
export function mentionsInvoice(text: string, number: string): boolean {
  const parts = number.toUpperCase().split(/[^A-Z0-9]+/);
  const [first, ...others] = parts.filter((part) => part !== '');
  const upperText = text.toUpperCase();
  if (first === undefined) return false;
  for (let start = upperText.indexOf(first); start >= 0; start = upperText.indexOf(first, start + 1)) {
    let end: number | undefined = isWordCharacter(upperText[start - 1]) ? undefined : start + first.length;
    for (const part of others) {
      let next = end ?? upperText.length;
      while (next < upperText.length && !isWordCharacter(upperText[next])) next++;
      end = end !== undefined && upperText.startsWith(part, next) ? next + part.length : undefined;
    }
    if (end !== undefined && !isWordCharacter(upperText[end])) return true;
  }
  return false;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[A-Z0-9]/.test(character);
}
