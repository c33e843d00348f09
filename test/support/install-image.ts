// The files that a provider supplies for a system installed from an image: the image, a kernel, and an initial file
// system with busybox and a few modules, to which Hostyard adds its own first program. Built from Debian packages in
// two seconds and kept minimal, because QEMU emulates every instruction that touches them.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from './folder.ts';
import { copyModules, guestFolder, packInitrd } from './guest-initrd.ts';
import { needs, type SuiteOptions } from './needs.ts';
import { root } from './tiny-template-files.ts';
import { bootDisk, busybox } from './tiny-template.ts';
import { withResources } from './resources.ts';

const run = promisify(execFile);
const partitionMb = 22;

export interface InstallFiles extends AsyncDisposable {
  readonly kernel: string;
  readonly initrd: string;
  /** A whole disk, gzipped; its root is on the first partition. */
  readonly image: string;
}

/** Overrides of the template's files, which do more than is needed here. */
const systemFiles: Readonly<Record<string, string>> = {
  'etc/passwd': root['etc/passwd']!,
  'etc/shadow': root['etc/shadow']!,
  'etc/group': root['etc/group']!,
  'etc/hostname': root['etc/hostname']!,
  'etc/inittab': '::sysinit:/etc/rc\nttyS0::respawn:/bin/getty -L ttyS0 115200 vt100\n::ctrlaltdel:/bin/reboot\n',
  // Kernel messages would mix with the login's output.
  'etc/rc': '#!/bin/sh\n/bin/busybox dmesg -n 1\nmount -o remount,rw /\nhostname -F /etc/hostname\n',
};

/** Requirements of a suite that installs these files; in CI nothing is left out. */
export function needsInstallFiles(): SuiteOptions {
  const options = needs('ipmi_sim', 'qemu-system-x86_64', 'mke2fs', 'grub-mkimage', 'cpio', 'setsid', 'timeout');
  if (options.skip !== undefined || existsSync(guestFolder)) return options;
  if (process.env['CI'] === 'true') throw new Error('CI leaves nothing out, but the guest packages are missing');
  return { skip: 'left out: needs the guest packages' };
}

/** Switches from the initial file system to the disk. */
const diskInit = `#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t devtmpfs devtmpfs /dev
while read -r module; do insmod "/modules/$module"; done </modules/order
while [ ! -b /dev/vda1 ]; do sleep 0.1; done
mount -t ext4 /dev/vda1 /newroot
mount --move /dev /newroot/dev
mount --move /proc /newroot/proc
exec switch_root /newroot /bin/init
`;

export async function buildInstallFiles(): Promise<InstallFiles> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('install')).path;
  const at = (name: string): string => join(folder, name);
  const kernels = join(guestFolder, 'boot');
  const kernel = join(
    kernels,
    (await readdir(kernels)).find((name) => name.startsWith('vmlinuz-'))!,
  );
  await writeSystem(at('root'), kernel);
  await writeInitrd(at('early'), at('root/boot/initrd.gz'), ['virtio_pci', 'virtio_blk'], diskInit);
  // GRUB reads block by block, so large blocks load faster.
  const ext4 = ['-q', '-t', 'ext4', '-b', '4096', '-O', '^has_journal', '-d', at('root'), '-E', 'root_owner=0:0'];
  await run('mke2fs', [...ext4, at('partition'), `${partitionMb}M`]);
  await bootDisk(at('disk.img'), at('partition'), folder);
  await writeFile(at('image.gz'), gzipSync(await readFile(at('disk.img')), { level: 1 }));
  // Without an init: the boot server supplies that.
  await writeInitrd(at('bare'), at('initrd.gz'), ['virtio_pci', 'virtio_blk', 'virtio_net']);
  return withResources(owned, {
    kernel,
    initrd: at('initrd.gz'),
    image: at('image.gz'),
  });
}

/**
 * The first sector of a disk with a minimal system that prints a greeting on the serial line once a second, because
 * the firmware's last output may still be in flight.
 */
export function greetingSector(greeting: string): Buffer {
  const sector = Buffer.alloc(512);
  // Sends each byte of the text behind the program when the line is ready, waits 18 ticks, and repeats.
  const program = 'fb31c08ed8fcbe287cac84c0741288c3bafd03eca82074fb88d8baf803eeebe9b91200f4e2fdebde';
  sector.write(program, 'hex');
  sector.write(`\r\n${greeting}\r\n`, program.length / 2, 'latin1');
  sector.writeUInt16BE(0x55aa, 510);
  return sector;
}

async function writeSystem(folder: string, kernel: string): Promise<void> {
  for (const name of ['bin', 'dev', 'proc', 'sys', 'etc', 'tmp', 'root', 'boot'])
    await mkdir(join(folder, name), { recursive: true });
  await busybox(folder);
  await cp(kernel, join(folder, 'boot/vmlinuz'));
  for (const [name, text] of Object.entries(systemFiles)) {
    await writeFile(join(folder, name), text);
    await chmod(join(folder, name), text.startsWith('#!') ? 0o755 : 0o600);
  }
}

async function writeInitrd(folder: string, path: string, modules: string[], init?: string): Promise<void> {
  for (const name of ['bin', 'dev', 'proc', 'newroot']) await mkdir(join(folder, name), { recursive: true });
  await cp(join(guestFolder, 'bin/busybox'), join(folder, 'bin/busybox'));
  await copyModules(modules, join(folder, 'modules'));
  if (init !== undefined) await writeFile(join(folder, 'init'), init, { mode: 0o755 });
  await packInitrd(folder, path);
}
