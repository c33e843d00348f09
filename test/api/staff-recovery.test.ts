// Forgotten passwords of staff, and notices to them: by the links of customers, to the address that they have.
import assert from 'node:assert/strict';
import { before, beforeEach, it } from 'node:test';
import PostalMime, { type Email } from 'postal-mime';
import { mailWorker } from '#app/mail/sending.ts';
import { staffRecoveryJob, staffRecoveryWorker } from '#app/operator/recovery.ts';
import { applySite } from '#app/site/apply.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { asOperator, codeOf, operatorResult, signInOperator, uniqueAddress } from '#test/support/operators.ts';
import { request, type Envelope, type ErrorResult } from '#test/support/request.ts';
import { startSmtpServer, type SmtpServer } from '#test/support/smtp-server.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until, untilDefined } from '#test/support/until.ts';

const better = 'a much better horse';

describeOnEngines('recovery of staff', { postgres: 'in long runs' }, ({ newDatabase }) => {
  const owned = suiteResources();
  let app: TestApp;
  let relay: SmtpServer;
  before(async () => {
    relay = owned.use(await startSmtpServer());
    app = owned.use(await openTestApp({ ...(await newDatabase()), trustedProxies: ['127.0.0.1'] }));
    await applySite(app.parts, siteWith({}));
    await app.parts.queue.start([mailWorker(app.parts), staffRecoveryWorker(app.parts)]);
  });
  beforeEach(() => void (relay.accepted.length = 0));

  function siteWith(more: object) {
    const relays = [{ host: '127.0.0.1', port: relay.port, security: 'none' as const }];
    const mail = { from: 'noreply@provider.example', url: 'https://panel.provider.example', relays };
    return { ...app.site, mail, ...more };
  }
  const call = <Result = ErrorResult>(method: string, path: string, params: Record<string, unknown>) =>
    request<Envelope<Result>>(app, method, `/operator/${path}`, { params, headers: uniqueAddress() });
  const ask = (email: string) => call<string>('POST', 'session/recovery', { email });
  const choose = (token: string, newpassword = better) => call('PUT', 'session/recovery', { token, newpassword });
  const mailTo = (email: string, subject: string): Promise<Email> =>
    untilDefined(async () => {
      const messages = relay.accepted.filter(({ to }) => to === email);
      const emails = await Promise.all(messages.map(({ source }) => PostalMime.parse(source)));
      return emails.find((mail) => mail.subject === subject);
    });
  const jobsDone = () =>
    until(async () => {
      const counts = await app.parts.queue.counts();
      return [staffRecoveryJob.name, 'mail'].every((kind) => {
        const { queued = 0, running = 0 } = counts.get(kind) ?? {};
        return queued + running === 0;
      });
    });
  const receiveToken = async (email: string): Promise<string> => {
    assert.equal((await ask(email)).status, 200);
    const { text = '' } = await mailTo(email, 'Choose a new staff password');
    return /\/panel\/staff\/recover#([\w-]{43})$/m.exec(text)?.[1] ?? assert.fail(text);
  };

  let people = 0;
  async function newOperator() {
    const operator = await signInOperator(app, 'engineer');
    const email = `staff${process.pid}-${++people}@provider.example`;
    await operatorResult(
      app,
      'PUT',
      'email',
      { email: email.toUpperCase(), password: operator.password },
      operator.key,
    );
    return { ...operator, email };
  }

  it('replaces the password once, ends the sessions, and leaves the second factor', async () => {
    const { name, password, secret, key, email } = await newOperator();
    const token = await receiveToken(email);
    assert.equal((await choose(token, 'password1234')).status, 400, 'a common password');
    assert.equal((await choose(token)).status, 200);
    await mailTo(email, 'Your staff sign-in has changed: Password changed');
    assert.equal((await asOperator(app, 'GET', 'session', {}, key)).status, 401);
    assert.equal((await asOperator(app, 'POST', 'session', { name, password: better })).status, 401);
    const signIn = { name, password: better, code: codeOf(app, secret, 1) };
    assert.equal((await asOperator(app, 'POST', 'session', signIn)).status, 200);
    assert.equal((await choose(token, 'yet another horse')).status, 404);
    assert.equal((await asOperator(app, 'POST', 'session', { name, password })).status, 401);
  });

  it('answers the same for every address, and sends at most three links', async () => {
    const { email } = await newOperator();
    const nobody = 'nobody@provider.example';
    const answers = [await ask(nobody)];
    for (let attempt = 0; attempt < 4; attempt++) answers.push(await ask(email));
    assert.deepEqual(new Set(answers.map(({ status, body }) => `${status} ${body.result}`)).size, 1);
    await jobsDone();
    // A notice to somebody else may still arrive.
    const recipients = relay.accepted.map(({ to }) => to).filter((to) => [email, nobody].includes(to));
    assert.deepEqual(recipients, [email, email, email]);
  });

  it('ends the links of an address that changes, of which the old address is notified', async () => {
    const { email, key, password, secret } = await newOperator();
    const token = await receiveToken(email);
    const next = `next-${email}`;
    assert.equal((await asOperator(app, 'PUT', 'email', { email: next }, key)).status, 400);
    await operatorResult(app, 'PUT', 'email', { email: next, code: codeOf(app, secret, 1) }, key);
    await mailTo(email, 'Your staff sign-in has changed: Email address changed');
    assert.equal((await choose(token)).status, 404);
    await operatorResult(app, 'PUT', 'email', { email: '', password }, key);
    assert.equal((await operatorResult<{ email: string }>(app, 'GET', 'session', {}, key)).email, '');
  });

  it('accepts no link of a customer, nor customers one of staff', async () => {
    const { email } = await newOperator();
    const token = await receiveToken(email);
    const headers = uniqueAddress();
    const params = { token, newpassword: better };
    assert.equal((await request(app, 'PUT', '/v2/session/recovery', { params, headers })).status, 404);
    assert.equal((await choose(token)).status, 200);
  });

  it('is preceded by a notice of a sign-in from a new network', async () => {
    const { name, password, secret, email } = await newOperator();
    await operatorResult(app, 'POST', 'session', { name, password, code: codeOf(app, secret, 1) });
    await mailTo(email, 'Staff sign-in from a new network');
  });

  // The last one, because the others sign in with a password.
  it('sends nothing to staff who must sign in through the identity provider, or whose access was removed', async () => {
    const [required, ended] = [await newOperator(), await newOperator()];
    const token = await receiveToken(required.email);
    relay.accepted.length = 0;
    await operatorResult(app, 'DELETE', 'operator', { id: ended.id });
    const provider = { issuer: 'https://login.example.com', clientId: 'hostyard', clientSecret: 'secret', roles: [] };
    await applySite(app.parts, siteWith({ signOn: { ...provider, required: true, breakGlass: ['someone'] } }));
    for (const { email } of [required, ended]) assert.equal((await ask(email)).status, 200);
    await jobsDone();
    assert.deepEqual(relay.accepted, []);
    assert.equal((await choose(token)).status, 404);
  });
});
