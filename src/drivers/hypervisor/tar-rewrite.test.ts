// Archives that tar writes are renamed as they pass, and tar reads the result.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, link, mkdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createHeader } from '#lib/tar.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { rewriteTar } from './tar-rewrite.ts';

const run = promisify(execFile);
const folder = 'backup/container/rootfs';
const rename = (path: string): string | undefined =>
  path.startsWith(`${folder}/`) ? `backup/volume${path.slice(folder.length)}` : undefined;

for (const format of ['gnu', 'pax', 'ustar'])
  test(`an archive of the format ${format} keeps links, modes and long names`, async () => {
    await using temporary = await temporaryFolder('tar');
    const { path } = temporary;
    const root = join(path, folder);
    // In the format ustar, a name has two parts of limited length.
    const deep = `${'d'.repeat(60)}/${(format === 'ustar' ? 'e' : 'é').repeat(60)}`;
    await mkdir(join(root, deep), { recursive: true });
    const long = join(deep, 'f'.repeat(format === 'ustar' ? 40 : 120));
    await writeFile(join(root, long), 'deep');
    await writeFile(join(root, 'plain'), 'x'.repeat(100_000));
    await chmod(join(root, 'plain'), 0o4751);
    await link(join(root, 'plain'), join(root, 'hard'));
    await symlink(`/${folder}/plain`, join(root, 'soft'));
    await writeFile(join(path, 'backup/index.yaml'), 'secret');
    const [before, after] = [join(path, 'before.tar'), join(path, 'after.tar')];
    await run('tar', ['-C', path, `--format=${format}`, '-cf', before, 'backup']);
    // In small pieces, so that headers are split.
    const pieces = createReadStream(before, { highWaterMark: 700 }) as AsyncIterable<Buffer>;
    await pipeline(rewriteTar(pieces, rename, { 'backup/index.yaml': 'name: vol-1\n' }), createWriteStream(after));
    const result = join(path, 'after');
    await mkdir(result);
    await run('tar', ['-C', result, '-xf', after]);
    const volume = join(result, 'backup/volume');
    assert.equal(await readFile(join(result, 'backup/index.yaml'), 'utf8'), 'name: vol-1\n');
    assert.equal(await readFile(join(volume, long), 'utf8'), 'deep');
    assert.equal(await readlink(join(volume, 'soft')), `/${folder}/plain`);
    const [plain, hard] = [await stat(join(volume, 'plain')), await stat(join(volume, 'hard'))];
    assert.deepEqual([plain.ino, plain.mode & 0o7777, plain.size], [hard.ino, 0o4751, 100_000]);
    await assert.rejects(stat(join(result, 'backup/container')), { code: 'ENOENT' });
  });

test('a damaged or hostile archive is rejected', async () => {
  const rewrite = async (...blocks: Buffer[]): Promise<void> => {
    async function* archive() {
      yield* blocks;
    }
    for await (const _ of rewriteTar(archive(), rename));
  };
  const error = { name: 'ApiError', code: 'backup_error' };
  await assert.rejects(rewrite(), error);
  await assert.rejects(rewrite(createHeader(`${folder}/a`, 1000), Buffer.alloc(512)), error);
  await assert.rejects(rewrite(createHeader('huge', 2 ** 30, { type: 'x' })), error);
  await assert.rejects(rewrite(createHeader('sparse', 0, { type: 'S' }), Buffer.alloc(1024)), error);
  const records = Buffer.alloc(512);
  records.write('99999999 path=x\n');
  await assert.rejects(rewrite(createHeader('records', 16, { type: 'x' }), records, Buffer.alloc(1024)), error);
  const outside = createHeader(`${folder}/link`, 0, { type: '1' });
  await assert.rejects(rewrite(outside, Buffer.alloc(1024)), error);
});
