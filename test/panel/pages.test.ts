// All pages in light mode on a phone, where they have the least room, and the frame around them on a desktop as well;
// test/long/panel-dark.test.ts has both modes and three widths.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customerPaths, entryPaths, staffPaths, unvisitedPages } from '#test/support/panel-paths.ts';
import { describePages } from '#test/support/panel-pages.ts';

test('every page of the router is visited', () => {
  assert.deepEqual(unvisitedPages([...entryPaths, ...customerPaths('1'), ...staffPaths('srv-1')]), []);
  assert.deepEqual(unvisitedPages([...entryPaths, ...customerPaths('1')]).slice(0, 2), [
    '/staff',
    '/staff/device/$device',
  ]);
});

describePages('light');
