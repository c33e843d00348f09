// The Debian package, built by its script and really installed by dpkg, on a copy of this machine made by an overlay.
// There the service runs as its unit says, is called, backed up, upgraded while it runs, and removed.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { version } from '#lib/version.ts';
import { startDaemon, type Daemon } from '#test/support/daemon.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { until } from '#test/support/until.ts';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** A copy of the machine whose changes are in memory; everything ends with its first process. */
const machine = `
  mount -t tmpfs none "$1" && mkdir "$1/upper" "$1/work" "$1/root" || exit 1
  mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root" || exit 1
  mount -t proc proc "$1/root/proc" && mount --bind /dev "$1/root/dev" || exit 1
  cp "$2" "$1/root/hostyard.deb" && cp "$3" "$1/root/next.deb" || exit 1
  echo ready
  exec sleep infinity`;

describe('the Debian package', needs('dpkg-deb', 'dpkg', 'unshare', 'nsenter', 'curl', 'setpriv', 'python3'), () => {
  const owned = new AsyncDisposableStack();
  let packageFile: string;
  let holder: Daemon;
  let copy: string;
  before(async () => {
    const folder = owned.use(await temporaryFolder('deb')).path;
    await run(process.execPath, ['scripts/deb.ts', '--compression', 'none', '--out', folder], { cwd: root });
    const files = readdirSync(folder);
    assert.equal(files.length, 1, 'the package, and nothing next to it');
    packageFile = join(folder, files[0]!);
    copy = owned.use(await temporaryFolder('machine')).path;
    const alone = ['--mount', '--pid', '--fork', '--kill-child'];
    const next = await buildEmptyPackage(folder);
    holder = owned.use(await startDaemon('unshare', [...alone, 'sh', '-c', machine, 'sh', copy, packageFile, next]));
    await holder.printed('ready');
  });
  after(() => owned.disposeAsync());

  function inside(...command: string[]): [string, string[]] {
    const first = readFileSync(`/proc/${holder.process.pid}/task/${holder.process.pid}/children`, 'utf8').trim();
    return ['nsenter', ['--target', first, '--mount', '--pid', '--', 'chroot', join(copy, 'root'), ...command]];
  }
  const shell = async (script: string): Promise<string> => (await run(...inside('sh', '-ec', script))).stdout;

  /** A later version that has none of the files: the most that an upgrade can take from a running server. */
  async function buildEmptyPackage(folder: string): Promise<string> {
    const tree = join(folder, 'tree');
    mkdirSync(join(tree, 'etc/hostyard'), { recursive: true });
    await run('dpkg-deb', ['--control', packageFile, join(tree, 'DEBIAN')]);
    const control = join(tree, 'DEBIAN/control');
    writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, '$&+next'));
    writeFileSync(join(tree, 'etc/hostyard/hostyard.env'), readFileSync(join(root, 'packaging/debian/hostyard.env')));
    const next = join(folder, 'next.deb');
    await run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, next]);
    return next;
  }

  test('contains what it declares, and nothing from development', async () => {
    const { stdout } = await run('dpkg-deb', ['--field', packageFile, 'Package', 'Version', 'Depends']);
    assert.match(stdout, new RegExp(`^Package: hostyard\nVersion: ${version}\nDepends: libc6`));
    const { stdout: files } = await run('dpkg-deb', ['--contents', packageFile], { maxBuffer: 1 << 26 });
    assert.match(files, /^drwxr-xr-x root\/root .* \.\/$/m);
    assert.doesNotMatch(
      files,
      /hostyard\/src\/.*\.test\.ts$|node_modules\/(?:typescript|oxlint|fast-check|playwright-core)\//m,
    );
    for (const line of files.split('\n').filter(Boolean)) assert.match(line, / root\/root /, 'owned by root');
    for (const example of ['first-site.yaml', 'haproxy.cfg'])
      assert.match(files, new RegExp(`/usr/share/doc/hostyard/examples/${example}$`, 'm'));
    const alerts = readFileSync(join(root, 'packaging/alerts.yaml'), 'utf8');
    const runbooks = [...alerts.matchAll(/runbook_url: file:\/\/(.*)$/gm)].map(([, path]) => path!);
    assert.ok(runbooks.length > 20);
    for (const path of runbooks) assert.ok(files.includes(` .${path}\n`), path);
  });

  test('is installed, serves as its unit says, is backed up, upgraded with a bad site file and removed', async () => {
    await shell('dpkg -i /hostyard.deb');
    assert.equal(
      await shell('stat -c "%a %U:%G %n" /etc/hostyard /etc/hostyard/* /var/lib/hostyard'),
      [
        '750 root:hostyard /etc/hostyard',
        '640 root:hostyard /etc/hostyard/hostyard.env',
        '640 root:hostyard /etc/hostyard/sealing.key',
        '700 hostyard:hostyard /var/lib/hostyard',
        '',
      ].join('\n'),
    );
    const key = await shell('cat /etc/hostyard/sealing.key');

    const { stdout: drawn } = await run(process.execPath, ['bin/hostyard.js', 'key', 'draw'], { cwd: root });
    const [, text, id, hash] = /key +(\S+)\nid: +(\S+)\nhash: +(\S+)/.exec(drawn)!;
    const site = {
      provider: { name: 'Example', currency: { code: 'EUR' } },
      operators: [{ name: 'monitoring', role: 'owner', id, hash }],
    };
    await shell(
      `cat >/etc/hostyard/hostyard.yaml <<'END'\n${stringify(site)}END\nchown root:hostyard /etc/hostyard/hostyard.yaml`,
    );

    const unit = await shell('cat /lib/systemd/system/hostyard.service');
    const start = /^ExecStart=(.+)$/m.exec(unit)![1]!.split(' ');
    const settings = [
      'HOSTYARD_DATA=/var/lib/hostyard',
      'HOSTYARD_SITE=/etc/hostyard/hostyard.yaml',
      'HOSTYARD_SEALING_KEY_FILE=/etc/hostyard/sealing.key',
      'HOSTYARD_LISTEN=127.0.0.1:0',
    ];
    const asUser = ['setpriv', '--reuid=hostyard', '--regid=hostyard', '--init-groups', '--no-new-privs'];
    const home = ['env', '-i', '-C', /^WorkingDirectory=(.+)$/m.exec(unit)![1]!, ...settings];
    const noted = ['sh', '-c', 'echo $$ >/run/hostyard.pid && exec "$@"', 'sh'];
    await using server = await startDaemon(...inside(...noted, ...asUser, ...home, ...start));
    await server.printed('Hostyard is running.');
    const url = /API +(http:\S+)/.exec(server.output())![1]!;
    const { stdout: ready } = await run('curl', ['--silent', '--fail', `${url}/readyz`]);
    assert.deepEqual(JSON.parse(ready), { status: 'ready' });
    const call = async (path: string, ...options: string[]): Promise<string> =>
      (await run('curl', ['--silent', '--fail', '--header', `X-API-KEY: ${text}`, ...options, url + path])).stdout;
    assert.match(await call('/metrics'), /hostyard_workflows/);

    assert.match(await shell('/usr/bin/hostyard audit'), /All audit logs are intact/);
    const file = '/var/backups/hostyard/one.tar';
    assert.match(await shell(`/usr/bin/hostyard backup ${file} && stat -c "%a %U" ${file}`), /\n600 hostyard\n$/);
    assert.equal(await shell('find /var/lib/hostyard ! -user hostyard'), '', 'root left no files');

    await shell('dpkg --unpack /next.deb');
    assert.equal(
      await shell('ls -A /usr/lib/hostyard 2>/dev/null || true'),
      '',
      'the files of the old version are gone',
    );
    assert.match(
      await call('/operator/backup', '--request', 'POST'),
      /"file":/,
      'code that is loaded when it is needed',
    );
    assert.match(await call('/panel/'), /<title>/);
    await shell('dpkg --install /hostyard.deb');
    assert.match(await call('/operator/backup', '--request', 'POST'), /"file":/);
    const folders = 'find /usr/lib/hostyard-running -mindepth 1 -maxdepth 1 -type d | wc -l';
    assert.equal(await shell(folders), '2\n', 'the old server still runs from its own');

    await shell('kill -TERM "$(cat /run/hostyard.pid)"');
    await until(() => !server.running(), { saw: () => server.output(), patienceMs: 60_000 });
    await shell("echo 'servces: []' >>/etc/hostyard/hostyard.yaml");
    const upgrade = await run(...inside('dpkg', '-i', '/hostyard.deb'));
    const printed = `${upgrade.stdout}${upgrade.stderr}`;
    assert.match(printed, /hostyard\.yaml:\d+:\d+: servces is not a known field/);
    assert.match(printed, /fix the problems above and run "hostyard apply"\. Until then the server uses the state/);
    assert.equal(await shell('cat /etc/hostyard/sealing.key'), key, 'the key is generated once');
    assert.equal(await shell(folders), '1\n', 'nothing runs any more');
    await shell('dpkg --purge hostyard');
    assert.match(await shell('ls /var/lib/hostyard /etc/hostyard'), /sealing\.key[^]*hostyard\.sqlite/);
    assert.equal(await shell('ls /usr/lib | grep ^hostyard || true'), '');
  });
});
