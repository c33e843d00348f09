// The parts that the preload removes from Node's runner must not hide errors: a file with an uncaught error still fails and
// reports it, and tests stay in their suites.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from './folder.ts';

const root = join(import.meta.dirname, '..', '..');
const pause = 'await new Promise((resolve) => setTimeout(resolve, 50));';

async function runFile(body: string): Promise<{ code: number; text: string }> {
  await using folder = await temporaryFolder('preload');
  const file = join(folder.path, 'story.test.mjs');
  await writeFile(file, `import { after, before, describe, test } from 'node:test';\n${body}`);
  const args = ['--import=./test/support/preload.ts', '--test', '--test-reporter=spec', file];
  // Otherwise Node treats it as part of this run.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return await promisify(execFile)(process.execPath, args, { cwd: root, env, timeout: 200_000 }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, text: error.stdout }),
  );
}

describe('a file under the preload', { concurrency: true }, () => {
  test('fails if a timer throws', async () => {
    const { code, text } = await runFile(`test('quiet', async () => {
      setTimeout(() => { throw new Error('out of nowhere'); }, 1);
      ${pause}
    });`);
    assert.equal(code, 1, text);
    assert.match(text, /out of nowhere/);
  });

  test('fails on an unhandled rejection', async () => {
    const { code, text } = await runFile(`test('quiet', async () => {
      ${pause}
      void Promise.reject(new Error('left alone'));
      ${pause}
    });`);
    assert.equal(code, 1, text);
    assert.match(text, /left alone/);
  });

  test('reports its tests in their suites, even if several run at once', async () => {
    const { code, text } = await runFile(`
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
