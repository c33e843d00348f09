import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { sameSecret, ensureSealingKey, secretBox } from './secrets.ts';

const box = secretBox(randomBytes(32));

describe('a sealed text', () => {
  it('opens to the original in the context it was sealed in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
        assert.equal(box.open(box.seal(text, context), context), text);
      }),
    );
  });

  it('does not open in another context or with another key', () => {
    const sealed = box.seal('secret', 'keys 1');
    assert.throws(() => box.open(sealed, 'keys 2'));
    assert.throws(() => secretBox(randomBytes(32)).open(sealed, 'keys 1'));
  });

  it('does not open with any byte altered or cut off', () => {
    const sealed = box.seal('secret', 'c');
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const altered = Buffer.from(bytes);
      altered[at]! ^= 1;
      assert.throws(() => box.open(`s1.${altered.toString('base64url')}`, 'c'));
      assert.throws(() => box.open(`s1.${bytes.subarray(0, at).toString('base64url')}`, 'c'));
    }
    for (const text of ['', 'secret', 's1.', 's2' + sealed.slice(2)]) assert.throws(() => box.open(text, 'c'));
  });

  it('is different each time', () => {
    assert.notEqual(box.seal('secret', 'c'), box.seal('secret', 'c'));
    assert.equal(box.digest('secret'), box.digest('secret'));
    assert.notEqual(box.digest('secret'), secretBox(randomBytes(32)).digest('secret'));
  });
});

describe('secrets', () => {
  it('are equal only as a whole', () => {
    const secret = Buffer.from('0123456789');
    assert.ok(sameSecret(secret, Buffer.from('0123456789')));
    for (const other of ['', '012345678', '0123456788', '01234567890'])
      assert.ok(!sameSecret(secret, Buffer.from(other)));
  });

  it('are sealed with a key of exactly 32 bytes', () => {
    for (const length of [0, 16, 31, 33]) assert.throws(() => secretBox(randomBytes(length)));
  });

  it('have a key file that is created once, complete and readable by its owner only', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hostyard-secrets-'));
    try {
      const key = ensureSealingKey(folder);
      assert.equal(key.length, 32);
      assert.deepEqual(ensureSealingKey(folder), key);
      assert.equal(statSync(join(folder, 'secret.key')).mode & 0o777, 0o600);
      assert.deepEqual(readdirSync(folder), ['secret.key']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
