// Rows of an account that archives and erasures must treat differently.
import assert from 'node:assert/strict';
import { contactDefaults } from '#app/account/person-columns.ts';
import type { AccountId } from '#store/account-id.ts';
import { contactInsert } from '#store/account/contacts.ts';
import { knownNetworkPut } from '#store/account/known-networks.ts';
import { mailsInsert } from '#store/mail/mails.ts';
import type { TestApp } from './app.ts';
import { anna } from './contacts.ts';
import { operatorResult, signInOperator } from './operators.ts';

const dayMs = 86_400_000;
/** Only staff may read this. */
export const forStaff = 'canary-for-staff';

/** What the API shows to staff only: messages of equipment and relays, reasons, and where a support session came from. */
export async function fillStaffColumns(app: TestApp, account: AccountId): Promise<void> {
  const { queries } = app.parts.store;
  const support = await signInOperator(app, 'support');
  await operatorResult(app, 'POST', 'impersonation', { account, reason: 'a ticket' }, support.key);
  const fill = async (
    table: 'workflows' | 'machines' | 'mails' | 'volumes' | 'keys',
    values: object,
  ): Promise<void> => {
    const rows = queries
      .updateTable(table as 'keys')
      .set(values)
      .where('account_id', '=', account);
    const { numUpdatedRows } = await (
      table === 'keys' ? rows.where('operator_id', 'is not', null) : rows
    ).executeTakeFirstOrThrow();
    assert.ok(numUpdatedRows > 0, table);
  };
  await fill('workflows', { detail: forStaff });
  await fill('machines', { reason: forStaff, detail: forStaff, power_error: forStaff });
  await fill('volumes', { node: forStaff });
  await fill('mails', { relay: forStaff, error: forStaff });
  await fill('keys', { last_used_address: forStaff, user_agent: forStaff });
}

export async function fillAccount(
  app: TestApp,
  account: AccountId,
  { name, email, address }: Record<'name' | 'email' | 'address', string>,
): Promise<void> {
  const { store, clock } = app.parts;
  const { queries } = store;
  const now = clock.now();
  const { password: _, company, phone, zipcode, ...person } = { company: '', phone: '', address2: '', ...anna };
  await contactInsert(queries, account, {
    ...person,
    ...contactDefaults,
    companyname: company,
    phonenumber: phone,
    postcode: zipcode,
    firstname: name,
    email,
    password_hash: null,
    created_at: now,
  } as never);
  await knownNetworkPut(queries, { account_id: account, contact_id: null, operator_id: null }, `${address}/32`, now);
  await queries
    .insertInto('services')
    .values({
      id: 9901,
      account_id: account,
      type: 'vps',
      name,
      hostname: `${name}.example.net`,
      status: 'Terminated',
      ip: '203.0.113.250',
      server: null,
      vmid: null,
      created_at: now,
    } as never)
    .execute();
  await mailsInsert(queries, [
    { account_id: account, contact_id: null, address: email, language: '', kind: 'account.resumed', created_at: now },
  ]);
  const [invoice] = await queries
    .insertInto('invoices')
    .values({
      account_id: account,
      number: `E-${account}`,
      day: Math.floor(now / dayMs),
      due_day: Math.floor(now / dayMs),
      paid_at: now,
      status: 'Paid',
      subtotal_cents: 100,
      credit_cents: 0,
      tax_cents: 0,
      tax2_cents: 0,
      total_cents: 100,
      tax_rate: 0,
      tax_rate2: 0,
      payment_method: 'banktransfer',
      notes: '',
      kind: 'Invoice',
      corrects_id: null,
    })
    .returning('id')
    .execute();
  await queries
    .insertInto('invoice_parties')
    .values({ invoice_id: invoice!.id, account_id: account, seller: '{}', buyer: JSON.stringify({ name }) })
    .execute();
}
