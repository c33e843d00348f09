import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultWaits, resolveWaits } from './waits.ts';

describe('how long Hostyard waits for a device', () => {
  it('depends on its model, and on its own settings in the first place', () => {
    const { commandMs, mediaMs, restartMs } = resolveWaits(
      { commandSeconds: 20, mediaSeconds: 60 },
      { commandSeconds: 30 },
    );
    assert.deepEqual({ commandMs, mediaMs, restartMs }, { commandMs: 30_000, mediaMs: 60_000, restartMs: 120_000 });
  });

  it('is longer for a command or a check if a response takes longer', () => {
    const { responseMs, commandMs, checkMs, pollMs } = resolveWaits({ responseSeconds: 15 });
    assert.deepEqual([responseMs, commandMs, checkMs, pollMs], [15_000, 30_000, 15_000, 30_000]);
    assert.equal(resolveWaits({ responseSeconds: 20, commandSeconds: 10 }).commandMs, 20_000);
  });

  it('is what it was without settings', () => {
    assert.deepEqual(defaultWaits, {
      responseMs: undefined,
      commandMs: 8000,
      checkMs: 4000,
      restartMs: 120_000,
      mediaMs: 15_000,
      pollMs: 20_000,
    });
  });
});
