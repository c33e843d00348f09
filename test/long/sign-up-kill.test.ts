// kill -9 during sign-up: the message to everyone who signed up is sent, and a link leads to one whole account.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import SQLite from 'better-sqlite3';
import PostalMime from 'postal-mime';
import { solveChallenge } from '#sdk/proof-of-work.ts';
import { machineSite } from '#test/support/machine-site.ts';
import { request, requestResult } from '#test/support/request.ts';
import { startSite } from '#test/support/server.ts';
import { difficulty, panelUrl, terms } from '#test/support/sign-up-fixtures.ts';
import { startSmtpServer } from '#test/support/smtp-server.ts';
import { untilDefined } from '#test/support/until.ts';

const password = 'a much better horse';
const emails = Array.from({ length: 5 }, (_, index) => `person${index}@example.com`);
/** How often an address occurs in each table, before and after the account is created. */
const verified = { sign_ups: 1, accounts: 0, sign_ins: 0, account_terms: 0, audit: 0 };
const created = { sign_ups: 0, accounts: 1, sign_ins: 1, account_terms: 1, audit: 1 };

test('a server killed with SIGKILL during sign-up leaves no part of an account, and each link works once', async () => {
  await using relay = await startSmtpServer();
  const relays = [{ host: '127.0.0.1', port: relay.port, security: 'none' as const }];
  await using server = await startSite({
    ...machineSite([], []).site,
    mail: { from: 'noreply@provider.example', url: panelUrl, relays },
    signUp: { mode: 'open', terms, difficulty },
  });

  async function signUp(email: string): Promise<void> {
    const { challenge } = await requestResult<{ challenge: string }>(server, 'POST', '/v2/account/challenge');
    const proof = { challenge, solution: await solveChallenge({ challenge, difficulty }) };
    const person = { firstname: 'Grace', lastname: 'Hopper', email, country: 'NL', terms: terms.version };
    await requestResult(server, 'POST', '/v2/account', { params: { ...proof, ...person } });
  }
  const receiveToken = (email: string): Promise<string> =>
    untilDefined(async () => {
      const mail = relay.accepted.find(({ to }) => to === email);
      const { text = '' } = mail === undefined ? {} : await PostalMime.parse(mail.source);
      return /verify#([\w-]{43})$/m.exec(text)?.[1];
    });
  const choosePassword = async (token: string): Promise<number> =>
    (await request(server, 'PUT', '/v2/account/sign-up', { params: { token, newpassword: password } })).status;
  function countRows(email: string): Record<string, number> {
    const database = new SQLite(join(server.data, 'hostyard.sqlite'), { readonly: true });
    const count = (from: string): number =>
      database.prepare<string, number>(`select count(*) from ${from}`).pluck().get(email)!;
    const ofAccount = 'join accounts on accounts.id = account_id where accounts.email = ?';
    const counts = {
      sign_ups: count('sign_ups where sign_in = ?'),
      accounts: count('accounts where email = ?'),
      sign_ins: count(`sign_ins ${ofAccount}`),
      account_terms: count(`account_terms ${ofAccount}`),
      audit: count(`audit ${ofAccount} and operation = 'v2.signUpComplete'`),
    };
    database.close();
    return counts;
  }

  for (const email of emails) await signUp(email);
  await server.kill('SIGKILL');
  await server.start();
  const tokens = new Map<string, string>();
  for (const email of emails) tokens.set(email, await receiveToken(email));

  const acknowledged = new Set<string>();
  const choices = emails.map(async (email) => {
    if ((await choosePassword(tokens.get(email)!)) === 200) acknowledged.add(email);
  });
  await Promise.race(choices);
  await server.kill('SIGKILL');
  await Promise.allSettled(choices);
  assert.ok(acknowledged.size > 0 && acknowledged.size < emails.length, `${acknowledged.size} were acknowledged`);
  const counts = new Map(emails.map((email) => [email, countRows(email)]));
  for (const [email, found] of counts)
    assert.deepEqual(found, found['accounts'] === 1 || acknowledged.has(email) ? created : verified, email);

  await server.start();
  for (const [email, token] of tokens) {
    assert.equal(await choosePassword(token), counts.get(email)!['accounts'] === 1 ? 404 : 200, email);
    assert.equal(await choosePassword(token), 404, email);
    assert.deepEqual(countRows(email), created, email);
    await requestResult(server, 'POST', '/v2/session', { params: { email, password } });
  }
});
