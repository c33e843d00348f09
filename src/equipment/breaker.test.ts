import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#lib/api-error.ts';
import { breaker } from './connections.ts';

const timeOut = async (): Promise<never> => {
  throw new ApiError('bmc_unreachable', { internal: 'timeout' });
};
const reject = async (): Promise<never> => {
  throw new ApiError('bmc_refused', { internal: 'rejection' });
};
const respond = async (): Promise<string> => 'response';
const isOpen = 'it did not respond to the last five calls; the next attempt is within 15 seconds';

function makeBreaker() {
  let now = 1_000_000;
  const { guard, expectSilence } = breaker({ now: () => now }, 'bmc_unreachable');
  /** Returns the internal text of the error. */
  const errorOf = async (work: () => Promise<unknown>) => {
    const error = await guard(work).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return error instanceof ApiError ? error.internal : undefined;
  };
  const timeOutTimes = async (count: number) => {
    for (let index = 0; index < count; index++) assert.equal(await errorOf(timeOut), 'timeout');
  };
  return { guard, expectSilence, errorOf, timeOutTimes, pass: (milliseconds: number) => void (now += milliseconds) };
}

describe('a circuit breaker', () => {
  it('opens after five timeouts', async () => {
    const { errorOf, timeOutTimes } = makeBreaker();
    await timeOutTimes(5);
    assert.equal(await errorOf(respond), isOpen);
  });

  it('counts consecutive timeouts and nothing else', async () => {
    const { guard, errorOf, timeOutTimes } = makeBreaker();
    for (const between of [respond, reject]) {
      await timeOutTimes(4);
      await errorOf(between);
    }
    for (let count = 0; count < 10; count++) assert.equal(await errorOf(reject), 'rejection');
    assert.equal(await guard(respond), 'response');
  });

  it('lets one trial call through, whose result decides for the others', async () => {
    const { guard, errorOf, timeOutTimes, pass } = makeBreaker();
    await timeOutTimes(5);
    pass(15_000);
    const { promise, resolve } = Promise.withResolvers<void>();
    const trial = guard(() => promise);
    assert.equal(await errorOf(respond), isOpen);
    resolve();
    await trial;
    assert.equal(await guard(respond), 'response');
  });

  it('stays open if the trial call times out', async () => {
    const { guard, errorOf, timeOutTimes, pass } = makeBreaker();
    await timeOutTimes(5);
    pass(15_000);
    await timeOutTimes(1);
    assert.equal(await errorOf(respond), isOpen);
    pass(15_000);
    assert.equal(await guard(respond), 'response');
  });

  it('does not count timeouts of a device that was asked to restart', async () => {
    const { expectSilence, errorOf, timeOutTimes, pass } = makeBreaker();
    await timeOutTimes(4);
    expectSilence(60_000);
    await timeOutTimes(20);
    pass(60_000);
    await timeOutTimes(5);
    assert.equal(await errorOf(respond), isOpen);
  });
});
