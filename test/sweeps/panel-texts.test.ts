// Every text of the panel is in the German catalogue, with the same placeholders, and the catalogue has no other.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { errorKinds } from '#contract/errors.ts';
import { eventMailKinds, mailKind } from '#contract/mail/kinds.ts';
import { permissions } from '#contract/roles.ts';
import { scopes } from '#contract/scopes.ts';
import { reclaimSteps } from '#contract/states/servers.ts';
import { stepLabels } from '#contract/workflow-steps.ts';
import { auditSentences } from '#panel/parts/audit-sentences.ts';
import { textsOf, type TextUse } from '#test/support/panel-texts.ts';
import { serverTexts } from '#test/support/server-texts.ts';

const root = join(import.meta.dirname, '..', '..');

type Translation = string | Readonly<Record<string, string>>;
const catalogueFiles = globSync('src/panel/text/de/*.json', { cwd: root }).toSorted();
const entries = catalogueFiles.flatMap((file) =>
  Object.entries(JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, Translation>).map(
    ([key, translation]) => ({ file, key, translation }),
  ),
);
const catalogue = new Map(entries.map(({ key, translation }) => [key, translation]));

/** Texts that the panel shows with tData(). The catalogue of data has also others of the server, and errors by code. */
const dataTexts = [
  ...serverTexts(),
  ...Object.values(scopes),
  ...Object.values(permissions),
  ...Object.values(stepLabels),
  ...Object.values(reclaimSteps),
  ...Object.values(auditSentences),
  ...eventMailKinds.map((kind) => mailKind(kind).label),
];
const dataFile = 'src/panel/text/de/data.json';
/** Its texts are data. */
const dataModule = 'src/panel/parts/audit-sentences.ts';

/** Names, and texts that code compares or passes on. */
const untranslated = new Set([
  'Hostyard',
  'none',
  'No Record Found',
  'Not present',
  // Examples, names of headers and grid templates.
  'Linux',
  'webhook-signature',
  'admins: device:read, dns:write',
  '$TTL 3600 @ IN MX 10 mail mail IN A 192.0.2.10',
  'minmax(0, 1fr) auto auto auto',
  '"kind name type" "content content content"',
  '"name dnssec id actions"',
  '"select name type actions" "select content content ttl"',
]);

const files = globSync('src/{panel,text}/**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
const texts = files.map((file) => textsOf(file, readFileSync(join(root, file), 'utf8')));
const uses = {
  translated: texts.flatMap(({ translated }) => translated),
  plurals: texts.flatMap(({ plurals }) => plurals),
  problems: texts.flatMap(({ problems }) => problems),
  plain: texts.flatMap(({ plain }) => plain),
};
const lines = (list: readonly TextUse[]): string[] => list.map(({ place, text }) => `${place} ${text}`);

/** Names of placeholders and tags, sorted. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/\{[^}]*\}|<\/\w+>/g)].map(([name]) => name).toSorted();
}

/** What a text with placeholders can become. Undefined if it is little else. */
function expansionOf(text: string): RegExp | undefined {
  const parts = text.split(/\{[^}]*\}/);
  if (parts.join('').length < 6) return undefined;
  return new RegExp(`^${parts.map((part) => part.replaceAll(/[^\w\s]/g, '\\$&')).join('.+')}$`);
}

test('a text that is not translated is recognised, and a name or a value is not', () => {
  const source = `
    const Page = () => <Card title="Servers" id="Servers" variant="light" name="Paid">No servers yet {t('Name')} DNS</Card>;
    const question = \`Delete \${name}?\`; const labels = { label: isOpen ? 'Open' : 'Closed', value: 'Open' };
    t(name);`;
  const { plain, translated, problems } = textsOf('page.tsx', source);
  assert.deepEqual(
    plain.map(({ text }) => text),
    ['Servers', 'Paid', 'No servers yet', 'Delete {}?', 'Open', 'Closed'],
  );
  assert.deepEqual(translated, [{ place: 'page.tsx:2', text: 'Name' }]);
  assert.deepEqual(problems, [{ place: 'page.tsx:4', text: 't() needs a literal' }]);
});

