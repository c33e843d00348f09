import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importQuickly } from './quick-imports.ts';

importQuickly();

const imported = (specifier: string): Promise<unknown> => import(specifier);

test('a module is the same one by whatever it is called', async () => {
  const clock = await imported('./clock.ts');
  assert.equal(await imported('#kernel/clock.ts'), clock);
  assert.equal(await imported('../kernel/clock.ts'), clock);
  assert.equal(await imported(new URL('clock.ts', import.meta.url).href), clock);
  assert.equal(await imported('kysely'), await imported(import.meta.resolve('kysely')));
});

test('a module that is not there is named', async () => {
  await assert.rejects(imported('./there-is-none.ts'), /there-is-none\.ts/);
  await assert.rejects(imported('#kernel/there-is-none.ts'), /there-is-none\.ts/);
  await assert.rejects(imported('there-is-no-such-package'), /there-is-no-such-package/);
});
