// Checks the module boundaries of src, and the few other rules of the code base that a program can check. The compiler accepts an
// import from a reference of a reference; this test does not.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { describe, test } from 'node:test';

const source = join(import.meta.dirname, '..', '..', 'src');
const modules = globSync('*/tsconfig.json', { cwd: source }).map((file) => file.split('/')[0]!);
const importPattern =
  /(?:^|\n)\s*(?:import|export)\b[^;'"]*?\bfrom\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|(?:^|\n)import\s+['"]([^'"]+)['"]/g;
const maxLines = 400;

function filesIn(module: string): string[] {
  return globSync('**/*.{ts,tsx}', { cwd: join(source, module) })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => join(source, module, file));
}
function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(importPattern)].map(
    ([, from, dynamic, bare]) => (from ?? dynamic ?? bare)!,
  );
}
function runtimeImportsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(importPattern)]
    .filter(([statement]) => !/^\s*(?:import|export) type\b/.test(statement))
    .map(([, from, dynamic, bare]) => (from ?? dynamic ?? bare)!);
}
function referencesOf(module: string): Set<string> {
  const { references } = JSON.parse(readFileSync(join(source, module, 'tsconfig.json'), 'utf8')) as {
    references: { path: string }[];
  };
  return new Set(references.map(({ path }) => basename(path)));
}

describe('modules', () => {
  test('everything in src except its entry point belongs to a module', () => {
    const strays = globSync('*', { cwd: source }).filter((name) => !modules.includes(name));
    assert.deepEqual(strays.sort(), ['main.ts', 'tsconfig.json']);
  });

  for (const module of modules) {
    test(`${module} imports only from the modules that its tsconfig.json references`, () => {
      const allowed = referencesOf(module).add(module);
      for (const file of filesIn(module)) {
        for (const target of importsOf(file)) {
          const where = `${relative(source, file)} imports ${target}`;
          if (target.startsWith('#')) {
            const to = target.slice(1).split('/')[0]!;
            assert.ok(allowed.has(to), `${where}: ${module} does not reference ${to} in its tsconfig.json`);
            assert.ok(existsSync(join(source, target.slice(1))), `${where}, which does not exist`);
          } else if (target.startsWith('.')) {
            const to = resolve(file, '..', target);
            assert.ok(
              !relative(join(source, module), to).startsWith('..'),
              `${where}: import from other modules with #`,
            );
          }
        }
      }
    });
  }

  test('the table in docs/explanation/architecture.md lists what each module may import', () => {
    const page = readFileSync(join(source, '..', 'docs', 'explanation', 'architecture.md'), 'utf8');
    const section = page.slice(page.indexOf('## Modules'), page.indexOf('## One declaration'));
    const table = new Map(
      Array.from(section.matchAll(/^\| `(\w+)` .*\| (.+?) +\|$/gm), ([, module, text]) => [module, text]),
    );
    assert.deepEqual([...table.keys()].sort(), modules.toSorted());
    for (const [module, text = ''] of table) {
      const names = text
        .replace(/^(?:nothing|all except )/, '')
        .split(/, | and /)
        .filter(Boolean);
      const others = modules.filter((name) => name !== module && !names.includes(name));
      const documented = text.startsWith('all except ') ? others : names;
      assert.deepEqual(documented.sort(), [...referencesOf(module!)].sort(), module);
    }
  });

  test('no two modules reference each other', () => {
    for (const module of modules)
      for (const other of referencesOf(module)) assert.ok(!referencesOf(other).has(module), `${module} and ${other}`);
  });

  test('no files import each other in a cycle, not even types', () => {
    assert.deepEqual(importCycles(modules.flatMap(filesIn)), []);
  });

  // Its 250 files would be most of what a thread loads, and every test that opens an app starts one.
  test("the name server's threads do not load the query builder", () => {
    const visited = new Set<string>();
    const visit = (file: string): void => {
      if (visited.has(file) || !existsSync(file)) return;
      visited.add(file);
      for (const target of runtimeImportsOf(file)) {
        assert.notEqual(target, 'kysely', relative(source, file));
        visit(resolveImport(file, target));
      }
    };
    visit(join(source, 'app', 'dns', 'name-server-thread.js'));
    assert.ok(visited.has(join(source, 'store', 'engine', 'reader.ts')));
  });
});

/** Returns the groups of files that reach each other through imports (the strongly connected components, by Tarjan's algorithm). */
function importCycles(files: readonly string[]): string[][] {
  const targets = new Map(files.map((file) => [file, importsOf(file).map((target) => resolveImport(file, target))]));
  const indexes = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): void => {
    const index = indexes.size;
    indexes.set(file, index);
    lowest.set(file, index);
    stack.push(file);
    for (const target of targets.get(file)!) {
      if (!targets.has(target)) continue;
      if (!indexes.has(target)) visit(target);
      if (stack.includes(target)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(target)!));
    }
    if (lowest.get(file) !== index) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) cycles.push(group.map((member) => relative(source, member)));
  };
  for (const file of files) if (!indexes.has(file)) visit(file);
  return cycles;
}
function resolveImport(file: string, target: string): string {
  return target.startsWith('#') ? join(source, target.slice(1)) : resolve(file, '..', target);
}

describe('every file of src', () => {
  const all = globSync('**/*.{ts,tsx}', { cwd: source }).map((file) => join(source, file));

  test('starts with a comment that says what it is for', () => {
    for (const file of all.filter((name) => !name.endsWith('.test.ts') && !name.endsWith('.d.ts')))
      assert.match(readFileSync(file, 'utf8'), /^(?:\/\/|\/\*)/, relative(source, file));
  });

  test('has no default export', () => {
    for (const file of all)
      assert.doesNotMatch(readFileSync(file, 'utf8'), /^export default\b/m, relative(source, file));
  });

  test('is at most 400 lines long, or says at its top why it is longer', () => {
    for (const file of all) {
      const text = readFileSync(file, 'utf8');
      const reason = /^(?:\/\/.*\n)*\/\/.*\blong\b/.test(text);
      assert.ok(text.split('\n').length <= maxLines || reason, relative(source, file));
    }
  });
});
