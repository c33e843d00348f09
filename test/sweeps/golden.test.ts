// What is generated and checked in is up to date.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { goldenFiles, goldenFolder } from '../../scripts/golden.ts';

describe('golden files', () => {
  for (const { file, make } of goldenFiles) {
    it(`${file} is what the source makes now`, async () => {
      const kept = await readFile(new URL(file, goldenFolder), 'utf8').catch(() => '');
      assert.ok(
        kept === (await make()),
        `golden/${file} is out of date: run \`npm run golden\` and look at the difference`,
      );
    });
  }
});
