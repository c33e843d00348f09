import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { ApiError } from '#lib/api-error.ts';
import { secretBox } from '#lib/secrets.ts';
import type { AccountId } from '#store/account-id.ts';
import { cursorText, readCursor } from './events.ts';

const installation = { secrets: secretBox(Buffer.alloc(32, 1)) };
const otherInstallation = { secrets: secretBox(Buffer.alloc(32, 2)) };
const accounts = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map((id) => id as AccountId);
const sequence = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const rejects = (text: string, account: AccountId, issuer = installation): void =>
  assert.throws(
    () => readCursor(issuer, account, text, 'after'),
    (error: unknown) => error instanceof ApiError && error.status === 400 && error.fields?.['after'] !== undefined,
  );

describe('a cursor', () => {
  it('is valid for the account and installation that issued it, and for no other', () => {
    fc.assert(
      fc.property(accounts, accounts, sequence, (owner, other, number) => {
        const text = cursorText(installation, owner, number);
        assert.match(text, /^[\w-]{1,128}$/);
        assert.equal(readCursor(installation, owner, text, 'after'), number);
        if (owner !== other) rejects(text, other);
        rejects(text, owner, otherInstallation);
      }),
    );
  });

  it('is rejected with any character changed, added or removed', () => {
    fc.assert(
      fc.property(
        accounts,
        sequence,
        fc.nat(),
        fc.constantFrom('', 'A', '_', '='),
        (owner, number, place, character) => {
          const text = cursorText(installation, owner, number);
          const at = place % text.length;
          const changed = `${text.slice(0, at)}${character}${text.slice(at + 1)}`;
          if (changed !== text) rejects(changed, owner);
          rejects(`${text}${character === '' ? 'A' : character}`, owner);
        },
      ),
    );
  });

  it('cannot be forged', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 128 }), (text) => rejects(text, 1 as AccountId)));
  });
});
