import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { openapiDocument } from '#contract/openapi.ts';
import { reference } from './reference.ts';

describe('the API reference', () => {
  let server: FastifyInstance;
  before(async () => {
    server = fastify();
    await reference(server);
  });
  after(() => server.close());

  it('is a page that loads only what this server has', async () => {
    const answer = await server.inject('/docs');
    assert.equal(answer.statusCode, 200);
    const addresses = [...answer.body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address!);
    assert.deepEqual(addresses, ['data:,', '/docs/scalar.js', '/docs/start.js']);
  });

  it('may not run inline scripts nor speak to other hosts', async () => {
    const { headers } = await server.inject('/docs');
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /default-src 'none'; script-src 'self';/);
    assert.match(policy, /connect-src 'self';/);
    assert.doesNotMatch(policy, /https?:|\*|unsafe-eval/);
  });

  it('starts with both documents, by addresses of this server', async () => {
    const { body } = await server.inject('/docs/start.js');
    assert.match(body, /"url":"\/docs\/openapi-v2\.json"/);
    assert.match(body, /"url":"\/docs\/openapi-legacy\.json"/);
    assert.doesNotMatch(body, /https?:/);
  });

  it('serves both documents', async () => {
    for (const face of ['v2', 'legacy'] as const) {
      const answer = await server.inject(`/docs/openapi-${face}.json`);
      assert.match(String(answer.headers['content-type']), /^application\/json/);
      assert.equal(answer.body, JSON.stringify(openapiDocument(face)));
    }
  });

  it('serves its script compressed, and plain to those who cannot read it so', async () => {
    const compressed = await server.inject({ url: '/docs/scalar.js', headers: { 'accept-encoding': 'gzip, br' } });
    assert.equal(compressed.headers['content-encoding'], 'gzip');
    const plain = await server.inject('/docs/scalar.js');
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.match(plain.body, /createApiReference/);
    assert.ok(gunzipSync(compressed.rawPayload).equals(plain.rawPayload));
  });
});
