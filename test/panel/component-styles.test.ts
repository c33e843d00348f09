// The panel loads the styles of exactly the components that it uses. A missing style shows only in a browser, so it is
// checked here.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { it } from 'node:test';

const root = join(import.meta.dirname, '..', '..');
const library = join(root, 'node_modules', '@mantine');
const components = new Map(
  globSync(`${library}/core/esm/components/**/*.mjs`).map((file) => [basename(file, '.mjs'), file]),
);

/** Returns the library components that the files use. */
function used(pattern: string): string[] {
  const texts = globSync(pattern, { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
  const imports = texts.flatMap((text) => [...text.matchAll(/import \{([^}]*)\} from ["']@mantine\/core["']/g)]);
  const names = imports.flatMap(([, list]) => list!.split(',').map((name) => name.trim().split(' ')[0]!));
  return names.filter((name) => components.has(name));
}

/** Adds the components that a component consists of, by its imports. */
function madeOf(file: string, visited: Set<string>): void {
  if (visited.has(file) || !existsSync(file)) return;
  visited.add(file);
  for (const [, target] of readFileSync(file, 'utf8').matchAll(/from "(\.[^"]+)"/g))
    madeOf(join(dirname(file), target!), visited);
}

it('every component that the panel uses has its styles, and no other', () => {
  const files = new Set<string>();
  for (const pattern of ['src/panel/**/*.tsx', 'node_modules/@mantine/{notifications,spotlight}/esm/*.mjs'])
    for (const name of used(pattern)) madeOf(components.get(name)!, files);
  const needed = [...files].flatMap((file) => /(\w+)\.module\.mjs$/.exec(file)?.[1] ?? []);
  const list = readFileSync(join(root, 'src/panel/component-styles.css'), 'utf8');
  const loaded = [...list.matchAll(/styles\/([A-Z]\w+)\.layer/g)].map(([, name]) => name!);
  assert.ok(needed.length > 40, 'few components were found');
  assert.deepEqual(loaded.toSorted(), [...new Set(needed)].toSorted());
});
