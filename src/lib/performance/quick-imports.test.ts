import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importQuickly } from './quick-imports.ts';

importQuickly();

const importModule = (specifier: string): Promise<unknown> => import(specifier);

test('all specifiers of a module resolve to the same module', async () => {
  const clock = await importModule('../clock.ts');
  assert.equal(await importModule('#lib/clock.ts'), clock);
  assert.equal(await importModule('../../lib/clock.ts'), clock);
  assert.equal(await importModule(new URL('../clock.ts', import.meta.url).href), clock);
  assert.equal(await importModule('kysely'), await importModule(import.meta.resolve('kysely')));
});

test('the error for a missing module names it', async () => {
  await assert.rejects(importModule('./missing.ts'), /missing\.ts/);
  await assert.rejects(importModule('#lib/missing.ts'), /missing\.ts/);
  await assert.rejects(importModule('no-such-package'), /no-such-package/);
});
