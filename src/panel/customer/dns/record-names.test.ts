import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { absoluteName, relativeName } from './record-names.ts';

test('a name is displayed relative to its zone, and the zone itself as @', () => {
  assert.equal(relativeName('example.net', 'www.example.net'), 'www');
  assert.equal(relativeName('example.net', 'example.net'), '@');
  assert.equal(relativeName('example.net', 'badexample.net'), 'badexample.net');
});

test('typed names are made absolute', () => {
  for (const typed of ['', '@', ' @ ', 'example.net', 'EXAMPLE.net.'])
    assert.equal(absoluteName('example.net', typed), 'example.net');
  for (const typed of ['www', 'WWW ', 'www.example.net', 'www.example.net.'])
    assert.equal(absoluteName('example.net', typed), 'www.example.net');
  assert.equal(absoluteName('example.net', 'badexample.net'), 'badexample.net.example.net');
  assert.equal(absoluteName('example.net', 'elsewhere.org.'), 'elsewhere.org', 'left for the API to reject');
});

test('a name within the zone survives being shortened and made absolute again', () => {
  const label = fc.stringMatching(/^[a-z0-9_][a-z0-9-]{0,10}$/);
  fc.assert(
    fc.property(fc.array(label, { maxLength: 3 }), (labels) => {
      const name = [...labels, 'example.net'].join('.');
      assert.equal(absoluteName('example.net', relativeName('example.net', name)), name);
    }),
  );
});
