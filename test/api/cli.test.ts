// The command line against the lab: output, confirmations and exit codes.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { applySite } from '#app/site/apply.ts';
import { seedLabTraffic } from '#server/lab/lab-traffic.ts';
import { destructiveOperations } from '#contract/destructive-operations.ts';
import { runCli, type CliCall, type CliResult } from '#test/support/cli.ts';
import { temporaryFolder, type TemporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { freePort } from '#test/support/ports.ts';
import { createSshKey } from '#test/support/ssh-keys.ts';
import { openTerminal, type Terminal } from '#test/support/terminal.ts';
import { until } from '#test/support/until.ts';
import { hypervisorCapacitySet } from '#store/devices/hypervisors.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

const root = join(import.meta.dirname, '..', '..');
const golden = join(root, 'golden', 'cli-output.txt');

describe('the command line', () => {
  const owned = suiteResources();
  let app: TestApp;
  let folder: TemporaryFolder;
  let where: { url: string; key: string };
  before(async () => {
    app = owned.use(await openTestApp({ worksOffJobs: true, site: { webhooks: { allow: ['127.0.0.0/8'] } } }));
    folder = owned.use(await temporaryFolder('cli'));
    where = { url: app.url, key: app.lab.customer.key };
  });
  /** Runs a command line that is split at spaces; `rest` holds words that contain spaces. */
  const run = (words: string, call: CliCall & { rest?: readonly string[] } = {}): Promise<CliResult> =>
    runCli(where, [...words.split(' '), ...(call.rest ?? [])], call);
  const prints = async (words: string, call?: Parameters<typeof run>[1]): Promise<string> => {
    const { code, out, err } = await run(words, call);
    assert.equal(code, 0, err);
    return out;
  };
  const ends = async (words: string, code: number, call?: CliCall): Promise<string> => {
    const ran = await run(words, call);
    assert.equal(ran.code, code, JSON.stringify(ran));
    return ran.err;
  };

  it('says that there is room for a machine in a location without a name', async () => {
    const capacity = { total: {}, free: { memoryMb: 8192, diskGb: 500 } };
    await hypervisorCapacitySet(app.parts.store.queries, 'dc01hv01', capacity, Date.now());
    assert.match(await prints('machine options'), /^VPS small .* \(any\)$/m);
  });

  /** Set HOSTYARD_GOLDEN=write to write the file. */
  it('prints tables, JSON and YAML as in golden/cli-output.txt', async () => {
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
    const transcripts: string[] = [];
    for (const words of calls) transcripts.push(`$ hostyard ${words}\n${timeless(await prints(words))}`);
    const narrow = await run('server list', { terminal: { columns: 48 }, env: { NO_COLOR: '1' } });
    transcripts.push(`$ hostyard server list   (on a terminal of 48 columns)\n${narrow.out}`);
    const text = transcripts.join('\n');
    if (process.env['HOSTYARD_GOLDEN'] === 'write') writeFileSync(golden, text);
    assert.equal(text, readFileSync(golden, 'utf8'));
  });

  it('power-cycles a server, shows the progress and waits for the end', async () => {
    const { code, out, err } = await run('server power cycle 1001 --wait --yes');
    assert.deepEqual([code, out], [0, 'Chassis Power Control: Cycle\n']);
    assert.match(err, /Completed 100%\n$/);
    assert.equal(await prints('server power off web1.example.net -y'), 'Chassis Power Control: Down/Off\n');
    assert.equal(await prints('server power status dc01r01ds01 -o json'), '"off"\n');
    assert.match(await ends('server power reboot 1001 --yes', 5), /\S/);
    assert.equal(await prints('server power on 1001'), 'Chassis Power Control: Up/On\n');
  });

  it('reports the kind of error in its exit code', async () => {
    assert.equal(
      await ends('server power status 999999', 3),
      'Not found. Check the id; the resource may belong to another account.\n',
    );
    assert.equal(await ends('server show nobody.example.net', 3), 'Service nobody.example.net not found.\n');
    assert.match(await ends('server shwo 1001', 2), /Did you mean show/);
    assert.match(await ends('server show', 2), /missing required argument 'service'/);
    assert.match(await ends('server list -o xml', 2), /Allowed choices are table, json, yaml/);
    assert.match(await ends('dns zone add -- -example', 2), /^domain: must be [^\n]+\n$/);
    assert.equal(await ends('invoice show LAB-9999', 3), 'Invoice LAB-9999 not found.\n');
    const url = `http://127.0.0.1:${await freePort()}`;
    const nowhere = await runCli({ ...where, url }, ['server', 'power', 'on', '1001']);
    assert.ok(nowhere.err.startsWith(`The connection to ${url} failed: connect ECONNREFUSED`), nowhere.err);
    const stranger = await runCli({ ...where, key: 'hy_none' }, ['server', 'list']);
    assert.deepEqual([stranger.code, stranger.out], [4, '']);
    const signedOut = await runCli(undefined, ['server', 'list'], { home: folder.path });
    assert.equal(signedOut.code, 4);
    assert.match(signedOut.err, /^Not signed in\. Run hostyard login/);
  });

  it('finds an invoice by its number', async () => {
    assert.match(await prints('invoice show lab-0002'), /number +LAB-0002\n/);
    assert.equal(await prints('invoice show LAB-0002 -o json'), await prints('invoice show 2 -o json'));
  });

  it('prints events as sentences, and describes every operator command', async () => {
    await prints('server power off 1001 -y');
    await prints('server power on 1001');
    const [event] = (await prints('event --last 1 --type device.power.changed')).split('\n');
    assert.match(event!, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}web1\.example\.net: Powered on$/);
    const { out } = await run('operator --help');
    const [, commands] = out.split('Commands:\n');
    for (const line of commands!.trimEnd().split('\n')) assert.match(line, /^ {2}\S+(?: \[options\])? {2,}[A-Z]/, line);
  });

  it('asks for confirmation before deleting, and takes no reply for a no', async () => {
    const id = (await prints('dns zone add cli-question.net')).trim();
    const prompt = 'Delete the zone cli-question.net and all its records?';
    assert.equal(await ends('dns zone delete cli-question.net', 7), `${prompt} Not interactive; pass --yes.\n`);
    const terminal = { columns: 80 };
    const declined = await ends('dns zone delete cli-question.net', 7, { terminal, input: 'n\n' });
    assert.equal(declined, `${prompt} [y/N] Cancelled.\n`);
    await ends('dns zone delete cli-question.net', 7, { terminal, input: '' });
    assert.match(await prints('dns zone list'), /cli-question\.net/);
    assert.equal(await prints(`dns zone delete ${id}`, { terminal, input: 'y\n' }), `ID: ${id} removed\n`);
    assert.doesNotMatch(await prints('dns zone list'), /cli-question\.net/);
  });

  it('asks for confirmation before every destructive operation of the contract', async () => {
    await prints('dns zone add cli-asks.net');
    const zoneFile = join(folder.path, 'cli-asks.zone');
    writeFileSync(zoneFile, (await prints('dns zone export cli-asks.net')).replace(/^.*ns2.*\n/m, ''));
    const changesFile = join(folder.path, 'cli-asks.yaml');
    writeFileSync(changesFile, 'changes:\n  - { action: add, name: a.cli-asks.net, type: A, content: 192.0.2.1 }\n');
    const records = JSON.parse(await prints('dns record list cli-asks.net --type ns -o json')) as { id: string }[];
    const keys = JSON.parse(await prints('key list -o json')) as { id: string }[];
    assert.match(
      await prints('dns tsig create --acme cli-asks.net'),
      /^key "hy-[a-z0-9-]+" \{\n {2}algorithm hmac-sha256;\n {2}secret "[A-Za-z0-9+/]{43}=";\n\};\n$/,
    );
    assert.match(await prints('dns tsig list'), /hmac-sha256 +ACME challenges in cli-asks\.net/);
    const tsigKeys = JSON.parse(await prints('dns tsig list -o json')) as { id: string }[];
    const hook = JSON.parse(await prints('webhook add http://127.0.0.1:9/hook -o json')) as { id: string };
    const publicKey = join(folder.path, 'id.pub');
    writeFileSync(publicKey, createSshKey());
    const saved = JSON.parse(await prints(`ssh-key create ${publicKey} -o json`)) as { id: string };
    const backup = JSON.parse(await prints('machine-backup create 2001 -o json')) as { id: string };
    await until(async () => /Stored/.test(await prints('machine-backup list 2001')));
    assert.match(await prints('machine-backup schedule 2001 --frequency weekly --weekday 1 --hour 4'), /weekly/);
    await prints('snapshot create 2001 kept --wait');
    await prints('image create 2001 golden --snapshot kept --wait');
    await prints('volume create 2001 spare 10 --wait');
    await prints('volume resize spare 20 --wait');
    await prints('volume detach spare --wait');
    assert.match(await prints('volume list 2001'), /spare +20 +Ready/);
    assert.match(await prints('metrics'), /^hostyard_device_info\{service="2001"/m);
    assert.match(await prints('image list'), /golden +image-[0-9]+ +ready/);
    const calls: Record<keyof typeof destructiveOperations, string> = {
      devicePowerSet: 'server power off 1001',
      deviceShutdown: 'server power shutdown 1001',
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
      changeSetApply: `dns apply ${changesFile}`,
      zoneRollBack: 'dns zone rollback cli-asks.net 1',
      dnssecDisable: 'dns dnssec disable cli-asks.net',
      portDisable: 'network port disable 1001',
      contactDelete: 'contact delete 1',
      keyDelete: `key revoke ${keys[0]!.id}`,
      tsigKeyDelete: `dns tsig delete ${tsigKeys[0]!.id}`,
      sshKeyDelete: `ssh-key delete ${saved.id}`,
      volumeDelete: 'volume delete spare',
      machineCreate: 'machine create cli-asks.example.net Small debian-12',
      machineDelete: 'machine delete 2001',
      machineBackupDelete: `machine-backup delete 2001 ${backup.id}`,
      machineBackupOrder: `machine-backup order 2001 ${backup.id} cli-again.example.net Small`,
      machineBackupRestore: `machine-backup restore 2001 ${backup.id}`,
      machineSnapshotDelete: 'snapshot delete 2001 kept',
      machineSnapshotRestore: 'snapshot restore 2001 kept',
      machineImageDelete: 'image delete golden',
      machineSizeSet: 'machine resize 2001 Large',
      webhookDelete: `webhook delete ${hook.id}`,
      paymentMethodRemove: 'payment remove 1',
      deviceCancel: 'server plan cancel 1001',
      devicePlanSet: 'server plan change 1001 Other',
      invoicePay: 'payment invoice LAB-0004 --method 1',
      topUp: 'payment top-up 20.00 --method 1',
    };
    assert.deepEqual(Object.keys(calls).sort(), Object.keys(destructiveOperations).sort());
    for (const words of Object.values(calls)) assert.match(await ends(words, 7), /\?.* Not interactive; pass --yes/);
    await prints('dns zone delete cli-asks.net -y');
    await prints(`webhook delete ${hook.id} -y`);
  });

  it('manages DNS records by relative name, imports and exports zone files, and rolls back', async () => {
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
    assert.match(await ends(`dns zone import cli-names.net ${file}`, 7), /Delete 1 record of cli-names\.net\?/);
    await prints(`dns zone import cli-names.net ${file} --yes`);
    const piped = await prints('dns zone import cli-names.net - --dry-run', { input: exported });
    assert.match(piped, /^- api\.cli-names\.net 300 A 203\.0\.113\.11\n/);
    const versions = JSON.parse(await prints('dns zone history cli-names.net -o json')) as { version: string }[];
    await prints(`dns zone rollback cli-names.net ${versions[1]!.version} --yes`);
    const records = await prints('dns record list cli-names.net --name www.cli-names.net');
    const id = /^([0-9]+) +www/m.exec(records)![1]!;
    assert.equal(await prints(`dns record set cli-names.net ${id} --content 203.0.113.12 -y`), 'Record Updated\n');
    const prompt = await ends(`dns record delete cli-names.net ${id}`, 7);
    assert.match(prompt, /^Delete www\.cli-names\.net A 203\.0\.113\.12\?/);
    await prints(`dns record delete cli-names.net ${id} -y`);
    await prints('dns record add cli-names.net a A 203.0.113.13');
    await prints('dns record add cli-names.net b A 203.0.113.14');
    const two = JSON.parse(await prints('dns record list cli-names.net --type a -o json')) as { id: string }[];
    assert.match(
      await prints(`dns record delete cli-names.net ${two.map((record) => record.id).join(',')} -y`),
      /^- a\.cli-names\.net 3600 A 203\.0\.113\.13\n- b\.cli-names\.net 3600 A 203\.0\.113\.14\nserial /,
    );
    await prints('dns zone delete cli-names.net -y');
  });

  it('erases a server only after confirmation, and --wait reports the result', async () => {
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
    assert.match(waited.err, /The action was cancelled\.\n$/);
    assert.equal(await prints('server reload status 1002'), 'Cancelled\n');
    assert.match(await prints('server reload log 1002'), /Cancelled/);
  });

  it('connects a console both ways until the escape sequence', async () => {
    const { code, out, err } = await run('console 1001', {
      terminal: { columns: 80 },
      dialogue: [
        ['Connected to', '\r'],
        ['login:', 'root\r'],
        ['Password:', '\r~.'],
      ],
    });
    assert.equal(code, 0, err);
    assert.match(out, /login: ?root/);
    assert.match(err, /^Connected to web1\.example\.net\. To disconnect press Return, then ~\./);
  });

  it('prints VNC credentials for a virtual machine', async () => {
    assert.match(await ends('console 2001', 1), /graphical console, and VNC access is not enabled/);
    app.parts.vncListeners.address = { host: '127.0.0.1', port: 5999 };
    assert.match(await prints('console 2001'), /^host  127\.0\.0\.1\nport  5999\nuser  vm-101\npass  \S+\n$/);
  });

  it('opens the console of a container as text', async () => {
    const container = app.parts.store.queries.updateTable('machines').where('vmid', '=', 101);
    await container.set({ kind: 'OpenVZ' }).execute();
    const { code, out, err } = await run('console 2001', {
      terminal: { columns: 80 },
      dialogue: [
        ['Connected to', '\r'],
        ['login:', 'root\r'],
        ['Password:', '\r~.'],
      ],
    });
    await container.set({ kind: 'Xen' }).execute();
    assert.equal(code, 0, err);
    assert.match(out, /login: ?root/);
  });

  it('draws a traffic graph as wide as the terminal', async () => {
    await seedLabTraffic(app.parts);
    const day = await prints('bandwidth 1001 --graph', { terminal: { columns: 60 }, env: { NO_COLOR: '1' } });
    assert.match(day, /^\S+ \Sbit\/s +│/);
    assert.match(day, /\n {12}├─{46}\n/);
    assert.match(day, /\nin +│.*[⡀-⣿]/u);
    assert.match(day, /\nport +\S+ \S+\nin +\S+ \Sbit\/s on average, \S+ \SB\n/);
    const month = await prints('bandwidth 1001 --month');
    assert.match(month, /^95th percentile +\S+ \Sbit\/s\nprojected +.*\nminimum +.*\nbursts left +[0-9]+ of [0-9]+ /);
    const report = JSON.parse(await prints('bandwidth 1001 --month --graph -o json')) as object;
    assert.deepEqual(Object.keys(report), ['figures', 'samples']);
    await ends('bandwidth 1001 --month --start 2026-11-01', 1);
    await ends('bandwidth 1001 --start yesterday', 2);
  });

  it('grants a contact access, and sets several reverse DNS names at once or none', async () => {
    await prints('contact access 2 --sign-in yes --permissions device:read,dns:read --mails invoice,support');
    const contact = JSON.parse(await prints('contact show 2 -o json')) as Record<string, string>;
    assert.deepEqual(
      [contact['subaccount'], contact['permissions'], contact['invoiceemails'], contact['domainemails']],
      ['1', 'device:read,dns:read', '1', '0'],
    );
    await prints('contact access 2 --services 1001,2001');
    assert.match(await prints('contact show 2 -o json'), /"services": "1001,2001"/);
    await prints('contact access 2 --services all');
    assert.match(await prints('contact show 2 -o json'), /"limited": "0"/);
    await ends('contact access 2 --mails love', 2);
    await ends('contact show 99', 3);
    const file = join(folder.path, 'reverse.txt');
    writeFileSync(file, '203.0.113.10 cli-a.example.net # the web\n\n203.0.113.32 cli-b.example.net\n');
    await prints(`dns reverse import ${file}`);
    assert.match(await prints('dns reverse list 1001'), /^203\.0\.113\.32 +cli-b\.example\.net$/m);
    writeFileSync(file, '203.0.113.10 cli-c.example.net\n203.0.113.32\n');
    assert.match(await ends(`dns reverse import ${file}`, 2), /reverse\.txt:2: expected an address and a name\n$/);
    assert.match(await prints('dns reverse list 1001'), /^203\.0\.113\.10 +cli-a\.example\.net$/m);
    await prints('dns reverse delete 203.0.113.10 -y');
  });

  it('shows the changes of several zones, applies them, and reports a file that it cannot read', async () => {
    await prints('dns zone add cli-apply.net');
    const file = join(folder.path, 'changes.yaml');
    writeFileSync(
      file,
      `changes:
  - { action: add, name: www.cli-apply.net, type: A, content: 192.0.2.1, ttl: 300 }
addresses:
  - { ip: 203.0.113.10, record: host.cli-apply.net }
`,
    );
    const preview = await prints(`dns apply ${file} --dry-run`);
    assert.match(
      preview,
      /^113\.0\.203\.in-addr\.arpa\n\+ 10\.113\.0\.203\.in-addr\.arpa 3600 PTR host\.cli-apply\.net\n/m,
    );
    assert.match(
      preview,
      /^cli-apply\.net\n\+ www\.cli-apply\.net 300 A 192\.0\.2\.1\n\+ host\.cli-apply\.net 3600 A 203/m,
    );
    assert.doesNotMatch(await prints('dns record list cli-apply.net'), /192\.0\.2\.1/);
    await prints(`dns apply ${file} --yes`);
    assert.match(await prints('dns record list cli-apply.net'), /www\.cli-apply\.net +A +300 +192\.0\.2\.1/);
    for (const [content, expected] of [
      ['changes: [', /changes\.yaml: /],
      ['word', /expected changes or addresses/],
    ] as const) {
      writeFileSync(file, content);
      assert.match(await ends(`dns apply ${file}`, 2), expected);
    }
  });

  it('creates, lists and revokes keys, and shows a new one once', async () => {
    const key = (await prints('key create --name laptop --scopes device:read,dns:read')).trim();
    const keys = JSON.parse(await prints('key list -o json')) as { id: string; name: string; scopes: string[] }[];
    const laptopKey = keys.find(({ name }) => name === 'laptop')!;
    assert.deepEqual(laptopKey.scopes, ['device:read', 'dns:read']);
    assert.ok(!JSON.stringify(keys).includes(key));
    assert.equal((await runCli({ ...where, key }, ['account', 'balance'])).code, 4);
    await prints(`key set ${laptopKey.id} --acme example.com,example.org --dns-type a,aaaa`);
    const limited = await prints('key list');
    assert.match(limited, /A, AAAA; ACME challenges in example\.com, example\.org/);
    await prints(`key set ${laptopKey.id} --dns-all`);
    assert.doesNotMatch(await prints('key list'), /ACME/);
    await prints(`key set ${laptopKey.id} --scopes billing:read --expires 2036-01-01`);
    assert.equal((await runCli({ ...where, key }, ['account', 'balance'])).code, 0);
    assert.equal(
      await ends(`key revoke ${laptopKey.id}`, 7),
      `Revoke the key ${laptopKey.id} (laptop)? This cannot be undone. Not interactive; pass --yes.\n`,
    );
    await prints(`key revoke ${laptopKey.id} --yes`);
    assert.equal((await runCli({ ...where, key }, ['server', 'list'])).code, 4);
  });

  it('signs in, saves the key in a file that only its owner can read, and signs out', async () => {
    const home = join(folder.path, 'home');
    mkdirSync(home);
    const at = (words: string, call: CliCall = {}): Promise<CliResult> =>
      runCli(undefined, words.split(' '), { ...call, home });
    const wrong = await at(`login --url ${app.url}`, { input: 'hy_wrong\n' });
    assert.equal(wrong.code, 4);
    assert.equal((await at('context list -o json')).out, '[]\n');
    const { email, password, key } = app.lab.customer;
    const typed = await at(`login --url ${app.url}`, {
      terminal: { columns: 80 },
      dialogue: [['API key: ', `${key}\r`]],
    });
    assert.equal(typed.code, 0, typed.err);
    assert.ok(!(typed.out + typed.err).includes(key));
    const file = join(home, '.config', 'hostyard', 'config.yaml');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual([(await at('server list')).code, (await at('server list')).err], [0, '']);
    chmodSync(file, 0o644);
    assert.equal((await at('server list')).err, `Warning: other users can read your keys. Run: chmod 600 ${file}\n`);
    const second = await at(`login --url ${app.url} --email ${email} --context second`, { input: `${password}\n` });
    assert.equal(second.code, 0, second.err);
    assert.equal(
      (await at('context list')).out,
      [
        'NAME     CURRENT  URL'.padEnd(18 + app.url.length) + '  ROLES',
        `default           ${app.url}  customer`,
        `second   yes      ${app.url}  customer`,
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
    const ended = await at('account totp disable --context second', { input: `${own}\n` });
    assert.equal(ended.code, 0, ended.err);
    assert.equal((await at('context use nowhere')).code, 3);
    assert.equal((await at('context use default')).code, 0);
    const session = /second:[^]*?key: (\S+)/.exec(readFileSync(file, 'utf8'))![1]!;
    assert.equal((await at('logout --context second')).code, 0);
    assert.equal((await runCli({ url: app.url, key: session }, ['server', 'list'])).code, 4);
    assert.equal((await at('account balance --context second')).code, 4);
    assert.equal((await at('context delete second')).code, 0);
    // The environment overrides the file.
    assert.equal((await at('server list', { env: { HOSTYARD_KEY: 'hy_wrong' } })).code, 4);
  });

  it('has the operator commands, signed in with a key or by name', async () => {
    const home = join(folder.path, 'staff');
    mkdirSync(home);
    const at = (words: string, call: CliCall = {}): Promise<CliResult> =>
      runCli(undefined, words.split(' '), { ...call, home });
    const owner = await at(`login --operator --url ${app.url}`, { input: `${app.lab.operator.key}\n` });
    assert.equal(owner.code, 0, owner.err);
    assert.match((await at('operator account get 1')).out, /^email +ada@example\.net$/m);
    assert.match((await at('operator account list --search ada')).out, /^1 +Ada +Winter/m);
    assert.equal((await at('operator account list --limit none')).code, 2);
    assert.equal((await at('operator account get 999')).code, 3);
    assert.equal((await at('operator key list')).code, 2);
    assert.equal((await at('operator request refuse --id 999 --reason none')).code, 3);
    assert.equal((await runCli(where, ['operator', 'account', 'list'])).code, 4);
    const created = await at('operator operator create --name eva --role support -o json');
    assert.equal(created.code, 0, created.err);
    const { password } = JSON.parse(created.out) as { password: string };
    const eva = await at(`login --operator --name eva --context eva --url ${app.url}`, { input: `${password}\n\n` });
    assert.equal(eva.code, 0, eva.err);
    assert.equal(
      (await at('operator account list --context eva')).code,
      4,
      'without a second factor an operator can do nothing',
    );
    assert.match((await at('operator totp enrol --context eva', { input: `${password}\n` })).out, /otpauth:/);
    assert.equal((await at('logout --context eva')).code, 0);
    assert.equal((await at('context use default')).code, 0);
    await giveFirstPassword(at);
  });

  /** As docs/guides/panel.md describes it, with its command. */
  async function giveFirstPassword(at: (words: string, call?: CliCall) => Promise<CliResult>): Promise<void> {
    const person = '--firstname Nora --lastname Vos --email nora@example.net --address1 Damrak --city Amsterdam';
    const place = '--state Noord-Holland --postcode 1012LG --country NL';
    const id = (await at(`operator account create ${person} ${place} -o json`)).out.trim().replaceAll('"', '');
    const guide = readFileSync(new URL('../../docs/guides/panel.md', import.meta.url), 'utf8');
    const [, before, reason] = /`hostyard (operator account update --id 1 .*?) '(.*?)'`/.exec(guide)!;
    const command = [...before!.replace('--id 1', `--id ${id}`).split(' '), reason!];
    const given = await runCli(undefined, command, { input: 'first password\n', home: join(folder.path, 'staff') });
    assert.equal(given.code, 0, given.err);
    const login = `login --url ${app.url} --email nora@example.net --context nora`;
    assert.equal((await at(login, { input: 'first password\n' })).code, 0);
    assert.match((await at('account balance --context nora')).err, /password/);
    const changed = await at('account password --context nora', { input: 'first password\nher own password\n' });
    assert.equal(changed.code, 0, changed.err);
    assert.equal((await at('account balance --context nora')).code, 0);
  }

  it('follows events as they happen until the process is interrupted', async () => {
    const program = spawn(
      process.execPath,
      [join(root, 'bin', 'hostyard.js'), 'event', '--follow', '--last', '0', '-o', 'json'],
      {
        env: { ...process.env, HOSTYARD_URL: where.url, HOSTYARD_KEY: where.key },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let output = '';
    for (const stream of [program.stdout, program.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => void (output += text));
    const ended = new Promise<NodeJS.Signals | number | null>((resolve) =>
      program.on('close', (status, signal) => resolve(signal ?? status)),
    );
    try {
      // Events before it listens are not printed, so they are repeated until one is.
      await until(
        async () => {
          if (/"type":"dns\.zone\.created"/.test(output)) return true;
          await run('dns zone add cli-follow.net');
          await run('dns zone delete cli-follow.net --yes');
          return false;
        },
        { saw: () => output },
      );
    } finally {
      program.kill('SIGINT');
    }
    assert.equal(await ended, 'SIGINT');
  });

  it('completes commands, options and names', async () => {
    const words = async (...typed: string[]): Promise<string[]> =>
      (await runCli(where, ['__complete', ...typed])).out
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split('\t')[0]!);
    assert.deepEqual(await words('server', 'po'), ['power']);
    assert.deepEqual(await words('server', 'power', ''), ['cycle', 'off', 'on', 'reboot', 'shutdown', 'status']);
    assert.deepEqual(await words('server', 'power', 'cycle', '10'), ['1001', '1002']);
    assert.deepEqual(await words('-o', 'y'), ['yaml']);
    assert.deepEqual(await words('server', 'power', 'cycle', '1001', '--w'), ['--wait']);
    assert.deepEqual(await words('invoice', 'list', '--status', 'O'), ['Overdue']);
    assert.deepEqual(await words('completion', ''), ['bash', 'fish', 'zsh']);
    assert.deepEqual(await words('operator', 'account', 'l'), ['list']);
    assert.deepEqual(await words('nothing', 'of', 'this'), []);
    const away = await runCli({ url: 'http://127.0.0.1:1', key: 'hy' }, ['__complete', 'server', 'show', '']);
    assert.deepEqual(away, { code: 0, out: '', err: '' });
  });

  it('reports an equipment error with its own exit code', async () => {
    const controller = app.equipment.bmcs.find(({ server }) => server === 'dc01r01ds01')!.simulator;
    controller.setMalfunctions({ rejectsSessions: true });
    // An open session would be reused.
    await app.parts.bmcs.use('dc01r01ds01', async (bmc) => bmc[Symbol.asyncDispose]());
    try {
      assert.match(await ends('server bmc reset 1001', 6), /request \S+\n$/);
    } finally {
      controller.setMalfunctions({});
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

    /** The commands only work if every Tab completes its word. */
    async function completes(typist: Terminal, beginning: string): Promise<void> {
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
      await using typist = openTerminal('bash --norc --noprofile -i', env);
      await completes(typist, 'source <(hostyard completion bash)');
    });

    it('zsh completes words, options and services', async () => {
      await using typist = openTerminal('zsh -f -i', env);
      await completes(typist, 'autoload -Uz compinit; compinit -u -D; source <(hostyard completion zsh)');
    });

    it('fish completes words, options and services', async () => {
      const commandLines = [
        'hostyard inv',
        'hostyard invoice list --sta',
        'hostyard server show 20',
        'hostyard server power ',
      ];
      const script = ['hostyard completion fish | source', ...commandLines.map((line) => `complete -C '${line}'`)].join(
        '; ',
      );
      const { stdout } = await promisify(execFile)('fish', ['--no-config', '-c', script], { env, timeout: 100_000 });
      assert.deepEqual(stdout.split('\n').slice(0, 3), [
        'invoice\tInvoices',
        '--status\tOnly invoices with this status',
        '2001\tvps1.example.net',
      ]);
      assert.match(stdout, /^cycle\t.*\noff\t.*\non\t.*\nreboot\t.*\nshutdown\t.*\nstatus\t.*\n$/m);
    });
  });

  it("takes the provider's name of a server, in the commands that use the legacy API too", async () => {
    const { bmc } = app.site.servers!.find(({ name }) => name === 'dc01r01ds02-01')!;
    const server = 'AMS1-r12_srv034';
    const service = {
      id: 1905,
      customer: 1,
      type: 'dedicated',
      name: 'Own',
      hostname: 'own.example.net',
      server,
    } as const;
    await applySite(app.parts, {
      ...app.site,
      servers: [...app.site.servers!, { name: server, bmc }],
      services: [...app.site.services!, { ...service, ip: '203.0.113.205' }],
    });
    assert.match(await prints('server show ams1-r12_SRV034'), /server +ams1-r12_srv034\nalias +dc00r00ds00-01\n/);
    assert.match(await prints('server bmc user-add ams1-r12_srv034 anna'), /username +anna/);
    const question = await ends('server bmc user-delete dc00r00ds00-01 anna', 7);
    assert.match(question, /Delete the IPMI user anna of ams1-r12_srv034\?/);
    assert.equal(await prints('server bmc user-delete ams1-r12_srv034 anna --yes'), 'User Removed\n');
    await prints('network nullroute list ams1-r12_srv034');
  });
});

/** Replaces what differs between runs. */
function timeless(text: string): string {
  return text
    .replaceAll(/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}/g, 'YYYY-MM-DD hh:mm:ss')
    .replaceAll(/[0-9]{4}-[0-9]{2}-[0-9]{2}/g, 'YYYY-MM-DD')
    .replaceAll(/^( *last(?:login|used):?) .*$/gm, '$1 …');
}
