// The rooms of src: each imports only from the rooms that its tsconfig names. The compiler lets a reference of a reference
// pass; here it does not. The few other rules of the house that a machine can check stand here too.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { describe, test } from 'node:test';

const source = join(import.meta.dirname, '..', '..', 'src');
const rooms = globSync('*/tsconfig.json', { cwd: source }).map((file) => file.split('/')[0]!);
const importPattern =
  /(?:^|\n)\s*(?:import|export)\b[^;'"]*?\bfrom\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|(?:^|\n)import\s+['"]([^'"]+)['"]/g;
const longestLines = 400;

function filesOf(room: string): string[] {
  return globSync('**/*.{ts,tsx}', { cwd: join(source, room) })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => join(source, room, file));
}
function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(importPattern)].map(
    ([, from, dynamic, bare]) => (from ?? dynamic ?? bare)!,
  );
}
function referencesOf(room: string): Set<string> {
  const { references } = JSON.parse(readFileSync(join(source, room, 'tsconfig.json'), 'utf8')) as {
    references: { path: string }[];
  };
  return new Set(references.map(({ path }) => basename(path)));
}

describe('the rooms', () => {
  test('are all of src but for where it begins', () => {
    const strays = globSync('*', { cwd: source }).filter((name) => !rooms.includes(name));
    assert.deepEqual(strays.sort(), ['main.ts', 'tsconfig.json']);
  });

  for (const room of rooms) {
    test(`${room} imports only from the rooms that it names`, () => {
      const allowed = referencesOf(room).add(room);
      for (const file of filesOf(room)) {
        for (const target of importsOf(file)) {
          const where = `${relative(source, file)} imports ${target}`;
          if (target.startsWith('#')) {
            const to = target.slice(1).split('/')[0]!;
            assert.ok(allowed.has(to), `${where}: ${room} does not name ${to} in its tsconfig.json`);
            assert.ok(existsSync(join(source, target.slice(1))), `${where}, which is not there`);
          } else if (target.startsWith('.')) {
            const to = resolve(file, '..', target);
            assert.ok(!relative(join(source, room), to).startsWith('..'), `${where}: across rooms by # only`);
          }
        }
      }
    });
  }

  test('name no room that names them', () => {
    for (const room of rooms)
      for (const other of referencesOf(room)) assert.ok(!referencesOf(other).has(room), `${room} and ${other}`);
  });
});

describe('every file of src', () => {
  const all = globSync('**/*.{ts,tsx}', { cwd: source }).map((file) => join(source, file));

  test('opens by saying what it is for', () => {
    for (const file of all.filter((name) => !name.endsWith('.test.ts') && !name.endsWith('.d.ts')))
      assert.match(readFileSync(file, 'utf8'), /^(?:\/\/|\/\*)/, relative(source, file));
  });

  test('exports by name', () => {
    for (const file of all)
      assert.doesNotMatch(readFileSync(file, 'utf8'), /^export default\b/m, relative(source, file));
  });

  test('is at most 400 lines long, or says at its top why it is longer', () => {
    for (const file of all) {
      const text = readFileSync(file, 'utf8');
      const reason = /^(?:\/\/.*\n)*\/\/.*\blong\b/.test(text);
      assert.ok(text.split('\n').length <= longestLines || reason, relative(source, file));
    }
  });
});
