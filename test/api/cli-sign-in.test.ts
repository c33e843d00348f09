// Commands for API keys, and signing in as a customer and as an operator.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { cliSuite, runLine, type LineCall } from '#test/support/cli-suite.ts';
import { runCli } from '#test/support/cli.ts';
import { requestResult } from '#test/support/request.ts';

describe('the command line', () => {
  const cli = cliSuite();
  const { prints, ends } = cli;
  const login = (...options: string[]) => ['login --url', cli.server.url, ...options].join(' ');
  /** Returns a new home folder, and runs commands with its configuration. */
  const newHome = (name: string) => {
    const home = join(cli.folder, name);
    mkdirSync(home);
    return { home, at: (words: string, call: LineCall = {}) => runLine(undefined, words, { ...call, home }) };
  };

  it('creates, lists and revokes keys, and shows a new one once', async () => {
    const key = (await prints('key create --name laptop --scopes device:read,dns:read')).trim();
    const keys = JSON.parse(await prints('key list -o json')) as { id: string; name: string; scopes: string[] }[];
    const laptopKey = keys.find(({ name }) => name === 'laptop')!;
    assert.deepEqual(laptopKey.scopes, ['device:read', 'dns:read']);
    assert.ok(!JSON.stringify(keys).includes(key));
    assert.equal((await runCli({ ...cli.server, key }, ['account', 'balance'])).code, 4);
    await prints(`key set ${laptopKey.id} --acme example.com,example.org --dns-type a,aaaa`);
    const limited = await prints('key list');
    assert.match(limited, /A, AAAA; ACME challenges in example\.com, example\.org/);
    await prints(`key set ${laptopKey.id} --services 1001 --allow 127.0.0.0/8`);
    assert.match(await prints('key list'), /SERVICES .*ALLOW .*\n(?:.*\n)*.* laptop .* 1001 .* 127\.0\.0\.0\/8 /);
    await prints(`key set ${laptopKey.id} --services all`);
    await prints(`key set ${laptopKey.id} --dns-all`);
    assert.doesNotMatch(await prints('key list'), /ACME/);
    await prints(`key set ${laptopKey.id} --scopes billing:read --expires 2036-01-01`);
    assert.equal((await runCli({ ...cli.server, key }, ['account', 'balance'])).code, 0);
    assert.equal(
      await ends(`key revoke ${laptopKey.id}`, 7),
      `Revoke the key ${laptopKey.id} (laptop)? This cannot be undone. Not interactive; pass --yes.\n`,
    );
    await prints(`key revoke ${laptopKey.id} --yes`);
    assert.equal((await runCli({ ...cli.server, key }, ['server', 'list'])).code, 4);
  });

  it('signs in, saves the key in a file that only its owner can read, and signs out', async () => {
    const { home, at } = newHome('home');
    const { url } = cli.app;
    const wrong = await at(login(), { input: 'hy_wrong\n' });
    assert.equal(wrong.code, 4);
    assert.equal((await at('context list -o json')).out, '[]\n');
    const { email, password, key } = cli.app.lab.customer;
    const typed = await at(login(), { terminal: { columns: 80 }, dialogue: [['API key: ', `${key}\r`]] });
    assert.equal(typed.code, 0, typed.err);
    assert.ok(!(typed.out + typed.err).includes(key));
    const file = join(home, '.config', 'hostyard', 'config.yaml');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual([(await at('server list')).code, (await at('server list')).err], [0, '']);
    chmodSync(file, 0o644);
    assert.equal((await at('server list')).err, `Warning: other users can read your keys. Run: chmod 600 ${file}\n`);
    const second = await at(login(`--email ${email} --context second`), { input: `${password}\n` });
    assert.equal(second.code, 0, second.err);
    assert.equal(
      (await at('context list')).out,
      [
        'NAME     CURRENT  URL'.padEnd(18 + url.length) + '  ROLES',
        `default           ${url}  customer`,
        `second   yes      ${url}  customer`,
        '',
      ].join('\n'),
    );
    assert.equal((await at('account balance --context second')).code, 0);
    assert.match((await at('account session --context second -o json')).out, /"kind": "session"/);
    const own = 'a password of my own';
    const changed = await at('account password --context second', { input: `${password}\n${own}\n` });
    assert.equal(changed.code, 0, changed.err);
    const enrolling = await at('account totp enable --context second', { input: `${own}\n000000\n` });
    assert.match(enrolling.err, /otpauth:\/\/totp\/Hostyard:/);
    const disabled = await at('account totp disable --context second', { input: `${own}\n` });
    assert.equal(disabled.code, 0, disabled.err);
    assert.equal((await at('context use nowhere')).code, 3);
    assert.equal((await at('context use default')).code, 0);
    const session = /second:[^]*?key: (\S+)/.exec(readFileSync(file, 'utf8'))![1]!;
    assert.equal((await at('logout --context second')).code, 0);
    assert.equal((await runCli({ url, key: session }, ['server', 'list'])).code, 4);
    assert.equal((await at('account balance --context second')).code, 4);
    assert.equal((await at('context delete second')).code, 0);
    assert.equal((await at(login(`--email ${email} --context ended`), { input: `${own}\n` })).code, 0);
    const ended = /ended:[^]*?key: (\S+)/.exec(readFileSync(file, 'utf8'))![1]!;
    await requestResult(cli.app, 'DELETE', '/v2/session', { key: ended });
    assert.match((await at('account balance --context ended')).err, /^Sign in again with hostyard login\.$/m);
    assert.equal((await at('context use default')).code, 0);
    // The environment overrides the file.
    const overridden = { HOSTYARD_URL: url, HOSTYARD_KEY: 'hy_wrong' };
    const overriding = await at('server list', { env: overridden });
    assert.equal(overriding.code, 4);
    assert.match(
      overriding.err,
      /^The key in HOSTYARD_KEY was used\. To use the context default, unset HOSTYARD_KEY\.$/m,
    );
    assert.equal((await at('server list --context default', { env: overridden })).code, 0);
    const shadowed = await at(login(), { input: `${key}\n`, env: { HOSTYARD_KEY: 'hy_wrong' } });
    assert.match(shadowed.err, /^HOSTYARD_KEY is set and takes precedence: unset it to use this context\.$/m);
  });

  it('has the operator commands, signed in with a key or by name', async () => {
    const { at } = newHome('staff');
    assert.match((await at('operator account list')).err, /Run hostyard login --operator --name NAME/);
    assert.match((await at(login('--operator'), { input: '\n' })).err, /sign in with a password, add --name NAME/);
    const owner = await at(login('--operator'), { input: `${cli.app.lab.operator.key}\n` });
    assert.equal(owner.code, 0, owner.err);
    assert.match((await at('operator account get 1')).out, /^email +ada@example\.net$/m);
    assert.match((await at('operator account list --search ada')).out, /^1 +Ada +Winter/m);
    assert.equal((await at('operator account list --limit none')).code, 2);
    const notJson = await at('operator invoice credit --id 1 --reason none --lines [{');
    assert.deepEqual([notJson.code, notJson.err.slice(0, 28)], [2, 'lines: must be a JSON array ']);
    const times = '--start 2036-12-06T22:00:00Z --end 2036-12-07';
    const planned = await at(`operator maintenance create --title Work --text Soon --all ${times}`);
    assert.equal(planned.code, 0, planned.err);
    assert.match((await at('operator maintenance list')).out, /2036-12-06 22:00:00 +2036-12-07 00:00:00/);
    const unreadable = await at('operator maintenance create --title Work --text Soon --all --start soon --end 0');
    assert.match(unreadable.err, /^Invalid time soon: use a format like 2026-11-15/);
    assert.match((await at('operator totp confirm --help')).out, /^Prompts for: code\. /m);
    assert.equal((await at('operator account get 999')).code, 3);
    assert.equal((await at('operator key list')).code, 2);
    assert.equal((await at('operator request refuse --id 999 --reason none')).code, 3);
    assert.equal((await runCli(cli.server, ['operator', 'account', 'list'])).code, 4);
    const created = await at('operator operator create --name eva --role support -o json');
    assert.equal(created.code, 0, created.err);
    const { password } = JSON.parse(created.out) as { password: string };
    const eva = await at(login('--operator --name eva --context eva'), { input: `${password}\n\n` });
    assert.equal(eva.code, 0, eva.err);
    const early = await at('operator account list --context eva');
    assert.equal(early.code, 4, 'without a second factor an operator can do nothing');
    assert.match(early.err, /with `hostyard operator totp enrol`/);
    assert.match((await at('operator totp enrol --context eva', { input: `${password}\n` })).out, /otpauth:/);
    assert.equal((await at('logout --context eva')).code, 0);
    assert.equal((await at('context use default')).code, 0);
    await giveFirstPassword(at);
  });

  /** As docs/guides/panel.md describes it, with its command. */
  async function giveFirstPassword(at: ReturnType<typeof newHome>['at']): Promise<void> {
    const person = '--firstname Nora --lastname Vos --email nora@example.net --address1 Damrak --city Amsterdam';
    const place = '--state Noord-Holland --postcode 1012LG --country NL';
    const id = (await at(`operator account create ${person} ${place} -o json`)).out.trim().replaceAll('"', '');
    const guide = readFileSync(new URL('../../docs/guides/panel.md', import.meta.url), 'utf8');
    const [, before, reason] = /`hostyard (operator account update --id 1 .*?) '(.*?)'`/.exec(guide)!;
    const given = await at(before!.replace('--id 1', `--id ${id}`), { rest: [reason!], input: 'first password\n' });
    assert.equal(given.code, 0, given.err);
    const signedIn = await at(login('--email nora@example.net --context nora'), { input: 'first password\n' });
    assert.equal(signedIn.code, 0);
    assert.match((await at('account balance --context nora')).err, /with `hostyard account password`/);
    const changed = await at('account password --context nora', { input: 'first password\nher own password\n' });
    assert.equal(changed.code, 0, changed.err);
    assert.equal((await at('account balance --context nora')).code, 0);
  }
});
