// What the preload takes from Node's runner must not let a fault pass: a file in which something is thrown that nobody catches
// fails, and says what it was; and tests stand where they were written.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from './folder.ts';

const root = join(import.meta.dirname, '..', '..');
const pause = 'await new Promise((resolve) => setTimeout(resolve, 50));';

async function told(body: string): Promise<{ code: number; text: string }> {
  await using folder = await temporaryFolder('preload');
  const file = join(folder.path, 'story.test.mjs');
  await writeFile(file, `import { after, before, describe, test } from 'node:test';\n${body}`);
  const args = ['--import=./test/support/preload.ts', '--test', '--test-reporter=spec', file];
  // Otherwise Node takes it for a part of this run.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return await promisify(execFile)(process.execPath, args, { cwd: root, env, timeout: 200_000 }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, text: error.stdout }),
  );
}

describe('a file under the preload', { concurrency: true }, () => {
  test('fails where a timer throws', async () => {
    const { code, text } = await told(`test('quiet', async () => {
      setTimeout(() => { throw new Error('out of nowhere'); }, 1);
      ${pause}
    });`);
    assert.equal(code, 1, text);
    assert.match(text, /out of nowhere/);
  });

  test('fails where nobody awaits what rejects', async () => {
    const { code, text } = await told(`test('quiet', async () => {
      ${pause}
      void Promise.reject(new Error('left alone'));
      ${pause}
    });`);
    assert.equal(code, 1, text);
    assert.match(text, /left alone/);
  });

  test('tells its tests in their suites, also where several run at once', async () => {
    const { code, text } = await told(`
      for (const suite of ['one', 'other'])
        describe(suite, { concurrency: true }, () => {
          before(async () => { ${pause} });
          after(async () => { ${pause} });
          describe('inner', () => {
            for (const name of ['a', 'b']) test(suite + ' ' + name, async () => { ${pause} });
          });
        });`);
    assert.equal(code, 0, text);
    const lines = text.split('\n').filter((line) => /[✔▶]/.test(line));
    assert.deepEqual(
      lines.map((line) => line.replace(/ \(.*/, '')),
      ['one', 'other'].flatMap((suite) => [
        `▶ ${suite}`,
        '  ▶ inner',
        `    ✔ ${suite} a`,
        `    ✔ ${suite} b`,
        '  ✔ inner',
        `✔ ${suite}`,
      ]),
    );
  });
});
