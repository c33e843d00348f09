// The files of unattended installs: their contents, invalid values, and that no value escapes its place. A real shell
// parses the scripts, and runs some of them.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { parse } from 'yaml';
import type { SystemKind, System } from '#contract/site/systems.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { cloudSeed } from './autoinstall.ts';
import { checkInstall, targetDisk } from './check.ts';
import type { InstallInput, RenderedBoot } from './input.ts';
import { firstStage } from './ipxe.ts';
import { renderBoot, type BootTask } from './render.ts';
import { authorizedKeys, printCommand, shellWord } from './text.ts';

const base = 'http://192.0.2.1:8090/boot/0123abcd';
const passwordHash = '$6$saltsaltsaltsalt$abcdefghijklmnopqrstuvwxyz./0123456789';
const input: InstallInput = {
  hostname: 'web1.example.net',
  mac: '52:54:00:12:34:56',
  addresses: ['203.0.113.10/24', '2001:db8:1::10/64', '203.0.113.33/29'],
  gateways: ['203.0.113.1', '2001:db8:1::1'],
  nameservers: ['192.0.2.53'],
  sshKeys: ['ssh-ed25519 AAAA ada@home'],
  passwordHash,
  disks: [
    { serial: 'DATA 1', sizeGb: 100 },
    { serial: 'BOOT-2', sizeGb: 200 },
  ],
  preserve: ['DATA 1'],
};

function system(kind: SystemKind): System & { source: NonNullable<System['source']> } {
  const file = { file: '/srv/file' };
  const source = { kind, kernel: file, initrd: file, image: { file: '/srv/disk.img.gz' }, rootPartition: 2 };
  return {
    name: 'One',
    value: 'one',
    pxe: 71,
    source: { ...source, mirror: 'http://192.0.2.9/os', release: 'bookworm', kernelOptions: 'console=ttyS1' },
  };
}
interface Answers {
  readonly 'user-data': { readonly users: unknown };
  readonly network: { readonly ethernets: { readonly main: { readonly addresses: unknown } } };
  readonly storage: unknown;
}
const imageSha256 = 'ab'.repeat(32);
const render = (kind: SystemKind, install = input, task: BootTask['kind'] = 'reload'): RenderedBoot =>
  renderBoot({ kind: task, system: system(kind), install, imageSha256 }, base);

const everyBoot: readonly (readonly [SystemKind, BootTask['kind']])[] = [
  ['preseed', 'reload'],
  ['kickstart', 'reload'],
  ['autoinstall', 'reload'],
  ['image', 'reload'],
  ['rescue', 'rescue'],
  ['rescue', 'password'],
  ['rescue', 'erase'],
];

function scriptsOf({ files }: RenderedBoot): string[] {
  return Object.values(files).filter((text) => text.startsWith('#!'));
}
function shellErrors(script: string): string {
  return spawnSync('/bin/sh', ['-n'], { input: script, encoding: 'utf8' }).stderr;
}

