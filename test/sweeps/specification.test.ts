// Checks the declarations against the two API documents and the decisions: every documented endpoint, field, text and
// status, and none that is not documented. The answers sweep checks the responses against the declarations.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TSchema } from 'typebox';
import { apis } from '#contract/contract.ts';
import type { Api } from '#contract/endpoint.ts';
import { errorKinds } from '#contract/errors.ts';
import { hardwareCategories } from '#contract/shapes/device.ts';
import { codeOf, needsSpecification, readSpecification, rowsOf, sectionOf } from '#test/support/specification.ts';

interface Schema extends TSchema {
  type?: string;
  const?: string;
  enum?: string[];
  pattern?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  anyOf?: Schema[];
  'x-addition'?: boolean;
}

/** Texts that callers get although no document has them. */
const undocumentedTexts: Readonly<Record<string, string>> = {
  'Image Uploaded': 'the document only says that the text names the upload',
  'Null-route Pending': 'the router does not respond, which the decision leaves open',
  'Null-route Removal Pending': 'the router does not respond, which the decision leaves open',
  'TUN Enabled from the next start': 'the kernel cannot do it in a running machine, and the answer must not claim it',
  'TUN Disabled from the next start': 'the kernel cannot do it in a running machine, and the answer must not claim it',
  AE: 'the VAT category of reverse charge, in the taxes that an invoice has in addition',
  Ended: 'a licence that has ended, in the shape that version 2 shares; the legacy list does not contain it',
};
/** Code in the documents that starts like a text but is none, or that no declaration can express. */
const noResultTexts =
  /^(?:[A-Z]+ \/|(?:X-API-KEY|Authorization|Accept|Idempotency-Key|RateLimit(?:-Policy)?|X-Request-Id|Allow|Retry-After)\b|"|YYYY|OS-|PANEL|DEDICATED|VPS|success:|results?:|0000-|<(?:priority|API_KEY|family|prefix|PREFIX)>|No Record Found$)/;
/** Texts with placeholders, and those that the decisions abbreviate, as they are returned. */
const returnedAs: Readonly<Record<string, readonly string[]>> = {
  'Down/Off': ['Chassis Power Control: Down/Off'],
  Cycle: ['Chassis Power Control: Cycle'],
  Reset: ['Chassis Power Control: Reset'],
  Soft: ['Chassis Power Control: Soft'],
  'Set Boot Device to pxe|cdrom|bios': [
    'Set Boot Device to pxe',
    'Set Boot Device to cdrom',
    'Set Boot Device to bios',
  ],
  'Set Boot Device to <request>': ['Set Boot Device to pxe'],
  'Installing <percent>%': ['Installing 7%', 'Installing 100%'],
  'Failed: <why>': ['Failed: no disk'],
  'ID: <domain_id> removed': ['ID: 7 removed'],
  'ID: <record_id> removed': ['ID: 7 removed'],
  '<alias> - <Up|Down> / <Up|Down>': ['uplink - Up / Down'],
  '<port label> - <admin status> / <oper status>': ['uplink - Up / Down'],
  'Down / Down': ['uplink - Down / Down'],
};

const v2 = readSpecification('api-v2.md');
const legacy = readSpecification('api-legacy.md');
const decisions = readSpecification('decisions.md');
const documents = `${v2}${legacy}${decisions}`;
const published = (['v2', 'legacy'] as const).flatMap((api) =>
  Object.values(apis[api] as Api)
    .filter(({ addition }) => addition !== true)
    .map((declaration) => ({ key: `${api} ${declaration.method} ${declaration.path}`, declaration })),
);

function resultOf(key: string): Schema {
  const declaration = published.find((endpoint) => endpoint.key === key)?.declaration;
  assert.ok(declaration, key);
  return declaration.result as Schema;
}
/** Follows names, `*` for any key of a map, `[]` for an item and `|n` for an alternative. */
function at(schema: Schema, ...path: string[]): Schema {
  return path.reduce((inner, step) => {
    if (step === '[]') return inner.items!;
    if (step === '*') return Object.values(inner.patternProperties!)[0]!;
    return step.startsWith('|') ? inner.anyOf![Number(step.slice(1))]! : inner.properties![step]!;
  }, schema);
}
function membersOf(schema: Schema): string[] {
  const options = schema.anyOf ?? [schema];
  const members = options.flatMap(({ properties = {} }) => Object.entries(properties));
  return [...new Set(members.filter(([, member]) => member['x-addition'] !== true).map(([name]) => name))].sort();
}
function leavesOf(schema: Schema): Schema[] {
  const { items, properties = {}, patternProperties = {}, anyOf = [] } = schema;
  const inner = [
    ...(items ? [items] : []),
    ...Object.values(properties),
    ...Object.values(patternProperties),
    ...anyOf,
  ];
  return inner.length === 0 ? [schema] : inner.flatMap(leavesOf);
}
function accepts({ const: word, enum: words, pattern }: Schema, text: string): boolean {
  if (word !== undefined || words !== undefined) return word === text || (words ?? []).includes(text);
  // A pattern that any text matches proves nothing.
  return pattern !== undefined && new RegExp(pattern).test(text) && !new RegExp(pattern).test('Any Text');
}

/** Reads `a, b (with a remark), c` up to the end of the sentence. */
function namesIn(text: string, start: RegExp): string[] {
  const plain = text.replaceAll(/\([^()]*\)/g, '').replaceAll('`', '');
  const list = new RegExp(`${start.source}([^.;\\n]+)`).exec(plain)?.[1];
  assert.ok(list, `${start} in ${text.slice(0, 40)}`);
  return list
    .split(/,| and /)
    .map((name) => name.trim().split(' ')[0]!)
    .filter(Boolean);
}
function namesInTable(section: string): string[] {
  return rowsOf(section).flatMap(([names]) => names!.split(', '));
}
const pathOf = (path: string): string => path.replaceAll(/`/g, '').replaceAll(/\$(\w+)/g, '{$1}');

describe('the declarations and the API documents', needsSpecification(), () => {
  it('have the same endpoints, and so has the list of endpoints', () => {
    const keysIn = (api: string, text: string): string[] =>
      rowsOf(text.slice(text.indexOf('\n## 4.')))
        .filter(([method]) => /^(?:GET|POST|PUT|DELETE)$/.test(method!))
        .map(([method, path]) => `${api} ${method} ${pathOf(path!)}`);
    const documented = [...keysIn('v2', v2), ...keysIn('legacy', legacy)].sort();
    const listed = readSpecification('endpoints.tsv').match(/^(?:v2|legacy)\t\w+\t\S+/gm)!;
    assert.deepEqual(documented, listed.map((line) => line.replaceAll('\t', ' ')).sort());
    assert.deepEqual(documented, published.map(({ key }) => key).sort());
  });

  const section = (number: string): string => sectionOf(v2, number);
  const port = (key: string, ...path: string[]): Schema => at(resultOf(key), ...path, '*', '*');
  const event = (): Schema => at(resultOf('v2 GET /v2/network/events/{service}'), '*');
  const fields: Readonly<Record<string, readonly [names: () => string[], schema: () => Schema]>> = {
    'an account': [() => namesInTable(section('2.2')), () => resultOf('v2 GET /v2/account')],
    'an invoice in the list': [
      () => namesIn(section('2.3'), /Fields, all strings: /),
      () => at(resultOf('v2 GET /v2/account/invoice'), '|0', '[]'),
    ],
    'an invoice': [() => namesInTable(section('2.4')), () => at(resultOf('v2 GET /v2/account/invoice'), '|1')],
    'a line of an invoice': [
      () => namesIn(section('2.4'), /Line item fields: /),
      () => at(resultOf('v2 GET /v2/account/invoice'), '|1', 'items', 'item', '[]'),
    ],
    'a contact': [
      () => namesIn(section('2.5'), /Fields, all strings: /),
      () => at(resultOf('v2 GET /v2/account/contact'), '[]'),
    ],
    'a new contact': [
      () => namesIn(section('2.5'), /an object with one member /),
      () => resultOf('v2 POST /v2/account/contact'),
    ],
    'an image': [() => namesInTable(section('2.6')), () => at(resultOf('v2 GET /v2/device/iso'), '[]')],
    'the console of a machine': [
      () => namesIn(section('2.7'), /string members /),
      () => at(resultOf('v2 GET /v2/device/console/{service}'), '|1'),
    ],
    'the statistics of a machine': [
      () => namesIn(section('2.8'), /VPS result object: /),
      () => resultOf('v2 GET /v2/device/stats/{service}').anyOf!.find((option) => 'node' in option.properties!)!,
    ],
    'the traffic of a port': [
      () => namesInTable(section('2.8')),
      () => port('v2 POST /v2/network/bandwidth/{service}', 'result'),
    ],
    'the counters of a port': [
      () => namesIn(section('2.8'), /\| data \| object: /),
      () => at(port('v2 POST /v2/network/bandwidth/{service}', 'result'), 'data'),
    ],
    'the counters of a port on the legacy API': [
      () => namesIn(section('2.8'), /\| data \| object: /),
      () => at(port('legacy POST /ipmi/bandwidth'), 'data'),
    ],
    'a port of the hardware': [
      () => namesIn(section('2.9'), /object with string members /),
      () => port('v2 GET /v2/device/hardware/{service}', 'ports'),
    ],
    'a zone': [() => namesIn(section('2.10'), /Forward zone: /), () => at(resultOf('v2 GET /v2/dns/domain'), '[]')],
    'a record': [
      () => namesIn(section('2.10'), /Zone record: /),
      () => at(resultOf('v2 GET /v2/dns/record/{domain}'), '[]'),
    ],
    'an event': [() => namesInTable(section('2.12')), event],
    'an attack': [
      () => namesIn(section('2.12'), /Attack record fields *: /),
      () => at(event(), 'detail', 'result', '[]'),
    ],
    'a traffic log': [
      () => namesIn(section('2.12'), /Traffic log record fields *: /),
      () => at(event(), 'logs', 'result', '[]'),
    ],
    'a new IPMI user': [
      () => namesIn(sectionOf(legacy, '2.3'), /createUser \| object with string members /),
      () => at(resultOf('legacy POST /ipmi/user'), '|0'),
    ],
  };
  for (const [what, [names, schema]] of Object.entries(fields))
    it(`agree on the fields of ${what}`, () => assert.deepEqual(membersOf(schema()), names().toSorted()));

  const shapes: Readonly<Record<string, readonly [key: string, ...path: string[]]>> = {
    '{contactid}': ['legacy POST /client/contactUpdate'],
    '{service, type, name, hostname, status, ip, server | vmid}': ['v2 GET /v2/device/list', '[]'],
    '{image, mounted}': ['legacy POST /ipmi/image', '|0'],
    '{status, image}': ['legacy POST /ipmi/pxe', '|0'],
    '{id: {name, ifAdminStatus, ifOperStatus, ifSpeed}}': ['legacy POST /network/port', '|0', '*'],
    '{requestid, status, netblock}': ['legacy POST /network/request'],
    '{ip, start, end, active, reason}': ['legacy POST /network/nullroute', '|0', '[]'],
    '{vmid, hostname, status, type, node, template, memory, harddisk, bandwidth, ipaddr}': ['legacy GET /vps/get/{id}'],
    '{vmid: {ipv4: [], ipv6: []}}': ['legacy GET /vps/network', '*'],
    '{name, value}': ['legacy GET /vps/iso', '[]'],
    '{installed: [{license, type, status, since}], available: [name]}': [
      'legacy POST /software/list',
      'installed',
      '[]',
    ],
    '{orderid, invoiceid, license, status}': ['legacy POST /software/order'],
  };
  it('agree on every shape that the decisions give', () => {
    // The elements of a parameter, not of a result.
    const given = new Set(codeOf(decisions).filter((code) => code.startsWith('{') && code !== '{ip, record}'));
    assert.deepEqual([...given].sort(), Object.keys(shapes).sort());
    for (const [shape, [key, ...path]] of Object.entries(shapes)) {
      const innermost = /\{([^{}]+)\}/.exec(shape)![1]!;
      const names = innermost.split(/, | \| /).map((name) => name.split(':')[0]!);
      assert.deepEqual(membersOf(at(resultOf(key), ...path)), names.sort(), shape);
    }
    assert.deepEqual(membersOf(resultOf('legacy POST /software/list')), ['available', 'installed']);
  });

  it('agree on the objects that have only strings, also in what they have in addition', () => {
    const objects: readonly (readonly [key: string, ...path: string[]])[] = [
      ['v2 GET /v2/account'],
      ['v2 GET /v2/account/invoice', '|0', '[]'],
      ['v2 GET /v2/account/contact', '[]'],
      ['v2 GET /v2/device/list', '[]'],
      ['v2 GET /v2/dns/record/{domain}', '[]'],
      ['v2 GET /v2/network/events/{service}', '*', 'detail', 'result', '[]'],
      ['v2 GET /v2/network/events/{service}', '*', 'logs', 'result', '[]'],
    ];
    for (const [key, ...path] of objects) {
      const object = at(resultOf(key), ...path);
      for (const { properties = {} } of object.anyOf ?? [object])
        for (const [name, { type, enum: words = [] }] of Object.entries(properties))
          assert.ok(type === 'string' || words.length > 0, `${name} of ${key}`);
    }
  });

  it('agree on every text of a result', () => {
    const declared = published.flatMap(({ declaration }) => leavesOf(declaration.result as Schema));
    const texts = codeOf(documents).filter((code) => /^[A-Z<]|^\d{4}-/.test(code) && !noResultTexts.test(code));
    const returned = new Set(texts.flatMap((text) => returnedAs[text] ?? [text]));
    assert.ok(returned.size > 40, `only ${returned.size} texts were found`);
    for (const text of returned)
      assert.ok(
        declared.some((leaf) => accepts(leaf, text)),
        `nothing returns "${text}"`,
      );
    for (const { key, declaration } of published)
      for (const { const: word, enum: words = [] } of leavesOf(declaration.result as Schema))
        for (const text of word === undefined ? words : [word, ...words])
          assert.ok(
            returned.has(text) || documents.includes(text) || text in undocumentedTexts,
            `${key} returns "${text}", which is not documented`,
          );
    const all = new Set(declared.flatMap(({ const: word, enum: words = [] }) => [word, ...words]));
    for (const text of Object.keys(undocumentedTexts)) assert.ok(all.has(text), `nothing returns "${text}"`);
  });

  it('agree on the text of each endpoint', () => {
    const withText = rowsOf(v2.slice(v2.indexOf('\n## 4.'))).flatMap(([method, path, , result = '']) =>
      codeOf(result)
        .filter((code) => /^[A-Z]/.test(code))
        .map((code) => ({ key: `v2 ${method} ${pathOf(path!)}`, text: code })),
    );
    assert.equal(withText.length, 5);
    for (const { key, text } of withText)
      for (const returned of returnedAs[text] ?? [text])
        assert.ok(
          leavesOf(resultOf(key)).some((leaf) => accepts(leaf, returned)),
          `${key}: "${returned}"`,
        );
  });

  it('agree on the categories of hardware', () => {
    const categories = /component category \(([^)]+)\)/.exec(section('2.9'))![1]!.split(', ');
    assert.deepEqual(hardwareCategories, categories);
  });

  it('agree on the statuses of errors', () => {
    const [, row] = rowsOf(decisions).find(([question]) => question === 'Status numbers')!;
    const listed = new Set(row!.match(/\b[45]\d\d\b/g)!.map(Number));
    // The runtime's own, before a request is ours.
    for (const status of [414, 431]) assert.ok(listed.delete(status), String(status));
    // A bug, which no caller may count on.
    const used = new Set<number>(Object.values(errorKinds).map(({ status }) => status));
    used.delete(500);
    assert.deepEqual([...used].sort(), [...listed].sort());
  });
});
