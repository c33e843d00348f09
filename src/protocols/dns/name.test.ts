import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { PresentationError } from './errors.ts';
import { ancestorNames, toAbsolute, isWithin, parseName, relativeName, wireLength } from './name.ts';
import { Reader } from './reader.ts';
import { Writer } from './writer.ts';

const labels = fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { maxLength: 8 });

function wireOf(parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat([...parts.flatMap((part) => [Buffer.of(part.length), Buffer.from(part)]), Buffer.of(0)]);
}

describe('domain names', () => {
  it('are lower case, without the trailing dot', () => {
    assert.equal(parseName('WWW.Example.COM.'), 'www.example.com');
    assert.equal(parseName('.'), '');
    assert.equal(parseName('_dmarc.example.com'), '_dmarc.example.com');
    assert.equal(parseName('0/26.2.0.192.in-addr.arpa'), '0/26.2.0.192.in-addr.arpa');
  });

  it('without a trailing dot are relative to the origin, if there is one', () => {
    assert.equal(parseName('www', 'example.com'), 'www.example.com');
    assert.equal(parseName('www.', 'example.com'), 'www');
    assert.equal(parseName('@', 'example.com'), 'example.com');
  });

  it('have one form of each escape', () => {
    assert.equal(parseName('a\\.b.c'), 'a\\.b.c');
    assert.equal(parseName('\\065\\032b.c'), 'a\\032b.c');
    assert.equal(parseName('a\\\\.b'), 'a\\\\.b');
  });

  it('that are malformed are rejected with a reason', () => {
    const reasons: [string, RegExp][] = [
      ['', /empty/],
      ['a..b', /empty label/],
      ['.a', /empty label/],
      [`${'a'.repeat(64)}.b`, /longer than 63/],
      [Array.from({ length: 50 }, () => 'abcde').join('.'), /longer than 255/],
      ['a b', /escaped/],
      ['bücher.example', /xn--/],
      ['a\\', /nothing to escape/],
      ['a\\256', /above 255/],
      ['a\\25', /three digits/],
    ];
    for (const [text, reason] of reasons) {
      assert.throws(
        () => parseName(text),
        (error) => error instanceof PresentationError && reason.test(error.message),
        text,
      );
    }
  });

  it('of any bytes survive conversion to text and back', () => {
    fc.assert(
      fc.property(labels, (parts) => {
        const wire = wireOf(parts);
        fc.pre(wire.length <= 255);
        const name = new Reader(wire).name();
        assert.equal(parseName(toAbsolute(name)), name);
        assert.equal(wireLength(name), wire.length);
        const out = new Writer();
        out.name(name);
        assert.equal(new Reader(out.finish()).name(), name);
        assert.equal(ancestorNames(name).length, parts.length + 1);
      }),
    );
  });

  it('compressed in one message are all decoded', () => {
    fc.assert(
      fc.property(fc.array(labels, { maxLength: 10 }), (many) => {
        const names = many
          .map(wireOf)
          .filter((wire) => wire.length <= 255)
          .map((wire) => new Reader(wire).name());
        const out = new Writer();
        for (const name of [...names, ...names]) out.compressedName(name);
        const reader = new Reader(out.finish());
        for (const name of [...names, ...names]) assert.equal(reader.name(), name);
        assert.equal(reader.left, 0);
      }),
    );
  });

  it('are within a zone by labels, not by characters', () => {
    assert.ok(isWithin('www.example.com', 'example.com'));
    assert.ok(isWithin('example.com', 'example.com'));
    assert.ok(!isWithin('badexample.com', 'example.com'));
    assert.ok(!isWithin('www\\.example.com', 'example.com'));
    assert.ok(isWithin('anything', ''));
    assert.equal(relativeName('www.example.com', 'example.com'), 'www');
    assert.equal(relativeName('www\\.example.com', 'example.com'), 'www\\.example.com.');
  });
});
