import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { zoneInsert, zoneVersionInsert, zoneVersionSizes } from './zones.ts';

describeOnEngines('the versions of a zone', ({ openApp }) => {
  let app: TestApp;
  before(async () => void (app = await openApp()));

  it('are deleted beyond their number and beyond their size, except the newest', async () => {
    const { queries } = app.parts.store;
    const zone = await zoneInsert(queries, { account_id: null, name: 'v.test', kind: 'forward', created_at: 0 });
    const kept = { versions: 4, bytes: 400 };
    const left: number[][] = [];
    const insert = async (number: number, bytes: number): Promise<void> => {
      const author = { author_kind: null, author_id: null, author_name: null };
      const texts = { removed: '', added: 'x'.repeat(bytes) };
      const version = { zone_id: zone!.id, version: number, at: 0, operation: '', serial: 1, ...author, ...texts };
      await zoneVersionInsert(queries, version, kept);
      left.push((await zoneVersionSizes(queries, zone!.id, { limit: 9 })).map((size) => Number(size.version)));
    };
    for (const [index, bytes] of [10, 10, 10, 10, 10, 150, 150, 150, 900, 10].entries()) await insert(index + 1, bytes);
    assert.deepEqual(left.slice(4), [[5, 4, 3, 2], [6, 5, 4, 3], [7, 6, 5, 4], [8, 7], [9], [10, 9]]);
    left.length = 0;
    // Calls that change nothing, and new addresses of an ALIAS, raise the revision without a version.
    for (const revision of [11, 90, 200]) await insert(revision, 10);
    assert.deepEqual(left, [
      [11, 10, 9],
      [90, 11, 10, 9],
      [200, 90, 11, 10],
    ]);
  });
});
