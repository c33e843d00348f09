// No regular expression of the source or the contract can be made slow by its input. They are found in the syntax tree,
// so that a new one is checked the day it is written; test/support/patterns has the method.
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

/** Composed at run time from trusted parts: a length, a name of the contract, an escaped host name. */
const composed = new Set([
  'src/app/servers/controller-launcher.ts',
  'src/lib/key-text.ts',
  'src/lib/performance/stack-traces.ts',
  'src/drivers/bmc/conformance.ts',
  'scripts/sdk-source.ts',
]);

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|tsx|js)$/.test(name) && !/\.(?:test|d)\.ts$/.test(name))
    .map((name) => join(folder, name));
}

function patternsOfFile(place: string): { literal: Found[]; composes: boolean } {
  const text = readFileSync(join(root, place), 'utf8');
  const literal: Found[] = [];
  let composes = false;
  // Parsing costs more than everything else here, and most files have no pattern.
  if (!/RegExp|pattern|\/[^/*\s]/.test(text)) return { literal, composes };
  const { program, errors } = parseSync(place, text);
  assert.deepEqual(errors, [], place);
  const checkCallee = ({ callee }: ESTree.NewExpression | ESTree.CallExpression): void => {
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
    NewExpression: checkCallee,
    CallExpression: checkCallee,
  }).visit(program);
  return { literal, composes };
}

/** The contract's patterns as callers see them, where composed ones are complete. */
function patternsOfDocument(place: string): Found[] {
  const patterns: Found[] = [];
  JSON.parse(readFileSync(join(root, place), 'utf8'), (name, value: unknown) => {
    if (name === 'pattern' && typeof value === 'string') patterns.push({ source: value, flags: 'u', place });
    return value;
  });
  return patterns;
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
  test('that can be made slow are distinguished from those that cannot', () => {
    for (const [source, growth] of slow) assert.equal(slownessOf(source, 'u')?.growth, growth, source);
    const quick = ['^a+b', 'a+', '^(?:a+b)+$', '(?<![a-z])[a-z]+=', '^(?=.{1,9}$)[a-z]+(?:\\.[a-z]+)*$', '^a{2,5}$'];
    for (const source of quick) assert.equal(slownessOf(source, 'u'), undefined, source);
  });

  test('of the source and the contract take time in proportion to their input', () => {
    const files = ['src', 'bin', 'scripts'].flatMap(filesOf).map((place) => ({ place, ...patternsOfFile(place) }));
    const documents = readdirSync(join(root, 'golden')).filter((name) => name.endsWith('.json'));
    const patterns = [
      ...files.flatMap(({ literal }) => literal),
      ...documents.flatMap((name) => patternsOfDocument(join('golden', name))),
    ];
    const different = new Map(patterns.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]));
    assert.ok(different.size > 150, `only ${different.size} were found`);
    for (const [name, { source, flags, place }] of different)
      assert.deepEqual(slownessOf(source, flags), undefined, `${name} in ${place}`);
    const composing = files.filter(({ composes }) => composes).map(({ place }) => place);
    assert.deepEqual(new Set(composing), composed);
  });
});
