// Payments of a bank's list: each is put down to the account whose invoice its text names. What names none, or those of
// several, is listed for a person to look at.
import { Fault } from '#kernel/fault.ts';
import { dayNumberText } from '#kernel/moments.ts';
import { moneyText } from '#kernel/money.ts';
import { sha256 } from '#kernel/secrets.ts';
import { invoiceByNumber, invoicesUnpaid } from '#store/billing/invoices.ts';
import { receiptFind } from '#store/billing/receipts.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import type { Yard } from '../yard.ts';
import { readBankList, type BankRow } from './bank-list.ts';
import { paymentReceive } from './payments.ts';

export interface BankImport {
  readonly received: number;
  readonly receivedCents: number;
  /** Known from an earlier import. */
  readonly again: number;
  /** Money that went out. */
  readonly outgoing: number;
  readonly unmatched: readonly { readonly line: number; readonly reason: string }[];
}

/** `noted` is called in the transaction of each payment that is received. */
export async function bankImport(
  yard: Yard,
  file: string,
  method: string,
  noted: (queries: Queries, account: AccountId, reference: string) => Promise<void>,
): Promise<BankImport> {
  const { rows, faults } = readBankList(file);
  const find = await payers(yard.store.queries);
  const unmatched = [...faults];
  const references = referencesOf(rows);
  let [received, receivedCents, again, outgoing] = [0, 0, 0, 0];
  for (const [index, row] of rows.entries()) {
    if (row.cents <= 0) {
      outgoing++;
      continue;
    }
    const reference = references[index]!;
    // Known by its reference alone: what its text named may have been paid since.
    const known = await receiptFind(yard.store.queries, method, reference);
    const found = known === undefined ? await find(row.text) : [known.account_id];
    const what = `${dayNumberText(row.day)} ${moneyText(row.cents)} "${row.text}"`;
    if (found.length !== 1) {
      const why = found.length === 0 ? 'names no invoice' : 'names invoices of several accounts';
      unmatched.push({ line: row.line, reason: `${what} ${why}` });
      continue;
    }
    const payment = {
      payer: { account: found[0]! },
      cents: row.cents,
      paidAt: row.day * 86_400_000,
      method,
      reference,
    };
    try {
      const outcome = await yard.store.transaction(async (queries) => {
        const received = await paymentReceive(yard, queries, payment);
        if (received === 'received') await noted(queries, payment.payer.account, reference);
        return received;
      });
      if (outcome === 'again') again++;
      else [received, receivedCents] = [received + 1, receivedCents + row.cents];
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      unmatched.push({ line: row.line, reason: `${what}: ${error.message}` });
    }
  }
  unmatched.sort((one, other) => one.line - other.line);
  return { received, receivedCents, again, outgoing, unmatched };
}

/** The bank's own, or one made of all that the line says and how many lines before say the same: so a list that is read again,
 * or a longer one that begins alike, gives the same. */
function referencesOf(rows: readonly BankRow[]): string[] {
  const seen = new Map<string, number>();
  return rows.map(({ day, cents, reference, text }) => {
    if (reference !== '') return reference;
    const content = `${day} ${cents} ${text}`;
    const count = (seen.get(content) ?? 0) + 1;
    seen.set(content, count);
    return `list-${sha256(`${content} ${count}`).toString('hex').slice(0, 32)}`;
  });
}

/** Finds the accounts whose invoices a text names: unpaid ones however they are spelled, others to the letter. */
async function payers(queries: Queries): Promise<(text: string) => Promise<AccountId[]>> {
  const unpaid = await invoicesUnpaid(queries);
  return async (text) => {
    const found = new Set(unpaid.filter(({ number }) => mentions(text, number)).map(({ account_id }) => account_id));
    if (found.size > 0) return [...found];
    for (const word of text.split(/[\s,;:]+/).filter((part) => part !== '')) {
      const invoice = await invoiceByNumber(queries, word);
      if (invoice !== undefined) found.add(invoice.account_id);
    }
    return [...found];
  };
}

/** Whether the number stands in the text as a word of its own; where it has a mark between its parts, so may the text have any
 * marks or spaces, or none. */
export function mentions(text: string, number: string): boolean {
  const parts = number.toUpperCase().split(/[^A-Z0-9]+/);
  const [first, ...others] = parts.filter((part) => part !== '');
  const given = text.toUpperCase();
  if (first === undefined) return false;
  for (let start = given.indexOf(first); start >= 0; start = given.indexOf(first, start + 1)) {
    let end: number | undefined = isWordly(given[start - 1]) ? undefined : start + first.length;
    for (const part of others) {
      let next = end ?? given.length;
      while (next < given.length && !isWordly(given[next])) next++;
      end = end !== undefined && given.startsWith(part, next) ? next + part.length : undefined;
    }
    if (end !== undefined && !isWordly(given[end])) return true;
  }
  return false;
}

function isWordly(character: string | undefined): boolean {
  return character !== undefined && /[A-Z0-9]/.test(character);
}
