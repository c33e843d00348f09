// Finds the account that a bank's booking concerns, and recognises a booking that is reported again.
import { sha256 } from '#lib/secrets.ts';
import type { AccountId } from '#store/account-id.ts';
import { invoiceByNumber, invoicesUnpaid } from '#store/billing/invoices.ts';
import type { Queries } from '#store/store.ts';

/**
 * Returns a reference for each content, derived from it and the number of identical ones before it. The same list, or a
 * longer list with the same beginning, gives the same references.
 */
export function deriveReferences(contents: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return contents.map((content) => {
    const count = (counts.get(content) ?? 0) + 1;
    counts.set(content, count);
    return sha256(`${content} ${count}`).toString('hex').slice(0, 32);
  });
}

/**
 * Returns a function that finds the accounts whose invoices a text mentions: unpaid invoices in any spelling, others
 * only exactly.
 */
export async function createPayerFinder(queries: Queries): Promise<(text: string) => Promise<AccountId[]>> {
  const findUnpaid = createInvoiceFinder(await invoicesUnpaid(queries));
  return async (text) => {
    const accounts = new Set(findUnpaid(text).map(({ account_id }) => account_id));
    if (accounts.size > 0) return [...accounts];
    for (const word of text.split(/[\s,;:]+/).filter((part) => part !== '')) {
      const invoice = await invoiceByNumber(queries, word);
      if (invoice !== undefined) accounts.add(invoice.account_id);
    }
    return [...accounts];
  };
}

/** Looks numbers up rather than comparing them all: a statement can have thousands of bookings, and as many be unpaid. */
export function createInvoiceFinder<I extends { readonly number: string }>(
  invoices: readonly I[],
): (text: string) => I[] {
  const byWords = Map.groupBy(invoices, ({ number }) => wordsOf(number).join(''));
  const mostWords = invoices.reduce((most, { number }) => Math.max(most, wordsOf(number).length), 0);
  return (text) =>
    [...joinedWords(text, mostWords)]
      .flatMap((joined) => byWords.get(joined) ?? [])
      .filter(({ number }) => mentionsInvoice(text, number));
}

function wordsOf(text: string): string[] {
  return text.toUpperCase().match(/[A-Z0-9]+/g) ?? [];
}

/** Returns all runs of at most this many words, each joined to one. */
function joinedWords(text: string, mostWords: number): Set<string> {
  const words = wordsOf(text);
  return new Set(
    words.flatMap((_, start) =>
      Array.from({ length: Math.min(mostWords, words.length - start) }, (_none, length) =>
        words.slice(start, start + length + 1).join(''),
      ),
    ),
  );
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
