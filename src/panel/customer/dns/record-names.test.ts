// Names in a zone, short and in full.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fullName, shortName } from './record-names.ts';

test('a name is shown relative to its zone, and the zone itself as @', () => {
  assert.equal(shortName('example.net', 'www.example.net'), 'www');
  assert.equal(shortName('example.net', 'example.net'), '@');
  assert.equal(shortName('example.net', 'badexample.net'), 'badexample.net');
});

test('what is typed becomes a full name', () => {
  for (const typed of ['', '@', ' @ ', 'example.net', 'EXAMPLE.net.'])
    assert.equal(fullName('example.net', typed), 'example.net');
  for (const typed of ['www', 'WWW ', 'www.example.net', 'www.example.net.'])
    assert.equal(fullName('example.net', typed), 'www.example.net');
  assert.equal(fullName('example.net', 'badexample.net'), 'badexample.net.example.net');
  assert.equal(fullName('example.net', 'elsewhere.org.'), 'elsewhere.org', 'for the interface to refuse');
});

test('a full name inside a zone is the same after it was shortened', () => {
  const label = fc.stringMatching(/^[a-z0-9_][a-z0-9-]{0,10}$/);
  fc.assert(
    fc.property(fc.array(label, { maxLength: 3 }), (labels) => {
      const name = [...labels, 'example.net'].join('.');
      assert.equal(fullName('example.net', shortName('example.net', name)), name);
    }),
  );
});
