// Sign-up: accounts that people create themselves, which tell nobody which addresses have one, and cost a program more than
// a person.
import assert from 'node:assert/strict';
import { before, beforeEach, it } from 'node:test';
import PostalMime, { type Email } from 'postal-mime';
import { mailWorker } from '#app/mail/sending.ts';
import { createChallenge } from '#app/sign-up/challenges.ts';
import { signUpWorker } from '#app/sign-up/requests.ts';
import type { SiteSignUp } from '#contract/site/sign-up.ts';
import { solveChallenge } from '#sdk/proof-of-work.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { runCli } from '#test/support/cli.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { accountFields, asOperator, operatorResult } from '#test/support/operators.ts';
import { request, requestResult, type Envelope, type ErrorResult } from '#test/support/request.ts';
import { allowSignUp, difficulty, panelUrl, terms } from '#test/support/sign-up-fixtures.ts';
import { startSmtpServer, type SmtpServer } from '#test/support/smtp-server.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until, untilDefined } from '#test/support/until.ts';

const password = 'a much better horse';

let networks = 0;
/** An address in a separate network, because requests are limited by network. */
function ownNetwork(): { 'x-forwarded-for': string } {
  networks++;
  return { 'x-forwarded-for': `203.${networks >> 8}.${networks & 255}.7` };
}

