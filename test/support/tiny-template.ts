// A tiny Linux as a template for virtual machines: Debian's kernel, busybox and the guest agent on one partition that
// boots by BIOS. Like a provider's templates, it takes hostname, password and addresses from a NoCloud seed at first
// boot, has a login on the serial line and on the screen, shuts down on request, and has a guest agent. It is always
// x86_64, whatever the test machine is, so that there is one boot path. The guest packages are unpacked, not installed
// (scripts/guest-packages.ts).
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, open, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from './folder.ts';
import { copyModules, guestFolder, packInitrd } from './guest-initrd.ts';
import { init, modules, root } from './tiny-template-files.ts';

const run = promisify(execFile);
const sectorBytes = 512;
const partitionStart = 2048;
const partitionBytes = 60 * 2 ** 20;

/** Builds a qcow2 image at the path. */
export async function buildTinyTemplate(path: string): Promise<void> {
  await using scratch = await temporaryFolder('template');
  const at = (name: string) => join(scratch.path, name);
  const system = at('root');
  await writeRoot(system);
  await writeInitrd(at('initrd'), join(system, 'boot', 'initrd.gz'));
  await run('mke2fs', [
    '-q',
    '-t',
    'ext4',
    // GRUB reads block by block, so large blocks load faster.
    '-b',
    '4096',
    '-d',
    system,
    '-E',
    'root_owner=0:0',
    at('ext'),
    `${partitionBytes / 1024}k`,
  ]);
  await bootDisk(at('raw'), at('ext'), scratch.path);
  await run('qemu-img', ['convert', '-f', 'raw', '-O', 'qcow2', at('raw'), path]);
}

async function writeRoot(system: string): Promise<void> {
  const folders =
    'bin sbin dev proc sys etc/acpi tmp root run var/log usr/sbin usr/bin lib/x86_64-linux-gnu lib64 boot mnt';
  for (const folder of folders.split(' ')) await mkdir(join(system, folder), { recursive: true });
  await busybox(system);
  const kernel = (await readdir(join(guestFolder, 'boot'))).find((name) => name.startsWith('vmlinuz-'));
  await cp(join(guestFolder, 'boot', kernel!), join(system, 'boot', 'vmlinuz'));
  await cp(join(guestFolder, 'usr/sbin/qemu-ga'), join(system, 'usr/sbin/qemu-ga'));
  for (const folder of ['lib/x86_64-linux-gnu', 'usr/lib/x86_64-linux-gnu']) await copyLibraries(folder, system);
  const loader = 'ld-linux-x86-64.so.2';
  await cp(join(guestFolder, 'lib/x86_64-linux-gnu', loader), join(system, 'lib64', loader), { dereference: true });
  for (const [name, text] of Object.entries(root)) {
    await mkdir(join(system, name, '..'), { recursive: true });
    await writeFile(join(system, name), text);
    await chmod(join(system, name), text.startsWith('#!') ? 0o755 : 0o600);
  }
}

const agentLibraries = /^lib(c|m|glib-2|gmodule-2|udev|numa|uring|pcre2-8)[.-]/;

async function copyLibraries(folder: string, system: string): Promise<void> {
  const names = (await readdir(join(guestFolder, folder))).filter((name) => agentLibraries.test(name));
  for (const name of names.filter((file) => file.includes('.so.')))
    await cp(join(guestFolder, folder, name), join(system, 'lib/x86_64-linux-gnu', name), { dereference: true });
}

export async function busybox(system: string): Promise<void> {
  const program = await readFile(join(guestFolder, 'bin/busybox'));
  await writeFile(join(system, 'bin/busybox'), program, { mode: 0o755 });
  const applets =
    'sh mount umount insmod switch_root cut cat sleep echo grep sed ls mkdir cp ln hostname ip login getty acpid sync mv chmod ' +
    'mkpasswd poweroff reboot init printf tr head rm uname id';
  for (const applet of applets.split(' ')) await symlink('busybox', join(system, 'bin', applet));
}

export async function writeInitrd(folder: string, path: string): Promise<void> {
  for (const name of ['bin', 'dev', 'proc', 'sys', 'newroot', 'seed'])
    await mkdir(join(folder, name), { recursive: true });
  await busybox(folder);
  await copyModules(modules, join(folder, 'modules'));
  await writeFile(join(folder, 'init'), init, { mode: 0o755 });
  await packInitrd(folder, path);
}

// A quarter of the kernel's start goes into work that no test looks at: self-tests of ciphers, tracing, its keyring.
// Kernel messages must not mix with the login's output. And the kernel must not check its timer: under load an emulated
// timer ticks late, which the kernel takes for a broken one, and panics.
export const quickly = [
  'loglevel=0',
  'no_timer_check',
  'edd=off',
  'nokaslr',
  'mitigations=off',
  'cryptomgr.notests',
  'initcall_blacklist=init_blk_tracer,event_trace_init,tracer_init_tracefs,slab_sysfs_init,perf_event_sysfs_init,' +
    'crypto_kdf108_init,load_system_certificate_list,init_encrypted',
].join(' ');

/** Installs GRUB by hand: its first sector, and the rest in the gap before the only partition. */
export async function bootDisk(disk: string, partition: string, scratch: string): Promise<void> {
  const grub = join(guestFolder, 'usr/lib/grub/i386-pc');
  const [config, core] = [join(scratch, 'grub.cfg'), join(scratch, 'core.img')];
  await writeFile(
    config,
    `linux16 (hd0,msdos1)/boot/vmlinuz console=tty0 console=ttyS0 panic=5 ${quickly}\ninitrd16 (hd0,msdos1)/boot/initrd.gz\nboot\n`,
  );
  // linux16 leaves the kernel where it was loaded; the newer loader relocates it, which takes three seconds under
  // emulation.
  const parts = ['biosdisk', 'part_msdos', 'ext2', 'linux16', 'normal'];
  await run('grub-mkimage', [
    '-d',
    grub,
    '-O',
    'i386-pc',
    '-p',
    '(hd0,msdos1)/boot',
    '-c',
    config,
    '-o',
    core,
    ...parts,
  ]);
  const first = Buffer.alloc(sectorBytes);
  (await readFile(join(grub, 'boot.img'))).copy(first, 0, 0, 440);
  // One bootable Linux partition, and the boot sector's signature.
  first.set([0x80, 0, 0, 0, 0x83, 0, 0, 0], 446);
  first.writeUInt32LE(partitionStart, 454);
  const system = await readFile(partition);
  first.writeUInt32LE(system.length / sectorBytes, 458);
  first.writeUInt16BE(0x55aa, 510);
  await using file = await open(disk, 'w');
  await file.write(first, 0, first.length, 0);
  const image = await readFile(core);
  await file.write(image, 0, image.length, sectorBytes);
  await file.write(system, 0, system.length, partitionStart * sectorBytes);
}
