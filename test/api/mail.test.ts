// Messages from the event to the relay: who receives which, and what becomes of one that the relay does not take.
import assert from 'node:assert/strict';
import { before, beforeEach, it } from 'node:test';
import PostalMime, { type Email } from 'postal-mime';
import { contactFlags } from '#contract/mail/kinds.ts';
import type { EventData, EventType } from '#contract/events/events.ts';
import { applySite } from '#app/site/apply.ts';
import type { Site } from '#contract/site/site.ts';
import { mailWorker } from '#app/mail/sending.ts';
import { appendEvent, appendEvents } from '#events/append.ts';
import { enqueueMail } from '#events/mail.ts';
import type { AccountId } from '#store/account-id.ts';
import { contactInsert, contactList } from '#store/account/contacts.ts';
import { knownNetworkPut } from '#store/account/known-networks.ts';
import { mailList, mailsInsert, type Mail } from '#store/mail/mails.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { anna } from '#test/support/contacts.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { operatorResult } from '#test/support/operators.ts';
import { request, requestResult } from '#test/support/request.ts';
import { startSmtpServer, type SmtpServer } from '#test/support/smtp-server.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until, untilDefined } from '#test/support/until.ts';

const account = 1 as AccountId;
const minuteMs = 60_000;
const url = 'https://panel.provider.example';

