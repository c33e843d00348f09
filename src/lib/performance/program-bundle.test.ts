import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '#test/support/folder.ts';
import { bundlesFolder, currentBundle, digestAll, digestSource, type BundleRecord } from './program-bundle.ts';
import { mapStackTraces, packLine, packPosition, readLineTable, sourcePlace } from './stack-traces.ts';

test('a bundle is current only while all of its sources are unchanged', async () => {
  await using folder = await temporaryFolder('bundle');
  const root = pathToFileURL(`${folder.path}/`);
  const write = async (path: string, content: string) => {
    const file = join(folder.path, path);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, content);
  };
  const sources = { 'src/a.ts': 'one', 'src/b/b.ts': 'two' };
  const record: BundleRecord = {
    folder: 'version',
    entry: 'server.js',
    specifiers: ['#a.ts'],
    sources: Object.keys(sources),
    digest: digestAll(Object.values(sources).map((text) => digestSource(Buffer.from(text)))),
  };
  assert.equal(currentBundle(root), undefined);
  for (const [path, text] of Object.entries(sources)) await write(path, text);
  await write(`${bundlesFolder}bundle.json`, JSON.stringify(record));
  assert.deepEqual(currentBundle(root), record);
  await write('src/b/b.ts', 'other');
  assert.equal(currentBundle(root), undefined);
  await write('src/b/b.ts', 'two');
  assert.deepEqual(currentBundle(root), record);
  await rm(join(folder.path, 'src/a.ts'));
  assert.equal(currentBundle(root), undefined);
});

test('a place in a bundle is found in its source', () => {
  const parts = [
    { at: [1, 1], from: [1, 10] },
    { at: [1, 20], from: [1, 11] },
    { at: [5, 3], from: [0, 65_535] },
  ] as const;
  const table = {
    files: ['file:///src/a.ts', 'file:///src/b.ts'],
    positions: Uint32Array.from(parts, ({ at: [line, column] }) => packPosition(line, column)),
    lines: Uint32Array.from(parts, ({ from: [file, line] }) => packLine(file, line)),
  };
  assert.equal(sourcePlace(table, 1, 1), 'file:///src/b.ts:10');
  assert.equal(sourcePlace(table, 1, 19), 'file:///src/b.ts:10');
  assert.equal(sourcePlace(table, 1, 20), 'file:///src/b.ts:11');
  // Beyond what a position can hold.
  assert.equal(sourcePlace(table, 4, 100_000), 'file:///src/b.ts:11');
  assert.equal(sourcePlace(table, 1_000_000, 1), 'file:///src/a.ts:65535');
});

test('a stack trace names the sources of a bundle', (context) => {
  const { prepareStackTrace } = Error;
  context.after(() => (Error.prepareStackTrace = prepareStackTrace));
  const stored = Uint32Array.of(packPosition(1, 1), packPosition(7, 1), packLine(0, 3), packLine(1, 42));
  mapStackTraces('file:///out/program/1a/', (file) => {
    if (file !== 'server.js') throw new Error('removed');
    return readLineTable(['file:///src/a.ts', 'file:///src/b.ts'], Buffer.from(stored.buffer));
  });
  const traceOf = (error: unknown, ...frames: string[]): unknown =>
    Error.prepareStackTrace!(error as Error, frames as never);
  assert.equal(
    traceOf(
      new RangeError('too far'),
      'start (file:///out/program/1a/server.js:9:5)',
      'async file:///out/program/1a/server.js:2:1',
      'later (file:///out/program/1a/chunk-B_3-x.js:1:2)',
      'node:internal/timers:1:2',
    ),
    `RangeError: too far
    at start (file:///src/b.ts:42)
    at async file:///src/a.ts:3
    at later (file:///out/program/1a/chunk-B_3-x.js:1:2)
    at node:internal/timers:1:2`,
  );
  const broken = {
    get name(): string {
      throw new Error('no name');
    },
  };
  assert.equal(traceOf(broken), '<error>');
});
