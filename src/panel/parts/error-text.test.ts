import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HostyardError } from '#sdk/v2.ts';
import { errorText, isModuleFailure } from './error-text.ts';

test('a part of the panel that cannot be fetched is recognised in every browser', () => {
  for (const message of [
    'Failed to fetch dynamically imported module: http://127.0.0.1:8080/panel/assets/network-tab-x.js',
    'error loading dynamically imported module: http://127.0.0.1:8080/panel/assets/network-tab-x.js',
    'Importing a module script failed.',
    'Unable to preload CSS for /panel/assets/x.css',
  ]) {
    const error = new TypeError(message);
    assert.ok(isModuleFailure(error), message);
    assert.doesNotMatch(errorText(error).message, /module|http/i);
  }
});

test('errors of the API keep their message, and a lost connection says what to do', () => {
  const error = (code: 'connection_failed' | 'state_conflict') =>
    new HostyardError({ status: 0, code, message: 'As is.' });
  assert.equal(errorText(error('state_conflict')).message, 'As is.');
  assert.match(errorText(error('connection_failed')).message, /Check your internet connection/);
});
