// The way out of a console.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { escapeReader, type Typed } from './escape.ts';

function read(...pieces: string[]): string {
  const reader = escapeReader();
  return told(pieces.flatMap((piece) => reader(Buffer.from(piece))));
}
function told(typed: readonly Typed[]): string {
  return typed.map((each) => ('bytes' in each ? each.bytes.toString('latin1') : `<${each.command}>`)).join('');
}

describe('keys in a console', () => {
  it('end it with a tilde and a dot at the beginning of a line', () => {
    assert.equal(read('~.'), '<close>');
    assert.equal(read('ls\r~.'), 'ls\r<close>');
    assert.equal(read('cd ~.'), 'cd ~.');
    assert.equal(read('ls\n', '~', '.'), 'ls\n<close>');
  });

  it('send a break, help, or a tilde', () => {
    assert.equal(read('~B'), '<break>');
    assert.equal(read('a\r~?'), 'a\r<help>');
    assert.equal(read('~~.'), '~.');
    assert.equal(read('~x'), '~x');
    assert.equal(read('~\r~.'), '~\r<close>');
  });

  it('mean the same in whatever pieces they arrive', () => {
    const keys = fc.array(fc.constantFrom('~', '.', 'B', '\r', '\n', 'a', '?'), { maxLength: 40 });
    fc.assert(fc.property(keys, (all) => assert.equal(read(...all), read(all.join('')))));
  });

  it('reach the line as the bytes that they are', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const line = Buffer.concat([Buffer.from('a'), Buffer.from(bytes).filter((byte) => byte !== 0x7e)] as Buffer[]);
        const sent = escapeReader()(line).map((typed) => ('bytes' in typed ? typed.bytes : Buffer.alloc(0)));
        assert.deepEqual(Buffer.concat(sent), line);
      }),
    );
  });
});
