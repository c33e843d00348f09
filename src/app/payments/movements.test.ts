// Random sequences of what payment providers report: the books always agree with the provider, with the invoices, and
// with each other.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { ApiError } from '#lib/api-error.ts';
import { secretBox } from '#lib/secrets.ts';
import type { AccountId } from '#store/account-id.ts';
import { invoiceFind, invoiceLines, invoicesOpen, receiptParts } from '#store/billing/invoices.ts';
import { ledgerSum } from '#store/billing/ledger.ts';
import { receiptFind } from '#store/billing/receipts.ts';
import { selectWhere } from '#store/engine/rows.ts';
import { chargePage } from '#store/payments/charges.ts';
import { refundsOfAccount } from '#store/payments/refunds.ts';
import type { Queries } from '#store/store.ts';
import { openBillingFixture, type BillingFixture } from '#test/support/billing-fixtures.ts';
import { cancelInvoice, issueCreditNote } from '../billing/corrections.ts';
import { issueInvoice } from '../billing/issue.ts';
import { writeOffInvoice } from '../billing/write-offs.ts';
import { createCharge } from './charges.ts';
import { createRefund, recordForeignRefund, settleRefund } from './refunds.ts';
import { chargeBack, reverseChargeback, settleCharge, type PaymentParts } from './settle.ts';

