// A change that a button makes without a form or a question has to say if it failed: `mutate` itself is silent.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const panel = join(import.meta.dirname, '../../src/panel');
const unawaited = /onClick=\{\(\) => (?:void )?(\w+)\.mutateAsync\([^()]*\)\}/g;
const call = /\b(\w+)\.mutate\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/g;

test('every change of a button shows its error, as a notification or on the page', () => {
  const silent: string[] = [];
  for (const file of globSync('**/*.tsx', { cwd: panel })) {
    const source = readFileSync(join(panel, file), 'utf8');
    const isShownByPage = source.includes('ErrorAlert') || /useMutation\([^]*notify(?:Error|Failure)/.test(source);
    for (const [, change] of source.matchAll(unawaited)) silent.push(`${file}: ${change}`);
    for (const [, change, args] of source.matchAll(call)) {
      if (!isShownByPage && !args!.includes('notifyError')) silent.push(`${file}: ${change}`);
    }
  }
  assert.deepEqual(silent, []);
});
