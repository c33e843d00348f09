// Escape sequences of the console.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { escapeReader, type ConsoleInput } from './escape.ts';

function read(...pieces: string[]): string {
  const reader = escapeReader();
  return describeInput(pieces.flatMap((piece) => reader(Buffer.from(piece))));
}
function describeInput(inputs: readonly ConsoleInput[]): string {
  return inputs.map((input) => ('bytes' in input ? input.bytes.toString('latin1') : `<${input.command}>`)).join('');
}

describe('console input', () => {
  it('closes the console with a tilde and a dot at the start of a line', () => {
    assert.equal(read('~.'), '<close>');
    assert.equal(read('ls\r~.'), 'ls\r<close>');
    assert.equal(read('cd ~.'), 'cd ~.');
    assert.equal(read('ls\n', '~', '.'), 'ls\n<close>');
  });

  it('can be a break, help or a literal tilde', () => {
    assert.equal(read('~B'), '<break>');
    assert.equal(read('a\r~?'), 'a\r<help>');
    assert.equal(read('~~.'), '~.');
    assert.equal(read('~x'), '~x');
    assert.equal(read('~\r~.'), '~\r<close>');
  });

  it('means the same however it is split', () => {
    const keys = fc.array(fc.constantFrom('~', '.', 'B', '\r', '\n', 'a', '?'), { maxLength: 40 });
    fc.assert(fc.property(keys, (pieces) => assert.equal(read(...pieces), read(pieces.join('')))));
  });

  it('is passed on byte for byte', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const line = Buffer.concat([Buffer.from('a'), Buffer.from(bytes).filter((byte) => byte !== 0x7e)] as Buffer[]);
        const sent = escapeReader()(line).map((input) => ('bytes' in input ? input.bytes : Buffer.alloc(0)));
        assert.deepEqual(Buffer.concat(sent), line);
      }),
    );
  });
});
