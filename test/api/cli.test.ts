// The customers' command line against the lab: what it prints, what it asks, and how it ends.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { seedLabTraffic } from '#admin/lab/lab-traffic.ts';
import { destroys } from '#contract/destroys.ts';
import { hostyard, type Call, type Ran } from '#test/support/cli.ts';
import { temporaryFolder, type TemporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { sitDown, type Typist } from '#test/support/typist.ts';
import { until } from '#test/support/until.ts';
import { openTestYard, type TestYard } from '#test/support/yard.ts';

const root = join(import.meta.dirname, '..', '..');
const golden = join(root, 'golden', 'cli-output.txt');

describe('the command line', () => {
  let yard: TestYard;
  let folder: TemporaryFolder;
  let where: { url: string; key: string };
  before(async () => {
    yard = await openTestYard({ worksOffJobs: true, site: { webhooks: { allow: ['127.0.0.0/8'] } } });
    folder = await temporaryFolder('cli');
    where = { url: yard.url, key: yard.lab.customer.key };
  });
  after(async () => {
    await yard?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });
  /** Words with spaces between, and last those that have spaces themselves. */
  const run = (words: string, call: Call & { rest?: readonly string[] } = {}): Promise<Ran> =>
    hostyard(where, [...words.split(' '), ...(call.rest ?? [])], call);
  const prints = async (words: string, call?: Parameters<typeof run>[1]): Promise<string> => {
    const { code, out, err } = await run(words, call);
    assert.equal(code, 0, err);
    return out;
  };
  const ends = async (words: string, code: number, call?: Call): Promise<string> => {
    const ran = await run(words, call);
    assert.equal(ran.code, code, JSON.stringify(ran));
    return ran.err;
  };

  /** Writes the file where it is asked to: HOSTYARD_GOLDEN=write. */
  it('answers as golden/cli-output.txt has it, in tables, JSON and YAML', async () => {
    const calls = [
      'server list',
      'server list -o json',
      'server list -o yaml',
      'vps list',
      'server show web1.example.net',
      'server hardware 1001',
      'server power status 1001',
      'server reload templates 1001',
      'network addresses 1001',
      'dns zone list',
      'invoice list',
      'invoice list --status Overdue -o yaml',
      'invoice show 1',
      'invoice show 1 -o json',
      'account show',
      'account balance',
      'contact list',
      'licence list 1001',
      'webhook list',
      'key list -o yaml',
      'event --last 0',
    ];
    const answers: string[] = [];
    for (const words of calls) answers.push(`$ hostyard ${words}\n${timeless(await prints(words))}`);
    const narrow = await run('server list', { terminal: { columns: 48 }, env: { NO_COLOR: '1' } });
    answers.push(`$ hostyard server list   (on a terminal of 48 columns)\n${narrow.out}`);
    const text = answers.join('\n');
    if (process.env['HOSTYARD_GOLDEN'] === 'write') writeFileSync(golden, text);
    assert.equal(text, readFileSync(golden, 'utf8'));
  });

  it('switches a server, waits for the end of it and tells how far it is', async () => {
    const { code, out, err } = await run('server power cycle 1001 --wait --yes');
    assert.deepEqual([code, out], [0, 'Chassis Power Control: Cycle\n']);
    assert.match(err, /Completed 100%\n$/);
    assert.equal(await prints('server power off web1.example.net -y'), 'Chassis Power Control: Down/Off\n');
    assert.equal(await prints('server power status dc01r01ds01 -o json'), '"off"\n');
    assert.match(await ends('server power reboot 1001 --yes', 5), /\S/);
    assert.equal(await prints('server power on 1001'), 'Chassis Power Control: Up/On\n');
  });

  it('says by its exit code what was wrong', async () => {
    assert.equal(await ends('server power status 999999', 3), 'There is nothing here that this account may see.\n');
    assert.equal(await ends('server show nobody.example.net', 3), 'There is no service nobody.example.net.\n');
    assert.match(await ends('server shwo 1001', 2), /Did you mean show/);
    assert.match(await ends('server show', 2), /missing required argument 'service'/);
    assert.match(await ends('server list -o xml', 2), /Allowed choices are table, json, yaml/);
    assert.match(await ends('dns zone add -- -example', 2), /\n  domain: must be /);
    const stranger = await hostyard({ ...where, key: 'hy_none' }, ['server', 'list']);
    assert.deepEqual([stranger.code, stranger.out], [4, '']);
    const nobody = await hostyard(undefined, ['server', 'list'], { home: folder.path });
    assert.equal(nobody.code, 4);
    assert.match(nobody.err, /^You are not signed in: hostyard login/);
  });

  it('asks by name before it destroys, and takes no answer for a no', async () => {
    const id = (await prints('dns zone add cli-question.net')).trim();
    const question = 'Delete the zone cli-question.net with all its records?';
    assert.equal(
      await ends('dns zone delete cli-question.net', 7),
      `${question} Nobody is there to ask: say --yes to go on.\n`,
    );
    const terminal = { columns: 80 };
    const declined = await ends('dns zone delete cli-question.net', 7, { terminal, input: 'n\n' });
    assert.equal(declined, `${question} [y/N] Nothing was done.\n`);
    await ends('dns zone delete cli-question.net', 7, { terminal, input: '' });
    assert.match(await prints('dns zone list'), /cli-question\.net/);
    assert.equal(await prints(`dns zone delete ${id}`, { terminal, input: 'y\n' }), `ID: ${id} removed\n`);
    assert.doesNotMatch(await prints('dns zone list'), /cli-question\.net/);
  });

  it('asks before whatever the contract says destroys', async () => {
    await prints('dns zone add cli-asks.net');
    const zoneFile = join(folder.path, 'cli-asks.zone');
    writeFileSync(zoneFile, (await prints('dns zone export cli-asks.net')).replace(/^.*ns2.*\n/m, ''));
    const records = JSON.parse(await prints('dns record list cli-asks.net --type ns -o json')) as { id: string }[];
    const keys = JSON.parse(await prints('key list -o json')) as { id: string }[];
    const hook = JSON.parse(await prints('webhook add http://127.0.0.1:9/hook -o json')) as { id: string };
    const calls: Record<keyof typeof destroys, string> = {
      devicePowerSet: 'server power off 1001',
      devicePasswordReset: 'vps password 2001',
      deviceRescueStart: 'server rescue on 1001',
      deviceRescueEnd: 'server rescue off 1001',
      deviceReloadStart: 'server reload start 1001 debian-12',
      deviceReloadCancel: 'server reload cancel 1001',
      deviceConsoleReset: 'console-reset 1001',
      zoneDelete: 'dns zone delete cli-asks.net',
      recordDelete: `dns record delete cli-asks.net ${records[0]!.id}`,
      recordDeleteMany: `dns record delete cli-asks.net ${records.map(({ id }) => id).join(',')}`,
      recordUpdate: `dns record set cli-asks.net ${records[0]!.id} --ttl 60`,
      reverseDelete: 'dns reverse delete 203.0.113.10',
      zoneFileImport: `dns zone import cli-asks.net ${zoneFile}`,
      zoneRollBack: 'dns zone rollback cli-asks.net 1',
      dnssecDisable: 'dns dnssec off cli-asks.net',
      portDisable: 'network port disable 1001',
      contactDelete: 'contact delete 1',
      keyDelete: `key revoke ${keys[0]!.id}`,
      webhookDelete: `webhook delete ${hook.id}`,
    };
    assert.deepEqual(Object.keys(calls).sort(), Object.keys(destroys).sort());
    for (const words of Object.values(calls))
      assert.match(await ends(words, 7), /\?.* Nobody is there to ask: say --yes/);
    await prints('dns zone delete cli-asks.net -y');
    await prints(`webhook delete ${hook.id} -y`);
  });

  it('keeps names: records by relative name, in and out as a zone file, and back to before', async () => {
    await prints('dns zone add cli-names.net');
    await prints('dns record add cli-names.net www A 203.0.113.10 --ttl 300');
    await prints('dns record add cli-names.net @ mx', { rest: ['10 mail.cli-names.net'] });
    assert.match(
      await prints('dns record list cli-names.net --type mx'),
      /cli-names\.net +MX +3600 +10 mail\.cli-names\.net\n$/,
    );
    const file = join(folder.path, 'cli-names.zone');
    const exported = await prints('dns zone export cli-names.net');
    writeFileSync(file, exported.replace(/^www.*\n/m, 'api 300 IN A 203.0.113.11\n'));
    const planned = await prints(`dns zone import cli-names.net ${file} --dry-run`);
    assert.match(
      planned,
      /^- www\.cli-names\.net 300 A 203\.0\.113\.10\n\+ api\.cli-names\.net 300 A 203\.0\.113\.11\n/,
    );
    assert.match(await ends(`dns zone import cli-names.net ${file}`, 7), /Remove 1 records? of cli-names\.net\?/);
    await prints(`dns zone import cli-names.net ${file} --yes`);
    const versions = JSON.parse(await prints('dns zone history cli-names.net -o json')) as { version: string }[];
    await prints(`dns zone rollback cli-names.net ${versions[1]!.version} --yes`);
    const records = await prints('dns record list cli-names.net --name www.cli-names.net');
    const id = /^([0-9]+) +www/m.exec(records)![1]!;
    assert.equal(await prints(`dns record set cli-names.net ${id} --content 203.0.113.12 -y`), 'Record Updated\n');
    const question = await ends(`dns record delete cli-names.net ${id}`, 7);
    assert.match(question, /^Delete www\.cli-names\.net A 203\.0\.113\.12\?/);
    await prints(`dns record delete cli-names.net ${id} -y`);
    await prints('dns record add cli-names.net a A 203.0.113.13');
    await prints('dns record add cli-names.net b A 203.0.113.14');
    const two = JSON.parse(await prints('dns record list cli-names.net --type a -o json')) as { id: string }[];
    assert.match(
      await prints(`dns record delete cli-names.net ${two.map((each) => each.id).join(',')} -y`),
      /^- a\.cli-names\.net 3600 A 203\.0\.113\.13\n- b\.cli-names\.net 3600 A 203\.0\.113\.14\nserial /,
    );
    await prints('dns zone delete cli-names.net -y');
  });

  it('erases a server only after a yes, and tells how it ended whoever waits for it', async () => {
    assert.match(
      await ends('server reload start 1002 debian-12', 7),
      /^Erase db1\.example\.net \(service 1002\) and install debian-12\?/,
    );
    const began = await run('server reload start 1002 debian-12 --yes');
    assert.equal(began.code, 0, began.err);
    assert.match(began.out, /^\S{8,}\n$/);
    const [action] = JSON.parse(await prints('action list --service 1002 --limit 1 -o json')) as { id: string }[];
    const [waited] = await Promise.all([
      run(`action wait ${action!.id}`),
      until(async () => (await run('server reload cancel 1002 --yes')).code === 0),
    ]);
    assert.equal(waited.code, 9, waited.err);
    assert.match(waited.err, /It was cancelled\.\n$/);
    assert.equal(await prints('server reload status 1002'), 'Cancelled\n');
    assert.match(await prints('server reload log 1002'), /Cancelled/);
  });

  it('carries a console both ways until the tilde and the dot', async () => {
    const { code, out, err } = await run('console 1001', {
      terminal: { columns: 80 },
      dialogue: [
        ['Console of', '\r'],
        ['login:', 'root\r'],
        ['Password:', '\r~.'],
      ],
    });
    assert.equal(code, 0, err);
    assert.match(out, /login: ?root/);
    assert.match(err, /^Console of web1\.example\.net\. End it with Return, then ~\./);
  });

  it('tells the way in to the screen of a virtual machine', async () => {
    assert.match(await ends('console 2001', 1), /This console is a picture, and there is no door for VNC viewers/);
    yard.parts.screens.address = { host: '127.0.0.1', port: 5999 };
    assert.match(await prints('console 2001'), /^host  127\.0\.0\.1\nport  5999\nuser  vm-101\npass  \S+\n$/);
  });

  it('draws traffic as wide as the terminal', async () => {
    await seedLabTraffic(yard.parts);
    const day = await prints('bandwidth 1001 --graph', { terminal: { columns: 60 }, env: { NO_COLOR: '1' } });
    assert.match(day, /^\S+ \Sbit\/s +│/);
    assert.match(day, /\n {12}├─{46}\n/);
    assert.match(day, /\nin +│.*[⡀-⣿]/u);
    assert.match(day, /\nport {2}\S+ \S+\nin {4}\S+ \Sbit\/s on average, \S+ \SB\n/);
    const month = await prints('bandwidth 1001 --month');
    assert.match(month, /^95th so far +\S+ \Sbit\/s\nprojected +.*\nat least +.*\nbursts left +[0-9]+ of [0-9]+ /);
    const told = JSON.parse(await prints('bandwidth 1001 --month --graph -o json')) as object;
    assert.deepEqual(Object.keys(told), ['figures', 'samples']);
    await ends('bandwidth 1001 --month --start 2026-11-01', 1);
    await ends('bandwidth 1001 --start yesterday', 2);
  });

  it('lets a contact sign in, and names several addresses at once or none', async () => {
    await prints('contact access 2 --sign-in yes --permissions device:read,dns:read --mails invoice,support');
    const contact = JSON.parse(await prints('contact show 2 -o json')) as Record<string, string>;
    assert.deepEqual(
      [contact['subaccount'], contact['permissions'], contact['invoiceemails'], contact['domainemails']],
      ['1', 'device:read,dns:read', '1', '0'],
    );
    await ends('contact access 2 --mails love', 2);
    await ends('contact show 99', 3);
    const file = join(folder.path, 'reverse.txt');
    writeFileSync(file, '203.0.113.10 cli-a.example.net # the web\n\n203.0.113.32 cli-b.example.net\n');
    await prints(`dns reverse import ${file}`);
    assert.match(await prints('dns reverse list 1001'), /^203\.0\.113\.32 +cli-b\.example\.net$/m);
    writeFileSync(file, '203.0.113.10 cli-c.example.net\n203.0.113.32\n');
    assert.match(await ends(`dns reverse import ${file}`, 2), /reverse\.txt:2: must be an address and a name\n$/);
    assert.match(await prints('dns reverse list 1001'), /^203\.0\.113\.10 +cli-a\.example\.net$/m);
    await prints('dns reverse delete 203.0.113.10 -y');
  });

  it('makes, lists and ends keys, and shows a new one once', async () => {
    const key = (await prints('key make --name laptop --scopes device:read,dns:read')).trim();
    const listed = JSON.parse(await prints('key list -o json')) as { id: string; name: string; scopes: string[] }[];
    const made = listed.find(({ name }) => name === 'laptop')!;
    assert.deepEqual(made.scopes, ['device:read', 'dns:read']);
    assert.ok(!JSON.stringify(listed).includes(key));
    assert.equal((await hostyard({ ...where, key }, ['account', 'balance'])).code, 4);
    await prints(`key set ${made.id} --scopes billing:read --expires 2036-01-01`);
    assert.equal((await hostyard({ ...where, key }, ['account', 'balance'])).code, 0);
    assert.equal(
      await ends(`key revoke ${made.id}`, 7),
      `End the key ${made.id} (laptop) for good? Nobody is there to ask: say --yes to go on.\n`,
    );
    await prints(`key revoke ${made.id} --yes`);
    assert.equal((await hostyard({ ...where, key }, ['server', 'list'])).code, 4);
  });

  it('signs in, keeps the key where only its owner reads it, and forgets it again', async () => {
    const home = join(folder.path, 'home');
    mkdirSync(home);
    const at = (words: string, call: Call = {}): Promise<Ran> =>
      hostyard(undefined, words.split(' '), { ...call, home });
    const wrong = await at(`login --url ${yard.url}`, { input: 'hy_wrong\n' });
    assert.equal(wrong.code, 4);
    assert.equal((await at('context list -o json')).out, '[]\n');
    const { email, password, key } = yard.lab.customer;
    const typed = await at(`login --url ${yard.url}`, {
      terminal: { columns: 80 },
      dialogue: [['API key: ', `${key}\r`]],
    });
    assert.equal(typed.code, 0, typed.err);
    assert.ok(!(typed.out + typed.err).includes(key));
    const file = join(home, '.config', 'hostyard', 'config.yaml');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual([(await at('server list')).code, (await at('server list')).err], [0, '']);
    chmodSync(file, 0o644);
    assert.equal((await at('server list')).err, `Others can read your keys: chmod 600 ${file}\n`);
    const second = await at(`login --url ${yard.url} --email ${email} --context second`, { input: `${password}\n` });
    assert.equal(second.code, 0, second.err);
    assert.equal(
      (await at('context list')).out,
      [
        'NAME     CURRENT  URL'.padEnd(18 + yard.url.length) + '  ROLES',
        `default           ${yard.url}  customer`,
        `second   yes      ${yard.url}  customer`,
        '',
      ].join('\n'),
    );
    assert.equal((await at('account balance --context second')).code, 0);
    assert.match((await at('account session --context second -o json')).out, /"kind": "session"/);
    const changed = await at('account password --context second', { input: `${password}\n${password}\n` });
    assert.equal(changed.code, 0, changed.err);
    const enrolling = await at('account totp enrol --context second', { input: '000000\n' });
    assert.match(enrolling.err, /otpauth:\/\/totp\/Hostyard:/);
    const ended = await at('account totp end --context second', { input: `${password}\n` });
    assert.equal(ended.code, 0, ended.err);
    assert.equal((await at('context use nowhere')).code, 3);
    assert.equal((await at('context use default')).code, 0);
    const session = /second:[^]*?key: (\S+)/.exec(readFileSync(file, 'utf8'))![1]!;
    assert.equal((await at('logout --context second')).code, 0);
    assert.equal((await hostyard({ url: yard.url, key: session }, ['server', 'list'])).code, 4);
    assert.equal((await at('account balance --context second')).code, 4);
    assert.equal((await at('context delete second')).code, 0);
    // The environment stands above the file.
    assert.equal((await at('server list', { env: { HOSTYARD_KEY: 'hy_wrong' } })).code, 4);
  });

  it('is the operators’ too, by a key or by name, derived from their declarations', async () => {
    const home = join(folder.path, 'staff');
    mkdirSync(home);
    const at = (words: string, call: Call = {}): Promise<Ran> =>
      hostyard(undefined, words.split(' '), { ...call, home });
    const owner = await at(`login --operator --url ${yard.url}`, { input: `${yard.lab.operator.key}\n` });
    assert.equal(owner.code, 0, owner.err);
    assert.match((await at('operator account get 1')).out, /^email +ada@example\.net$/m);
    assert.match((await at('operator account list --search ada')).out, /^1 +Ada +Winter/m);
    assert.equal((await at('operator account list --limit none')).code, 2);
    assert.equal((await at('operator account get 999')).code, 3);
    assert.equal((await at('operator key list')).code, 2);
    assert.equal((await hostyard(where, ['operator', 'account', 'list'])).code, 4);
    const made = await at('operator operator create --name eva --role support -o json');
    assert.equal(made.code, 0, made.err);
    const { password } = JSON.parse(made.out) as { password: string };
    const eva = await at(`login --operator --name eva --context eva --url ${yard.url}`, { input: `${password}\n\n` });
    assert.equal(eva.code, 0, eva.err);
    assert.equal(
      (await at('operator account list --context eva')).code,
      4,
      'without a second factor she can do nothing',
    );
    assert.match((await at('operator totp enrol --context eva')).out, /otpauth:/);
    assert.equal((await at('logout --context eva')).code, 0);
  });

  it('goes on telling events as they happen until it is interrupted, started as the program that it is', async () => {
    const program = spawn(
      process.execPath,
      [join(root, 'bin', 'hostyard.js'), 'event', '--follow', '--last', '0', '-o', 'json'],
      {
        env: { ...process.env, HOSTYARD_URL: where.url, HOSTYARD_KEY: where.key },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let told = '';
    for (const stream of [program.stdout, program.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => void (told += text));
    const ended = new Promise<NodeJS.Signals | number | null>((resolve) =>
      program.on('close', (status, signal) => resolve(signal ?? status)),
    );
    try {
      // What happened before it listens it need not tell, so it happens until it is told.
      await until(
        async () => {
          if (/"type":"dns\.zone\.created"/.test(told)) return true;
          await run('dns zone add cli-follow.net');
          await run('dns zone delete cli-follow.net --yes');
          return false;
        },
        { saw: () => told },
      );
    } finally {
      program.kill('SIGINT');
    }
    assert.equal(await ended, 'SIGINT');
  });

  it('knows what can stand at the cursor', async () => {
    const words = async (...typed: string[]): Promise<string[]> =>
      (await hostyard(where, ['__complete', ...typed])).out
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split('\t')[0]!);
    assert.deepEqual(await words('server', 'po'), ['power']);
    assert.deepEqual(await words('server', 'power', ''), ['cycle', 'off', 'on', 'reboot', 'status']);
    assert.deepEqual(await words('server', 'power', 'cycle', '10'), ['1001', '1002']);
    assert.deepEqual(await words('-o', 'y'), ['yaml']);
    assert.deepEqual(await words('server', 'power', 'cycle', '1001', '--w'), ['--wait']);
    assert.deepEqual(await words('invoice', 'list', '--status', 'O'), ['Overdue']);
    assert.deepEqual(await words('completion', ''), ['bash', 'fish', 'zsh']);
    assert.deepEqual(await words('operator', 'account', 'l'), ['list']);
    assert.deepEqual(await words('nothing', 'of', 'this'), []);
    const away = await hostyard({ url: 'http://127.0.0.1:1', key: 'hy' }, ['__complete', 'server', 'show', '']);
    assert.deepEqual(away, { code: 0, out: '', err: '' });
  });

  it('says that it is the equipment which does not do what it should', async () => {
    const controller = yard.equipment.bmcs.find(({ server }) => server === 'dc01r01ds01')!.simulator;
    controller.setFaults({ refusesSessions: true });
    // The session that is open would be used on.
    await yard.parts.bmcs.use('dc01r01ds01', async (bmc) => bmc[Symbol.asyncDispose]());
    try {
      assert.match(await ends('server bmc reset 1001', 6), /request \S+\n$/);
    } finally {
      controller.setFaults({});
    }
  });

  describe('in a shell', needs('bash', 'zsh', 'fish', 'script'), () => {
    let env: NodeJS.ProcessEnv;
    before(() => {
      const programs = join(folder.path, 'bin');
      mkdirSync(programs);
      const words = `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'bin', 'hostyard.js')}" "$@"\n`;
      writeFileSync(join(programs, 'hostyard'), words, { mode: 0o755 });
      const home = join(folder.path, 'shells');
      mkdirSync(home);
      const reached = { HOSTYARD_URL: where.url, HOSTYARD_KEY: where.key };
      env = { PATH: `${programs}:${process.env['PATH']}`, HOME: home, PS1: 'READY> ', LC_ALL: 'C.UTF-8', ...reached };
    });

    /** The command works only where each Tab has filled in what was left out. */
    async function completes(typist: Typist, beginning: string): Promise<void> {
      await typist.sees('READY> ');
      typist.type(`${beginning}\r`);
      await typist.sees('READY> ');
      typist.type('hostyard inv\tlis\t--sta\tOverd\t-o jso\t\r');
      await typist.sees('"status": "Overdue"');
      await typist.sees('READY> ');
      typist.type('hostyard server show 20\t\r');
      await typist.sees('vps1.example.net');
    }

    it('bash completes words, options and services', async () => {
      await using typist = sitDown('bash --norc --noprofile -i', env);
      await completes(typist, 'source <(hostyard completion bash)');
    });

    it('zsh completes words, options and services', async () => {
      await using typist = sitDown('zsh -f -i', env);
      await completes(typist, 'autoload -Uz compinit; compinit -u -D; source <(hostyard completion zsh)');
    });

    it('fish completes words, options and services', async () => {
      const asked = [
        'hostyard inv',
        'hostyard invoice list --sta',
        'hostyard server show 20',
        'hostyard server power ',
      ];
      const script = ['hostyard completion fish | source', ...asked.map((line) => `complete -C '${line}'`)].join('; ');
      const { stdout } = await promisify(execFile)('fish', ['--no-config', '-c', script], { env, timeout: 100_000 });
      assert.deepEqual(stdout.split('\n').slice(0, 3), [
        'invoice\tbills',
        '--status\tonly of this status',
        '2001\tvps1.example.net',
      ]);
      assert.match(stdout, /^cycle\t.*\noff\t.*\non\t.*\nreboot\t.*\nstatus\t.*\n$/m);
    });
  });
});

/** What differs from day to day and run to run. */
function timeless(text: string): string {
  return text
    .replaceAll(/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}/g, 'YYYY-MM-DD hh:mm:ss')
    .replaceAll(/[0-9]{4}-[0-9]{2}-[0-9]{2}/g, 'YYYY-MM-DD')
    .replaceAll(/^( *last(?:login|used):?) .*$/gm, '$1 …');
}
