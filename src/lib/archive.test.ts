import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { fc } from '#test/support/fast-check.ts';
import { archiveDigest, archiveEntries, ArchiveError, archiveText, writeArchive } from './archive.ts';
import { sha256 } from './secrets.ts';

describe('an archive', () => {
  let folder: string;
  before(() => void (folder = mkdtempSync(join(tmpdir(), 'hostyard-archive-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function writeTexts(name: string, files: Readonly<Record<string, string>>): Promise<string> {
    const path = join(folder, name);
    await using archive = await writeArchive(path);
    for (const [entry, text] of Object.entries(files)) await archive.addText(entry, text);
    await archive.finish();
    return path;
  }

  test('returns what was put in, whatever its length', async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ maxLength: 1500, unit: 'binary' }), { maxLength: 5 }), async (texts) => {
        const files = Object.fromEntries(texts.map((text, index) => [`file${index}.txt`, text]));
        const path = await writeTexts(`${number++}.tar`, files);
        await using archive = await open(path);
        const entries = await archiveEntries(archive);
        assert.deepEqual(
          entries.map((entry) => entry.name),
          Object.keys(files),
        );
        for (const entry of entries) {
          assert.equal(await archiveText(archive, entry), files[entry.name]);
          assert.equal(await archiveDigest(archive, entry), sha256(files[entry.name]!).toString('hex'));
        }
      }),
      { numRuns: 8 },
    );
  });

  test('can be opened by tar, and only its owner can read it', async () => {
    const path = await writeTexts('plain.tar', { 'a.txt': 'first', 'b.txt': 'x'.repeat(2000) });
    const { stdout } = await promisify(execFile)('tar', ['-xOf', path, 'b.txt']);
    assert.equal(stdout, 'x'.repeat(2000));
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  test('that is truncated anywhere is rejected', async () => {
    const path = await writeTexts('cut.tar', { 'a.txt': 'first', 'b.txt': 'x'.repeat(2000) });
    const whole = readFileSync(path);
    for (const bytes of [0, 100, 512, 1024, 1500, whole.length - 1200]) {
      writeFileSync(path, whole);
      truncateSync(path, bytes);
      await using archive = await open(path);
      await assert.rejects(archiveEntries(archive), ArchiveError, `${bytes} bytes`);
    }
  });

  test('with one altered byte in a header is rejected', async () => {
    const path = await writeTexts('altered.tar', { 'a.txt': 'first' });
    const bytes = readFileSync(path);
    bytes[3] = 0x7a;
    writeFileSync(path, bytes);
    await using archive = await open(path);
    await assert.rejects(archiveEntries(archive), /damaged/);
  });

  test('that was not finished does not exist and leaves nothing behind', async () => {
    const path = join(folder, 'unfinished.tar');
    {
      await using archive = await writeArchive(path);
      await archive.addText('a.txt', 'first');
    }
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('unfinished')),
      [],
    );
  });
});
