import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathAfterSignIn, returnPathTo } from './return-path.ts';

test('an address of another site is not followed', () => {
  const foreign = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
  ];
  for (const value of [...foreign, '/\t/evil.example', '', undefined, ['/servers'], `/${'a'.repeat(3000)}`])
    assert.equal(pathAfterSignIn('customer', value), '/', String(value));
});

test('each portal returns to its own pages', () => {
  assert.equal(pathAfterSignIn('customer', '/servers/1001#network'), '/servers/1001#network');
  assert.equal(pathAfterSignIn('staff', '/staff/services?type=vps#2001'), '/staff/services?type=vps#2001');
  assert.equal(pathAfterSignIn('staff', '/servers/1001'), '/staff');
  assert.equal(pathAfterSignIn('customer', '/staff/services'), '/');
  assert.equal(pathAfterSignIn('customer', undefined), '/');
});

test('the start page needs no path', () => {
  assert.deepEqual(returnPathTo('/'), {});
  assert.deepEqual(returnPathTo('/staff'), {});
  assert.deepEqual(returnPathTo('/staff/racks'), { from: '/staff/racks' });
});
