// What a provider has for a system that is installed by writing an image: the image itself, and a kernel with a file system of
// busybox and a few modules, over which Hostyard lays its own first program. All of it is made from Debian's packages for the
// guest, in two seconds.
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from './folder.ts';
import { modules } from './tiny-template-files.ts';
import { buildTinyTemplate, guestFolder } from './tiny-template.ts';

const run = promisify(execFile);

export interface InstallFiles extends AsyncDisposable {
  readonly kernel: string;
  readonly initrd: string;
  /** A whole disk, with gzip; its root is on the first partition. */
  readonly image: string;
  /** The same disk as it is. */
  readonly disk: string;
}

export async function buildInstallFiles(): Promise<InstallFiles> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('install')).path;
  const at = (name: string): string => join(folder, name);
  await buildTinyTemplate(at('template.qcow2'));
  await run('qemu-img', ['convert', '-O', 'raw', at('template.qcow2'), at('disk.img')]);
  await writeFile(at('image.gz'), gzipSync(await readFile(at('disk.img')), { level: 1 }));
  const kernel = (await readdir(join(guestFolder, 'boot'))).find((name) => name.startsWith('vmlinuz-'))!;
  await writeInitrd(at('files'), at('initrd.gz'));
  const kept = owned.move();
  return {
    kernel: join(guestFolder, 'boot', kernel),
    initrd: at('initrd.gz'),
    image: at('image.gz'),
    disk: at('disk.img'),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** No first program of its own: that comes from the boot server. */
async function writeInitrd(folder: string, path: string): Promise<void> {
  await mkdir(join(folder, 'bin'), { recursive: true });
  await mkdir(join(folder, 'modules'));
  await cp(join(guestFolder, 'bin/busybox'), join(folder, 'bin/busybox'));
  const kernels = join(guestFolder, 'lib/modules');
  const tree = join(kernels, (await readdir(kernels))[0]!, 'kernel');
  const wanted = modules.filter((module) => /virtio|failover/.test(module));
  for (const module of wanted) await cp(join(tree, `${module}.ko`), join(folder, 'modules', `${basename(module)}.ko`));
  await writeFile(join(folder, 'modules', 'order'), wanted.map((module) => `${basename(module)}.ko\n`).join(''));
  const { stdout } = await run('sh', ['-c', 'find . | cpio --quiet -o -H newc -R 0:0'], {
    cwd: folder,
    encoding: 'buffer',
    maxBuffer: 2 ** 27,
  });
  await writeFile(path, gzipSync(stdout, { level: 1 }));
}