describeOnEngines('messages by email', { postgres: 'in long runs' }, ({ newDatabase }) => {
  const owned = suiteResources();
  let app: TestApp;
  let relay: SmtpServer;
  let second: SmtpServer;
  let mail: NonNullable<Site['mail']>;
  let owner: string;
  /** The last message of the previous test. */
  let last = 0;
  before(async () => {
    relay = owned.use(await startSmtpServer());
    second = owned.use(await startSmtpServer());
    app = owned.use(await openTestApp(await newDatabase()));
    const relays = [relay, second].map(({ port }) => ({ host: '127.0.0.1', port, security: 'none' as const }));
    mail = { from: 'noreply@provider.example', url, relays };
    await applySite(app.parts, { ...app.site, mail });
    owner = app.site.customers![0]!.email;
    await app.parts.queue.start([mailWorker(app.parts, [0, 0])]);
  });
  beforeEach(async () => {
    const [newest] = await mailList(app.parts.store.queries, { account, limit: 1 });
    last = newest?.id ?? 0;
    const flags = Object.fromEntries(contactFlags.map((flag) => [flag, 0]));
    await app.parts.store.queries.updateTable('contacts').set(flags).execute();
    // Beyond what limits look back at.
    app.pass(61 * minuteMs);
    forget();
  });

  /** Both relays, because one that failed in an earlier test is avoided for a while. */
  const accepted = () => [...relay.accepted, ...second.accepted];
  const forget = (): void => {
    relay.accepted.length = 0;
    second.accepted.length = 0;
  };
  /** Returns the accepted message with this subject, as soon as there is one. */
  const received = (subject: string): Promise<Email> =>
    untilDefined(async () => {
      const emails = await Promise.all(accepted().map(({ source }) => PostalMime.parse(source)));
      return emails.find((email) => email.subject === subject);
    });
  const emit = <T extends EventType>(type: T, data: EventData<T>, service?: number): Promise<void> =>
    app.parts.store.transaction((queries) =>
      appendEvent(app.parts, queries, { account, type, data, ...(service !== undefined && { service }) }),
    );
  const mailsOf = async (): Promise<Mail[]> =>
    (await mailList(app.parts.store.queries, { account, limit: 100 })).filter(({ id }) => id > last);
  const allEnded = (count: number): Promise<Mail[]> =>
    untilDefined(async () => {
      const mails = await mailsOf();
      return mails.length >= count && mails.every(({ status }) => status !== 'Queued') ? mails : undefined;
    });
  const call = <Result>(method: string, path: string, params: object = {}): Promise<Result> =>
    requestResult<Result>(app, method, path, {
      key: app.lab.customer.key,
      params: params as Record<string, unknown>,
    });
  /** Runs the job of a held message, which otherwise comes after a quarter of an hour. */
  const summarize = async (): Promise<void> => {
    const held = (await mailsOf()).find(({ status }) => status === 'Held')!;
    await app.parts.store.transaction((queries) => enqueueMail(app.parts, queries, held.id, 0, 0));
  };

  it('go to the account and to contacts with the flag, and never without their cause', async () => {
    const { contactid } = await call<{ contactid: string }>('POST', '/v2/account/contact', anna);
    // The new contact has the general flag, so both are informed of it.
    await until(() => accepted().length === 2);
    assert.deepEqual(
      accepted()
        .map(({ to }) => to)
        .toSorted(),
      [owner, anna.email].toSorted(),
    );
    forget();
    await emit('service.provisioned', {}, 1001);
    await until(() => accepted().length === 1);
    assert.equal(accepted()[0]!.to, owner);
    await call('PUT', '/v2/account/contact/settings', { id: contactid, productemails: true });
    await emit('device.reload.completed', { system: 'debian-13' }, 1001);
    await until(() => accepted().length === 3);
    await assert.rejects(
      app.parts.store.transaction(async (queries) => {
        await appendEvent(app.parts, queries, { account, type: 'account.resumed', data: {} });
        throw new Error('rolled back');
      }),
    );
    const mails = await allEnded(5);
    assert.ok(!mails.some(({ kind }) => kind === 'account.resumed'));
    // Events that concern no person cause no message.
    await emit('device.power.changed', { state: 'on', source: 'command' }, 1001);
    assert.equal((await mailsOf()).length, mails.length);
  });

  it('are listed for the customer and the staff, who can send them again, without the licence key', async () => {
    const { store, secrets, clock } = app.parts;
    const { id } = await store.queries
      .insertInto('licences')
      .values({
        account_id: account,
        service_id: 1001,
        name: 'DEDICATED_TEST',
        status: 'Active',
        price_cents: 100,
        from_day: 1,
        until_day: null,
        billed_until: 2,
        licence_key: null,
        workflow_id: '',
        created_at: clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { licenceSealContext } = await import('#workflows/billing/licence-order.ts');
    const licence_key = secrets.seal('TOP-SECRET-KEY', licenceSealContext(id));
    await store.queries.updateTable('licences').set({ licence_key }).where('id', '=', id).execute();
    await emit('software.fulfilled', { orderid: String(id), license: 'DEDICATED_TEST' }, 1001);
    await allEnded(1);
    const sent = await received('Your licence key for Test');
    assert.match(sent.text!, /TOP-SECRET-KEY/);
    const [listed] = await call<Record<string, string>[]>('GET', '/v2/account/mail');
    assert.equal(listed!['status'], 'Sent');
    assert.match(listed!['text']!, /only in the message itself/);
    const seen = await operatorResult<Record<string, string>>(app, 'GET', `mail/${listed!['id']}`);
    assert.equal(seen['subject'], sent.subject);
    const rows = await store.queries.selectFrom('mails').selectAll().execute();
    assert.doesNotMatch(JSON.stringify([listed, seen, rows]), /TOP-SECRET-KEY/);
    forget();
    const again = await operatorResult<{ id: string }>(app, 'POST', 'mail/resend', { id: listed!['id'] });
    await until(() => accepted().length === 1);
    const repeated = await received('Your licence key for Test');
    assert.match(repeated.text!, /TOP-SECRET-KEY/);
    assert.notEqual(repeated.messageId, sent.messageId);
    const [copy] = await operatorResult<Record<string, string>[]>(app, 'GET', 'mail', { account });
    assert.deepEqual([copy!['id'], copy!['resendof']], [again.id, listed!['id']]);
    // Another account sees none of it.
    const foreign = await request(app, 'GET', '/v2/account/mail', {
      key: app.lab.stranger.key,
      params: { id: listed!['id'] },
    });
    assert.equal(foreign.status, 404);
  });

  it('survive greylisting, a relay that dies and one that hangs, under one Message-ID', async () => {
    relay.next.push('greylists');
    second.next.push('greylists');
    await emit('account.resumed', {});
    const [greylisted] = await allEnded(1);
    assert.deepEqual([greylisted!.status, greylisted!.attempts], ['Sent', 2]);
    relay.next.push('dies');
    await emit('account.resumed', {});
    const [afterDeath] = await allEnded(2);
    assert.deepEqual([afterDeath!.status, afterDeath!.relay], ['Sent', `127.0.0.1:${second.port}`]);
    // Only here, because a busy machine can take longer, and the relay would get the message again.
    const impatient = { ...mail, relays: mail.relays.map((each) => ({ ...each, timeoutSeconds: 2 })) };
    await applySite(app.parts, { ...app.site, mail: impatient });
    second.next.push('hangs');
    relay.next.push('hangs');
    await emit('account.resumed', {});
    const [afterHanging] = await allEnded(3);
    assert.equal(afterHanging!.status, 'Sent');
    await applySite(app.parts, { ...app.site, mail });
    // The message arrived, but its acceptance did not.
    relay.next.push('dies late');
    second.next.push('dies late');
    await emit('account.resumed', {});
    const [twice] = await allEnded(4);
    assert.equal(twice!.status, 'Sent');
    const ids = await Promise.all(
      [...relay.accepted, ...second.accepted].map(async ({ source }) => (await PostalMime.parse(source)).messageId),
    );
    assert.ok(ids.length > new Set(ids).size);
    assert.equal(new Set(ids).size, 4);
  });

  it('that are rejected are recorded and not tried again, and neither are addresses that the relay cannot take', async () => {
    relay.next.push('is full');
    await emit('account.resumed', {});
    const [full] = await allEnded(1);
    assert.deepEqual([full!.status, full!.attempts, second.accepted.length], ['Failed', 1, 0]);
    assert.match(full!.error, /552 5\.2\.2 Mailbox full/);
    const setEmail = (email: string) =>
      app.parts.store.queries.updateTable('accounts').set({ email }).where('id', '=', account).execute();
    await setEmail('müller@例え.jp');
    await emit('account.resumed', {});
    const [international] = await allEnded(2);
    assert.equal(international!.status, 'Failed');
    assert.match(international!.error, /SMTPUTF8/i);
    await setEmail(owner);
  });

  it('of one group are summarized after the first, and a person can unsubscribe with one click', async () => {
    for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3'])
      await emit('network.nullroute.added', { ip, reason: 'An attack' }, 1001);
    await until(() => accepted().length === 1);
    assert.deepEqual(
      (await mailsOf()).slice(0, 2).map(({ status }) => status),
      ['Held', 'Held'],
    );
    await summarize();
    const summary = await received('2 more messages');
    assert.match(summary.text!, /192\.0\.2\.2 is null-routed[\s\S]*192\.0\.2\.3 is null-routed/);

    const first = await received('192.0.2.1 is null-routed');
    const header = (key: string) => first.headers.find((entry) => entry.key === key)?.value;
    assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
    const path = /^<https:\/\/panel\.provider\.example(\/mail\/unsubscribe\/[\w-]+)>$/.exec(
      header('list-unsubscribe')!,
    )![1]!;
    const page = await fetch(`${app.url}${path}`);
    assert.equal(page.status, 200);
    app.pass(20 * minuteMs);
    await emit('network.nullroute.added', { ip: '192.0.2.4', reason: 'Opening the link changes nothing' }, 1001);
    await received('192.0.2.4 is null-routed');
    const post = await fetch(`${app.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    assert.equal(post.status, 200);
    const forged = await fetch(`${app.url}${path.slice(0, -4)}AAAA`, { method: 'POST' });
    assert.equal(forged.status, 404);
    app.pass(20 * minuteMs);
    const before = (await mailsOf()).length;
    await emit('network.nullroute.added', { ip: '192.0.2.5', reason: 'Unwanted' }, 1001);
    assert.equal((await mailsOf()).length, before);
    const settings = await call<{ off: string[] }>('GET', '/v2/account/mail/settings');
    assert.deepEqual(settings.off, ['network.nullroute.added']);
    // What is required cannot be turned off.
    const { status } = await request(app, 'PUT', '/v2/account/mail/settings', {
      key: app.lab.customer.key,
      params: { off: ['invoice.issued'] },
    });
    assert.equal(status, 400);
  });

  it('are limited: an account cannot make us flood others', async () => {
    const events = Array.from({ length: 40 }, (_, count) => ({
      account,
      type: 'key.revoked' as const,
      data: { keyid: String(count), name: `Key ${count}` },
    }));
    await app.parts.store.transaction((queries) => appendEvents(app.parts, queries, events));
    const mails = await mailsOf();
    assert.deepEqual([mails.length, mails.filter(({ status }) => status === 'Held').length], [40, 10]);
    await until(() => accepted().length === 30);
    await summarize();
    await received('10 more messages');
  });

  it('of another account to the same address neither replace nor delay those of the account itself', async () => {
    const other = Number(app.lab.stranger.account) as AccountId;
    const params = { ...anna, email: owner };
    await requestResult(app, 'POST', '/v2/account/contact', { key: app.lab.stranger.key, params });
    const events = Array.from({ length: 400 }, (_, count) => ({
      account: other,
      type: 'key.revoked' as const,
      data: { keyid: String(count), name: `Key ${count}` },
    }));
    await app.parts.store.transaction((queries) => appendEvents(app.parts, queries, events));
    await emit('account.password.changed', { contactid: '', session: '', address: '192.0.2.1' });
    assert.deepEqual(
      (await mailsOf()).map(({ kind, status }) => [kind, status === 'Held']),
      [['account.password.changed', false]],
    );
  });

  it('to one address are limited however many another address gets', async () => {
    const contact = { ...anna, email: 'bert@example.com' };
    const { contactid } = await call<{ contactid: string }>('POST', '/v2/account/contact', contact);
    await call('PUT', '/v2/account/contact/settings', { id: contactid, productemails: true });
    const { queries } = app.parts.store;
    const sent = (address: string, created_at: number) => ({
      account_id: Number(app.lab.stranger.account) as AccountId,
      contact_id: null,
      address,
      kind: 'key.revoked',
      language: '',
      created_at,
      status: 'Sent' as const,
    });
    const now = app.parts.clock.now();
    await mailsInsert(queries, Array(30).fill(sent(contact.email, now - minuteMs)));
    await mailsInsert(queries, Array(200).fill(sent(owner, now)));
    await emit('service.provisioned', {}, 1001);
    const toContact = (await mailsOf()).filter(
      ({ address, kind }) => address === contact.email && kind === 'service.provisioned',
    );
    assert.deepEqual(
      toContact.map(({ status }) => status),
      ['Held'],
    );
    // Otherwise it would arrive in a later test.
    await summarize();
    await until(async () => (await mailsOf()).every(({ status }) => status !== 'Held' && status !== 'Queued'));
  });

  it('tell a person of a sign-in from a network that they have not used, once', async () => {
    const { email, password } = app.lab.customer;
    const signIn = () => request(app, 'POST', '/v2/session', { params: { email, password } });
    const holder = { account_id: account, contact_id: null, operator_id: null };
    await app.parts.store.queries.deleteFrom('known_networks').execute();
    // The first sign-in of all is expected.
    assert.equal((await signIn()).status, 200);
    assert.deepEqual(await mailsOf(), []);
    await app.parts.store.queries.deleteFrom('known_networks').execute();
    await knownNetworkPut(app.parts.store.queries, holder, '198.51.100.0/24', app.parts.clock.now());
    assert.equal((await signIn()).status, 200);
    const { text } = await received('New sign-in to your account');
    assert.match(text!, /IP address:\s+127\.0\.0\.1/);
    assert.equal((await signIn()).status, 200);
    assert.equal((await mailsOf()).length, 1);
  });

  it('have the name of the provider as encoded words, in any script', async () => {
    const name = 'Müller & Söhne, 東京';
    await applySite(app.parts, { ...app.site, mail, provider: { ...app.site.provider, name } });
    await emit('key.revoked', { keyid: '1', name: 'x' });
    await until(() => accepted().length === 1);
    const { source } = accepted()[0]!;
    assert.match(source, /^From: =\?UTF-8\?[BQ]\?[\x21-\x7e]+\?=/m);
    assert.equal((await PostalMime.parse(source)).from!.name, name);
    await applySite(app.parts, { ...app.site, mail });
  });

  it('keep values from becoming headers, elements or placeholders', async () => {
    const name = 'x\r\nBcc: victim@example.org\r\n\r\n<script>alert(1)</script> {provider} \u202Eevil & "Müller" 東京';
    await call('PUT', '/v2/account/mail/settings', { language: 'de' });
    await emit('key.revoked', { keyid: '1', name });
    await until(() => accepted().length === 1);
    const { source } = accepted()[0]!;
    const mail = await PostalMime.parse(source);
    assert.ok(!mail.headers.some(({ key }) => key === 'bcc'));
    assert.equal(
      mail.subject,
      // No program makes links of it.
      'API-Schlüssel widerrufen: x Bcc: victim@\u2060example.\u2060org <script>alert(1)</\u2060script> {provider} evil & "Müller" 東京',
    );
    assert.doesNotMatch(mail.html!, /<script/);
    assert.match(mail.html!, /&lt;script&gt;alert\(1\)&lt;\/\u2060script&gt; \{provider\}/);
    assert.match(mail.text!, /"Müller" 東京/);
  });

  it('tell the person who is concerned, however many contacts come before', async () => {
    const { queries } = app.parts.store;
    const { id: _, ...contact } = (await contactList(queries, account))[0]!;
    for (let count = 0; count < 60; count++) await contactInsert(queries, account, { ...contact, generalemails: 1 });
    const email = 'concerned@example.com';
    const concerned = await contactInsert(queries, account, { ...contact, email });
    await emit('account.password.changed', { contactid: String(concerned), session: '', address: '192.0.2.1' });
    assert.deepEqual((await mailsOf()).map(({ address }) => address).toSorted(), [email, owner].toSorted());
  });
});
