// Building blocks of an initial file system for a guest's kernel.
import { execFile } from 'node:child_process';
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

/** The folder of the unpacked guest packages. */
export const guestFolder = '/var/cache/hostyard-tests/guest-amd64';

const run = promisify(execFile);

/** Packs everything below a folder into the format that the kernel unpacks. */
export async function packInitrd(folder: string, path: string): Promise<void> {
  const { stdout } = await run('sh', ['-c', 'find . | cpio --quiet -o -H newc -R 0:0'], {
    cwd: folder,
    encoding: 'buffer',
    maxBuffer: 2 ** 27,
  });
  await writeFile(path, gzipSync(stdout, { level: 1 }));
}

/**
 * Copies kernel modules and all that they depend on, and writes a file `order` with their names in load order. What a
 * module depends on changes with updates of Debian's kernel.
 */
export async function copyModules(names: readonly string[], folder: string): Promise<void> {
  const paths = new Map<string, string>();
  for await (const path of glob(join(guestFolder, 'lib/modules/*/kernel/**/*.ko')))
    paths.set(basename(path, '.ko').replaceAll('-', '_'), path);
  await mkdir(folder, { recursive: true });
  const copied = new Set<string>();
  const copy = async (name: string): Promise<void> => {
    if (copied.has(name)) return;
    const path = paths.get(name);
    if (path === undefined) throw new Error(`the guest's kernel has no module ${name}`);
    const module = await readFile(path);
    for (const dependency of dependencies(module)) await copy(dependency);
    await writeFile(join(folder, `${name}.ko`), unsigned(module));
    copied.add(name);
  };
  for (const name of names) await copy(name);
  await writeFile(join(folder, 'order'), [...copied].map((name) => `${name}.ko\n`).join(''));
}

function dependencies(module: Buffer): string[] {
  const names = /\0depends=([\w,-]*)\0/.exec(module.toString('latin1'))?.[1] ?? '';
  return names.split(',').filter((name) => name !== '');
}

/**
 * Removes the signature from a kernel module: checking it takes seconds at every boot under emulation. It follows the
 * module, with its length before a closing line.
 */
function unsigned(module: Buffer): Buffer {
  const closing = '~Module signature appended~\n';
  const end = module.length - closing.length;
  if (module.toString('latin1', end) !== closing) return module;
  const [descriptorBytes, lengthBytes] = [12, 4];
  return module.subarray(0, end - descriptorBytes - module.readUInt32BE(end - lengthBytes));
}
