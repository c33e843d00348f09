// The documents match the code where a test can check it: the error list, the settings, the site file that readers
// copy, and links.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Errors } from 'typebox/value';
import { parse } from 'yaml';
import { exitCodes } from '#cli/exit-codes.ts';
import { errorKinds } from '#contract/errors.ts';
import { permissions, permissionsOf, roleNames, type Permission } from '#contract/roles.ts';
import { scopes } from '#contract/scopes.ts';
import { temporaryFolder } from '../support/folder.ts';
import { blocksOf, inlineOf } from '../support/pages.ts';

const root = join(import.meta.dirname, '..', '..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root });

describe('docs/reference/errors.md', () => {
  it('has every code once, with its status and its message', () => {
    const sections = text('docs/reference/errors.md').matchAll(/^### `(\w+)` \((\d+)\)\n\n> (.+)\n\n\w/gm);
    const documented = [...sections].map(([, code, status, message]) => `${code} ${status} ${message}`);
    const declared = Object.entries(errorKinds).map(([code, { status, message }]) => `${code} ${status} ${message}`);
    assert.deepEqual(documented.sort(), declared.sort());
  });
});

describe('docs/reference/permissions.md', () => {
  it('has every scope with what it allows', () => {
    for (const [name, meaning] of Object.entries(scopes))
      assert.match(text('docs/reference/permissions.md'), new RegExp(`^\\| \`${name}\` +\\| ${meaning} +\\|$`, 'm'));
  });
});

describe('the operators in docs/reference/permissions.md', () => {
  it('has every permission, with what it allows and its roles', () => {
    for (const [name, meaning] of Object.entries(permissions)) {
      const marks = roleNames.map((role) => (permissionsOf(role).has(name as Permission) ? 'yes' : ''));
      const row = [`\`${name}\``, meaning, ...marks].map((cell) => `\\| ${cell} *`).join('');
      assert.match(text('docs/reference/permissions.md'), new RegExp(`^${row}\\|$`, 'm'), name);
    }
  });
});

describe('docs/reference/settings.md', () => {
  it('has every setting that the process reads', () => {
    const settings = new Set(text('src/lib/config.ts').match(/HOSTYARD_[A-Z_]+/g));
    for (const setting of settings)
      assert.match(text('docs/reference/settings.md'), new RegExp(`^\\| \`${setting}\``, 'm'));
  });
});

describe('docs/reference/site-file.md', () => {
  it('shows a site file that `hostyard apply --check` accepts', async () => {
    await using folder = await temporaryFolder('docs');
    const example = /```yaml\n(provider:[^]*?)```/.exec(text('docs/reference/site-file.md'))?.[1];
    assert.ok(example);
    const file = join(folder.path, 'site.yaml');
    writeFileSync(file, example);
    const command = [join(root, 'bin/hostyard.js'), 'apply', '--check', file];
    const env = { ...process.env, SNMP_COMMUNITY: 'network-rw' };
    const { stdout } = await promisify(execFile)(process.execPath, command, { env });
    assert.equal(stdout, 'The file is valid.\n');
  });
});

describe('the site file fragments in the documents', () => {
  const parts = pages.flatMap(blocksOf).filter(({ language }) => language === 'yaml');
  // A fragment omits what is shown elsewhere, without a word or by three dots.
  const schema = JSON.parse(text('golden/site.schema.json'), (name, value: unknown) =>
    name === 'required' && Array.isArray(value) ? undefined : value,
  ) as object;
  const withoutEllipses = (document: unknown): object =>
    JSON.parse(JSON.stringify(document ?? {}), (name, value: unknown) =>
      `${name}${typeof value === 'string' ? value : ''}`.includes('…') ? undefined : value,
    ) as object;

  it('have the names and values of a site file', () => {
    for (const { page, line, text: example } of parts) {
      const part = withoutEllipses(parse(example));
      // Prometheus configuration.
      if ('scrape_configs' in part) continue;
      assert.deepEqual(Errors(schema, part), [], `${page}:${line}`);
    }
    assert.ok(parts.length > 10);
  });
});

describe('the site file', () => {
  const namesOf = (part: unknown): string[] => {
    if (typeof part !== 'object' || part === null) return [];
    const { properties } = part as { properties?: object };
    return [...Object.keys(properties ?? {}), ...Object.values(part).flatMap(namesOf)];
  };

  it('has no part that no document describes', () => {
    const documents = pages.map(text).join('\n');
    const labDriver = 'token';
    const names = new Set(namesOf(JSON.parse(text('golden/site.schema.json'))));
    assert.ok(names.has('seller'));
    const isDescribed = (name: string): boolean => new RegExp(`(?:^|[\\s{,.(\`])${name}(?::|\`)`, 'm').test(documents);
    assert.deepEqual(
      [...names].filter((name) => name !== labDriver && !isDescribed(name)),
      [],
    );
  });
});

describe('docs/guides/adding-an-endpoint.md', () => {
  it('shows the source unchanged', () => {
    const plain = (code: string): string => code.replaceAll(/^ +/gm, '');
    const paragraphs = text('docs/guides/adding-an-endpoint.md').split('\n\n');
    const examples = paragraphs.flatMap((paragraph, index) => {
      const code = /^```ts\n([^]*)```\n?$/.exec(paragraph)?.[1];
      const file = /`(src\/[\w./-]+\.ts)`/.exec(paragraphs[index - 1] ?? '')?.[1];
      return code === undefined || file === undefined ? [] : [{ code, file }];
    });
    for (const { code, file } of examples) assert.ok(plain(text(file)).includes(plain(code)), `${file} has\n${code}`);
    assert.equal(examples.length, 3);
  });
});

describe('docs/reference/cli.md', () => {
  it('has every exit code', () => {
    const documentedCodes = [...text('docs/reference/cli.md').matchAll(/^\| ([0-9]+) +\| /gm)].map(([, code]) =>
      Number(code),
    );
    assert.deepEqual(documentedCodes, Object.values(exitCodes));
  });
});

describe('the documents', () => {
  it('link only to existing targets', () => {
    for (const page of pages) {
      for (const [, target] of text(page).matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g))
        assert.ok(existsSync(join(root, dirname(page), target!)), `${page} links to ${target}`);
    }
  });

  it('can all be reached from the README', () => {
    const reached = new Set(['README.md']);
    for (const page of reached) {
      for (const [, target] of text(page).matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)) {
        const path = join(dirname(page), target!);
        const beneath = statSync(join(root, path)).isDirectory() ? globSync(`${path}/*.md`, { cwd: root }) : [path];
        for (const page of beneath.filter((name) => name.endsWith('.md'))) reached.add(page);
      }
    }
    const lost = pages.filter((page) => !reached.has(page));
    assert.deepEqual(lost, []);
  });

  it('name only existing endpoints', () => {
    const endpoints = text('golden/endpoints.txt').matchAll(/^\w+ (\w+) (\S+)/gm);
    const documentable = new Set([...endpoints].flatMap(([, method, path]) => [path!, `${method} ${path}`]));
    const mentioned = pages
      .flatMap(inlineOf)
      .map(
        ({ page, line, text: code }) =>
          [page, line, /^(?:[A-Z]+ )?\/(?:v2|operator)\/\w[^\s?]*/.exec(code)?.[0]] as const,
      )
      .filter(([, , call]) => call !== undefined);
    assert.deepEqual(
      mentioned.filter(([, , call]) => !documentable.has(call!)),
      [],
    );
    assert.ok(mentioned.length > 100);
  });

  it('name only existing source files', () => {
    for (const page of pages) {
      for (const [, file] of text(page).matchAll(/`((?:src|test|scripts|bench|golden|docs|bin)\/[\w./-]+\.\w+)`/g))
        assert.ok(existsSync(join(root, file!)), `${page} names ${file}`);
    }
  });
});
