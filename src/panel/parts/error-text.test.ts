import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { HostyardError } from '#sdk/v2.ts';
import { setCatalogue } from '../text/text.ts';
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

test('work that continues is not reported as a device that does not respond, in German either', () => {
  const german = JSON.parse(readFileSync(new URL('../text/de/data.json', import.meta.url), 'utf8')) as object;
  setCatalogue('de', german as Parameters<typeof setCatalogue>[1]);
  const message = 'This is taking longer than usual and continues. Follow it in your actions.';
  for (const code of ['bmc_unreachable', 'node_unreachable'] as const)
    assert.match(errorText(new HostyardError({ status: 504, code, message })).message, /läuft weiter/);
  setCatalogue('en', {});
});
