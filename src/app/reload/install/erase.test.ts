// The program that erases disks: its shell functions run on files, with the tools that a disk would have. A real kernel runs
// all of it in test/long/reclaim-qemu.test.ts.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { eraseFunctions, renderErase } from './erase.ts';

const sectors = 6147;
const canary = Buffer.alloc(sectors * 512, 'canary ');

interface Disk {
  readonly name?: string;
  readonly content?: Buffer;
  readonly canDiscard?: boolean;
  /** A file is no disk, but taken for one in most tests. */
  readonly isPresent?: boolean;
  /** Shell scripts by name. `$disk` is the disk; what they print is logged. */
  readonly tools?: Readonly<Record<string, string>>;
}

/** Erases a file as if it was a disk. */
async function erase({ name = 'sda', content = canary, canDiscard = false, isPresent = true, tools = {} }: Disk) {
  await using folder = await temporaryFolder('erase');
  const at = (path: string): string => join(folder.path, path);
  for (const path of ['tools', 'block/queue', 'block/part1']) mkdirSync(at(path), { recursive: true });
  writeFileSync(at(name), content);
  writeFileSync(at('block/queue/discard_max_bytes'), canDiscard ? '1048576\n' : '0\n');
  writeFileSync(at('block/part1/start'), '2048\n');
  const none = { nvme: 'exit 127', hdparm: 'exit 127', blkdiscard: 'exit 127' };
  for (const [tool, script] of Object.entries({ ...none, ...tools }))
    writeFileSync(at(`tools/${tool}`), `#!/bin/sh\nPATH=/usr/bin:/bin\n${script}\n`, { mode: 0o755 });
  const variables = { disk: at(name), block: at('block'), places: at('places'), log: at('log'), sectors: `${sectors}` };
  const { stdout, stderr } = spawnSync(
    '/bin/sh',
    ['-c', `${eraseFunctions}drop_cache() { :; }\n${isPresent ? 'is_present() { :; }\n' : ''}erase_disk`],
    {
      encoding: 'utf8',
      env: { PATH: `${at('tools')}:/usr/bin:/bin`, ...variables },
    },
  );
  const [, method, result] = /^(\S+) [0-9]+ (erased|failed)\n$/.exec(stdout) ?? assert.fail(stdout + stderr);
  writeFileSync(at('log'), '', { flag: 'a' });
  return { method, result, content: readFileSync(at(name)), log: readFileSync(at('log'), 'utf8') };
}

const fill = (byte: '\\000' | '\\377'): string => `head -c ${sectors * 512} /dev/zero | tr '\\000' '${byte}' >"$disk"`;
const blank = Buffer.alloc(canary.length);

const security = (frozen: string): string => `Security: 
	Master password revision code = 65534
		supported
	not	enabled
	not	locked
${frozen}
	not	expired: security count
		supported: enhanced erase
	2min for SECURITY ERASE UNIT. 2min for ENHANCED SECURITY ERASE UNIT.
Logical Unit WWN Device Identifier: 5002538d4112d5a1
Checksum: correct`;
const hdparm = (frozen: string): string => `case $1 in -I) cat <<'EOF'
${security(frozen)}
EOF
exit;; esac
echo "$@" >>"$log"
case $3 in --security-erase*) ${fill('\\000')};; esac`;

