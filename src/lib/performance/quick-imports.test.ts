import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importQuickly } from './quick-imports.ts';

importQuickly();

const imported = (specifier: string): Promise<unknown> => import(specifier);

test('all specifiers of a module resolve to the same module', async () => {
  const clock = await imported('../clock.ts');
  assert.equal(await imported('#lib/clock.ts'), clock);
  assert.equal(await imported('../../lib/clock.ts'), clock);
  assert.equal(await imported(new URL('../clock.ts', import.meta.url).href), clock);
  assert.equal(await imported('kysely'), await imported(import.meta.resolve('kysely')));
});

test('the error for a missing module names it', async () => {
  await assert.rejects(imported('./missing.ts'), /missing\.ts/);
  await assert.rejects(imported('#lib/missing.ts'), /missing\.ts/);
  await assert.rejects(imported('no-such-package'), /no-such-package/);
});
