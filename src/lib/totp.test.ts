// Checked against the vectors of RFC 6238 and RFC 4648.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { totpBytes, totpCode, totpMatch, totpSecret, totpStep, totpUrl } from './totp.ts';

const rfcSecret = Buffer.from('12345678901234567890');

describe('one-time codes', () => {
  it('match RFC 6238, appendix B', () => {
    const vectors: [number, string][] = [
      [59, '94287082'],
      [1111111109, '07081804'],
      [1111111111, '14050471'],
      [1234567890, '89005924'],
      [2000000000, '69279037'],
      [20000000000, '65353130'],
    ];
    for (const [seconds, code] of vectors) assert.equal(totpCode(rfcSecret, totpStep(seconds * 1000), 8), code);
  });

  it('decode a secret as base32 (RFC 4648)', () => {
    assert.equal(totpBytes('mzxw6ytb').toString(), 'fooba');
    assert.deepEqual(totpBytes('gezdgnbvgy3tqojqgezdgnbvgy3tqojq'), rfcSecret);
    assert.equal(totpBytes(totpSecret()).length, 20);
  });

  it('are valid in their own step and its neighbours only', () => {
    const moment = fc.integer({ min: 60_000_000, max: 4_000_000_000_000 });
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 20, maxLength: 20 }),
        moment,
        fc.integer({ min: -3, max: 3 }),
        (bytes, now, off) => {
          const secret = Buffer.from(bytes);
          const step = totpStep(now) + off;
          const matched = totpMatch(secret, totpCode(secret, step), now);
          if (Math.abs(off) <= 1) assert.notEqual(matched, undefined);
          // Two steps of one secret can share a code by chance; then either may match.
          else if (matched !== undefined) assert.equal(totpCode(secret, matched), totpCode(secret, step));
        },
      ),
    );
  });

  it('reject texts that are not codes, of any length', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), (text) => {
        const now = 1_700_000_000_000;
        const right = [-1, 0, 1].map((off) => totpCode(rfcSecret, totpStep(now) + off));
        assert.equal(totpMatch(rfcSecret, text, now) !== undefined, right.includes(text));
      }),
    );
  });

  it('are set up in an app by a link', () => {
    assert.equal(totpUrl('anna', 'mzxw6ytb'), 'otpauth://totp/Hostyard:anna?secret=MZXW6YTB&issuer=Hostyard');
  });
});
