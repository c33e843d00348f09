import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { createKeyText, readKeyText } from './key-text.ts';
import { sameSecret } from './secrets.ts';

describe('the text of a key', () => {
  it('is parsed to what it was created from', () => {
    for (let round = 0; round < 50; round++) {
      const { text, printableId, secretHash } = createKeyText();
      const read = readKeyText(text);
      assert.equal(read?.printableId, printableId);
      assert.ok(sameSecret(read!.secretHash, secretHash));
    }
  });

  it('keeps its printable id when it is rotated', () => {
    const first = createKeyText();
    const second = createKeyText(first.printableId);
    assert.equal(second.printableId, first.printableId);
    assert.notEqual(second.text, first.text);
  });

  it('is rejected with any one character changed, missing or added', () => {
    const { text } = createKeyText();
    const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789_ABC\n\u0131';
    for (let at = 0; at < text.length; at++) {
      assert.equal(readKeyText(text.slice(0, at) + text.slice(at + 1)), undefined);
      for (const character of alphabet) {
        assert.equal(readKeyText(text.slice(0, at) + character + text.slice(at)), undefined);
        if (character !== text[at])
          assert.equal(
            readKeyText(text.slice(0, at) + character + text.slice(at + 1)),
            undefined,
            `${at} ${character}`,
          );
      }
    }
  });

  it('does not occur in other texts', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => readKeyText(text) === undefined));
  });
});
