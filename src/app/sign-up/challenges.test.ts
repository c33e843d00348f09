// Challenges carry everything that decides about them, and only we can write one.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { Check } from 'typebox/schema';
import { ProofChallenge } from '#contract/shapes/sign-up.ts';
import { ApiError } from '#lib/api-error.ts';
import { secretBox } from '#lib/secrets.ts';
import { solveChallenge } from '#sdk/proof-of-work.ts';
import { createChallenge, requireSolution } from './challenges.ts';

const now = Date.parse('2026-11-16T12:00:00Z');
const app = { secrets: secretBox(randomBytes(32)), clock: { now: () => now } } as Parameters<typeof requireSolution>[0];
const fieldsOf = (call: () => unknown): string[] => {
  try {
    call();
    return [];
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return Object.keys(error.fields ?? {});
  }
};

describe('challenges of sign-ups', () => {
  it('are accepted with a solution until they expire, and have the documented form', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 10 }), fc.integer({ min: -5, max: 5 }), async (difficulty, leftMs) => {
        const challenge = createChallenge(app, difficulty, now + leftMs);
        assert.ok(Check(ProofChallenge, challenge), challenge);
        const solution = await solveChallenge({ challenge, difficulty });
        const check = (): unknown => requireSolution(app, { challenge, solution });
        assert.deepEqual(fieldsOf(check), leftMs > 0 ? [] : ['challenge']);
      }),
      { numRuns: 40 },
    );
  });

  it('are rejected if any part was changed, or another installation signed them', () => {
    const challenge = createChallenge(app, 0, now + 60_000);
    const characters = [...'ABCxyz019_-.'];
    fc.assert(
      fc.property(fc.nat(challenge.length - 2), fc.constantFrom(...characters), (at, character) => {
        fc.pre(challenge[at] !== character);
        const changed = `${challenge.slice(0, at)}${character}${challenge.slice(at + 1)}`;
        assert.deepEqual(
          fieldsOf(() => requireSolution(app, { challenge: changed, solution: '0' })),
          ['challenge'],
        );
      }),
    );
    const other = createChallenge({ secrets: secretBox(randomBytes(32)) }, 0, now + 60_000);
    assert.deepEqual(
      fieldsOf(() => requireSolution(app, { challenge: other, solution: '0' })),
      ['challenge'],
    );
  });

  it('are the same challenge however their signature is written', () => {
    const challenge = createChallenge(app, 0, now + 60_000);
    const digests = new Set<string>();
    for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
      const written = `${challenge.slice(0, -1)}${last}`;
      const fields = fieldsOf(() => digests.add(requireSolution(app, { challenge: written, solution: '0' }).digest));
      assert.ok(fields.length === 0 || fields[0] === 'challenge');
    }
    assert.equal(digests.size, 1);
  });
});
