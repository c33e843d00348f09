// The documents say what the code does, as far as a test can tell: the error list, the settings, the site file that readers
// copy, and links that lead somewhere.
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
import { powers, powersOf, roleNames, type Power } from '#contract/roles.ts';
import { scopes } from '#contract/scopes.ts';
import { temporaryFolder } from '../support/folder.ts';
import { blocksOf, inlineOf } from '../support/pages.ts';

const root = join(import.meta.dirname, '..', '..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root });

describe('docs/errors.md', () => {
  it('has every code once, with its status and its sentence', () => {
    const sections = text('docs/errors.md').matchAll(/^### `(\w+)` \((\d+)\)\n\n> (.+)\n\n\w/gm);
    const documented = [...sections].map(([, code, status, message]) => `${code} ${status} ${message}`);
    const declared = Object.entries(errorKinds).map(([code, { status, message }]) => `${code} ${status} ${message}`);
    assert.deepEqual(documented.sort(), declared.sort());
  });
});

describe('docs/security.md', () => {
  it('has every scope with what it allows', () => {
    for (const [name, meaning] of Object.entries(scopes))
      assert.match(text('docs/security.md'), new RegExp(`^\\| \`${name}\` +\\| ${meaning} +\\|$`, 'm'));
  });
});

describe('the operators in docs/security.md', () => {
  it('have every power, with what it allows and the roles that have it', () => {
    for (const [name, meaning] of Object.entries(powers)) {
      const marks = roleNames.map((role) => (powersOf(role).has(name as Power) ? 'yes' : ''));
      const row = [`\`${name}\``, meaning, ...marks].map((cell) => `\\| ${cell} *`).join('');
      assert.match(text('docs/security.md'), new RegExp(`^${row}\\|$`, 'm'), name);
    }
  });
});

describe('docs/operating.md', () => {
  it('has every setting that the process reads', () => {
    const settings = new Set(text('src/kernel/config.ts').match(/HOSTYARD_[A-Z_]+/g));
    for (const setting of settings) assert.match(text('docs/operating.md'), new RegExp(`^\\| \`${setting}\``, 'm'));
  });
});

describe('docs/site-file.md', () => {
  it('shows a site file that `hostyard apply --check` takes', async () => {
    await using folder = await temporaryFolder('docs');
    const example = /```yaml\n(provider:[^]*?)```/.exec(text('docs/site-file.md'))?.[1];
    assert.ok(example);
    const file = join(folder.path, 'site.yaml');
    writeFileSync(file, example);
    const command = [join(root, 'src/admin/commands.ts'), 'apply', '--check', file];
    const env = { ...process.env, SNMP_COMMUNITY: 'network-rw' };
    const { stdout } = await promisify(execFile)(process.execPath, command, { env });
    assert.equal(stdout, 'The file is good.\n');
  });
});

describe('the parts of a site file that the documents show', () => {
  const parts = pages.flatMap(blocksOf).filter(({ language }) => language === 'yaml');
  // A part leaves out what is told elsewhere, by saying nothing of it or by three dots.
  const schema = JSON.parse(text('golden/site.schema.json'), (name, value: unknown) =>
    name === 'required' && Array.isArray(value) ? undefined : value,
  ) as object;
  const told = (shown: unknown): object =>
    JSON.parse(JSON.stringify(shown ?? {}), (name, value: unknown) =>
      `${name}${typeof value === 'string' ? value : ''}`.includes('…') ? undefined : value,
    ) as object;

  it('have the names and values that a site file has', () => {
    for (const { page, line, text: shown } of parts) {
      const part = told(parse(shown));
      // What Prometheus reads.
      if ('scrape_configs' in part) continue;
      assert.deepEqual(Errors(schema, part), [], `${page}:${line}`);
    }
    assert.ok(parts.length > 10);
  });
});

describe('docs/adding-an-endpoint.md', () => {
  it('shows the source as it is', () => {
    const plain = (code: string): string => code.replaceAll(/^ +/gm, '');
    const paragraphs = text('docs/adding-an-endpoint.md').split('\n\n');
    const shown = paragraphs.flatMap((paragraph, index) => {
      const code = /^```ts\n([^]*)```\n?$/.exec(paragraph)?.[1];
      const file = /`(src\/[\w./-]+\.ts)`/.exec(paragraphs[index - 1] ?? '')?.[1];
      return code === undefined || file === undefined ? [] : [{ code, file }];
    });
    for (const { code, file } of shown) assert.ok(plain(text(file)).includes(plain(code)), `${file} has\n${code}`);
    assert.equal(shown.length, 3);
  });
});

describe('docs/cli.md', () => {
  it('has every exit code', () => {
    const told = [...text('docs/cli.md').matchAll(/^\| ([0-9]+) +\| /gm)].map(([, code]) => Number(code));
    assert.deepEqual(told, Object.values(exitCodes));
  });
});

describe('the documents', () => {
  it('link only to what is there', () => {
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
        for (const each of beneath.filter((name) => name.endsWith('.md'))) reached.add(each);
      }
    }
    const lost = pages.filter((page) => !reached.has(page));
    assert.deepEqual(lost, []);
  });

  it('name only endpoints that there are', () => {
    const endpoints = text('golden/endpoints.txt').matchAll(/^\w+ (\w+) (\S+)/gm);
    const known = new Set([...endpoints].flatMap(([, method, path]) => [path!, `${method} ${path}`]));
    const named = pages
      .flatMap(inlineOf)
      .map(
        ({ page, line, text: code }) =>
          [page, line, /^(?:[A-Z]+ )?\/(?:v2|operator)\/\w[^\s?]*/.exec(code)?.[0]] as const,
      )
      .filter(([, , call]) => call !== undefined);
    assert.deepEqual(
      named.filter(([, , call]) => !known.has(call!)),
      [],
    );
    assert.ok(named.length > 100);
  });

  it('name only files of the source that are there', () => {
    for (const page of pages) {
      for (const [, file] of text(page).matchAll(/`((?:src|test|scripts|bench|golden|docs|bin)\/[\w./-]+\.\w+)`/g))
        assert.ok(existsSync(join(root, file!)), `${page} names ${file}`);
    }
  });
});
