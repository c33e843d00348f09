import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { findByPassword, hashPassword, isPasswordCorrect } from './passwords.ts';

// In a process of its own, because test/support/preload.ts makes the hashes of test processes cheap.
test('a password is hashed with argon2id at the cost that OWASP recommends', async () => {
  const passwords = JSON.stringify(import.meta.resolve('./passwords.ts'));
  const program = `import { hashPassword } from ${passwords}; console.log(await hashPassword('sesame'));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  assert.match(stdout, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('a sign-in with an address that many accounts have lets others pass in between', async () => {
  const password_hash = await hashPassword('sesame');
  const people = Array.from({ length: 20 }, (_, account) => ({ account, password_hash }));
  const ended: string[] = [];
  const many = findByPassword(people, 'sesame', { lane: 'one', isKnown: false });
  const other = isPasswordCorrect(password_hash, 'sesame', { lane: 'two', isKnown: false });
  await Promise.all([many.then(() => ended.push('many')), other.then(() => ended.push('other'))]);
  assert.deepEqual(ended, ['other', 'many']);
  assert.deepEqual(await many, people);
  assert.equal(await other, true);
});
