import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { findBinary, needs } from './needs.ts';

describe('what a suite needs', () => {
  let ci: string | undefined;

  beforeEach(() => {
    ci = process.env['CI'];
  });

  afterEach(() => {
    if (ci === undefined) delete process.env['CI'];
    else process.env['CI'] = ci;
  });

  test('a suite whose programs are all here runs, in CI as elsewhere', () => {
    process.env['CI'] = 'true';
    assert.deepEqual(needs('sh', 'ls'), {});
    delete process.env['CI'];
    assert.deepEqual(needs('sh', 'ls'), {});
  });

  test('a suite is left out by name of what is absent, and only of that', () => {
    delete process.env['CI'];
    assert.deepEqual(needs('sh', 'no-such-daemon', 'nor-this'), { skip: 'left out: needs no-such-daemon, nor-this' });
  });

  test('in CI an absent program is a failure', () => {
    process.env['CI'] = 'true';
    assert.throws(() => needs('no-such-daemon'), /no-such-daemon/);
  });

  test('CI=false is not CI', () => {
    process.env['CI'] = 'false';
    assert.equal(needs('no-such-daemon').skip, 'left out: needs no-such-daemon');
  });

  test('a program is found by its full path, a folder of that name is not one', () => {
    assert.match(findBinary('sh') ?? '', /^\/.*\/sh$/);
    assert.equal(findBinary('..'), undefined);
    assert.equal(findBinary(''), undefined);
  });
});
