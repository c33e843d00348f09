import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { labDisc } from './iso-image.ts';

describe("the lab's ISO image", needs('xorriso'), () => {
  it('can be read by other programs', async () => {
    await using folder = await temporaryFolder('disc');
    const disc = join(folder.path, 'lab.iso');
    const out = join(folder.path, 'out');
    await writeFile(disc, labDisc('read me\n'));
    const args = ['-osirrox', 'on', '-indev', disc, '-extract', '/README.TXT', out];
    const { stderr } = await promisify(execFile)('xorriso', args);
    assert.match(stderr, /Volume id\s+: 'HOSTYARD_LAB'/);
    assert.equal(await readFile(out, 'utf8'), 'read me\n');
  });
});
