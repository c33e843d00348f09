// Generated files that are checked in are up to date.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { goldenFiles, goldenFolder } from '../../scripts/golden.ts';

describe('golden files', () => {
  for (const { file, generate } of goldenFiles) {
    it(`${file} equals what the source generates`, async () => {
      const stored = await readFile(new URL(file, goldenFolder), 'utf8').catch(() => '');
      assert.ok(
        stored === (await generate()),
        `golden/${file} is out of date: run \`npm run golden\` and review the difference`,
      );
    });
  }
});
