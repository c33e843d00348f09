// Archives survive any division into chunks, damage is noticed, and `tar` can read them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { readTar, writeTar, type TarEntry } from './tar-stream.ts';

const files = fc.array(
  fc.record({ name: fc.stringMatching(/^[a-z]{1,20}$/), bytes: fc.uint8Array({ maxLength: 2000 }) }),
);

async function* entries(list: readonly { name: string; bytes: Uint8Array }[]): AsyncGenerator<TarEntry> {
  for (const { name, bytes } of list)
    yield { name, bytes: bytes.length, content: chunks(Buffer.from(bytes), Math.max(1, bytes.length)) };
}

async function* chunks(content: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += length) yield content.subarray(at, at + length);
}

async function collect(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of content) parts.push(part);
  return Buffer.concat(parts);
}

async function unpack(archive: Buffer, length: number): Promise<{ name: string; bytes: number[] }[]> {
  const list: { name: string; bytes: number[] }[] = [];
  for await (const { name, content } of readTar(chunks(archive, length)))
    list.push({ name, bytes: [...(await collect(content))] });
  return list;
}

test('an archive returns its files, in chunks of any length', async () => {
  await fc.assert(
    fc.asyncProperty(files, fc.integer({ min: 1, max: 3000 }), async (list, length) => {
      const archive = await collect(writeTar(entries(list)));
      const expected = list.map(({ name, bytes }) => ({ name, bytes: [...bytes] }));
      assert.deepEqual(await unpack(archive, length), expected);
    }),
    { numRuns: 50 },
  );
});

test('an archive that is cut off anywhere before its end is rejected', async () => {
  const archive = await collect(writeTar(entries([{ name: 'disk', bytes: new Uint8Array(1500) }])));
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: archive.length - 1025 }), async (length) => {
      await assert.rejects(unpack(archive.subarray(0, length), 512), { code: 'backup_error' });
    }),
    { numRuns: 50 },
  );
});

test('tar reads it, and content of another length than announced is rejected', async () => {
  const archive = await collect(writeTar(entries([{ name: 'seed.iso', bytes: Buffer.from('seed') }])));
  assert.equal(execFileSync('tar', ['-xO'], { input: archive, encoding: 'utf8' }), 'seed');
  const short = async function* (): AsyncGenerator<TarEntry> {
    yield { name: 'disk', bytes: 10, content: chunks(Buffer.from('abc'), 3) };
  };
  await assert.rejects(collect(writeTar(short())), { code: 'node_error' });
});
