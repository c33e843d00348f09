// Imports bank statements. All entries are stored in one transaction; the reconciler then matches each in its own, so that
// a large statement delays nobody and nothing is lost if the process ends in between.
import { maskIban } from '#drivers/payment/sepa/iban.ts';
import { readStatements, StatementUnreadableError } from '#drivers/payment/sepa/statement.ts';
import type { Statement, StatementEntry } from '#drivers/payment/sepa/statement.ts';
import { invalid } from '#lib/api-error.ts';
import { sha256Hex } from '#lib/secrets.ts';
import { entriesInsert, statementInsert } from '#store/payments/sepa-statements.ts';
import type { Queries } from '#store/store.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import type { App } from '../../app.ts';
import { deriveReferences } from '../../billing/bank-matching.ts';
import { requireSepaSettings, sepaReconciler } from './settings.ts';

const maxTextLength = 500;

export interface ImportResult {
  /** Statements that were not imported before. */
  readonly statements: number;
  /** Entries that no earlier statement had. */
  readonly entries: number;
  /** Statements and entries that were known. */
  readonly known: number;
}

/** Needs a transaction. Rejects a file that cannot be read, or is about another account. */
export async function importStatements(
  app: Pick<App, 'secrets' | 'clock'>,
  queries: Queries,
  xml: string,
  operator: string,
): Promise<ImportResult> {
  const { creditor } = await requireSepaSettings(app, queries);
  const statements = read(xml);
  const foreign = statements.find(({ iban }) => iban !== creditor.iban);
  if (foreign !== undefined)
    throw invalid({
      statement: `is about the account ${maskIban(foreign.iban)}, which is not the one in the site file`,
    });
  let [imported, entries, known] = [0, 0, 0];
  for (const statement of statements) {
    const id = await statementInsert(queries, {
      digest: sha256Hex(JSON.stringify(statement)),
      kind: statement.kind,
      bank_id: statement.id.slice(0, maxTextLength),
      iban: statement.iban,
      opening_cents: statement.openingCents ?? null,
      closing_cents: statement.closingCents ?? null,
      imported_at: app.clock.now(),
      operator,
    });
    if (id === undefined) {
      known++;
      continue;
    }
    const rows = entryRows(statement, id);
    const added = await entriesInsert(queries, rows);
    [imported, entries, known] = [imported + 1, entries + added, known + rows.length - added];
  }
  await reconcilerSignal(queries, sepaReconciler);
  return { statements: imported, entries, known };
}

function read(xml: string): Statement[] {
  try {
    return readStatements(xml);
  } catch (error) {
    if (error instanceof StatementUnreadableError) throw invalid({ statement: `cannot be imported. ${error.message}` });
    throw error;
  }
}

function entryRows({ iban, entries }: Statement, statement: number) {
  const keys = deriveReferences(entries.map((entry) => `${iban} ${contentOf(entry)}`));
  return entries.map((entry, index) => ({
    statement_id: statement,
    key: `camt-${keys[index]!}`,
    day: entry.day,
    amount_cents: entry.cents,
    bank_reference: entry.bankReference.slice(0, maxTextLength),
    end_to_end_id: entry.endToEndId.slice(0, maxTextLength),
    batch_id: entry.batchId.slice(0, maxTextLength),
    return_code: entry.returnCode.slice(0, maxTextLength),
    counterparty: entry.counterparty.slice(0, maxTextLength),
    counterparty_iban: entry.counterpartyIban === '' ? '' : maskIban(entry.counterpartyIban),
    text: entry.text.slice(0, maxTextLength),
    state: 'new' as const,
    matched_as: '' as const,
    booked_cents: 0,
    problem: '',
    account_id: null,
    operator: '',
  }));
}

/**
 * What makes a booking the same in two statements. The bank's reference alone is not enough: some banks use one for all
 * parts of a batch. Without it, the text and the other account count.
 */
function contentOf({
  day,
  cents,
  bankReference,
  endToEndId,
  returnCode,
  text,
  counterpartyIban,
}: StatementEntry): string {
  const identity = [day, cents, bankReference, endToEndId, returnCode];
  return JSON.stringify(bankReference === '' ? [...identity, text, counterpartyIban] : identity);
}
