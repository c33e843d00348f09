// The digest agrees with that of OpenSSL, and solutions have the bits that they need.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { sha256, solveChallenge } from './proof-of-work.ts';

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

describe('proof of work', () => {
  it('the digest of every text in ASCII is the one of OpenSSL', () => {
    for (let length = 0; length < 130; length++) assertDigest('a'.repeat(length));
    fc.assert(fc.property(fc.string({ unit: 'binary-ascii', maxLength: 300 }), assertDigest));
  });

  it('a solution has enough zero bits, and is the first number that does', async () => {
    const challenges = fc.tuple(fc.string({ unit: 'grapheme-ascii', maxLength: 80 }), fc.integer({ min: 0, max: 10 }));
    await fc.assert(
      fc.asyncProperty(challenges, async ([challenge, difficulty]) => {
        const solution = await solveChallenge({ challenge, difficulty });
        const isSolution = (number: number): boolean =>
          Math.clz32(digestOf(`${challenge}:${number}`).readUInt32BE(0)) >= difficulty;
        assert.ok(isSolution(Number(solution)));
        assert.ok(![...Array(Number(solution)).keys()].some(isSolution));
      }),
      { numRuns: 30 },
    );
  });

  it('reports progress, and stops when it is aborted', async () => {
    const shares: number[] = [];
    const abort = new AbortController();
    const onProgress = (share: number): void => {
      shares.push(share);
      if (shares.length === 2) abort.abort(new Error('enough'));
    };
    const solving = solveChallenge({ challenge: 'x', difficulty: 32 }, { onProgress, signal: abort.signal });
    await assert.rejects(solving, /enough/);
    assert.deepEqual(
      shares,
      shares.toSorted((left, right) => left - right),
    );
  });
});

function assertDigest(text: string): void {
  assert.deepEqual(
    [...sha256(text)],
    [0, 4, 8, 12, 16, 20, 24, 28].map((at) => digestOf(text).readUInt32BE(at)),
  );
}