describe('an unattended install', () => {
  it('of Debian has its answers, the network on the kernel command line, and the disk by serial number', () => {
    const { script, files } = render('preseed');
    for (const option of [
      `url=${base}/preseed.cfg`,
      'netcfg/get_ipaddress=203.0.113.10',
      'netcfg/get_netmask=255.255.255.0',
      'netcfg/get_gateway=203.0.113.1',
      'hostname=web1',
      'domain=example.net',
      'BOOTIF=01-52-54-00-12-34-56',
      'console=ttyS1',
    ])
      assert.ok(script.includes(` ${option} `) || script.includes(` ${option} |`), option);
    const answers = files['preseed.cfg'] ?? '';
    assert.ok(answers.includes(`d-i passwd/root-password-crypted password ${passwordHash}\n`));
    assert.ok(answers.includes('d-i mirror/http/hostname string 192.0.2.9\nd-i mirror/http/directory string /os\n'));
    assert.ok(files['disk.sh']?.includes("disk_with_serial 'BOOT-2'"));
    assert.ok(files['late.sh']?.includes('report Completed'));
  });

  it('of the RHEL family uses one disk only and reports when it stops', () => {
    const { script, files } = render('kickstart');
    const text = files['kickstart.cfg'] ?? '';
    assert.ok(script.includes(`inst.ks=${base}/kickstart.cfg`));
    assert.ok(text.includes(`rootpw --iscrypted ${passwordHash}\n`));
    assert.match(
      text,
      /^network --device=52:54:00:12:34:56 .*--ip=203\.0\.113\.10 --netmask=255\.255\.255\.0 --gateway=203\.0\.113\.1 .*--ipv6=2001:db8:1::10\/64 /m,
    );
    assert.ok(text.includes('ignoredisk --only-use=%s') && text.includes("disk_with_serial 'BOOT-2'"));
    assert.equal(text.match(/^%(?:pre|post|onerror|packages)\b/gm)?.length, text.match(/^%end$/gm)?.length);
  });

  it('of the RHEL family adds further addresses to the connection that its installer wrote', async () => {
    const addresses = [...input.addresses, '203.0.113.34/32', '2001:db8:9::1/128'];
    const text = render('kickstart', { ...input, addresses }).files['kickstart.cfg'] ?? '';
    const [, script = ''] = /^%post --interpreter=\/bin\/bash\n([^]*?)^%end$/m.exec(text) ?? [];
    const written = {
      'NetworkManager/system-connections/eno1.nmconnection':
        '[ipv4]\naddress1=203.0.113.10/24,203.0.113.1\nmethod=manual\n\n[ipv6]\naddress1=2001:db8:1::10/64\nmethod=manual\n',
      'NetworkManager/system-connections/eno2.nmconnection': '[ipv4]\naddress1=203.0.113.100/24\n',
      'sysconfig/network-scripts/ifcfg-eno1': 'DEVICE=eno1\nIPADDR=203.0.113.10\nPREFIX=24\n',
    };
    await using folder = await temporaryFolder('kickstart');
    for (const [path, content] of Object.entries(written)) {
      await mkdir(dirname(join(folder.path, path)), { recursive: true });
      await writeFile(join(folder.path, path), content);
    }
    const run = script.slice(script.indexOf('for file')).replaceAll('/etc/', `${folder.path}/`);
    execFileSync('/bin/bash', ['-eu', '-c', run]);
    const result = (path: keyof typeof written) => readFile(join(folder.path, path), 'utf8');
    assert.equal(
      await result('NetworkManager/system-connections/eno1.nmconnection'),
      '[ipv4]\naddress2=203.0.113.33/29\naddress3=203.0.113.34/32\naddress1=203.0.113.10/24,203.0.113.1\nmethod=manual\n\n' +
        '[ipv6]\naddress2=2001:db8:9::1/128\naddress1=2001:db8:1::10/64\nmethod=manual\n',
    );
    assert.equal(
      await result('NetworkManager/system-connections/eno2.nmconnection'),
      written['NetworkManager/system-connections/eno2.nmconnection'],
    );
    assert.equal(
      await result('sysconfig/network-scripts/ifcfg-eno1'),
      `${written['sysconfig/network-scripts/ifcfg-eno1']}IPADDR1=203.0.113.33\nPREFIX1=29\nIPADDR2=203.0.113.34\nPREFIX2=32\nIPV6ADDR_SECONDARIES="2001:db8:9::1/128"\n`,
    );
  });

  it('configures every address, whatever the installer', () => {
    const addresses = [...input.addresses, '198.51.100.7/32', '2001:db8:7::1/128'];
    for (const kind of ['preseed', 'kickstart', 'autoinstall', 'image'] as const) {
      const { script, files } = render(kind, { ...input, addresses });
      const encoded = Array.from(
        Object.values(files)
          .join()
          .matchAll(/echo (\S+) \| base64 -d/g),
        ([, text]) => Buffer.from(text!, 'base64').toString(),
      );
      const all = [script, ...Object.values(files), ...encoded].join('\n');
      for (const address of addresses) assert.ok(all.includes(address.split('/')[0]!), `${kind} ${address}`);
    }
  });

  it('of Ubuntu is YAML in which a MAC address is text also for programs that read YAML 1.1', () => {
    const mac = '52:54:00:12:34:56';
    const seeds = [
      render('autoinstall', { ...input, mac }).files['user-data'],
      cloudSeed({ ...input, mac }, base)['network-config'],
    ];
    for (const seed of seeds) {
      const { version: _, ...all } = parse(seed ?? '', { version: '1.1' }) as Record<string, never>;
      assert.ok(JSON.stringify(all).includes(`"macaddress":"${mac}"`), seed);
    }
  });

  it('of Ubuntu is equivalent YAML', () => {
    const { script, files } = render('autoinstall');
    assert.ok(script.includes(`ds=nocloud-net;s=${base}/ `));
    assert.match(files['user-data'] ?? '', /^#cloud-config\n/);
    const { autoinstall } = parse(files['user-data'] ?? '') as { autoinstall: Answers };
    assert.deepEqual(autoinstall['user-data'].users, [
      { name: 'root', lock_passwd: false, hashed_passwd: passwordHash, ssh_authorized_keys: input.sshKeys },
    ]);
    assert.deepEqual(autoinstall.network.ethernets.main.addresses, input.addresses);
    assert.deepEqual(autoinstall.storage, { layout: { name: 'direct', match: { path: '/dev/hostyard-disk' } } });
    assert.ok(!(files['meta-data'] ?? '').includes('0123abcd'), 'what stays on the disk does not hold the secret');
  });

  it('of an image adds our own program, which verifies what it wrote', () => {
    const { script, files } = render('image');
    assert.ok(script.includes(`initrd ${base}/initrd || goto disk\ninitrd ${base}/init /init mode=755 || goto disk\n`));
    const init = files['init'] ?? '';
    assert.ok(init.includes(`'${imageSha256}'`) && init.includes('gunzip -c'));
    assert.ok(init.includes(`'s|^root:[^:]*:|root:${passwordHash}:|'`));
  });

  it('retries its scripts while the boot server is away, but not forever', () => {
    const command = /^d-i preseed\/late_command string (.*)$/m.exec(render('preseed').files['preseed.cfg'] ?? '')?.[1];
    const outcome = (functions: string): { status: number | null; stdout: string } =>
      spawnSync('/bin/sh', ['-c', `sleep() { :; }\n${functions}\n${command}`], { encoding: 'utf8' });
    const late = outcome('wget() { [ $n -ge 2 ]; }\nsh() { echo "$n $1"; }');
    assert.equal(late.stdout, '2 /tmp/late.sh\n');
    assert.equal(outcome('wget() { return 1; }\nsh() { return 7; }').status, 7);
  });

  it('contains the password in one file and not in the script', () => {
    for (const [kind, task] of everyBoot) {
      const { script, files, passwordFile } = render(kind, input, task);
      assert.ok(!script.includes(passwordHash));
      for (const [name, text] of Object.entries(files))
        assert.equal(text.includes(passwordHash), name === passwordFile, `${kind} ${name}`);
    }
  });

  it('has valid shell scripts for any keys and disk names', () => {
    for (const [kind, task] of everyBoot) {
      const hostile = {
        ...input,
        sshKeys: [`ssh-rsa A '"$(reboot)\`; EOF`],
        disks: [{ serial: `a'b "$(c)`, sizeGb: 9 }],
        preserve: [],
      };
      const rendered = render(kind, hostile, task);
      for (const script of scriptsOf(rendered)) assert.equal(shellErrors(script), '', kind);
      for (const text of Object.values(rendered.files)) {
        if (!text.startsWith('#cloud-config')) assert.ok(!text.includes('$(reboot)'), 'the key is always quoted');
      }
    }
  });

  it('is not rendered from an invalid value', () => {
    const wrong: Partial<InstallInput>[] = [
      { hostname: 'a\nd-i x string y' },
      { hostname: 'web1; reboot' },
      { mac: '52:54:00:12:34:56 init=/bin/sh' },
      { passwordHash: '$6$a$b\n' },
      { passwordHash: "$6$a$b'" },
      { addresses: ['203.0.113.10/24 x'] },
      { gateways: ['fe80::1%eth0'] },
      { nameservers: ['one'] },
      { sshKeys: ['ssh-rsa A\nssh-rsa B'] },
      { disks: [{ serial: 'a\nb', sizeGb: 1 }] },
    ];
    for (const part of wrong)
      for (const [kind, task] of everyBoot)
        assert.throws(
          () => render(kind, { ...input, ...part }, task),
          /not fit for an installer/,
          JSON.stringify(part),
        );
  });

  it('either rejects a value or keeps it on its line', () => {
    const text = fc.oneof(fc.string({ maxLength: 40 }), fc.constantFrom('a\nb', "'", '$(x)', 'x y', '#', '%end', '&&'));
    const lines = everyBoot.map(([kind, task]) =>
      Object.values(render(kind, input, task).files).map((file) => file.split('\n').length),
    );
    fc.assert(
      fc.property(text, text, text, (hostname, sshKey, serial) => {
        const changed = { ...input, hostname, sshKeys: [sshKey], disks: [{ serial, sizeGb: 500 }], preserve: [] };
        for (const [index, [kind, task]] of everyBoot.entries()) {
          let rendered: RenderedBoot;
          try {
            rendered = render(kind, changed, task);
          } catch {
            continue;
          }
          if (kind === 'autoinstall') continue;
          assert.deepEqual(
            Object.values(rendered.files).map((file) => file.split('\n').length),
            lines[index],
          );
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('shell words', () => {
  it('are unchanged by the shell', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }).filter((text) => !text.includes('\0')),
        (text) => {
          const run = (script: string): string => execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' });
          assert.equal(run(`printf %s ${shellWord(text)}`), text);
          assert.equal(run(printCommand(authorizedKeys({ sshKeys: [text] }))), `${text}\n`);
        },
      ),
      { numRuns: 6 },
    );
  });
});

describe('the check whether a system fits a server', () => {
  const preseedSystem = system('preseed');
  it('returns all problems as sentences', () => {
    assert.deepEqual(checkInstall(preseedSystem, input), []);
    assert.deepEqual(checkInstall({ ...preseedSystem, source: undefined }, input), [
      'The provider has no files for One yet.',
    ]);
    const bare = { mac: '', addresses: [], gateways: [], disks: [], preserve: ['LOST'] };
    assert.deepEqual(checkInstall(preseedSystem, bare), [
      'The network card of this server is unknown.',
      'This server has no address.',
      'This server has no disk LOST to preserve.',
      'The disks of this server are unknown.',
    ]);
    assert.deepEqual(
      checkInstall(preseedSystem, { ...input, preserve: ['DATA 1', 'BOOT-2'], gateways: ['2001:db8::1'] }),
      ["The gateway of this server's address is unknown.", 'No disk is left to install to: all are preserved.'],
    );
    const needy = {
      ...preseedSystem,
      source: { ...preseedSystem.source, leastDiskGb: 500, firmware: 'uefi' as const },
    };
    assert.deepEqual(checkInstall(needy, { ...input, firmware: 'bios' }), [
      'One requires UEFI, but this server boots with BIOS.',
      'One requires a disk of 500 GB; no usable disk is that large.',
    ]);
  });

  it('requires no disks for a rescue system', () => {
    assert.deepEqual(checkInstall(system('rescue'), { ...input, disks: [], preserve: [] }), []);
  });

  it('never chooses a preserved disk', () => {
    const disk = fc.record({
      serial: fc.constantFrom<string>('a', 'b', 'c', 'd'),
      sizeGb: fc.integer({ min: 1, max: 9 }),
    });
    const someDisks = fc.uniqueArray(disk, { selector: ({ serial }) => serial });
    fc.assert(
      fc.property(
        someDisks,
        fc.subarray(['a', 'b', 'c', 'd']),
        fc.integer({ min: 0, max: 9 }),
        (disks, preserve, leastGb) => {
          const chosen = targetDisk({ disks, preserve }, leastGb);
          const fit = disks.filter(({ serial, sizeGb }) => !preserve.includes(serial) && sizeGb >= leastGb);
          assert.equal(chosen === undefined, fit.length === 0);
          if (chosen !== undefined)
            assert.ok(fit.includes(chosen) && fit.every(({ sizeGb }) => sizeGb >= chosen.sizeGb));
        },
      ),
    );
  });
});

describe('the first stage', () => {
  it('leads to the boot server, through the network card that it booted from', () => {
    assert.match(
      firstStage('http://192.0.2.1:8090'),
      /^#!ipxe\n[^]*chain --replace http:\/\/192\.0\.2\.1:8090\/boot\/ipxe\/\$\{netX\/mac\}\?uuid=\$\{uuid\}/,
    );
  });
});
