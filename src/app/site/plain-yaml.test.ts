// The quick reader of site files, compared with the yaml package: it returns the same value, or leaves the text to it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { parseDocument, stringify } from 'yaml';
import { readPlainYaml } from './plain-yaml.ts';
import { readSimpleYaml } from './simple-yaml.ts';

function readWithPackage(text: string): unknown {
  const document = parseDocument(text, { uniqueKeys: true, logLevel: 'error' });
  return document.errors.length === 0 ? document.toJS() : undefined;
}

/** Fails if the quick reader returns another value. */
function assertAgrees(text: string): void {
  if (/(?:^|[-{,?[\s]):(?:\s|$)|\?/m.test(text)) return;
  // In one part, and with a part for each item of a list.
  for (const partLength of [Infinity, 1]) {
    const value = readPlainYaml(text, partLength);
    if (value !== undefined) assert.deepEqual(value, readWithPackage(text), text);
  }
}

const plain = [
  'a: 1\nb:\n  - x: 2\n    y: two words # comment\n  -\n    z: 0\nc:\n- 10.0.0.1\n- 2026-01-31\nd:\n',
  '# comment\n\na: { env: NAME, list: [1, a b, "q"], none: {}, empty: [] }\nb: "x # y"\n',
  "Hard Drive: ['4 TB']\nurl: http://example.net:80/a#b\nneg: -5\ntext: '12.50'\n",
  'a:\n  - - 1\n    - 2\n  - b:\n      c: ~\n',
];
const unusual = [
  'a:\n  - 1\n  - "x\n  - y"\n',
  'a:\n  - 1\n   - 2\n  - 3\nb\n',
  '  a: 1\nb: 2\n',
  'a: 1\na: 2\n',
  'a: &x 1\nb: *x\n',
  'a: 1\n  b: 2\n',
  'a: "open\nb: 1\n',
  '',
];
const oneSection = [
  'a: |\n  text\n  more\nb: 1\n',
  'a: one\n  two\nb: 2\n',
  'a: 1.5\nb: 0x10\n',
  'a: "\\t"\nb: 1\n',
  'a: [.inf, -.inf]\nb: -0\n',
];
const lists = [
  'a: # comment\n  # - none\n\n  - x: |\n      - text\n      - more\n    y: 2\n  - "- quoted"\n  # comment\n  - [1, 2]\nb:\n- 1\n-\n  z: 2\n',
  'a:\r\n  - 1\r\n  - 2\r\nb: 1\r\n',
  'a:\n  - |+\n    text\n\n  - 2\n\nb: |+\n  text\n\n',
];

describe('the quick reader of site files', () => {
  it('reads maps, lists and values on one line as the yaml package does', () => {
    const example = readFileSync(new URL('../../../examples/first-site.yaml', import.meta.url), 'utf8');
    for (const text of [...plain, ...oneSection, ...lists, example])
      for (const partLength of [Infinity, 1])
        assert.deepEqual(readPlainYaml(text, partLength), readWithPackage(text), text);
  });

  it('leaves errors and aliases to the yaml package', () => {
    for (const text of unusual) assert.equal(readPlainYaml(text), undefined, text);
  });

  it('reads blocks of names and simple values itself', () => {
    const plainWords = [
      'web01',
      'a b',
      '10.0.0.1',
      '2001:db8::1/64',
      '52:54:00:00:00:01',
      '2026-01-31',
      "O'Brien, (3)",
    ];
    const oddWords = [
      '12.50',
      '0x10',
      '1e3',
      'null',
      'True',
      '',
      ' x',
      'x:',
      'a: b',
      '# c',
      'é',
      '1_000',
      '007',
      '1.2.3',
    ];
    const leaf = fc.oneof(
      { weight: 20, arbitrary: fc.oneof(fc.constantFrom(...plainWords), fc.nat(), fc.boolean()) },
      { weight: 1, arbitrary: fc.constantFrom(...oddWords) },
    );
    const name = fc.constantFrom('a', 'b', 'Hard Drive', 'ifIndex', 'x-y');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('map'), { minLength: 1, maxLength: 3 }), tie('map')),
      map: fc.dictionary(name, tie('value'), { minKeys: 1, maxKeys: 3 }),
    }));
    let simple = 0;
    fc.assert(
      fc.property(fc.dictionary(name, value, { minKeys: 1, maxKeys: 3 }), fc.boolean(), (site, indentSeq) => {
        const text = stringify(site, { lineWidth: 0, indentSeq });
        const read = readSimpleYaml(text);
        if (read === undefined) return;
        simple++;
        assert.deepEqual(read, readWithPackage(text), text);
      }),
      { numRuns: 500 },
    );
    assert.ok(simple > 50, `${simple} of 500`);
    for (const text of unusual.filter((text) => text !== '')) assert.equal(readSimpleYaml(text), undefined, text);
  });

  it('agrees on generated files in every style', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom(...' -:#,[]{}\'"\\&*!|>%@`?~.0189aeofxEO+\n') }),
      fc.constantFrom('null', 'True', '-0', '0x1', '1e3', '.5', '1_000', '0o7', 'a: b', 'a #b', '- x', 'yes', '007'),
    );
    const leaf = fc.oneof(text, fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
    const name = fc.oneof(fc.constantFrom('a', 'b', 'Hard Drive', 'ifIndex', 'x-y', 'true'), text);
    const { site } = fc.letrec((tie) => ({
      site: fc.dictionary(name, tie('value'), { maxKeys: 4 }),
      value: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(site, fc.constantFrom(0, 80), fc.boolean(), fc.boolean(), (value, lineWidth, isFlow, isIndented) => {
        const options = { lineWidth, indentSeq: isIndented, aliasDuplicateObjects: false };
        assertAgrees(stringify(value, { ...options, ...(isFlow ? { collectionStyle: 'flow' as const } : {}) }));
      }),
      { numRuns: 500 },
    );
  });
});
