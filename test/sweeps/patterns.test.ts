// Every regular expression of the source and of the contract: none can be made to run long by the text that it is given. They are
// found in the syntax tree, so that a new one is looked at the day it is written; how is told in test/support/patterns.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parseSync, Visitor, type ESTree } from 'vite';
import { slownessOf } from '#test/support/patterns/slowness.ts';

const root = join(import.meta.dirname, '..', '..');

interface Found {
  readonly source: string;
  readonly flags: string;
  readonly place: string;
}

/** Put together when they are used, from what is no caller's word: a length, a name of the contract. */
const composed = new Set(['src/kernel/key-text.ts', 'src/drivers/bmc/conformance.ts', 'scripts/sdk-source.ts']);

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|tsx|js)$/.test(name) && !/\.(?:test|d)\.ts$/.test(name))
    .map((name) => join(folder, name));
}

function patternsOfFile(place: string): { literal: Found[]; composes: boolean } {
  const text = readFileSync(join(root, place), 'utf8');
  const literal: Found[] = [];
  let composes = false;
  // To read a file costs more than all else here, and most have none.
  if (!/RegExp|pattern|\/[^/*\s]/.test(text)) return { literal, composes };
  const { program, errors } = parseSync(place, text);
  assert.deepEqual(errors, [], place);
  const made = ({ callee }: ESTree.NewExpression | ESTree.CallExpression): void => {
    composes ||= callee.type === 'Identifier' && callee.name === 'RegExp';
  };
  new Visitor({
    Literal(node) {
      if ('regex' in node) literal.push({ source: node.regex.pattern, flags: node.regex.flags, place });
    },
    Property({ key, value }) {
      const isPattern = key.type === 'Identifier' && key.name === 'pattern' && value.type === 'Literal';
      if (isPattern && typeof value.value === 'string') literal.push({ source: value.value, flags: 'u', place });
    },
    NewExpression: made,
    CallExpression: made,
  }).visit(program);
  return { literal, composes };
}

/** Those of the contract as callers see them: what is put together from parts is whole there. */
function patternsOfDocument(place: string): Found[] {
  const found: Found[] = [];
  JSON.parse(readFileSync(join(root, place), 'utf8'), (name, value: unknown) => {
    if (name === 'pattern' && typeof value === 'string') found.push({ source: value, flags: 'u', place });
    return value;
  });
  return found;
}

describe('patterns', () => {
  const slow = [
    ['^([a-zA-Z]{3,30}\\s*)+$', 'exponential'],
    ['^(?:a+)+$', 'exponential'],
    ['^(?:\\w*)*$', 'exponential'],
    ['^(?:a|a)*$', 'exponential'],
    ['^(?:a|b|ab)*$', 'exponential'],
    ['^(?:(?=.*x)a)*$', 'polynomial'],
    ['^a*a*$', 'polynomial'],
    ['\\s+$', 'polynomial'],
    ['\\s*,\\s*', 'polynomial'],
  ] as const;
  test('that run long are told from those that do not', () => {
    for (const [source, growth] of slow) assert.equal(slownessOf(source, 'u')?.growth, growth, source);
    const quick = ['^a+b', 'a+', '^(?:a+b)+$', '(?<![a-z])[a-z]+=', '^(?=.{1,9}$)[a-z]+(?:\\.[a-z]+)*$', '^a{2,5}$'];
    for (const source of quick) assert.equal(slownessOf(source, 'u'), undefined, source);
  });

  test('of the source and the contract take time in proportion to their text', () => {
    const files = ['src', 'bin', 'scripts'].flatMap(filesOf).map((place) => ({ place, ...patternsOfFile(place) }));
    const documents = readdirSync(join(root, 'golden')).filter((name) => name.endsWith('.json'));
    const found = [
      ...files.flatMap(({ literal }) => literal),
      ...documents.flatMap((name) => patternsOfDocument(join('golden', name))),
    ];
    const different = new Map(found.map((one) => [`/${one.source}/${one.flags}`, one]));
    assert.ok(different.size > 150, `only ${different.size} were found`);
    for (const [name, { source, flags, place }] of different)
      assert.deepEqual(slownessOf(source, flags), undefined, `${name} in ${place}`);
    const composing = files.filter(({ composes }) => composes).map(({ place }) => place);
    assert.deepEqual(new Set(composing), composed);
  });
});
