import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deadlineIn, timeoutError } from './exchange.ts';

describe('the error of a request without a response', () => {
  it('says so if the caller has waited long enough, and only otherwise names the caller', async () => {
    const waited = AbortSignal.timeout(0);
    await new Promise((resolve) => waited.addEventListener('abort', resolve));
    const messageOf = (signal: AbortSignal | undefined) =>
      timeoutError(deadlineIn(1000, signal), 'Open Session').message;
    assert.equal(messageOf(undefined), 'no response to Open Session');
    assert.equal(messageOf(waited), 'no response to Open Session');
    assert.equal(messageOf(AbortSignal.abort()), 'Open Session was aborted by its caller');
  });
});
