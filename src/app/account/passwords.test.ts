import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

// In a process of its own, because test/support/preload.ts makes the hashes of test processes cheap.
test('a password is hashed with argon2id at the cost that OWASP recommends', async () => {
  const passwords = JSON.stringify(import.meta.resolve('./passwords.ts'));
  const program = `import { hashPassword } from ${passwords}; console.log(await hashPassword('sesame'));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  assert.match(stdout, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});
