// Every operation that the audit log can contain has a sentence, and every event type a text: people never meet the
// names of the API.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { servedApis } from '#contract/contract.ts';
import { dnsUpdate } from '#contract/dns-operations.ts';
import { effectOf, type Endpoint } from '#contract/endpoint.ts';
import { auditSentence, auditSentences } from '#panel/parts/audit-sentences.ts';

const audited = Object.entries(servedApis).flatMap(([api, endpoints]) =>
  Object.entries<Endpoint>(endpoints)
    .filter(([, endpoint]) => effectOf(endpoint) !== 'none')
    .map(([name, { target = [] }]) => ({ operation: `${api}.${name}`, name, target })),
);
/** Recorded without an endpoint: by DNS tools, by the site file and on the command line. */
const otherOperations = [
  dnsUpdate,
  'site.apply',
  'v2.sessionCreate',
  'operator.sessionCreate',
  'v2.challengeAnswer',
  'v2.signOnComplete',
  'v2.signUpComplete',
  'operator.signOnComplete',
  'operator.sepaFile',
  ...['Run', 'Pay', 'Import', 'Cancel', 'Credit', 'Refund'].map((action) => `cli.billing${action}`),
];

test('every audited operation has a sentence, made of the parameters that its entries have', () => {
  const missing = audited.filter(({ name }) => auditSentences[name] === undefined).map(({ operation }) => operation);
  assert.deepEqual(missing, [], 'add them to src/panel/parts/audit-sentences.ts');
  for (const operation of otherOperations) assert.ok(auditSentence({ operation, target: '' }, 'Ada'), operation);
  for (const [name, sentence] of Object.entries(auditSentences)) {
    const targets = audited.filter((entry) => entry.name === name).flatMap(({ target }) => target);
    if (targets.length === 0) continue;
    for (const [, names] of sentence.matchAll(/\{([^}:]+)/g))
      assert.ok(names === 'actor' || names!.split('|').some((part) => targets.includes(part)), `${name}: {${names}}`);
  }
});

test('no sentence is left without a declaration, or shows a gap', () => {
  const known = new Set([
    ...audited.map(({ name }) => name),
    ...otherOperations.map((operation) => operation.replace(/^(?:v2|operator|cli)\./, '')),
    // Recorded by workflows.
    'planRun',
  ]);
  assert.deepEqual(
    Object.keys(auditSentences).filter((name) => !known.has(name)),
    [],
  );
  for (const { operation, target } of audited) {
    const values = target.map((name) => `${name}=7`).join(' ');
    assert.doesNotMatch(auditSentence({ operation, target: values }, 'Ada')!, /[{}…]/, operation);
  }
});