describeOnEngines('sign-up', { postgres: 'in long runs' }, ({ engine, newDatabase }) => {
  const owned = suiteResources();
  let app: TestApp;
  let relay: SmtpServer;
  const allow = (signUp?: Partial<SiteSignUp>) => allowSignUp(app, signUp, relay.port);
  before(async () => {
    relay = owned.use(await startSmtpServer());
    app = owned.use(await openTestApp({ ...(await newDatabase()), trustedProxies: ['127.0.0.1'] }));
    await allow();
    await app.parts.queue.start([mailWorker(app.parts), signUpWorker(app.parts)]);
  });
  beforeEach(async () => {
    relay.accepted.length = 0;
    await allow();
  });

  const call = <Result = ErrorResult>(
    method: string,
    path: string,
    params: Record<string, unknown> = {},
    headers: Record<string, string> = ownNetwork(),
  ) => request<Envelope<Result>>(app, method, path, { params, headers });
  type Challenge = { readonly challenge: string; readonly difficulty: string };
  const getChallenge = async (headers?: Record<string, string>): Promise<Challenge> =>
    (await call<Challenge>('POST', '/v2/account/challenge', {}, headers)).body.result;
  const prove = async (challenge = createChallenge(app.parts, difficulty, app.parts.clock.now() + 60_000)) => ({
    challenge,
    solution: await solveChallenge({ challenge, difficulty }),
  });
  let people = 0;
  const newPerson = () => ({
    firstname: 'Jürgen',
    lastname: 'O’Brien 東京',
    email: `person${++people}@example.com`,
    country: 'de',
    terms: terms.version,
  });
  const signUp = async (person: Record<string, unknown>, headers?: Record<string, string>) =>
    call('POST', '/v2/account', { ...(await prove()), ...person }, headers);
  const choose = (token: string, newpassword = password) =>
    call<{ status: string; account: string; email: string } & ErrorResult>('PUT', '/v2/account/sign-up', {
      token,
      newpassword,
    });
  const signIn = (email: string) => call<{ key: string }>('POST', '/v2/session', { email, password });
  const mailTo = (email: string, subject: RegExp): Promise<Email> =>
    untilDefined(async () => {
      const messages = relay.accepted.filter(({ to }) => to === email).map(({ source }) => PostalMime.parse(source));
      return (await Promise.all(messages)).find((mail) => subject.test(mail.subject ?? ''));
    });
  const tokenOf = ({ text = '' }: Email): string =>
    /^https:\/\/panel\.provider\.example\/panel\/sign-up\/verify#([\w-]{43})$/m.exec(text)?.[1] ?? assert.fail(text);
  const receiveToken = async (person: { readonly email: string }): Promise<string> => {
    const { status, body } = await signUp(person);
    assert.equal(status, 200, JSON.stringify(body));
    return tokenOf(await mailTo(person.email, /Confirm|Bestätigen/));
  };
  const jobsDone = () =>
    until(async () => {
      const counts = await app.parts.queue.counts();
      return ['sign-up', 'mail'].every((kind) => {
        const { queued = 0, running = 0 } = counts.get(kind) ?? {};
        return queued + running === 0;
      });
    });
  const rowsOf = (email: string) =>
    app.parts.store.queries.selectFrom('sign_ups').selectAll().where('sign_in', '=', email).execute();
  const fieldsOf = ({ status, body }: Awaited<ReturnType<typeof signUp>>) => [status, Object.keys(body.result.fields)];

  it('a person signs up, verifies the address, and has an account without services', async () => {
    const person = { ...newPerson(), company: 'José & Söhne', city: 'Köln', language: 'de' };
    const token = await receiveToken(person);
    const { text } = await mailTo(person.email, /Bestätigen/);
    assert.match(text!, /^Guten Tag Jürgen O’Brien 東京,$/m);
    assert.equal((await signIn(person.email)).status, 401);
    const rows = await rowsOf(person.email);
    assert.doesNotMatch(JSON.stringify(rows), new RegExp(token));
    const { status, body } = await choose(token);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.result.status, body.result.email], ['Active', person.email]);
    const { key } = (await signIn(person.email)).body.result;
    const account = await requestResult<Record<string, string>>(app, 'GET', '/v2/account', { key });
    const { id, companyname, lastname, countrycode, balance, currency, city } = account;
    assert.deepEqual(
      { id, companyname, lastname, countrycode, balance, currency, city },
      {
        id: body.result.account,
        companyname: 'José & Söhne',
        lastname: 'O’Brien 東京',
        countrycode: 'DE',
        balance: '0.00',
        currency: app.site.provider.currency.code,
        city: 'Köln',
      },
    );
    assert.deepEqual(await requestResult(app, 'GET', '/v2/device/list', { key }), []);
    const preferences = await requestResult<{ language: string }>(app, 'GET', '/v2/account/preferences', { key });
    assert.equal(preferences.language, 'de');
    const log = await requestResult<{ operation: string; target: string }[]>(app, 'GET', '/v2/account/audit', { key });
    const first = log.at(-1)!;
    assert.deepEqual([first.operation, first.target], ['v2.signUpComplete', 'terms=2026-11']);
    const accepted = await app.parts.store.queries
      .selectFrom('account_terms')
      .selectAll()
      .where('account_id', '=', Number(id) as never)
      .executeTakeFirstOrThrow();
    assert.deepEqual(
      [accepted.version, accepted.url, accepted.accepted_at],
      ['2026-11', terms.url, rows[0]!.created_at],
    );
    assert.deepEqual(await rowsOf(person.email), []);
  });

  it('a link works once, for a day, for one of two at the same time, and not for a weak password', async () => {
    const person = newPerson();
    const token = await receiveToken(person);
    assert.deepEqual(fieldsOf((await choose(token, 'password123')) as never), [400, ['newpassword']]);
    const outcomes = await Promise.all([choose(token), choose(token)]);
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), [200, 404]);
    assert.equal((await choose(token)).status, 404);
    const accounts = await operatorResult<object[]>(app, 'GET', 'account', { search: person.email });
    assert.equal(accounts.length, 1);
    const late = await receiveToken(newPerson());
    app.pass(86_400_000 + 1);
    assert.deepEqual([(await choose(late)).status, (await choose('x'.repeat(43))).status], [404, 404]);
  });

  it('an address that has an account gets the same response, and a message at most once a day', async () => {
    const fields = accountFields();
    await operatorResult(app, 'POST', 'account', { ...fields, password });
    const known = await signUp({ ...newPerson(), email: fields.email.toUpperCase() });
    const unknown = await signUp(newPerson());
    assert.deepEqual([known.status, known.body], [unknown.status, unknown.body]);
    await signUp({ ...newPerson(), email: fields.email });
    await mailTo(fields.email, /You already have an account/);
    await jobsDone();
    assert.equal(relay.accepted.filter(({ to }) => to.toLowerCase() === fields.email.toLowerCase()).length, 1);
    assert.deepEqual(await rowsOf(fields.email.toLowerCase()), []);
  });

  it('an address gets few links, and the account belongs to the first that is used', async () => {
    const person = newPerson();
    const tokens: string[] = [];
    for (let attempt = 0; attempt < 4; attempt++) assert.equal((await signUp(person)).status, 200);
    await jobsDone();
    for (const { source } of relay.accepted) tokens.push(tokenOf(await PostalMime.parse(source)));
    assert.equal(tokens.length, 3);
    const outcomes = await Promise.all(tokens.map((token) => choose(token)));
    assert.equal(outcomes.filter(({ status }) => status === 200).length, 1);
    for (const token of tokens) assert.equal((await choose(token)).status, 404);
  });

  it('a proof of work is required, signed, fresh, and works once', async () => {
    const { challenge, difficulty: bits } = await getChallenge();
    assert.equal(bits, String(difficulty));
    const proof = await prove(challenge);
    const person = newPerson();
    const wrong = await prove(createChallenge(app.parts, 32, app.parts.clock.now() + 60_000));
    assert.deepEqual(fieldsOf(await signUp({ ...person, ...wrong })), [400, ['solution']]);
    const easier = await prove(challenge.replace(/^8/, '0'));
    assert.deepEqual(fieldsOf(await signUp({ ...person, ...easier })), [400, ['challenge']]);
    assert.deepEqual(fieldsOf(await call('POST', '/v2/account', person)), [400, ['challenge', 'solution']]);
    assert.equal((await signUp({ ...person, ...proof })).status, 200);
    assert.deepEqual(fieldsOf(await signUp({ ...newPerson(), ...proof })), [400, ['challenge']]);
    // The last character of the signature has two bits that mean nothing.
    const respelled = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .map((last) => `${challenge.slice(0, -1)}${last}`)
      .filter((other) => other !== challenge);
    for (const other of respelled)
      assert.deepEqual(fieldsOf(await signUp({ ...person, ...(await prove(other)) })), [400, ['challenge']]);
    const late = await prove((await getChallenge()).challenge);
    app.pass(10 * 60_000 + 1);
    assert.deepEqual(fieldsOf(await signUp({ ...person, ...late })), [400, ['challenge']]);
  });

  it('networks that ask for many challenges get harder ones, and those that sign up often have to wait', async () => {
    const bits: number[] = [];
    for (let host = 0; host < 18; host++)
      bits.push(Number((await getChallenge({ 'x-forwarded-for': `2001:db8:77:${host.toString(16)}::1` })).difficulty));
    assert.deepEqual([bits[0], bits[8], bits[17]], [8, 9, 10]);
    const statuses: number[] = [];
    for (let host = 1; host <= 7; host++)
      statuses.push((await signUp(newPerson(), { 'x-forwarded-for': `192.0.2.${host}` })).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429]);
    // Without a proof, a neighbour's attempts cannot be used up.
    for (let attempt = 0; attempt < 7; attempt++)
      await signUp({ ...newPerson(), solution: '1' }, { 'x-forwarded-for': `192.88.99.${attempt}` });
    assert.equal((await signUp(newPerson(), { 'x-forwarded-for': '192.88.99.200' })).status, 200);
  });

  it('control characters, old terms, unknown countries and links in names are rejected', async () => {
    const person = newPerson();
    for (const [field, values] of Object.entries({
      firstname: ['', 'a\r\nBcc: b@example.com', 'http://evil.example', '<b>', 'x'.repeat(101)],
      company: ['a\u0000b', 'a\nb', 'a\u202Eb', 'x'.repeat(256)],
      email: ['a@example.com\r\nBcc: b@example.com', 'a b@example.com', 'a@b', 'nobody', 'a\u0000b@example.com'],
      country: ['XX', 'Germany'],
      terms: ['2025-01', 'a b'],
      language: ['deutsch'],
    }))
      for (const value of values)
        assert.deepEqual(fieldsOf(await signUp({ ...person, [field]: value })), [400, [field]], `${field} ${value}`);
    const bait = { ...newPerson(), firstname: 'www.evil.example' };
    const { text = '', html = '' } = await signUp(bait).then(() => mailTo(bait.email, /Confirm/));
    assert.doesNotMatch(`${text}${html}`, /www\.evil/);
  });

  it('sign-up that is off is rejected, even with an earlier link', async () => {
    const token = await receiveToken(newPerson());
    await allow({ mode: 'off' });
    const settings = await call<{ mode: string; termsurl: string }>('GET', '/v2/account/sign-up');
    assert.deepEqual([settings.body.result.mode, settings.body.result.termsurl], ['off', '']);
    const calls = [call('POST', '/v2/account/challenge'), signUp(newPerson()), choose(token)];
    for (const { status, body } of await Promise.all(calls))
      assert.deepEqual([status, body.result.code], [404, 'not_found']);
    await allow();
    assert.equal((await choose(token)).status, 200);
  });

  it('only invited people sign up if staff invite, each invitation once', async () => {
    await allow({ mode: 'invited' });
    assert.deepEqual(fieldsOf(await signUp(newPerson())), [400, ['invitation']]);
    assert.equal((await signUp({ ...newPerson(), invitation: 'x'.repeat(43) })).status, 404);
    type Invitation = { readonly id: string; readonly link: string };
    const invite = async (params: Record<string, unknown> = {}) => {
      const { id, link } = await operatorResult<Invitation>(app, 'POST', 'sign-up/invitation', params);
      assert.ok(link.startsWith(`${panelUrl}/panel/sign-up#`));
      return { id, invitation: link.slice(-43) };
    };
    const { invitation } = await invite();
    const first = await receiveToken({ ...newPerson(), invitation } as never);
    const second = await receiveToken({ ...newPerson(), invitation } as never);
    assert.deepEqual([(await choose(first)).status, (await choose(second)).status], [200, 404]);
    assert.equal((await signUp({ ...newPerson(), invitation })).status, 404);

    const person = newPerson();
    const personal = await invite({ email: person.email, days: 2, language: 'de' });
    const { text = '' } = await mailTo(person.email, /Einladung zu/);
    assert.match(text, /^Guten Tag,$/m);
    assert.ok(text.includes(`/panel/sign-up#${personal.invitation}`));
    assert.deepEqual(fieldsOf(await signUp({ ...newPerson(), invitation: personal.invitation })), [400, ['email']]);
    const listed = await operatorResult<{ id: string; email: string }[]>(app, 'GET', 'sign-up/invitation');
    assert.deepEqual(
      listed.map(({ email }) => email),
      [person.email],
    );
    const third = await receiveToken({ ...person, invitation: personal.invitation } as never);
    assert.equal((await asOperator(app, 'DELETE', 'sign-up/invitation', { id: personal.id })).status, 200);
    assert.equal((await choose(third)).status, 404);
    const late = await invite({ days: 1 });
    app.pass(86_400_000 + 1);
    assert.equal((await signUp({ ...newPerson(), invitation: late.invitation })).status, 404);
  });

  it('staff approve or reject, once, and the person gets a message in their language', async () => {
    await allow({ mode: 'approved', notify: 'staff@provider.example' });
    type Listed = { readonly id: string; readonly email: string; readonly status: string };
    const waitingOf = async (email: string): Promise<Listed> => {
      const all = await operatorResult<Listed[]>(app, 'GET', 'sign-up', { status: 'Waiting' });
      return all.find((listed) => listed.email === email) ?? assert.fail(JSON.stringify(all));
    };
    const person = { ...newPerson(), language: 'de' };
    const { result } = (await choose(await receiveToken(person))).body;
    assert.deepEqual([result.status, result.account], ['Waiting', '']);
    assert.equal((await signIn(person.email)).status, 401);
    await mailTo('staff@provider.example', /A sign-up is waiting for approval: Jürgen O’Brien 東京/);
    const { id } = await waitingOf(person.email);
    const approvals = await Promise.all([1, 2].map(() => asOperator<string>(app, 'POST', 'sign-up/approve', { id })));
    assert.equal(approvals.filter(({ status }) => status === 200).length, 1);
    await mailTo(person.email, /Ihr Konto bei .* ist bereit/);
    const { key } = (await signIn(person.email)).body.result;
    const log = await requestResult<{ operation: string }[]>(app, 'GET', '/v2/account/audit', { key });
    const operations = log.map(({ operation }) => operation).toReversed();
    assert.deepEqual(operations.slice(0, 2), ['v2.signUpComplete', 'operator.signUpApprove']);

    const other = newPerson();
    await choose(await receiveToken(other));
    const waiting = await waitingOf(other.email);
    const reason = 'We do not serve your country yet.';
    await operatorResult(app, 'POST', 'sign-up/reject', { id: waiting.id, reason });
    const { text = '' } = await mailTo(other.email, /Your sign-up at/);
    assert.match(text, /We do not serve your country yet\./);
    const again = await asOperator(app, 'POST', 'sign-up/approve', { id: waiting.id });
    assert.deepEqual([again.status, (again.body.result as ErrorResult).code], [409, 'state_conflict']);
    assert.equal((await signIn(other.email)).status, 401);
    const [rejected] = await rowsOf(other.email);
    assert.deepEqual([rejected!.status, rejected!.password_hash], ['Rejected', null]);
    assert.equal(relay.accepted.filter(({ to }) => to === 'staff@provider.example').length, 1);
  });

  if (engine === 'postgres') return;
  // The command line does not depend on the database.
  it('a person signs up on the command line', async () => {
    const email = `person${++people}@example.com`;
    const names = ['--firstname', 'Zoë', '--lastname', 'Núñez', '--email', email, '--country', 'ES'];
    const server = { url: app.url, key: '' };
    assert.match((await runCli(server, ['sign-up', 'show'])).out, /2026-11/);
    const asked = await runCli(server, ['sign-up', 'request', ...names], { input: '' });
    assert.notEqual(asked.code, 0);
    assert.match(asked.err, /2026-11.*https:\/\/provider\.example\/terms/s);
    const requested = await runCli(server, ['sign-up', 'request', ...names, '--yes'], { input: '' });
    assert.equal(requested.code, 0, requested.err);
    const link = `${panelUrl}/panel/sign-up/verify#${tokenOf(await mailTo(email, /Confirm/))}`;
    const verified = await runCli(server, ['sign-up', 'complete'], { input: `${link}\n${password}\n` });
    assert.equal(verified.code, 0, verified.err);
    assert.equal((await signIn(email)).status, 200);
  });
});