describe('erasing a disk', () => {
  it('overwrites it to the last byte if it has nothing better', async () => {
    const { content, ...rest } = await erase({});
    assert.deepEqual(rest, { method: 'overwrite', result: 'erased', log: '' });
    assert.ok(content.equals(blank));
  });

  it('discards it if the disk can, securely if possible', async () => {
    const blkdiscard = `echo "$@" >>"$log"; [ "$1" = "$disk" ] || exit 1; ${fill('\\000')}`;
    const { method, result, log } = await erase({ canDiscard: true, tools: { blkdiscard } });
    assert.deepEqual([method, result], ['discard', 'erased']);
    assert.match(log, /^-f -s \S+\n-s \S+\n-f \S+\n\S+\n$/);
  });

  it('uses the erase command of an NVMe disk, which may leave ones', async () => {
    const nvme = `echo "$@" >>"$log"; ${fill('\\377')}`;
    const { method, result, log } = await erase({ name: 'nvme0n1', tools: { nvme } });
    assert.deepEqual([method, result], ['nvme-format', 'erased']);
    assert.match(log, /^format \S+\/nvme0n1 --ses=1 /);
    assert.equal((await erase({ name: 'sda', tools: { nvme } })).method, 'overwrite');
  });

  it('uses ATA secure erase unless the disk is frozen', async () => {
    const { method, result, log } = await erase({ tools: { hdparm: hdparm('\tnot\tfrozen') } });
    assert.deepEqual([method, result], ['ata-secure-erase', 'erased']);
    assert.match(log, /^.*--security-set-pass hostyard \S+\n.*--security-erase-enhanced hostyard \S+\n$/);
    assert.deepEqual(
      await erase({ tools: { hdparm: hdparm('\t\tfrozen') } }).then((frozen) => [frozen.method, frozen.log]),
      ['overwrite', ''],
    );
  });

  it('does not believe a method that did nothing, even on an empty disk', async () => {
    for (const content of [canary, blank]) {
      const lying = { name: 'nvme0n1', content, canDiscard: true, tools: { blkdiscard: 'exit 0', nvme: 'exit 0' } };
      const { method, result, content: after } = await erase(lying);
      assert.deepEqual([method, result], ['overwrite', 'erased']);
      assert.ok(after.equals(blank));
    }
  });

  it('fails if the disk is no longer there', async () => {
    const { result, content } = await erase({ isPresent: false });
    assert.equal(result, 'failed');
    assert.ok(content.equals(canary));
  });

  it('fails if nothing works, or if nothing can be read back', async () => {
    const keepsData = `case "$*" in *of=*) cat >/dev/null;; *) exec dd "$@";; esac`;
    const dd = `case "$*" in *if=/dev/zero*of=*) exit 0;; esac\n${keepsData}`;
    for (const tools of [{ dd }, { sha256sum: 'exit 127' }, { dd: 'exit 1' }] as Record<string, string>[]) {
      const { method, result } = await erase({ tools });
      assert.deepEqual([method, result], ['overwrite', 'failed'], JSON.stringify(tools));
    }
  });
});

describe('the program that erases disks', needs('busybox', 'shellcheck'), () => {
  const file = { file: '/srv/file' };
  const { script, files, ...rest } = renderErase(
    { kind: 'rescue', kernel: file, initrd: file },
    {
      hostname: 'web1.example.net',
      mac: '52:54:00:12:34:56',
      addresses: [],
      gateways: [],
      nameservers: [],
      sshKeys: [],
      passwordHash: '',
      disks: [
        { serial: `WD 1'2`, sizeGb: 4000 },
        { serial: 'WD 3', sizeGb: 4000 },
      ],
      preserve: [],
    },
    'http://192.0.2.1:8090/boot/0123abcd',
  );
  const init = files['init']!;

  it('is a valid script for small shells', () => {
    for (const [program, ...args] of [
      ['sh', '-n'],
      ['busybox', 'sh', '-n'],
      // Counters of loops are unused.
      ['shellcheck', '--shell=dash', '--severity=warning', '--exclude=SC2034', '-'],
    ] as const) {
      const { status, stdout, stderr } = spawnSync(program, args, { input: init, encoding: 'utf8' });
      assert.equal(status, 0, `${program}: ${stdout}${stderr}`);
    }
  });

  it('never boots the disk, and has no password', () => {
    assert.doesNotMatch(script, /sanboot|^exit/m);
    assert.doesNotMatch(init, /reboot/);
    assert.deepEqual(rest, {});
  });
});
