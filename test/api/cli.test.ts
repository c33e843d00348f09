// The command line against the lab: output, confirmations and exit codes; DNS, contacts and events.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { destructiveOperations } from '#contract/destructive-operations.ts';
import { cliSuite } from '#test/support/cli-suite.ts';
import { runCli } from '#test/support/cli.ts';
import { freePort } from '#test/support/ports.ts';
import { createSshKey } from '#test/support/ssh-keys.ts';
import { until } from '#test/support/until.ts';
import { hypervisorCapacitySet } from '#store/devices/hypervisors.ts';

const root = join(import.meta.dirname, '..', '..');
const golden = join(root, 'golden', 'cli-output.txt');

describe('the command line', () => {
  const cli = cliSuite();
  const { run, prints, ends } = cli;

  it('says that there is room for a machine in a location without a name', async () => {
    const capacity = { total: {}, free: { memoryMb: 8192, diskGb: 500 } };
    await hypervisorCapacitySet(cli.app.parts.store.queries, 'dc01hv01', capacity, Date.now());
    assert.match(await prints('machine options'), /^VPS small .* \(any\)$[^]*^You can order [0-9]+ more\.\n$/m);
  });

  it('lists machines with the names of their groups, and their ids for programs', async () => {
    const { id } = JSON.parse(await prints('machine group create database -o json')) as { id: string };
    const setGroup = (group_id: number | null) =>
      cli.app.parts.store.queries.updateTable('machines').set({ group_id }).where('service_id', '=', 2001).execute();
    await setGroup(Number(id));
    assert.match(await prints('machine list'), /^2001 .* database /m);
    const [machine] = JSON.parse(await prints('machine list -o json')) as { group: string }[];
    assert.equal(machine?.group, id);
    await setGroup(null);
    await prints('machine group delete database');
  });

  it('names an SSH key that is neither saved nor a file', async () => {
    const order = `machine create db1.example.net x debian-12 --ssh-key laptop --yes`;
    assert.match(await ends(order, 2), /^laptop is neither a saved SSH key nor a file\./);
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

  it('prints tables on a terminal of unknown width', async () => {
    const { out } = await run('server list', { terminal: { columns: 0 }, env: { NO_COLOR: '1' } });
    assert.match(out, /^SERVICE +TYPE +NAME +HOSTNAME +STATUS +IP\n/);
  });

  it('reports the kind of error in its exit code', async () => {
    assert.equal(
      await ends('server power status 999999', 3),
      'Not found. Check the id; the resource may belong to another account.\n',
    );
    assert.equal(await ends('server show nobody.example.net', 3), 'Service nobody.example.net not found.\n');
    assert.match(await ends('server shwo 1001', 2), /Did you mean show/);
    assert.match(await ends('server show', 2), /missing required argument 'service'/);
    assert.equal(
      await ends('server list -o xml', 2),
      "error: option '-o, --output <format>' argument 'xml' is invalid. Allowed choices are table, json, yaml.\n" +
        'Add --help to see how it is used.\n',
    );
    for (const words of ['event --last', 'action list --limit', 'webhook deliveries --limit', 'mail list --limit'])
      assert.match(await ends(`${words} many`, 2), /“many” is not a whole number\.\n/);
    assert.equal(await ends('dns apply nowhere.yaml', 1), 'nowhere.yaml does not exist.\n');
    assert.equal(
      await ends('server list', 2, { env: { HOSTYARD_URL: '127.0.0.1:8080', HOSTYARD_KEY: 'hy_none' } }),
      'HOSTYARD_URL must be a URL such as https://api.example.net, not “127.0.0.1:8080”.\n',
    );
    assert.match(await ends('dns zone add -- -example', 2), /^domain: must be [^\n]+\n$/);
    assert.equal(await ends('invoice show LAB-9999', 3), 'Invoice LAB-9999 not found.\n');
    const url = `http://127.0.0.1:${await freePort()}`;
    const nowhere = await runCli({ ...cli.server, url }, ['server', 'power', 'on', '1001']);
    assert.ok(nowhere.err.startsWith(`The connection to ${url} failed: connect ECONNREFUSED`), nowhere.err);
    const stranger = await runCli({ ...cli.server, key: 'hy_none' }, ['server', 'list']);
    assert.deepEqual([stranger.code, stranger.out], [4, '']);
    const signedOut = await runCli(undefined, ['server', 'list'], { home: cli.folder });
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
    const zoneFile = join(cli.folder, 'cli-asks.zone');
    writeFileSync(zoneFile, (await prints('dns zone export cli-asks.net')).replace(/^.*ns2.*\n/m, ''));
    const changesFile = join(cli.folder, 'cli-asks.yaml');
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
    const publicKey = join(cli.folder, 'id.pub');
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
    const file = join(cli.folder, 'cli-names.zone');
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
    assert.equal(await prints('dns record list cli-names.net --name www'), records);
    assert.match(await ends('dns record add cli-names.net www.other.net. A 203.0.113.15', 2), /outside the zone/);
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
    const file = join(cli.folder, 'reverse.txt');
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
    const file = join(cli.folder, 'changes.yaml');
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

  it('follows events as they happen until the process is interrupted', async () => {
    const program = spawn(
      process.execPath,
      [join(root, 'bin', 'hostyard.js'), 'event', '--follow', '--last', '0', '-o', 'json'],
      {
        env: { ...process.env, HOSTYARD_URL: cli.server.url, HOSTYARD_KEY: cli.server.key },
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
});

/** Replaces what differs between runs. */
function timeless(text: string): string {
  return text
    .replaceAll(/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}/g, 'YYYY-MM-DD hh:mm:ss')
    .replaceAll(/[0-9]{4}-[0-9]{2}-[0-9]{2}/g, 'YYYY-MM-DD')
    .replaceAll(/^( *last(?:login|used):?) .*$/gm, '$1 …');
}
