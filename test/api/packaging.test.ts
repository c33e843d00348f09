// The shipped files hold what they promise: the systemd unit is locked down, and the container file names existing
// files.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { awkwardSettings, awkwardValues } from '#test/support/awkward-settings.ts';

const root = join(import.meta.dirname, '..', '..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const run = promisify(execFile);

describe('the systemd units', needs('systemd-analyze'), () => {
  /** systemd-analyze requires the programs that a unit starts. */
  async function withPrograms(unit: string, folder: string): Promise<string> {
    const file = join(folder, unit);
    const here = text(`packaging/${unit}`)
      .replaceAll('/usr/lib/hostyard-running/current/launch', join(root, 'packaging/debian/launch'))
      .replaceAll('/usr/lib/hostyard-running/current', root)
      .replaceAll('/usr/bin/hostyard', join(root, 'packaging/debian/hostyard'))
      .replaceAll('file:///usr/share/doc/hostyard', 'https://hostyard.example/docs');
    writeFileSync(file, here);
    return file;
  }

  test("pass systemd's own checks", async () => {
    await using folder = await temporaryFolder('units');
    for (const unit of ['hostyard.service', 'hostyard-backup.service', 'hostyard-backup.timer']) {
      const file = await withPrograms(unit, folder.path);
      const { stderr } = await run('systemd-analyze', ['verify', '--man=no', file]);
      const warnings = stderr.split('\n').filter((line) => line.includes(folder.path));
      assert.deepEqual(warnings, [], unit);
    }
  });

  test('give the server next to nothing that it does not need', async () => {
    await using folder = await temporaryFolder('units');
    const file = await withPrograms('hostyard.service', folder.path);
    // Of 100, where 0 is fully locked down; fails if the exposure is greater.
    await run('systemd-analyze', ['security', '--offline=true', '--threshold=20', '--no-pager', file]);
    const unit = text('packaging/hostyard.service');
    assert.match(unit, /^CapabilityBoundingSet=CAP_NET_BIND_SERVICE$/m);
    assert.doesNotMatch(unit, /^MemoryDenyWriteExecute=true/m, 'V8 could not start');
  });
});

describe('the container file', () => {
  const lines = text('packaging/Containerfile')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line));
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

  const copied = lines
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    .flatMap((line) => line.split(/ +/).slice(1, -1));

  test('copies only existing files', () => {
    assert.ok(copied.includes('src') && copied.includes('package-lock.json'));
    for (const path of copied) assert.ok(existsSync(join(root, path)), path);
  });

  test('copies everything from which the panel is built', async () => {
    await using folder = await temporaryFolder('image');
    for (const path of copied)
      cpSync(join(root, path), join(folder.path, path), { recursive: true, verbatimSymlinks: true });
    symlinkSync(join(root, 'node_modules'), join(folder.path, 'node_modules'));
    // As scripts/panel.ts does, without the compression, which takes most of its time.
    const build = `import react from '@vitejs/plugin-react';
      import { build } from 'vite';
      const output = { write: false, minify: false };
      await build({ configFile: false, root: 'src/panel', logLevel: 'warn', plugins: [react()], build: output });`;
    await run(process.execPath, ['--input-type=module', '--eval', build], { cwd: folder.path });
  });

  test("runs as an unprivileged user, with a health check and the server's start command", () => {
    assert.ok(last.some((line) => /^USER [1-9][0-9]*:[1-9][0-9]*$/.test(line)));
    assert.ok(last.some((line) => line.startsWith('HEALTHCHECK ') && line.includes('/readyz')));
    const program = JSON.parse(last.findLast((line) => line.startsWith('CMD '))!.slice(4)) as string[];
    assert.ok(existsSync(join(root, program.at(-1)!)));
  });
});

describe('the settings file of the package', needs('python3', 'setpriv'), () => {
  test('has the same values for the command as for the service', async () => {
    await using folder = await temporaryFolder('settings');
    const at = (name: string): string => join(folder.path, name);
    chmodSync(folder.path, 0o755);
    writeFileSync(at('hostyard.env'), awkwardSettings);
    cpSync(join(root, 'packaging/debian/launch'), at('launch'));
    writeFileSync(at('node'), '#!/bin/sh\nexec env -0\n', { mode: 0o755 });
    const here = (script: string): string =>
      script
        .replaceAll('/etc/hostyard', folder.path)
        .replaceAll(/\/usr\/lib\/hostyard(?:-running\/current)?(?:\/node_modules\/\.bin)?/g, folder.path);
    writeFileSync(at('hostyard'), here(text('packaging/debian/hostyard')), { mode: 0o755 });
    const [, start] = /^ExecStart=(.+)$/m.exec(here(text('packaging/hostyard.service')))!;
    // Root would become the service's user, who does not exist here.
    const asUser = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
    for (const command of [[at('hostyard'), 'audit'], start!.split(' ')]) {
      const { stdout } = await run('env', ['-i', `PATH=${process.env['PATH']}`, ...asUser, ...command]);
      const environment = Object.fromEntries(stdout.split('\0').map((line) => line.split(/=([^]*)/).slice(0, 2)));
      assert.deepEqual(
        Object.keys(awkwardValues).map((name) => [name, environment[name]]),
        Object.entries(awkwardValues),
      );
    }
  });

  test('is rejected if a quote is not closed', async () => {
    await using folder = await temporaryFolder('settings');
    const file = join(folder.path, 'hostyard.env');
    writeFileSync(file, "A=1\nB='never\nC=2\n");
    await assert.rejects(
      run(join(root, 'packaging/debian/launch'), [file, '/bin/true']),
      /line 2: the quotes are not closed/,
    );
  });
});

test('the scripts of the Debian package are valid shell', async () => {
  const scripts = globSync('packaging/debian/{hostyard,postinst,prerm,postrm}', { cwd: root });
  assert.equal(scripts.length, 4);
  for (const script of scripts) await run('sh', ['-n', join(root, script)]);
});