const kinds = [
  'invoice',
  'cancel',
  'credit part',
  'write off',
  'charge invoice',
  'top-up',
  'succeed',
  'fail',
  'charge back',
  'reverse chargeback',
  'refund',
  'refund succeeds',
  'refund fails',
  'foreign refund',
] as const;
const step = fc.record({
  kind: fc.constantFrom(...kinds),
  /** Which of the charges, invoices or refunds. */
  pick: fc.nat(20),
  cents: fc.integer({ min: 1, max: 9000 }),
  isRepeated: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Movements of a charge at the provider. */
interface Movement {
  received: number;
  readonly chargebacks: Map<string, number>;
  readonly reversed: Set<string>;
  foreign: number;
}

class Model {
  readonly movements = new Map<number, Movement>();
  readonly refunds = new Map<string, { charge: number; cents: number; state: 'pending' | 'paid' | 'failed' }>();

  of(charge: number): Movement {
    const known = this.movements.get(charge);
    const movement = known ?? { received: 0, chargebacks: new Map(), reversed: new Set(), foreign: 0 };
    this.movements.set(charge, movement);
    return movement;
  }

  /** The amount of a charge that is still at the provider. */
  left(charge: number): number {
    const refunded = [...this.refunds.values()].reduce(
      (sum, refund) => sum + (refund.charge === charge && refund.state === 'paid' ? refund.cents : 0),
      0,
    );
    return this.kept(charge) - refunded;
  }

  /** The amount of a charge that nobody took back without our doing. */
  kept(charge: number): number {
    const { received, chargebacks, reversed, foreign } = this.of(charge);
    const taken = [...chargebacks].reduce((sum, [id, cents]) => sum + (reversed.has(id) ? 0 : cents), 0);
    return received - taken - foreign;
  }

  balance(): number {
    return [...this.movements.keys()].reduce((sum, charge) => sum + this.left(charge), 0);
  }
}

class Run {
  readonly model = new Model();
  readonly parts: PaymentParts;
  readonly fixture: BillingFixture;
  readonly account: AccountId;
  #chargebacks = 0;

  constructor(fixture: BillingFixture, account: AccountId) {
    this.fixture = fixture;
    this.account = account;
    this.parts = { ...fixture.parts, secrets: secretBox(randomBytes(32)) };
  }

  async apply({ kind, pick, cents, isRepeated }: Step): Promise<void> {
    const { queries } = this.fixture.store;
    const charges = await chargePage(queries, this.account, { limit: 1000, before: undefined });
    const charge = charges[pick % Math.max(1, charges.length)];
    const open = await invoicesOpen(queries, this.account);
    const invoice = open[pick % Math.max(1, open.length)];
    const refunds = await refundsOfAccount(queries, this.account);
    const refund = refunds[pick % Math.max(1, refunds.length)];
    const again = async (work: (writing: Queries) => Promise<unknown>): Promise<void> => {
      await this.#transact(work);
      if (isRepeated) await this.#transact(work);
    };
    if (kind === 'invoice') return this.#issue(cents);
    if (kind === 'cancel') return this.#cancel(pick);
    if (kind === 'credit part') return this.#creditPart(pick, cents);
    if (kind === 'write off' && invoice !== undefined)
      return this.#transact(async (writing) => {
        const whole = (await invoiceFind(writing, this.account, invoice.id))!;
        await writeOffInvoice(this.parts, writing, whole);
      });
    if (kind === 'charge invoice' && invoice !== undefined)
      return this.#transact((writing) => this.#create(writing, invoice.id, invoice.open_cents));
    if (kind === 'top-up') return this.#transact((writing) => this.#create(writing, undefined, cents));
    if (charge === undefined) return;
    const externalId = `pi_${charge.id}`;
    const left = this.model.left(charge.id);
    const part = Math.min(cents, left);
    switch (kind) {
      case 'succeed': {
        const outcome = { state: 'succeeded', externalId, cents: charge.amount_cents } as const;
        this.model.of(charge.id).received = charge.amount_cents;
        return again((writing) => settleCharge(this.parts, writing, charge.id, outcome));
      }
      case 'fail': {
        const outcome = { state: 'failed', externalId, code: 'declined', message: '', isRetryable: true } as const;
        return again((writing) => settleCharge(this.parts, writing, charge.id, outcome));
      }
      case 'charge back': {
        if (part <= 0) return;
        const reference = `du_${++this.#chargebacks}`;
        this.model.of(charge.id).chargebacks.set(reference, part);
        const report = { reference, cents: part, reason: 'fraudulent' };
        return again((writing) => chargeBack(this.parts, writing, charge.id, report));
      }
      case 'reverse chargeback': {
        const { chargebacks, reversed } = this.model.of(charge.id);
        const found = [...chargebacks].find(([id]) => !reversed.has(id));
        if (found === undefined) return;
        const [reference, amount] = found;
        reversed.add(reference);
        return again((writing) => reverseChargeback(this.parts, writing, charge.id, { reference, cents: amount }));
      }
      case 'refund':
        return this.#transact(async (writing) => {
          const { key } = await createRefund(this.parts, writing, { charge: charge.id, cents, reason: '' });
          this.model.refunds.set(key, { charge: charge.id, cents, state: 'pending' });
        });
      case 'refund succeeds':
      case 'refund fails': {
        const known = refund && this.model.refunds.get(refund.key);
        if (known === undefined || known.state === 'failed') return;
        known.state = kind === 'refund fails' ? 'failed' : 'paid';
        const id = `re_${refund!.id}`;
        const outcome =
          kind === 'refund fails'
            ? ({ state: 'failed', externalId: id, code: 'returned' } as const)
            : ({ state: 'succeeded', externalId: id } as const);
        return again((writing) => settleRefund(this.parts, writing, refund!.key, outcome));
      }
      case 'foreign refund': {
        if (part <= 0) return;
        const movement = this.model.of(charge.id);
        const report = { externalId: `re_${charge.id}_${(movement.foreign += part)}`, cents: part };
        return again((writing) => recordForeignRefund(this.parts, writing, charge.id, report));
      }
    }
  }

  /** A refused call changes nothing. */
  async #transact(work: (queries: Queries) => Promise<unknown>): Promise<void> {
    try {
      await this.fixture.store.transaction(work);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  async #issue(cents: number): Promise<void> {
    const line = { type: 'Hosting', service: undefined, description: 'Month', cents, isTaxed: true } as const;
    const setup = { ...line, type: 'Setup', description: 'Setup', cents: 1 + (cents % 777), isTaxed: false } as const;
    const now = this.parts.clock.now();
    const lines = [line, setup];
    await this.fixture.store.transaction((writing) => issueInvoice(writing, this.account, { now, lines }));
  }

  /** Credits a part of one line of an invoice. */
  async #creditPart(pick: number, cents: number): Promise<void> {
    const { queries } = this.fixture.store;
    const all = await queries.selectFrom('invoices').selectAll().where('kind', '=', 'Invoice').execute();
    const invoice = all[pick % Math.max(1, all.length)];
    if (invoice === undefined) return;
    const lines = await invoiceLines(queries, this.account, invoice.id);
    const line = lines[pick % lines.length]!;
    const part = { id: line.id, cents: Math.max(1, Math.ceil((line.amount_cents * cents) / 9000)) };
    await this.#transact((writing) =>
      issueCreditNote(this.parts, writing, invoice, { reason: 'Mistake', lines: [part] }),
    );
  }

  async #cancel(pick: number): Promise<void> {
    const { queries } = this.fixture.store;
    const all = await queries.selectFrom('invoices').select('number').where('kind', '=', 'Invoice').execute();
    const invoice = all[pick % Math.max(1, all.length)];
    if (invoice !== undefined)
      await this.#transact((writing) => cancelInvoice(this.parts, writing, invoice.number, 'Mistake'));
  }

  #create(queries: Queries, invoice: number | undefined, cents: number) {
    return createCharge(this.parts, queries, {
      account: this.account,
      driver: 'stripe',
      method: 1,
      invoice,
      cents,
      attempt: 1,
    });
  }

  async check(): Promise<void> {
    const { queries } = this.fixture.store;
    const sum = (book: Parameters<typeof ledgerSum>[2]) => ledgerSum(queries, this.account, book);
    assert.equal(await sum('paid:stripe'), this.model.balance(), 'the provider has what the ledger says');
    const pending = [...this.model.refunds.values()].filter(({ state }) => state === 'pending');
    assert.equal(
      0 - (await sum('refunds')),
      pending.reduce((total, { cents }) => total + cents, 0),
    );
    const invoices = await selectWhere(queries, 'invoices', { account_id: this.account }).selectAll().execute();
    const payments = await queries.selectFrom('payments').select(['invoice_id', 'amount_cents']).execute();
    let owed = 0;
    for (const { id, status, total_cents, credit_cents } of invoices.filter(({ kind }) => kind === 'Invoice')) {
      const paid = payments.reduce((total, row) => total + (row.invoice_id === id ? row.amount_cents : 0), 0);
      if (status === 'Unpaid') owed += total_cents - paid;
      else assert.equal(paid, total_cents, `invoice ${id} is settled`);
      const notes = invoices.filter(({ corrects_id }) => corrects_id === id);
      const rest = notes.reduce((total, note) => total + note.total_cents, total_cents + credit_cents);
      assert.ok(total_cents - paid <= Math.max(0, rest), `nobody owes what was credited of invoice ${id}`);
    }
    assert.equal(await sum('receivable'), owed, 'open invoices are what is owed');
    for (const charge of this.model.movements.keys()) {
      const receipt = await receiptFind(queries, 'stripe', `pi_${charge}`);
      const parts = receipt === undefined ? [] : await receiptParts(queries, this.account, receipt.id);
      const paid = parts.reduce((total, part) => total + part.cents, 0);
      const credited = invoices.reduce(
        (total, note) =>
          total - (parts.some(({ invoice_id }) => invoice_id === note.corrects_id) ? note.total_cents : 0),
        0,
      );
      assert.ok(paid <= this.model.kept(charge) + credited, `money of charge ${charge} that left pays no invoice`);
    }
    const documents = invoices.reduce((total, row) => total + row.subtotal_cents + row.tax_cents + row.tax2_cents, 0);
    const customer = (await sum('receivable')) + (await sum('credit'));
    const elsewhere = (await sum('paid:stripe')) + (await sum('refunds')) + (await sum('written-off'));
    assert.equal(customer + elsewhere, documents, 'invoices, credit notes and payments balance');
  }
}

test('the books agree with the provider and the invoices after any sequence of reports', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      await using fixture = await openBillingFixture();
      const { account } = await fixture.newAccount();
      const run = new Run(fixture, account);
      for (const each of steps) {
        await run.apply(each);
        await run.check();
      }
    }),
    { numRuns: 15 },
  );
});
