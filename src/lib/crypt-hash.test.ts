// Compares SHA-512 crypt with the specification's vectors and with OpenSSL.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { cryptHash, cryptHashWith, cryptMatches } from './crypt-hash.ts';

/** From the specification, with the default number of rounds and with others. */
const vectors = [
  [
    '$6$saltstring',
    'Hello world!',
    '$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1',
  ],
  [
    '$6$rounds=10000$saltstringsaltstring',
    'Hello world!',
    '$6$rounds=10000$saltstringsaltst$OW1/O6BYHV6BcXZu8QVeXbDWra3Oeqh0sbHbbMCVNSnCM/UrjmM0Dp8vOuZeHBy/YTBmSK6H9qs/y3RnOaw5v.',
  ],
  [
    '$6$rounds=10$roundstoolow',
    'the minimum number is still observed',
    '$6$rounds=1000$roundstoolow$kUMsbe306n21p9R.FRkW3IGn.S9NPN0x50YhH1xhLsPuWGsUSklZt58jaTfF4ZEQpyUNGc0dqbpBYYBaHHrsX.',
  ],
] as const;

describe('the crypt hash of a password', () => {
  it('matches the specification', () => {
    for (const [setting, password, hash] of vectors) assert.equal(cryptHashWith(password, setting), hash);
  });

  it('matches OpenSSL for passwords and salts of all lengths', () => {
    const passwords = ['a', 'bc', 'Grüße, Welt', 'x'.repeat(63), 'y'.repeat(64), 'z'.repeat(128)];
    for (const [index, password] of passwords.entries()) {
      const salt = 'S.a/lt0123456789'.slice(0, index * 3 + 1);
      const opensslHash = execFileSync('openssl', ['passwd', '-6', '-salt', salt, '-stdin'], {
        input: `${password}\n`,
      });
      assert.equal(cryptHashWith(password, `$6$${salt}`), opensslHash.toString().trim());
    }
  });

  it('matches only its own password, and differs each time', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.string({ maxLength: 40 }), (password, other) => {
        const hash = cryptHash(password);
        assert.match(hash, /^\$6\$[./0-9A-Za-z]{16}\$[./0-9A-Za-z]{86}$/);
        assert.ok(cryptMatches(password, hash));
        assert.equal(cryptMatches(other, hash), other === password);
        assert.notEqual(cryptHash(password), hash);
      }),
      { numRuns: 8 },
    );
  });

  it('of another kind matches nothing', () => {
    assert.equal(cryptMatches('secret', '$5$salt$whatever'), false);
    assert.equal(cryptMatches('', ''), false);
  });
});
