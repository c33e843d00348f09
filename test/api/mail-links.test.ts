// One-time links by email: for a forgotten password, which tell nobody which addresses exist and never pass a second
// factor, and for invited contacts.
import assert from 'node:assert/strict';
import { before, beforeEach, it } from 'node:test';
import PostalMime, { type Email } from 'postal-mime';
import { recoveryWorker } from '#app/account/recovery.ts';
import { mailWorker } from '#app/mail/sending.ts';
import { applySite } from '#app/site/apply.ts';
import { sha256 } from '#lib/secrets.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { runCli } from '#test/support/cli.ts';
import { anna } from '#test/support/contacts.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { accountFields, codeOf, operatorResult, uniqueAddress } from '#test/support/operators.ts';
import { request, requestResult, type Envelope, type ErrorResult } from '#test/support/request.ts';
import { startSmtpServer, type SmtpServer } from '#test/support/smtp-server.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until, untilDefined } from '#test/support/until.ts';

const url = 'https://panel.provider.example';
const password = 'correct horse';
const better = 'a much better horse';

describeOnEngines('links by email', { postgres: 'in long runs' }, ({ engine, newDatabase }) => {
  const owned = suiteResources();
  let app: TestApp;
  let relay: SmtpServer;
  before(async () => {
    relay = owned.use(await startSmtpServer());
    app = owned.use(await openTestApp({ ...(await newDatabase()), trustedProxies: ['127.0.0.1'] }));
    const relays = [{ host: '127.0.0.1', port: relay.port, security: 'none' as const }];
    await applySite(app.parts, { ...app.site, mail: { from: 'noreply@provider.example', url, relays } });
    await app.parts.queue.start([mailWorker(app.parts), recoveryWorker(app.parts)]);
  });
  beforeEach(() => void (relay.accepted.length = 0));

  const call = <Result = ErrorResult>(
    method: string,
    path: string,
    params: Record<string, unknown>,
    headers: Record<string, string> = uniqueAddress(),
  ) => request<Envelope<Result>>(app, method, path, { params, headers });
  const ask = (email: string, headers?: Record<string, string>) =>
    call<string>('POST', '/v2/session/recovery', { email }, headers);
  const choose = (token: string, newpassword = better) => call('PUT', '/v2/session/recovery', { token, newpassword });
  const signIn = (email: string, secret: string, code?: string) =>
    call<{ key: string }>('POST', '/v2/session', { email, password: secret, ...(code !== undefined && { code }) });
  const mailTo = (email: string, subject: string): Promise<Email> =>
    untilDefined(async () => {
      const emails = await Promise.all(
        relay.accepted.filter(({ to }) => to === email).map(({ source }) => PostalMime.parse(source)),
      );
      return emails.find((mail) => mail.subject === subject);
    });
  const tokenOf = ({ text = '' }: Email): string =>
    /^https:\/\/panel\.provider\.example\/panel\/recover#([\w-]{43})$/m.exec(text)?.[1] ?? assert.fail(text);
  const receiveToken = async (email: string): Promise<string> => {
    assert.equal((await ask(email)).status, 200);
    return tokenOf(await mailTo(email, 'Choose a new password'));
  };
  const jobsDone = () =>
    until(async () => {
      const counts = await app.parts.queue.counts();
      return ['recovery', 'mail'].every((kind) => {
        const { queued = 0, running = 0 } = counts.get(kind) ?? {};
        return queued + running === 0;
      });
    });

  /** Creates an account whose password is the customer's own. */
  async function createCustomer() {
    const fields = accountFields();
    const account = await operatorResult<string>(app, 'POST', 'account', { ...fields, password });
    await app.parts.store.queries
      .updateTable('accounts')
      .set({ password_temporary_until: null })
      .where('email', '=', fields.email)
      .execute();
    const { key } = (await signIn(fields.email, password)).body.result;
    return { account, email: fields.email, key };
  }

  it('a forgotten password is replaced with the link, which works once and ends all sessions', async () => {
    const { email, key } = await createCustomer();
    const token = await receiveToken(email);
    const rows = await app.parts.store.queries.selectFrom('recoveries').selectAll().execute();
    assert.ok(rows.some(({ token_hash }) => token_hash === sha256(token).toString('hex')));
    assert.doesNotMatch(JSON.stringify(rows), new RegExp(token));
    assert.equal((await choose(token)).status, 200);
    assert.equal((await request(app, 'GET', '/v2/session', { key })).status, 401);
    assert.equal((await signIn(email, password)).status, 401);
    assert.equal((await signIn(email, better)).status, 200);
    await mailTo(email, 'Your password was changed');
    const again = await choose(token, 'yet another horse');
    assert.deepEqual([again.status, again.body.result.code], [404, 'not_found']);
    assert.equal((await signIn(email, better)).status, 200);
  });

  it('a forgotten password is replaced once if the link is used twice at the same time, and other links end', async () => {
    const { email } = await createCustomer();
    const first = await receiveToken(email);
    relay.accepted.length = 0;
    const second = await receiveToken(email);
    assert.notEqual(first, second);
    const outcomes = await Promise.all([choose(first, 'horse number one'), choose(first, 'horse number two')]);
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), [200, 404]);
    const winner = outcomes[0].status === 200 ? 'horse number one' : 'horse number two';
    assert.equal((await signIn(email, winner)).status, 200);
    assert.equal((await choose(second)).status, 404);
  });

  it('a forgotten password is not replaced after half an hour, after another change, or by a weak password', async () => {
    const { email, key } = await createCustomer();
    const late = await receiveToken(email);
    app.pass(31 * 60_000);
    assert.equal((await choose(late)).status, 404);
    relay.accepted.length = 0;
    const token = await receiveToken(email);
    for (const weak of ['short', 'password123'])
      assert.deepEqual(Object.keys((await choose(token, weak)).body.result.fields), ['newpassword']);
    const change = { password, newpassword: 'changed in the panel' };
    await requestResult(app, 'PUT', '/v2/session/password', { key, params: change });
    assert.equal((await choose(token)).status, 404);
  });

  it('a link is asked for with the same response for every address, and only people get a link', async () => {
    const { email } = await createCustomer();
    const known = await ask(email.toUpperCase());
    const unknown = await ask('nobody@example.com');
    assert.deepEqual([known.status, known.body], [unknown.status, unknown.body]);
    const contact = { ...anna, email: 'no-access@example.com' };
    await requestResult(app, 'POST', '/v2/account/contact', { key: app.lab.customer.key, params: contact });
    await ask(contact.email);
    await mailTo(email, 'Choose a new password');
    await jobsDone();
    const links = relay.accepted.filter(({ source }) => source.includes('/panel/recover#'));
    assert.deepEqual(
      links.map(({ to }) => to),
      [email],
    );
  });

  it('a link does not open a session: the second factor is still required', async () => {
    const { email, key } = await createCustomer();
    const { secret } = await requestResult<{ secret: string }>(app, 'POST', '/v2/session/totp', {
      key,
      params: { password },
    });
    await requestResult(app, 'PUT', '/v2/session/totp', { key, params: { code: codeOf(app, secret) } });
    const chosen = await choose(await receiveToken(email));
    assert.equal(chosen.body.result as unknown, 'Password Changed');
    assert.equal(chosen.headers.get('set-cookie'), null);
    assert.equal((await signIn(email, better)).status, 401);
    app.pass(31_000);
    assert.equal((await signIn(email, better, codeOf(app, secret))).status, 200);
  });

  it('a person gets few links, and requests are limited for each network of IPv6 as a whole', async () => {
    const { email } = await createCustomer();
    for (let attempt = 0; attempt < 5; attempt++) assert.equal((await ask(email)).status, 200);
    await jobsDone();
    const links = relay.accepted.filter(({ to, source }) => to === email && source.includes('/panel/recover#'));
    assert.equal(links.length, 3);
    const statuses: number[] = [];
    for (let host = 1; host <= 7; host++)
      statuses.push((await ask('nobody@example.com', { 'x-forwarded-for': `2001:db8:77:1::${host}` })).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429]);
    assert.equal((await ask('nobody@example.com', { 'x-forwarded-for': '2001:db8:77:2::1' })).status, 200);
  });

  it('a link leads to the provider’s own address, whatever the request claims to be', async () => {
    const { email } = await createCustomer();
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', ...uniqueAddress() };
    await ask(email, headers);
    const { text, html } = await mailTo(email, 'Choose a new password');
    assert.doesNotMatch(`${text}${html}`, /evil\.example/);
    for (const injected of ['a@example.com\r\nBcc: b@example.com', 'a@example.com\nb', 'a b@example.com'])
      assert.equal((await ask(injected)).status, 400);
  });

  it('the token is kept from staff, from the account’s keys and from the database once the message was sent', async () => {
    const { account, email } = await createCustomer();
    const token = await receiveToken(email);
    await jobsDone();
    const [mail] = await operatorResult<{ id: string }[]>(app, 'GET', 'mail', { account, limit: 1 });
    const shown = await operatorResult<{ text: string; html: string }>(app, 'GET', `mail/${mail!.id}`);
    assert.match(shown.text, /Choose a new password/);
    assert.doesNotMatch(`${shown.text}${shown.html}`, new RegExp(token));
    const { details } = await app.parts.store.queries
      .selectFrom('mails')
      .select('details')
      .where('id', '=', Number(mail!.id))
      .executeTakeFirstOrThrow();
    const opened = app.parts.secrets.open(details!, `mails.details ${account} ${email}`);
    assert.doesNotMatch(opened, new RegExp(token));
    const resend = await request<Envelope<ErrorResult>>(app, 'POST', '/operator/mail/resend', {
      key: app.lab.operator.key,
      params: { id: mail!.id },
    });
    assert.deepEqual([resend.status, resend.body.result.code], [409, 'state_conflict']);
  });

  type Invited = { readonly id: string; readonly contact: string };
  const customer = <Result>(
    method: string,
    path: string,
    params: Record<string, unknown> = {},
    key = app.lab.customer.key,
  ) => request<Envelope<Result>>(app, method, `/v2/account/${path}`, { key, params });
  const invite = (params: Record<string, unknown>, key?: string) =>
    customer<Invited & ErrorResult>('POST', 'invitation', { permissions: ['device:read'], ...params }, key);
  const accept = (token: string, newpassword = better) => call('PUT', '/v2/session/invitation', { token, newpassword });
  const invitationToken = async (email: string): Promise<string> => {
    const { text = '' } = await mailTo(email, 'You are invited to the account of Winter Hosting');
    return /\/panel\/invitation#([\w-]{43})$/m.exec(text)?.[1] ?? assert.fail(text);
  };

  it('an invited contact chooses a password, gets the permissions, and the link works once', async () => {
    const person = { firstname: 'Jürgen', lastname: 'O’Brien 東京', email: 'joe@example.com' };
    const { status, body } = await invite(person);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal((await signIn(person.email, better)).status, 401);
    const token = await invitationToken(person.email);
    const [first, second] = await Promise.all([accept(token), accept(token)]);
    assert.deepEqual([first.status, second.status].toSorted(), [200, 404]);
    const session = (await signIn(person.email, better)).body.result as unknown as {
      contact: string;
      scopes: string[];
    };
    assert.deepEqual([session.contact, session.scopes], [body.result.contact, ['device:read']]);
    await mailTo(app.site.customers![0]!.email, `Invitation accepted: Jürgen O’Brien 東京 <${person.email}>`);
    assert.equal((await accept(token)).status, 404);
    assert.equal((await invite({ contact: body.result.contact })).status, 409);
  });

  it('an invitation is sent again, revoked, and ends after seven days or with another address', async () => {
    const { contactid } = (
      await customer<{ contactid: string }>('POST', 'contact', { ...anna, email: 'kim@example.com' })
    ).body.result;
    const { id } = (await invite({ contact: contactid })).body.result;
    assert.equal((await invite({ contact: contactid })).status, 409);
    const first = await invitationToken('kim@example.com');
    relay.accepted.length = 0;
    assert.equal((await customer('PUT', 'invitation', { id })).status, 200);
    const second = await invitationToken('kim@example.com');
    assert.equal((await accept(first)).status, 404);
    await customer('PUT', 'contact', { id: contactid, email: 'kim2@example.com' });
    assert.equal((await accept(second)).status, 404);
    await customer('PUT', 'invitation', { id });
    const third = await invitationToken('kim2@example.com');
    app.pass(8 * 86_400_000);
    assert.equal((await accept(third)).status, 404);
    relay.accepted.length = 0;
    await customer('PUT', 'invitation', { id });
    const fourth = await invitationToken('kim2@example.com');
    assert.equal((await customer('DELETE', 'invitation', { id })).status, 200);
    assert.equal((await accept(fourth)).status, 404);
    assert.equal((await customer('PUT', 'invitation', { id })).status, 404);
  });

  it('an accepted invitation grants what the contact was last allowed', async () => {
    const person = { firstname: 'Ida', lastname: 'Lund', email: 'ida@example.com' };
    const permissions = ['device:read', 'account:read'];
    const { contact: id } = (await invite({ ...person, permissions })).body.result;
    const settings = (change: Record<string, unknown>) => customer('PUT', 'contact/settings', { id, ...change });
    assert.equal((await settings({ services: ['1001'] })).status, 200);
    assert.equal((await settings({ permissions: ['device:read'] })).status, 200);
    const { key } = await requestResult<{ key: string }>(app, 'POST', '/v2/account/key', {
      key: app.lab.customer.key,
      params: { name: 'no devices', scopes: ['account:keys', 'account:read'] },
    });
    assert.equal((await customer('PUT', 'contact/settings', { id, services: [] }, key)).status, 403);
    assert.equal((await accept(await invitationToken(person.email))).status, 200);
    const [contact] = await requestResult<Record<string, string>[]>(app, 'GET', '/v2/account/contact', {
      key: app.lab.customer.key,
      params: { id },
    });
    assert.deepEqual([contact!['services'], contact!['permissions']], ['1001', 'device:read']);
  });

  it('an invitation grants no more than its sender has, and cannot carry an advertisement', async () => {
    const { key } = await requestResult<{ key: string }>(app, 'POST', '/v2/account/key', {
      key: app.lab.customer.key,
      params: { name: 'limited', scopes: ['account:keys', 'account:write', 'account:read'] },
    });
    const person = { firstname: 'Mia', lastname: 'Wong', email: 'mia@example.com' };
    assert.equal((await invite(person, key)).status, 403);
    const { status, body } = await invite({ ...person, permissions: ['account:read'] }, key);
    assert.equal(status, 200, JSON.stringify(body));
    for (const firstname of ['Visit http://evil.example', 'a\r\nBcc: b@example.com', '<b>', '{token}', 'x@y'])
      assert.deepEqual(Object.keys((await invite({ ...person, firstname })).body.result.fields), ['firstname']);
    const names = { firstname: 'www.evil.example', lastname: 'www.evil.example' };
    // The German greeting has both names.
    for (const [language, email, subject] of [
      ['en', 'bait@example.com', 'You are invited to the account of Winter Hosting'],
      ['de', 'koeder@example.com', 'Einladung zum Konto von Winter Hosting'],
    ] as const) {
      assert.equal((await customer('PUT', 'mail/settings', { language })).status, 200);
      assert.equal((await invite({ ...names, email })).status, 200);
      const { text = '', html = '' } = await mailTo(email, subject);
      assert.doesNotMatch(`${text}${html}`, /www\.evil/);
    }
    assert.equal((await customer('PUT', 'mail/settings', { language: '' })).status, 200);
  });

  it('an account sends no more invitations a day, however many at once', async () => {
    const { account } = await createCustomer();
    const granted = { account, name: 'inviting', scopes: ['all'] };
    const { key } = await operatorResult<{ key: string }>(app, 'POST', 'key', granted);
    const inviting = Array.from({ length: 12 }, (_, index) =>
      invite({ firstname: 'Eve', lastname: 'Holm', email: `stranger${index}@example.com` }, key),
    );
    const statuses = (await Promise.all(inviting)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 5);
  });

  it('no other message carries an advertisement to a contact either', async () => {
    const { key, account } = await createCustomer();
    const send = <Result>(method: string, path: string, params: Record<string, unknown>) =>
      requestResult<Result>(app, method, `/v2/account/${path}`, { key, params });
    const email = 'victim@example.com';
    const { contactid: id } = await send<{ contactid: string }>('POST', 'contact', { ...anna, email });
    await send('PUT', 'contact/settings', { id, subaccount: true, generalemails: true });
    await send('POST', 'key', { name: 'visit www.evil.example', scopes: ['dns:read'] });
    const { queries } = app.parts.store;
    const company = { companyname: 'www.evil.example' };
    await queries
      .updateTable('accounts')
      .set(company)
      .where('id', '=', Number(account) as never)
      .execute();
    assert.equal((await ask(email)).status, 200);
    await mailTo(email, 'Choose a new password');
    await jobsDone();
    const received = relay.accepted.filter(({ to }) => to === email);
    assert.ok(received.length >= 2);
    for (const { source } of received) {
      const { subject, text = '', html = '' } = await PostalMime.parse(source);
      assert.doesNotMatch(`${subject}${text}${html}`, /www\.evil/);
    }
  });

  if (engine === 'postgres') return;
  // The command line does not depend on the database.
  it('links are used on the command line', async () => {
    const { email } = await createCustomer();
    const server = { url: app.url, key: app.lab.customer.key };
    const link = `${url}/panel/recover#${await receiveToken(email)}`;
    const recovered = await runCli(server, ['recover', '--email', email], { input: `${link}\n${better}\n` });
    assert.equal(recovered.code, 0, recovered.err);
    assert.equal((await signIn(email, better)).status, 200);
    const person = ['--firstname', 'Zoë', '--lastname', 'Núñez', '--email', 'zoe@example.com'];
    const invited = await runCli(server, ['contact', 'invite', ...person, '--permissions', 'device:read,dns:read']);
    assert.equal(invited.code, 0, invited.err);
    assert.match((await runCli(server, ['contact', 'invitations'])).out, /zoe@example\.com .*Pending/);
    const joined = await runCli(server, ['join'], {
      input: `${url}/panel/invitation#${await invitationToken('zoe@example.com')}\n${better}\n`,
    });
    assert.equal(joined.code, 0, joined.err);
    assert.equal((await signIn('zoe@example.com', better)).status, 200);
  });
});
