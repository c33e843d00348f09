// Mandates, files and statements, as customers and staff see and change them.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { sepaOperator } from '#contract/operator/sepa.ts';
import type { FileContent } from '#contract/shapes/file.ts';
import type { PaymentMethodItem } from '#contract/shapes/payment.ts';
import type * as shapes from '#contract/shapes/sepa.ts';
import type { sepaV2 } from '#contract/v2/sepa.ts';
import { customerReference } from '#drivers/payment/sepa/iban.ts';
import { moneyText } from '#lib/money.ts';
import { dayNumberText, timeText } from '#lib/time.ts';
import { accountFind, providerAccount } from '#store/account/accounts.ts';
import { auditAppend } from '#store/account/audit.ts';
import { methodList } from '#store/payments/methods.ts';
import { mandateList as storedMandates } from '#store/payments/sepa-mandates.ts';
import { fileList, type BankFile } from '#store/payments/sepa-orders.ts';
import * as store from '#store/payments/sepa-statements.ts';
import type { Context } from '../../app.ts';
import { getCustomer } from '../../operator/accounts.ts';
import { methodItem } from '../lists.ts';
import { consentText, consentVersion } from './consent.ts';
import { decideFile, readBankFile } from './files.ts';
import { importStatements } from './import.ts';
import { createMandate } from './mandates.ts';
import { assignEntry, ignoreEntry } from './matching.ts';
import { findSepaSettings } from './settings.ts';

const pageLength = 100;

export async function sepaGet(
  { app, queries, caller }: Context,
  { language = 'en' }: InputOf<typeof sepaV2.sepaGet>,
): Promise<Static<typeof shapes.SepaInformation>> {
  const settings = await findSepaSettings(app, queries);
  const { name, id, iban, bic } = settings?.creditor ?? { name: '', id: '', iban: '', bic: '' };
  const reference = settings === undefined ? '' : customerReference(caller.account);
  return {
    debits: settings !== undefined && (await accountFind(queries, caller.account))!.currency === 'EUR',
    creditor: name,
    creditorid: id,
    consent: settings === undefined ? '' : consentVersion(settings),
    text: settings === undefined ? '' : consentText(settings, language),
    transfer: { name, iban, bic, reference },
  };
}

export async function mandateList({ queries, caller }: Context): Promise<Static<typeof shapes.MandateItem>[]> {
  const methods = new Map((await methodList(queries, caller.account)).map((method) => [method.id, method]));
  return (await storedMandates(queries, caller.account)).map((mandate) => {
    const method = methods.get(mandate.method_id);
    return {
      id: String(mandate.method_id),
      reference: mandate.reference,
      name: mandate.name,
      label: method?.label ?? '',
      scheme: mandate.scheme,
      state: method?.state === 'active' ? 'active' : 'ended',
      signed: timeText(mandate.signed_at),
      text: mandate.consent_text,
    };
  });
}

export async function mandateCreate(
  { app, queries, caller }: Context,
  { holder: name, iban, consent, language = 'en' }: InputOf<typeof sepaV2.mandateCreate>,
): Promise<Static<typeof PaymentMethodItem>> {
  const { account, address } = caller;
  return methodItem(await createMandate(app, queries, { account, name, iban, consent, language, address }));
}

export async function sepaFiles(
  { queries }: Context,
  { limit = pageLength, before }: InputOf<typeof sepaOperator.sepaFiles>,
): Promise<Static<typeof shapes.BankFileItem>[]> {
  return (await fileList(queries, { limit, before })).map(fileItem);
}

function fileItem(file: BankFile): Static<typeof shapes.BankFileItem> {
  return {
    id: String(file.id),
    kind: file.kind,
    messageid: file.message_id,
    created: timeText(file.created_at),
    payments: String(file.orders),
    amount: moneyText(file.amount_cents),
    state: file.state,
    operator: file.operator,
  };
}

