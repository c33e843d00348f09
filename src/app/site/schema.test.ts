import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Check } from 'typebox/value';
import { Site } from '#contract/site/site.ts';
import { siteSchema } from './schema.ts';

const provider = { name: 'Test', currency: { code: 'EUR' } };
const schema = siteSchema();

function fits(site: object): boolean {
  return Check(schema, { provider, ...site });
}
const server = (driver: string, settings: object) => ({
  servers: [{ name: 'dc01r01ds01', bmc: { driver, settings } }],
});

describe('the JSON Schema for editors', () => {
  it('has all sections of a site file and none of our own annotations', () => {
    assert.deepEqual(Object.keys(schema['properties'] as object), Object.keys(Site.properties));
    assert.doesNotMatch(JSON.stringify(schema), /"(?:x-|~)/);
  });

  it('covers the drivers and their settings, in plain text and by reference', () => {
    const ipmi = { address: '192.0.2.1', username: 'provider', password: 'secret' };
    assert.ok(fits(server('ipmi', ipmi)));
    for (const reference of [{ env: 'A' }, { file: '/a' }, { credential: 'a' }, { sealed: 's1.a' }])
      assert.ok(fits(server('ipmi', { ...ipmi, password: reference })), JSON.stringify(reference));
    assert.ok(!fits(server('telnet', ipmi)));
    assert.ok(!fits(server('ipmi', { ...ipmi, pasword: 'secret' })));
    assert.ok(!fits(server('ipmi', { ...ipmi, password: { enviroment: 'A' } })));
  });

  it('describes fields', () => {
    const { properties } = schema as { properties: { netblocks: { items: { properties: object } } } };
    const { cidr } = properties.netblocks.items.properties as { cidr: { description?: string } };
    assert.match(cidr.description ?? '', /^must be /);
  });
});
