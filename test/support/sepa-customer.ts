// A customer of the lab who pays by direct debit and by transfer, and what staff exchange with the bank for it.
import assert from 'node:assert/strict';
import type { Static } from 'typebox';
import { performSepaWork } from '#app/payments/sepa/work.ts';
import type { ChargeItem, OperatorCharge, PaymentMethodItem, StartedPayment } from '#contract/shapes/payment.ts';
import type * as shapes from '#contract/shapes/sepa.ts';
import { isBusinessDay } from '#drivers/payment/sepa/business-days.ts';
import { moneyCents } from '#lib/money.ts';
import { dayMs, dayOf, hourMs } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { invoiceFind } from '#store/billing/invoices.ts';
import { ledgerSum } from '#store/billing/ledger.ts';
import type { TestApp } from './app.ts';
import { writeBankStatement, type BankStatement } from './bank-statement.ts';
import { asOperator, operatorResult } from './operators.ts';
import { issueUntaxed, workOffPayments } from './payment-fixtures.ts';
import { requestResult } from './request.ts';

type BankFile = Static<typeof shapes.BankFileItem>;
type Entry = Static<typeof shapes.BankEntryItem>;
type Imported = Static<typeof shapes.ImportedStatements>;

export function sepaCustomer(app: () => TestApp) {
  const account = () => Number(app().lab.stranger.account) as AccountId;
  const call = <T>(method: string, path: string, params: Record<string, unknown> = {}) =>
    requestResult<T>(app(), method, `/v2/payment/${path}`, { key: app().lab.stranger.key, params });
  const invoiceStatus = async (id: number) => (await invoiceFind(app().parts.store.queries, account(), id))!.status;
  const issue = (cents: number) => issueUntaxed(app().parts, account(), cents);
  const files = () => operatorResult<BankFile[]>(app(), 'GET', 'sepa/files');
  const entries = (state: string) => operatorResult<Entry[]>(app(), 'GET', 'sepa/entries', { state });
  const charges = () => call<Static<typeof ChargeItem>[]>('GET', 'charge');
  const references = async () => {
    const all = await operatorResult<Static<typeof OperatorCharge>[]>(app(), 'GET', 'payment/charges', {
      account: account(),
    });
    return all.map(({ reference }) => reference);
  };

  function passUntil(isThen: (day: number, hour: number) => boolean): void {
    for (;;) {
      const now = app().parts.clock.now();
      if (isThen(dayOf(now), Math.floor((now % dayMs) / hourMs))) return;
      app().pass(hourMs);
    }
  }
  /** Two instances work at the same time. */
  async function work(): Promise<void> {
    await workOffPayments(app().parts);
    const { signal } = new AbortController();
    await Promise.all([performSepaWork(app().parts, signal), performSepaWork(app().parts, signal)]);
  }
  /** Works with a process that ends around each commit, until there is nothing left to do. */
  async function workInterrupted(): Promise<number> {
    class Killed extends Error {}
    const { store, log } = app().parts;
    const attempt = async (when: 'before the commit' | 'after the commit'): Promise<boolean> => {
      const transaction: typeof store.transaction = async (body) => {
        const result = await store.transaction(async (queries) => {
          const inner = await body(queries);
          if (when === 'before the commit') throw new Killed();
          return inner;
        });
        if (when === 'after the commit') throw new Killed();
        return result;
      };
      // Matching catches errors of single entries, and continues with the next.
      let isKilled = false;
      const watchedLog = { ...log, error: () => void (isKilled = true) } as unknown as typeof log;
      const parts = { ...app().parts, log: watchedLog, store: { ...store, transaction } };
      await performSepaWork(parts, new AbortController().signal).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
        isKilled = true;
      });
      return isKilled;
    };
    let kills = 0;
    while (await attempt('before the commit')) {
      await attempt('after the commit');
      assert.ok(++kills < 50, 'each run makes progress');
    }
    return kills;
  }
  async function writeFiles(): Promise<BankFile[]> {
    const today = dayOf(app().parts.clock.now());
    const before = new Set((await files()).map(({ id }) => id));
    passUntil((day, hour) => day > today && hour === 8 && isBusinessDay(day));
    await work();
    passUntil((day, hour) => day > today + 1 && hour === 5);
    return (await files()).filter(({ id }) => !before.has(id));
  }
  async function download(file: BankFile): Promise<string> {
    const { status, body } = await asOperator(app(), 'GET', 'sepa/file', { id: file.id });
    assert.equal(status, 200);
    return body as unknown as string;
  }
  /** Imports the statement twice, of which the second time changes nothing. */
  async function importStatement(statement: BankStatement): Promise<Imported> {
    const xml = writeBankStatement(statement);
    const imported = await operatorResult<Imported>(app(), 'POST', 'sepa/statements', { statement: xml });
    await work();
    const again = await operatorResult<Imported>(app(), 'POST', 'sepa/statements', { statement: xml });
    assert.deepEqual([again.statements, again.entries], ['0', '0']);
    await work();
    await requireBalance();
    return imported;
  }
  /** What statements say that was booked is what the ledger of this account has received. */
  async function requireBalance(): Promise<void> {
    const statements = await operatorResult<Static<typeof shapes.BankStatementItem>[]>(app(), 'GET', 'sepa/statements');
    const booked = statements.reduce((sum, statement) => sum + moneyCents(statement.booked)!, 0);
    const { queries } = app().parts.store;
    const books = await Promise.all(
      (['paid:sepa', 'paid:banktransfer'] as const).map((book) => ledgerSum(queries, account(), book)),
    );
    assert.equal(booked, books[0]! + books[1]!);
  }
  async function collect(invoice: number, method: string): Promise<string> {
    await call<Static<typeof StartedPayment>>('POST', 'invoice', { invoice, method });
    await work();
    return (await references())[0]!;
  }
  async function giveMandate(): Promise<string> {
    const { consent } = await call<Static<typeof shapes.SepaInformation>>('GET', 'sepa');
    const params = { holder: 'Jürgen Groß', iban: 'de89 3704 0044 0532 0130 00', consent };
    const { id, label, state } = await call<Static<typeof PaymentMethodItem>>('POST', 'mandate', params);
    assert.deepEqual([label, state], ['SEPA DE•• •••• 3000', 'active']);
    return id;
  }

  return {
    account,
    call,
    invoiceStatus,
    issue,
    files,
    entries,
    charges,
    references,
    passUntil,
    work,
    workInterrupted,
    writeFiles,
    download,
    importStatement,
    requireBalance,
    collect,
    giveMandate,
  };
}