/** The file has the IBANs of customers, so the log says who has downloaded it. */
export async function sepaFile(
  { app, queries, caller, operation }: Context,
  { id }: InputOf<typeof sepaOperator.sepaFile>,
): Promise<FileContent> {
  const { file, xml } = await readBankFile(app, queries, id);
  await auditAppend(app.store.queries, {
    account_id: providerAccount,
    contact_id: null,
    key_id: caller.key,
    at: app.clock.now(),
    address: caller.address,
    operation,
    target: `id=${id}`,
    outcome: 'success',
    request_id: caller.requestId,
    operator: caller.operator!.name,
  });
  return { name: `${file.message_id}.xml`, bytes: Buffer.from(xml) };
}

export async function sepaFileDecide(
  { app, queries, caller }: Context,
  { id, outcome: state }: InputOf<typeof sepaOperator.sepaFileDecide>,
): Promise<void> {
  await decideFile(app, queries, id, { state, operator: caller.operator!.name });
}

export async function sepaImport(
  { app, queries, caller }: Context,
  { statement }: InputOf<typeof sepaOperator.sepaImport>,
): Promise<Static<typeof shapes.ImportedStatements>> {
  const result = await importStatements(app, queries, statement, caller.operator!.name);
  return {
    statements: String(result.statements),
    entries: String(result.entries),
    known: String(result.known),
  };
}

export async function sepaStatements(
  { queries }: Context,
  { limit = pageLength, before }: InputOf<typeof sepaOperator.sepaStatements>,
): Promise<Static<typeof shapes.BankStatementItem>[]> {
  const statements = await store.statementList(queries, { limit, before });
  const totals = await store.entryTotals(
    queries,
    statements.map(({ id }) => id),
  );
  return statements.map((statement) =>
    statementItem(
      statement,
      totals.filter(({ statement_id }) => statement_id === statement.id),
    ),
  );
}

function statementItem(
  statement: store.BankStatement,
  totals: readonly store.EntryTotal[],
): Static<typeof shapes.BankStatementItem> {
  const sum = (part: 'count' | 'cents' | 'booked_cents', state?: store.Entry['state']): number =>
    totals.filter((total) => state === undefined || total.state === state).reduce((all, total) => all + total[part], 0);
  return {
    id: String(statement.id),
    kind: statement.kind,
    bankid: statement.bank_id,
    iban: statement.iban,
    imported: timeText(statement.imported_at),
    operator: statement.operator,
    entries: String(sum('count')),
    total: moneyText(sum('cents')),
    booked: moneyText(sum('booked_cents')),
    unmatched: String(sum('count', 'unmatched')),
    waiting: String(sum('count', 'new')),
    ignored: moneyText(sum('cents', 'ignored')),
  };
}

export async function sepaEntries(
  { queries }: Context,
  { state = 'unmatched', limit = pageLength, after = 0 }: InputOf<typeof sepaOperator.sepaEntries>,
): Promise<Static<typeof shapes.BankEntryItem>[]> {
  return (await store.entriesInState(queries, state, { after, limit })).map((entry) => ({
    id: String(entry.id),
    statement: String(entry.statement_id),
    date: dayNumberText(entry.day),
    amount: moneyText(entry.amount_cents),
    booked: moneyText(entry.booked_cents),
    counterparty: entry.counterparty,
    iban: entry.counterparty_iban,
    text: entry.text,
    returncode: entry.return_code,
    state: entry.state,
    matchedas: entry.matched_as,
    account: entry.account_id === null ? '' : String(entry.account_id),
    problem: entry.problem,
    problemcode: entry.problem_code,
    expected: entry.expected_cents === null ? '' : moneyText(entry.expected_cents),
    operator: entry.operator,
  }));
}

export async function sepaAssign(
  context: Context,
  { entry, account: id }: InputOf<typeof sepaOperator.sepaAssign>,
): Promise<void> {
  const { app, queries, caller } = context;
  const { id: account } = await getCustomer(queries, id);
  context.onBehalfOf(account);
  await assignEntry(app, queries, entry, { account, operator: caller.operator!.name });
  context.afterCommit(() => app.authentication.forget());
}

export async function sepaIgnore(
  { queries, caller }: Context,
  { entry, reason }: InputOf<typeof sepaOperator.sepaIgnore>,
): Promise<void> {
  await ignoreEntry(queries, entry, { reason, operator: caller.operator!.name });
}
