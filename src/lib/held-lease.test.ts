import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { holdLease } from './held-lease.ts';

function openLease({ mock }: TestContext, sentAtMs = 0) {
  let now = 0;
  let ends = 0;
  mock.timers.enable({ apis: ['setTimeout'] });
  mock.method(performance, 'now', () => now);
  const lease = holdLease(12_000, sentAtMs, () => void ends++);
  return {
    lease,
    ends: () => ends,
    pass(milliseconds: number) {
      now += milliseconds;
      mock.timers.tick(milliseconds);
    },
    pause: (milliseconds: number) => void (now += milliseconds),
  };
}

test('a lease ends once, two seconds before others may take it', (context) => {
  const { pass, ends } = openLease(context);
  pass(9999);
  assert.equal(ends(), 0);
  pass(1);
  assert.equal(ends(), 1);
  pass(60_000);
  assert.equal(ends(), 1);
});

test('a renewal counts from when it was sent, however late it is confirmed', (context) => {
  const { lease, pass, ends } = openLease(context);
  pass(9000);
  lease.renew(3000);
  pass(3999);
  assert.equal(ends(), 0);
  pass(1);
  assert.equal(ends(), 1);
});

test('a renewal that is confirmed after a later one does not shorten the lease', (context) => {
  const { lease, pass, ends } = openLease(context);
  pass(9000);
  lease.renew(6000);
  lease.renew(3000);
  pass(6999);
  assert.equal(ends(), 0);
});

test('a lease that ended during a pause of the process is noticed without the timer', (context) => {
  const { lease, pause, ends } = openLease(context);
  pause(10_000);
  lease.check();
  assert.equal(ends(), 1);
});

test('a lease that was acquired too slowly ends at once', (context) => {
  const { ends } = openLease(context, -10_000);
  assert.equal(ends(), 1);
});

test('a stopped lease does not end', (context) => {
  const { lease, pass, ends } = openLease(context);
  lease.stop();
  pass(60_000);
  lease.check();
  assert.equal(ends(), 0);
});
