import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Fault } from '#kernel/fault.ts';
import { formPairs, jsonPairs, queryPairs } from './body.ts';

const pairs = (text: string) => jsonPairs(Buffer.from(text));

const names = fc.string({ unit: 'grapheme' }).filter((name) => name !== '\\');

describe('a JSON body as names and values', () => {
  it('is what JSON.parse says, where no name is there twice', () => {
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue()), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        assert.deepEqual(new Map(pairs(text)), new Map(Object.entries(JSON.parse(text) as object)));
      }),
    );
  });

  it('has every member of a name that is there more than once, in order', () => {
    // No name that is a backslash alone: V8 13.6 takes the next name that is written as an escape for that one.
    const member = fc.tuple(fc.constantFrom('a', 'b', '{', '"', '\\ ', ',', 'é'), fc.jsonValue());
    const escaped = (name: string) =>
      `"${[...name].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
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

  it('is empty where nothing was sent', () => {
    assert.deepEqual([pairs(''), pairs(' \n'), pairs('{}')], [[], [], []]);
  });

  it('is refused where it is no object', () => {
    for (const text of ['[]', '1', 'null', '"x"', 'true', '{', '{"a"}', '{"a":1,}', '{"a":01}', 'undefined'])
      assert.throws(
        () => pairs(text),
        (error) => error instanceof Fault && error.code === 'malformed_request',
        text,
      );
  });
});

describe('forms and queries', () => {
  it('keep a name that is there twice', () => {
    const expected = [
      ['a', '1'],
      ['a', '2'],
      ['b', 'x y'],
    ];
    assert.deepEqual(formPairs(Buffer.from('a=1&a=2&b=x+y')), expected);
    assert.deepEqual(queryPairs('a=1&a=2&b=x%20y'), expected);
    assert.deepEqual(queryPairs(''), []);
  });

  it('are refused where they are not UTF-8', () => {
    assert.throws(() => formPairs(Buffer.from([0x61, 0x3d, 0xff])), Fault);
  });
});
