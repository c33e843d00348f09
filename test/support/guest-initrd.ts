// Building blocks of an initial file system for a guest's kernel.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

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
 * Removes the signature from a kernel module: checking it takes seconds at every boot under emulation. It follows the
 * module, with its length before a closing line.
 */
export function unsigned(module: Buffer): Buffer {
  const closing = '~Module signature appended~\n';
  const end = module.length - closing.length;
  if (module.toString('latin1', end) !== closing) return module;
  const [descriptorBytes, lengthBytes] = [12, 4];
  return module.subarray(0, end - descriptorBytes - module.readUInt32BE(end - lengthBytes));
}
