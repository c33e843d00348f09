import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { makeKeyText, readKeyText } from './key-text.ts';
import { sameSecret } from './secrets.ts';

describe('the text of a key', () => {
  it('is read back as it was made', () => {
    for (let round = 0; round < 50; round++) {
      const { text, printableId, secretHash } = makeKeyText();
      const read = readKeyText(text);
      assert.equal(read?.printableId, printableId);
      assert.ok(sameSecret(read!.secretHash, secretHash));
    }
  });

  it('keeps its printable id when it is made anew', () => {
    const first = makeKeyText();
    const second = makeKeyText(first.printableId);
    assert.equal(second.printableId, first.printableId);
    assert.notEqual(second.text, first.text);
  });

  it('is none with any one character changed, left out or added', () => {
    const { text } = makeKeyText();
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

  it('is not found in other texts', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => readKeyText(text) === undefined));
  });
});
