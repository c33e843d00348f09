// A site that collects by direct debit, and calls of the operator API about files and statements, for the sweeps.
import { consentVersion } from '#app/payments/sepa/consent.ts';
import { findPaymentSettings, storePaymentSettings } from '#app/payments/settings.ts';
import { fileInsert } from '#store/payments/sepa-orders.ts';
import { entriesInsert, statementInsert } from '#store/payments/sepa-statements.ts';
import type { AccountId } from '#store/account-id.ts';
import type { TestApp } from './app.ts';
import { bankIban, writeBankStatement } from './bank-statement.ts';

export const sepaSettings = { name: 'Example Hosting B.V.', creditorId: 'DE98ZZZ09999999999', iban: bankIban };
export const debtorIban = 'DE89370400440532013000';
const { name, creditorId: id } = sepaSettings;
const creditor = { name, id, iban: bankIban, bic: '' };
export const mandateInput = {
  holder: 'Anna',
  iban: debtorIban,
  consent: consentVersion({ creditor, scheme: 'CORE', noticeDays: 2 }),
};

/** Adds SEPA to the payment settings, and removes earlier mandates, of which an account has a limited number. */
export async function allowSepa({ parts, site, lab }: TestApp): Promise<void> {
  const { queries } = parts.store;
  const stored = await findPaymentSettings(parts, queries);
  const payments = { panel: 'https://panel.example.net', ...stored, sepa: sepaSettings };
  await storePaymentSettings(parts, queries, { ...site, provider: { ...site.provider, payments } });
  const accounts = [lab.customer.account, lab.stranger.account].map((account) => Number(account) as AccountId);
  const methods = queries.updateTable('payment_methods').where('account_id', 'in', accounts);
  await methods.where('driver', '=', 'sepa').set({ state: 'revoked', is_default: 0 }).execute();
}

interface Call {
  readonly params: Readonly<Record<string, unknown>>;
}
type Maker = (app: TestApp) => Promise<Call>;

let rows = 0;

async function newFile({ parts: { store, clock } }: TestApp): Promise<string> {
  const file = await fileInsert(store.queries, {
    kind: 'debit',
    message_id: `HY-SWEEP-${process.pid}-${++rows}`,
    day: 20_000,
    created_at: clock.now(),
    orders: 0,
    amount_cents: 0,
    creditor: JSON.stringify({ name: 'Example', id: 'DE98ZZZ09999999999', iban: bankIban, bic: '' }),
    state: 'created',
    decided_at: null,
    operator: '',
  });
  return String(file);
}

async function newEntry({ parts: { store, clock } }: TestApp): Promise<string> {
  const key = `sweep ${process.pid} ${++rows}`;
  const statement = await statementInsert(store.queries, {
    digest: key,
    kind: 'statement',
    bank_id: '1',
    iban: bankIban,
    opening_cents: null,
    closing_cents: null,
    imported_at: clock.now(),
    operator: '',
  });
  const texts = { bank_reference: '', end_to_end_id: '', batch_id: '', return_code: '', counterparty_iban: '' };
  const match = { matched_as: '', booked_cents: 0, problem: '', account_id: null, operator: '' } as const;
  const booking = { day: 20_000, amount_cents: 100, counterparty: 'Bob', text: 'a sweep', state: 'unmatched' } as const;
  await entriesInsert(store.queries, [{ statement_id: statement!, key, ...texts, ...match, ...booking }]);
  const { id } = await store.queries
    .selectFrom('sepa_entries')
    .select('id')
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  return String(id);
}

export const sepaMakers: Readonly<Record<string, Maker>> = {
  sepaFiles: async (app) => {
    await newFile(app);
    return { params: {} };
  },
  sepaFile: async (app) => ({ params: { id: await newFile(app) } }),
  sepaFileDecide: async (app) => ({ params: { id: await newFile(app), outcome: 'handed_in' } }),
  sepaImport: async (app) => {
    await allowSepa(app);
    return { params: { statement: writeBankStatement({ id: `sweep ${++rows}`, bookings: [{ cents: 1 }] }) } };
  },
  sepaEntries: async (app) => {
    await newEntry(app);
    return { params: {} };
  },
  sepaAssign: async (app) => ({ params: { entry: await newEntry(app), account: app.lab.customer.account } }),
  sepaIgnore: async (app) => ({ params: { entry: await newEntry(app), reason: 'a sweep' } }),
};
