// Every page of the panel looks as its screenshot in golden/panel; docs/decisions/golden-screenshots.md has the reasons.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsChromium } from '#test/support/chromium.ts';
import { leaveOut } from '#test/support/needs.ts';
import { checkScreenshots, hasScreenshots } from '../../scripts/screenshots.ts';

const options = hasScreenshots() ? needsChromium() : leaveOut('golden/panel is empty: run npm run screenshots');

test('every page of the panel looks as its golden screenshot', options, async () => {
  assert.deepEqual(await checkScreenshots(), []);
});
