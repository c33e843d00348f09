// The Debian package on a fresh system with systemd as first process: the service in its sandbox, its ports and
// consoles, backups, an upgrade under load, removal. The system shares the network of this machine, so it uses loopback
// addresses that no other test uses.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { startLabBmc, type LabBmc } from '#lab/bmc/bmc.ts';
import { version } from '#lib/version.ts';
import { awkwardSettings, awkwardValues } from '#test/support/awkward-settings.ts';
import { anna } from '#test/support/contacts.ts';
import { watchConsoleAt } from '#test/support/console.ts';
import { bootDebian, type BootedDebian } from '#test/support/debian.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needsRoot } from '#test/support/needs.ts';
import { request, requestResult } from '#test/support/request.ts';
import { singleServerSite } from '#test/support/single-server-site.ts';
import { startRequests } from '#test/support/steady-requests.ts';
import { until } from '#test/support/until.ts';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
const password = 'sec$ret & "12"';
const programs = ['mmdebstrap', 'systemd-nspawn', 'nsenter', 'dpkg-deb', 'dig', 'tftp', 'curl'];

describe('the Debian package under systemd', needsRoot(...programs), () => {
  const owned = new AsyncDisposableStack();
  const address = `127.${64 + (process.pid % 128)}.${(process.pid >> 7) % 256}.1`;
  const url = `http://${address}:8080`;
  const server = { url };
  let debian: BootedDebian;
  let bmc: LabBmc;
  let key: string;
  let service: string;
  let packages: { readonly first: string; readonly next: string };
  const shell = (script: string): Promise<string> => debian.shell(script);
  const environmentOf = (text: string): unknown[] => {
    const entries = new Map(text.split('\0').map((line) => line.split(/=([^]*)/) as [string, string]));
    return Object.keys(awkwardValues).map((name) => [name, entries.get(name)]);
  };
  const mainProcess = (): Promise<string> => shell('systemctl show --value --property MainPID hostyard');
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  const untilReady = (): Promise<void> => until(isReady, { saw: () => shell('journalctl --unit hostyard --lines 40') });

  before(async () => {
    debian = owned.use(await bootDebian(['adduser', 'python3-minimal']));
    packages = await buildPackages(debian.shared);
    const admin = { username: 'provider', password };
    bmc = owned.use(await startLabBmc({ admin, timing: { bootMs: 1, cycleOffMs: 1, softOffMs: 1 } }));
    const single = singleServerSite({ address: bmc.address, port: bmc.port, ...admin });
    ({ key, service } = single);
    writeFileSync(
      join(debian.shared, 'hostyard.yaml'),
      stringify({
        ...single.site,
        nameserver: { names: ['ns1.example.net', 'ns2.example.net'], listen: `${address}:53` },
        boot: { listen: `${address}:8090`, tftp: `${address}:69` },
        consoles: { address, ports: '20000-20009' },
      }),
    );
  });
  after(() => owned.disposeAsync());

  test('installs the service, which waits for a site file, and the timer of the backups', async () => {
    await shell(`dpkg --install ${packages.first}`);
    assert.equal(
      await shell(
        'systemctl is-enabled hostyard.service hostyard-backup.timer; systemctl is-active hostyard-backup.timer',
      ),
      'enabled\nenabled\nactive\n',
    );
    assert.equal(await shell('systemctl is-active hostyard.service || true'), 'inactive\n');
    assert.match(await shell('systemctl list-timers hostyard-backup.timer'), /hostyard-backup\.service/);
  });

  test('reads its settings as systemd reads an environment file', async () => {
    const settings = `HOSTYARD_LISTEN=${address}:8080\nBMC_PASSWORD='${password}'\n${awkwardSettings}`;
    writeFileSync(join(debian.shared, 'settings'), settings);
    await shell(`cat ${debian.shared}/settings >>/etc/hostyard/hostyard.env
      install -o root -g hostyard -m 0640 ${debian.shared}/hostyard.yaml /etc/hostyard/hostyard.yaml
      hostyard apply --check /etc/hostyard/hostyard.yaml
      systemctl start hostyard`);
    await untilReady();
    const expected = Object.entries(awkwardValues);
    assert.deepEqual(
      environmentOf(
        await shell('systemd-run --quiet --pipe --wait --property EnvironmentFile=/etc/hostyard/hostyard.env env -0'),
      ),
      expected,
    );
    assert.deepEqual(
      environmentOf(await shell('cat /proc/$(systemctl show --value --property MainPID hostyard)/environ')),
      expected,
    );
  });

  test('runs in a sandbox', async () => {
    const main = '$(systemctl show --value --property MainPID hostyard)';
    const status = await shell(`cat /proc/${main}/status`);
    assert.match(status, /^CapEff:\t0000000000000400$/m, 'only CAP_NET_BIND_SERVICE');
    assert.match(status, /^CapBnd:\t0000000000000400$/m);
    assert.match(status, /^NoNewPrivs:\t1$/m);
    assert.match(status, /^Seccomp:\t2$/m);
    assert.doesNotMatch(status, /^Uid:\t0\t/m);
    const inside = `nsenter --target ${main} --mount --`;
    await assert.rejects(shell(`${inside} touch /usr/lib/hostyard-running/current/file`), /Read-only file system/);
    await assert.rejects(shell(`${inside} touch /etc/hostyard/file`), /Read-only file system/);
    assert.equal(await shell(`for folder in /home /root; do ${inside} ls -A $folder; done`), '');
    assert.doesNotMatch(await shell(`${inside} ls /dev`), /^(?:sd|vd|mem|kmsg)/m);
  });

  test('serves DNS on port 53 and TFTP on port 69', async () => {
    const ask = ['@' + address, '+noall', '+answer', '+comments', 'example.org', 'SOA'];
    for (const transport of ['+notcp', '+tcp']) {
      const { stdout } = await run('dig', [transport, ...ask]);
      assert.match(stdout, /status: REFUSED/, 'it responds, and has no such zone');
    }
    await using folder = await temporaryFolder('tftp');
    const file = join(folder.path, 'boot.ipxe');
    await run('tftp', ['-m', 'binary', address, '-c', 'get', 'boot.ipxe', file]);
    assert.match(readFileSync(file, 'utf8'), /^#!ipxe/);
  });

  test('reaches controllers and shows their consoles', async () => {
    bmc.chassis.turnOn();
    const power = await request(server, 'GET', `/v2/device/power/${service}`, { key });
    assert.equal(power.status, 200, JSON.stringify(power.body));
    const { url: path } = await requestResult<{ url: string }>(server, 'POST', '/v2/device/console', {
      key,
      params: { service },
    });
    await using viewer = await watchConsoleAt(url, path);
    // Output before the console is connected is lost.
    await until(() => {
      bmc.serial.print('login: ');
      return viewer.text().includes('login: ');
    });
  });

  test('makes a backup that only its user can read', async () => {
    await shell('systemctl start hostyard-backup.service');
    assert.match(await shell('stat --format "%a %U %n" /var/backups/hostyard/*'), /^600 hostyard \S+\.tar\n$/);
    assert.equal(await shell('find /var/lib/hostyard ! -user hostyard'), '');
    assert.match(await shell('hostyard audit'), /All audit logs are intact/);
  });

  test('is upgraded with its data, and refuses no request', async () => {
    await requestResult(server, 'POST', '/v2/account/contact', { key, params: anna });
    const contacts = await requestResult(server, 'GET', '/v2/account/contact', { key });
    assert.match(JSON.stringify(contacts), /anna@example\.com/);
    const before = await mainProcess();
    const requests = startRequests(new URL(`${url}/healthz`));
    await requests.advance();
    await shell(`dpkg --install ${packages.next}`);
    await untilReady();
    await requests.advance();
    assert.deepEqual(await requests.stop(), []);
    assert.notEqual(await mainProcess(), before);
    assert.match(await shell('dpkg-query --show hostyard'), new RegExp(`${version}\\+next`));
    const folders = 'find /usr/lib/hostyard-running -mindepth 1 -maxdepth 1 -type d';
    assert.equal(
      await shell(`readlink /proc/$(systemctl show --value --property MainPID hostyard)/cwd`),
      await shell(folders),
    );
    assert.deepEqual(await requestResult(server, 'GET', '/v2/account/contact', { key }), contacts);
  });

  test('refuses no connection after a crash, but does when it is stopped', async () => {
    const before = await mainProcess();
    await shell('systemctl kill --signal KILL hostyard');
    await until(async () => (await mainProcess()) !== before);
    // The kernel accepts the connection at once; the next process responds.
    await run('curl', ['--silent', '--fail', `${url}/healthz`]);
    await shell('systemctl stop hostyard');
    await assert.rejects(run('curl', ['--silent', `${url}/healthz`]), { code: 7 }, 'curl: connection refused');
    assert.equal(await shell('systemctl is-active hostyard || true'), 'inactive\n');
  });

  test('is removed, and leaves data, backups and key even when it is purged', async () => {
    await shell('systemctl start hostyard');
    await untilReady();
    await shell('dpkg --remove hostyard');
    assert.equal(await isReady(), false);
    assert.equal(await shell('ls /etc/hostyard'), 'hostyard.env\nhostyard.yaml\nsealing.key\n');
    assert.equal(await shell('systemctl list-unit-files --no-legend "hostyard*" || true'), '');
    await shell('dpkg --purge hostyard');
    assert.equal(await shell('ls /etc/hostyard'), 'hostyard.yaml\nsealing.key\n');
    assert.match(await shell('ls /var/lib/hostyard /var/backups/hostyard'), /\.tar\n[^]*hostyard\.sqlite\n/);
    assert.equal(await shell('ls -d /usr/lib/hostyard* 2>/dev/null || true'), '');
  });

  /** The package, and the same with a higher version. */
  async function buildPackages(folder: string): Promise<{ first: string; next: string }> {
    await run(process.execPath, ['scripts/deb.ts', '--compression', 'none', '--out', folder], { cwd: root });
    const [built] = globSync('*.deb', { cwd: folder });
    const first = join(folder, 'first.deb');
    renameSync(join(folder, built!), first);
    const next = join(folder, 'next.deb');
    const tree = join(folder, 'tree');
    await run('dpkg-deb', ['--raw-extract', first, tree]);
    const control = join(tree, 'DEBIAN', 'control');
    const fields = readFileSync(control, 'utf8');
    writeFileSync(control, fields.replace(`Version: ${version}\n`, `Version: ${version}+next\n`));
    await run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, next]);
    return { first, next };
  }
});
