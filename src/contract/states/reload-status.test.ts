// The status texts of reloads match the declared shape.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { Check } from 'typebox/schema';
import { reloadStates, type ReloadState } from './reloads.ts';
import { statusText } from './reload-status.ts';
import { ReloadStatus } from '../shapes/device.ts';

test('a reason follows a colon without its capital and full stop, unless the capital belongs to a name', () => {
  const failed = (reason: string): string => statusText({ status: 'Failed', percent: 0, reason });
  assert.equal(failed('The server did not answer.'), 'Failed: the server did not answer');
  assert.equal(failed('BIOS is not UEFI.'), 'Failed: BIOS is not UEFI');
  assert.equal(failed(''), 'Failed: ');
});

test('every status of a reload is declared', () => {
  const states = (Object.keys(reloadStates) as ReloadState[]).filter((state) => state !== 'Active');
  fc.assert(
    fc.property(
      fc.constantFrom(...states),
      fc.integer({ min: 0, max: 100 }),
      fc.stringMatching(/^[ -~]*$/),
      (status, percent, reason) => Check(ReloadStatus, statusText({ status, percent, reason })),
    ),
  );
});
