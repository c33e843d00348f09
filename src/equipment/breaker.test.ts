import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Fault } from '#kernel/fault.ts';
import { breaker } from './breaker.ts';

const silence = async (): Promise<never> => {
  throw new Fault('bmc_unreachable', { internal: 'silence' });
};
const answer = async (): Promise<string> => 'answer';

function open() {
  let now = 1_000_000;
  const own = breaker({ now: () => now }, 'bmc_unreachable');
  const internalOf = async (work: () => Promise<unknown>) => {
    const error = await own.guard(work).then(
      () => undefined,
      (fault: unknown) => fault,
    );
    return error instanceof Fault ? error.internal : undefined;
  };
  return { own, internalOf, pass: (milliseconds: number) => void (now += milliseconds) };
}

describe('a breaker', () => {
  it('leaves a device alone that was silent five times, and answers in its place', async () => {
    const { internalOf } = open();
    for (let count = 0; count < 5; count++) assert.equal(await internalOf(silence), 'silence');
    assert.equal(await internalOf(answer), 'the breaker is open');
  });

  it('counts silence in a row and nothing else', async () => {
    const { own, internalOf } = open();
    const refusal = async (): Promise<never> => {
      throw new Fault('bmc_refused', { internal: 'refusal' });
    };
    for (const between of [answer, refusal]) {
      for (let count = 0; count < 4; count++) await internalOf(silence);
      await internalOf(between);
    }
    for (let count = 0; count < 10; count++) assert.equal(await internalOf(refusal), 'refusal');
    assert.equal(await own.guard(answer), 'answer');
  });

  it('then lets one call try, and the others wait for what comes of it', async () => {
    const { own, internalOf, pass } = open();
    for (let count = 0; count < 5; count++) await internalOf(silence);
    pass(15_000);
    const { promise, resolve } = Promise.withResolvers<void>();
    const trying = own.guard(() => promise);
    assert.equal(await internalOf(answer), 'the breaker is open');
    resolve();
    await trying;
    assert.equal(await own.guard(answer), 'answer');
  });

  it('stays open where the one call meets silence again', async () => {
    const { own, internalOf, pass } = open();
    for (let count = 0; count < 5; count++) await internalOf(silence);
    pass(15_000);
    assert.equal(await internalOf(silence), 'silence');
    assert.equal(await internalOf(answer), 'the breaker is open');
    pass(15_000);
    assert.equal(await own.guard(answer), 'answer');
  });

  it('does not count the silence of a device that was told to restart', async () => {
    const { own, internalOf, pass } = open();
    for (let count = 0; count < 4; count++) await internalOf(silence);
    own.expectSilence(60_000);
    for (let count = 0; count < 20; count++) assert.equal(await internalOf(silence), 'silence');
    pass(60_000);
    for (let count = 0; count < 5; count++) assert.equal(await internalOf(silence), 'silence');
    assert.equal(await internalOf(answer), 'the breaker is open');
  });
});
