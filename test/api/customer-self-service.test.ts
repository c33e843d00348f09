// What customers see and keep about their services and themselves: facts, price, labels, SSH keys, sessions, recovery
// codes and preferences.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Session } from '#sdk/v2.ts';
import type { AccountId } from '#store/account-id.ts';
import { billingAccountFind } from '#store/billing/billing-accounts.ts';
import { issueBill } from '#app/billing/run.ts';
import { dayMs } from '#lib/time.ts';
import { anna } from '#test/support/contacts.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { codeOf, uniqueAddress } from '#test/support/operators.ts';
import { request, type Envelope, type ErrorResult } from '#test/support/request.ts';
import { createSshKey } from '#test/support/ssh-keys.ts';
import type { TestApp } from '#test/support/app.ts';

const password = 'first password';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
let people = 0;

describeOnEngines('self-service of customers', { postgres: 'in long runs' }, ({ openApp }) => {
  let app: TestApp;
  let owner: string;
  before(async () => {
    app = await openApp({ trustedProxies: ['127.0.0.1'] });
    owner = app.lab.customer.key;
  });

  async function send<Result>(method: string, path: string, params: Record<string, unknown> = {}, key?: string) {
    const headers = { ...uniqueAddress(), 'user-agent': firefox };
    const { status, body } = await request<Envelope<Result & ErrorResult>>(app, method, `/v2/${path}`, {
      headers,
      params,
      ...(key === undefined ? {} : { key }),
    });
    const { code } = body.result;
    return { outcome: code === undefined ? String(status) : `${status} ${code}`, result: body.result };
  }
  async function done<Result>(...call: Parameters<typeof send>): Promise<Result> {
    const { outcome, result } = await send<Result>(...call);
    assert.equal(outcome, '200', `${call[0]} ${call[1]}: ${JSON.stringify(result)}`);
    return result as Result;
  }
  const outcomeOf = async (...call: Parameters<typeof send>) => (await send(...call)).outcome;

  async function newPerson() {
    const email = `mia${process.pid}-${++people}@example.com`;
    const contact = { ...anna, email, password };
    const { contactid } = await done<{ contactid: string }>('POST', 'account/contact', contact, owner);
    const settings = { id: contactid, subaccount: true, permissions: ['account:read', 'device:read'] };
    await done('PUT', 'account/contact/settings', settings, owner);
    const { key } = await done<Session>('POST', 'session', { email, password });
    return { email, contact: contactid, key };
  }
  async function recoveryCodes(key: string): Promise<readonly string[]> {
    const { secret } = await done<{ secret: string }>('POST', 'session/totp', { password }, key);
    await done('PUT', 'session/totp', { code: codeOf(app, secret) }, key);
    return (await done<{ codes: string[] }>('POST', 'session/recovery-codes', { password }, key)).codes;
  }
  const codesLeft = async (key: string) =>
    (await done<{ recoverycodes: string }>('GET', 'session', {}, key)).recoverycodes;

  test('labels are added and removed without losing others, and filter the list', async () => {
    const service = app.lab.dedicated.service;
    const set = (input: object) => done<string[]>('PUT', 'device/label', { service, ...input }, owner);
    assert.deepEqual(await set({ add: ['web', 'prod', 'web'] }), ['prod', 'web']);
    await Promise.all([set({ add: ['a'] }), set({ add: ['b'] }), set({ remove: ['prod'] })]);
    const listed = await done<{ service: string; labels: string }[]>('GET', 'device/list', { label: 'web' }, owner);
    assert.deepEqual(
      listed.map(({ service: id, labels }) => [id, labels]),
      [[service, 'a,b,web']],
    );
    assert.deepEqual(await done('GET', 'device/list', { label: 'none' }, owner), []);
    const many = Array.from({ length: 18 }, (_, index) => `label-${index}`);
    assert.equal(await outcomeOf('PUT', 'device/label', { service, add: many }, owner), '409 state_conflict');
    assert.equal(
      await outcomeOf('PUT', 'device/label', { service, add: ['Has Space'] }, owner),
      '400 invalid_parameter',
    );
  });

  test('facts name the data centre, and the price is the one on the next invoice', async () => {
    const account = Number(app.lab.customer.account) as AccountId;
    const { service } = app.lab.dedicated;
    const facts = await done<Record<string, string>>('GET', `device/facts/${service}`, {}, owner);
    assert.notEqual(facts['location'], '');
    assert.equal(facts['rescue'], '0');
    interface Price {
      readonly plan: string;
      readonly price: string;
      readonly next: { readonly date: string; readonly amount: string; readonly lines: { description: string }[] };
    }
    const { plan, price, next } = await done<Price>('GET', `device/price/${service}`, {}, owner);
    assert.notEqual(plan, '');
    assert.match(price, /^\d+\.\d\d$/);
    const { store, clock } = app.parts;
    const billing = await billingAccountFind(store.queries, account);
    assert.equal(next.date, new Date(billing!.next_day! * dayMs).toISOString().slice(0, 10));
    // The real run, on that day.
    await store.transaction((queries) => issueBill({ ...app.parts, clock }, queries, account, billing!.next_day!, []));
    const lines = await store.queries
      .selectFrom('invoice_lines')
      .innerJoin('invoices', 'invoices.id', 'invoice_lines.invoice_id')
      .select(['invoice_lines.description', 'invoice_lines.amount_cents'])
      .where('invoices.account_id', '=', account)
      .where('invoice_lines.service_id', '=', Number(service))
      .where('invoices.id', '=', (where) =>
        where
          .selectFrom('invoices')
          .select((of) => of.fn.max('id').as('id'))
          .where('account_id', '=', account),
      )
      .execute();
    const billed = lines.filter(({ description }) => next.lines.some((line) => line.description === description));
    assert.ok(billed.length > 0);
    assert.deepEqual(
      billed.map(({ description }) => description).toSorted(),
      lines.map(({ description }) => description).toSorted(),
    );
  });

  test('an SSH key is saved once, with the fingerprint that ssh-keygen prints', async () => {
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl GitHub';
    const saved = await done<{ id: string; fingerprint: string }>(
      'POST',
      'account/sshkey',
      { name: 'GitHub', key },
      owner,
    );
    assert.equal(saved.fingerprint, 'SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU');
    assert.equal(await outcomeOf('POST', 'account/sshkey', { name: 'Again', key }, owner), '409 already_exists');
    const damaged = createSshKey().replace(/.{8} sweep$/, 'AAAA sweep');
    assert.equal(
      await outcomeOf('POST', 'account/sshkey', { name: 'Bad', key: damaged }, owner),
      '400 invalid_parameter',
    );
    assert.equal(await outcomeOf('DELETE', 'account/sshkey', { id: saved.id }, app.lab.stranger.key), '404 not_found');
    await done('DELETE', 'account/sshkey', { id: saved.id }, owner);
    assert.deepEqual(await done('GET', 'account/sshkey', {}, owner), []);
  });

  test('a person sees their sessions with device and address, and ends one or all others', async () => {
    const { email, key } = await newPerson();
    const other = await newPerson();
    const [second, third] = await Promise.all([1, 2].map(() => done<Session>('POST', 'session', { email, password })));
    interface Open {
      readonly id: string;
      readonly current: string;
      readonly device: string;
      readonly address: string;
    }
    const list = () => done<Open[]>('GET', 'session/open', {}, key);
    const sessions = await list();
    assert.deepEqual(
      sessions.map(({ current, device }) => `${current} ${device}`),
      ['0 Firefox 145 on Linux', '0 Firefox 145 on Linux', '1 Firefox 145 on Linux'],
    );
    assert.ok(sessions.every(({ address }) => address !== ''));
    const [theirs] = await done<Open[]>('GET', 'session/open', {}, other.key);
    assert.equal(await outcomeOf('DELETE', 'session/open', { id: theirs!.id }, key), '404 not_found');
    await done('DELETE', 'session/open', { id: sessions[0]!.id }, key);
    const outcomes = await Promise.all(
      [second!, third!].map((session) => outcomeOf('GET', 'session', {}, session.key)),
    );
    assert.deepEqual(outcomes.toSorted(), ['200', '401 unauthenticated']);
    await done('DELETE', 'session/open', {}, key);
    assert.deepEqual(
      (await list()).map(({ current }) => current),
      ['1'],
    );
    assert.equal(await outcomeOf('GET', 'session/open', {}, owner), '409 state_conflict');
  });

  test('a recovery code signs in once, also of two at once, and the owner gets an event', async () => {
    const { email, contact, key } = await newPerson();
    assert.equal(await outcomeOf('POST', 'session/recovery-codes', { password }, key), '409 state_conflict');
    const [first, second, third] = await recoveryCodes(key);
    assert.equal(await codesLeft(key), '10');
    const signIn = (code: string) => outcomeOf('POST', 'session', { email, password, code });
    assert.equal(await signIn(first!), '200');
    assert.equal(await signIn(first!), '401 unauthenticated');
    const both = await Promise.all([signIn(second!), signIn(second!)]);
    assert.deepEqual(both.toSorted(), ['200', '401 unauthenticated']);
    assert.equal(await signIn(third!.replaceAll('-', '').toUpperCase()), '200');
    assert.equal(await codesLeft(key), '7');
    const { events } = await done<{ events: { type: string; data: Record<string, string> }[] }>(
      'GET',
      'event',
      { newest: true, limit: 50 },
      owner,
    );
    const used = events.filter(({ type, data }) => type === 'account.recovery.used' && data['contactid'] === contact);
    assert.deepEqual(
      used.map(({ data }) => data['left']),
      ['9', '8', '7'],
    );
    const stored = await app.parts.store.queries.selectFrom('recovery_codes').select('digest').execute();
    assert.ok(stored.every(({ digest }) => /^[0-9a-f]{64}$/.test(digest)));
  });

  test('new recovery codes replace the earlier ones, and go with the authenticator app', async () => {
    const { email, key } = await newPerson();
    const [old] = await recoveryCodes(key);
    const { codes } = await done<{ codes: string[] }>('POST', 'session/recovery-codes', { password }, key);
    assert.equal(await outcomeOf('POST', 'session', { email, password, code: old }), '401 unauthenticated');
    // Guesses from one network have to wait after a few.
    const guess = { headers: uniqueAddress(), params: { email, password, code: 'aaaa-aaaa-aaaa-aaaa' } };
    const wrong: number[] = [];
    while (wrong.length < 8 && !wrong.includes(429))
      wrong.push((await request(app, 'POST', '/v2/session', guess)).status);
    assert.equal(wrong.at(-1), 429, wrong.join());
    await done('DELETE', 'session/totp', { password }, key);
    assert.equal(await codesLeft(key), '0');
    assert.equal(codes.length, 10);
  });

  test('preferences belong to a person', async () => {
    const { key } = await newPerson();
    const set = {
      timezone: 'Europe/Berlin',
      dateformat: 'dots',
      language: 'de',
      filters: [{ name: 'Web', query: 'label=web' }],
    };
    await done('PUT', 'account/preferences', set, key);
    const { languages: _, ...own } = await done<Record<string, unknown>>('GET', 'account/preferences', {}, key);
    assert.deepEqual(own, set);
    await done('PUT', 'account/preferences', { timezone: '', filters: [] }, key);
    const changed = await done<Record<string, unknown>>('GET', 'account/preferences', {}, key);
    assert.deepEqual([changed['timezone'], changed['dateformat'], changed['filters']], ['', 'dots', []]);
    const others = await done<Record<string, unknown>>('GET', 'account/preferences', {}, owner);
    assert.equal(others['dateformat'], '');
    const outcome = await outcomeOf('PUT', 'account/preferences', { timezone: 'Mars/Olympus' }, key);
    assert.equal(outcome, '400 invalid_parameter');
  });
});
