import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { ApiError } from '#lib/api-error.ts';
import { readForm, readJson, readQuery } from './body.ts';

const pairs = (text: string) => readJson(Buffer.from(text));

const names = fc.string({ unit: 'grapheme' }).filter((name) => name !== '\\');

describe('a JSON body as names and values', () => {
  it('equals the result of JSON.parse if no name is repeated', () => {
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue()), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        assert.deepEqual(new Map(pairs(text)), new Map(Object.entries(JSON.parse(text) as object)));
      }),
    );
  });

  it('has every member of a repeated name, in order', () => {
    // Without a name that is only a backslash: V8 13.6 mistakes the next escaped name for it.
    const member = fc.tuple(fc.constantFrom('a', 'b', '{', '"', '\\ ', ',', 'é'), fc.jsonValue());
    const escaped = (name: string) =>
      `"${[...name].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
    fc.assert(
      fc.property(fc.array(member, { minLength: 1, maxLength: 8 }), fc.boolean(), (members, escape) => {
        const text = members.map(
          ([name, value]) => `${escape ? escaped(name) : JSON.stringify(name)} : ${JSON.stringify(value)}`,
        );
        const expected = members.map(([name, value]) => [name, JSON.parse(JSON.stringify(value)) as unknown]);
        const read = pairs(`\n{ ${text.join(' , ')} }\t`);
        const sorted = (list: readonly (readonly [unknown, unknown])[]) =>
          list.map((pair) => JSON.stringify(pair)).sort();
        assert.deepEqual(sorted(read), sorted(expected as [unknown, unknown][]));
      }),
    );
  });

  it('is empty if nothing was sent', () => {
    assert.deepEqual([pairs(''), pairs(' \n'), pairs('{}')], [[], [], []]);
  });

  it('is rejected if it is not an object', () => {
    for (const text of ['[]', '1', 'null', '"x"', 'true', '{', '{"a"}', '{"a":1,}', '{"a":01}', 'undefined'])
      assert.throws(
        () => pairs(text),
        (error) => error instanceof ApiError && error.code === 'malformed_request',
        text,
      );
  });
});

describe('forms and queries', () => {
  it('keep repeated names', () => {
    const expected = [
      ['a', '1'],
      ['a', '2'],
      ['b', 'x y'],
    ];
    assert.deepEqual(readForm(Buffer.from('a=1&a=2&b=x+y')), expected);
    assert.deepEqual(readQuery('a=1&a=2&b=x%20y'), expected);
    assert.deepEqual(readQuery(''), []);
  });
});

describe('a body', () => {
  it('has at most a thousand names', () => {
    const tooMany = { code: 'malformed_request', message: 'The body has too many parameters.' };
    for (const text of ['a&', 'a=1&', '&', 'a+&']) {
      assert.throws(() => readForm(Buffer.from(text.repeat(2 ** 18))), tooMany);
      assert.doesNotThrow(() => readForm(Buffer.from(text.repeat(999))));
    }
    const object = (name: (index: number) => string, count: number) =>
      pairs(`{${Array.from({ length: count }, (_, index) => `"${name(index)}":1`).join()}}`);
    for (const name of [String, () => 'same']) {
      assert.throws(() => object(name, 1001), tooMany);
      assert.equal(object(name, 1000).length, 1000);
    }
  });
});

describe('a form', () => {
  const form = (text: string) => readForm(Buffer.from(text, 'latin1'));

  it('is rejected if it is in another encoding than UTF-8, also percent-encoded', () => {
    for (const text of ['city=M\xfcnchen', 'city=M%FCnchen', 'M%FCnchen=1', 'city=%ED%A0%80'])
      assert.throws(() => form(text), { code: 'malformed_request' }, text);
    assert.deepEqual(form('city=M%C3%BCnchen&rate=100%'), [
      ['city', 'München'],
      ['rate', '100%'],
    ]);
    assert.deepEqual(form('name=%ef%bf%bd'), [['name', '\ufffd']]);
  });
});
