import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Fault } from '#kernel/fault.ts';
import { secretBox } from '#kernel/secrets.ts';
import type { AccountId } from '#store/tables.ts';
import { cursorText, readCursor } from './events.ts';

const here = { secrets: secretBox(Buffer.alloc(32, 1)) };
const elsewhere = { secrets: secretBox(Buffer.alloc(32, 2)) };
const account = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map((id) => id as AccountId);
const sequence = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const refused = (text: string, whose: AccountId, where = here): void =>
  assert.throws(
    () => readCursor(where, whose, text, 'after'),
    (error: unknown) => error instanceof Fault && error.status === 400 && error.fields?.['after'] !== undefined,
  );

describe('a cursor', () => {
  it('is read by the account and the installation that gave it, and by no other', () => {
    fc.assert(
      fc.property(account, account, sequence, (own, other, number) => {
        const text = cursorText(here, own, number);
        assert.match(text, /^[\w-]{1,128}$/);
        assert.equal(readCursor(here, own, text, 'after'), number);
        if (own !== other) refused(text, other);
        refused(text, own, elsewhere);
      }),
    );
  });

  it('is refused with any character changed, added or taken away', () => {
    fc.assert(
      fc.property(account, sequence, fc.nat(), fc.constantFrom('', 'A', '_', '='), (own, number, place, character) => {
        const text = cursorText(here, own, number);
        const at = place % text.length;
        const changed = `${text.slice(0, at)}${character}${text.slice(at + 1)}`;
        if (changed !== text) refused(changed, own);
        refused(`${text}${character === '' ? 'A' : character}`, own);
      }),
    );
  });

  it('cannot be made up', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 128 }), (text) => refused(text, 1 as AccountId)));
  });
});
