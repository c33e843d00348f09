import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#lib/api-error.ts';
import { waitUntilShown } from './wait-until-shown.ts';

const otherwise = 'The state did not change.';

describe('waiting for what a BMC shows', () => {
  it('ends once it shows it', async () => {
    const shown = [false, false, true];
    await waitUntilShown(async () => shown.shift()!, new AbortController().signal, otherwise);
    assert.deepEqual(shown, []);
  });

  it('fails as not shown if time is up, also during a read, unless no read has been answered', async () => {
    for (const answered of [2, 1, 0]) {
      const ending = new AbortController();
      let reads = 0;
      const read = async (): Promise<boolean> => {
        if (reads++ < answered) return false;
        ending.abort();
        throw new ApiError('bmc_unreachable');
      };
      const code = answered > 0 ? 'bmc_error' : 'bmc_unreachable';
      await assert.rejects(waitUntilShown(read, ending.signal, otherwise), { code });
    }
    const pausing = new AbortController();
    const neverShown = waitUntilShown(async () => false, pausing.signal, otherwise);
    pausing.abort();
    await assert.rejects(neverShown, { code: 'bmc_error', message: otherwise });
  });

  it('fails as unreachable if it stops answering before time is up', async () => {
    const answers = [async () => false, () => Promise.reject(new ApiError('bmc_unreachable'))];
    const waiting = waitUntilShown(() => answers.shift()!(), new AbortController().signal, otherwise);
    await assert.rejects(waiting, { code: 'bmc_unreachable' });
  });
});
