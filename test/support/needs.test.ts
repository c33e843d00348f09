import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { temporaryFolder } from './folder.ts';
import { findBinary, needs } from './needs.ts';

describe('the programs that a suite needs', () => {
  let environment: NodeJS.ProcessEnv;

  beforeEach(() => {
    environment = process.env;
    process.env = { ...environment };
    delete process.env['HOSTYARD_TEST_QUICK'];
  });

  afterEach(() => {
    process.env = environment;
  });

  test('a quick run starts no daemon, in CI as elsewhere', () => {
    process.env['HOSTYARD_TEST_QUICK'] = '1';
    process.env['CI'] = 'true';
    assert.match(needs('sh').skip ?? '', /quick/);
  });

  test('a suite whose programs are all installed runs, in CI as elsewhere', () => {
    process.env['CI'] = 'true';
    assert.deepEqual(needs('sh', 'ls'), {});
    delete process.env['CI'];
    assert.deepEqual(needs('sh', 'ls'), {});
  });

  test('a suite is left out by the names of the missing programs only', () => {
    delete process.env['CI'];
    assert.deepEqual(needs('sh', 'no-such-daemon', 'nor-this'), { skip: 'left out: needs no-such-daemon, nor-this' });
  });

  test('a missing program is a failure in CI', () => {
    process.env['CI'] = 'true';
    assert.throws(() => needs('no-such-daemon'), /no-such-daemon/);
  });

  test('a suite waits while packages are being installed', async () => {
    await using folder = await temporaryFolder('needs');
    const installing = join(folder.path, 'installing');
    writeFileSync(installing, '');
    process.env['HOSTYARD_TEST_INSTALLING'] = installing;
    spawn('sh', ['-c', 'sleep 0.3; rm "$0"', installing]);
    assert.deepEqual(needs('sh'), {});
    assert.ok(!existsSync(installing));
  });

  test('CI=false is not CI', () => {
    process.env['CI'] = 'false';
    assert.equal(needs('no-such-daemon').skip, 'left out: needs no-such-daemon');
  });

  test('a program is found by its full path; a folder of that name is not a program', () => {
    assert.match(findBinary('sh') ?? '', /^\/.*\/sh$/);
    assert.equal(findBinary('..'), undefined);
    assert.equal(findBinary(''), undefined);
  });
});