describe('the texts of the panel', () => {
  test('are literals', () => {
    assert.deepEqual(lines(uses.problems), []);
  });

  test('are in the German catalogue', () => {
    const isMissing = ({ text }: TextUse): boolean => typeof catalogue.get(text) !== 'string';
    const arePluralsMissing = ({ text }: TextUse): boolean => typeof catalogue.get(text) !== 'object';
    assert.deepEqual(
      [
        ...lines(uses.translated.filter(isMissing)),
        ...lines(uses.plurals.filter(arePluralsMissing)),
        ...dataTexts.filter((text) => !catalogue.has(text)),
      ],
      [],
    );
  });

  test('have the same placeholders in German', () => {
    const differing = entries.flatMap(({ file, key, translation }) =>
      (typeof translation === 'string' ? [translation] : Object.values(translation))
        .filter((text) => namesIn(text).join() !== namesIn(key).join())
        .map((text) => `${file}: ${key} → ${text}`),
    );
    assert.deepEqual(differing, []);
  });

  test('are all that the catalogue has, sorted and each once', () => {
    const used = new Set([
      ...[...uses.translated, ...uses.plurals].map(({ text }) => text),
      ...dataTexts,
      ...Object.keys(errorKinds).map((code) => `error:${code}`),
    ]);
    const sources = globSync('src/**/*.{ts,tsx}', { cwd: root })
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(root, file), 'utf8'));
    const isInSource = (key: string): boolean => sources.some((source) => source.includes(key.split('@@', 1)[0]!));
    const unused = entries.filter(({ file, key }) => !used.has(key) && (file !== dataFile || !isInSource(key)));
    assert.deepEqual(
      unused.map(({ file, key }) => `${file}: unused: ${key}`),
      [],
    );
    for (const file of catalogueFiles) {
      const keys = entries.filter((entry) => entry.file === file).map(({ key }) => key);
      assert.deepEqual(keys, keys.toSorted(), file);
    }
    const firsts = new Set(new Map(entries.toReversed().map((entry) => [entry.key, entry])).values());
    const repeated = entries.filter((entry) => !firsts.has(entry));
    assert.deepEqual(
      repeated.map(({ file, key }) => `${file}: repeated: ${key}`),
      [],
    );
  });

  test('are what the browser tests look for, most of which run only in long runs', () => {
    const read = (pattern: string): string[] =>
      globSync(pattern, { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
    const tests = read('test/{panel,long}/*.test.ts');
    const code = read('src/**/*.{ts,tsx}')
      .join('\n')
      .replaceAll(/^ *(?:\/\/|\/?\*).*$/gm, '');
    const expansions = [...catalogue]
      .flat()
      .flatMap((text) => (typeof text === 'string' ? (expansionOf(text) ?? []) : []));
    const isShown = (sentence: string): boolean =>
      code.includes(sentence) || expansions.some((expansion) => expansion.test(sentence));
    /** Typed or sent by a test. */
    const isOwn = (sentence: string): boolean => tests.join('').split(sentence).length > 2;
    const sought = tests.flatMap((source) =>
      [...source.matchAll(/getByText\(\s*'([^'\\]+)'/g)].map(([, text]) => text!),
    );
    const sentences = sought.filter((text) => /^[A-Z].* .* /.test(text) || text.split(' ').length > 5);
    assert.ok(sentences.length > 50, String(sentences.length));
    assert.deepEqual(
      sentences.filter((text) => !isShown(text) && !isOwn(text)),
      [],
    );
  });

  test('are translated everywhere', () => {
    assert.deepEqual(
      lines(uses.plain.filter(({ place, text }) => !untranslated.has(text) && !place.startsWith(dataModule))),
      [],
    );
  });
});
