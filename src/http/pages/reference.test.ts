import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { openapiDocument } from '#contract/openapi/openapi.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { addReference } from './reference.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('the API reference', () => {
  let server: FastifyInstance;
  before(async () => {
    server = fastify();
    await addReference(server);
  });
  after(() => server.close());

  it('is a page that loads only from this server', async () => {
    const response = await server.inject('/docs');
    assert.equal(response.statusCode, 200);
    const addresses = [...response.body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address!);
    assert.deepEqual(addresses, ['data:,', '/docs/storage.js', '/docs/scalar.js', '/docs/start.js']);
  });

  it('allows neither inline scripts nor requests to other hosts', async () => {
    const { headers } = await server.inject('/docs');
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /default-src 'none'; script-src 'self';/);
    assert.match(policy, /connect-src 'self';/);
    assert.doesNotMatch(policy, /https?:|\*|unsafe-eval/);
    // Without allow-same-origin, its origin is opaque.
    assert.match(policy, /; sandbox allow-scripts allow-downloads$/);
  });

  it('starts with both documents, by URLs of this server', async () => {
    const { body } = await server.inject('/docs/start.js');
    assert.match(body, /"url":"\/docs\/openapi-v2\.json"/);
    assert.match(body, /"url":"\/docs\/openapi-legacy\.json"/);
    assert.doesNotMatch(body, /https?:/);
  });

  it('serves both documents', async () => {
    for (const api of ['v2', 'legacy'] as const) {
      const response = await server.inject(`/docs/openapi-${api}.json`);
      assert.match(String(response.headers['content-type']), /^application\/json/);
      assert.equal(response.body, JSON.stringify(openapiDocument(api)));
    }
  });

  it('sends the documents in pieces, too', async () => {
    await server.ready();
    const [client, connection] = duplexPair();
    server.server.emit('connection', connection);
    client.write('GET /docs/openapi-v2.json HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(client, 'readable');
    const waiting = connection.writableLength;
    client.destroy();
    connection.destroy();
    assert.ok(waiting < 200_000, `${waiting} bytes wait to be read`);
  });

  it('serves its script compressed, or plain to clients that accept neither encoding', async () => {
    const script = (accepted: string) =>
      server.inject({ url: '/docs/scalar.js', headers: { 'accept-encoding': accepted } });
    const [brotli, gzip, plain] = [await script('gzip, br'), await script('gzip'), await script('identity')];
    assert.deepEqual(
      [brotli, gzip, plain].map(({ headers }) => headers['content-encoding']),
      ['br', 'gzip', undefined],
    );
    assert.match(plain.body, /createApiReference/);
    assert.ok(brotliDecompressSync(brotli.rawPayload).equals(plain.rawPayload));
    assert.ok(gunzipSync(gzip.rawPayload).equals(plain.rawPayload));
  });

  it('sends its script in pieces, so that clients who read nothing cost little memory', async () => {
    await using owned = new AsyncDisposableStack();
    const folder = owned.use(await temporaryFolder('reference'));
    // More than the buffers of the system hold.
    const scriptBytes = 32 * 1024 * 1024;
    await writeFile(join(folder.path, 'scalar.js'), Buffer.alloc(scriptBytes));
    const slow = owned.use(fastify());
    await addReference(slow, folder.path);
    await slow.listen({ host: '127.0.0.1', port: 0 });
    const { port } = slow.server.address() as AddressInfo;
    const heldBytes = (): number => {
      collectGarbage();
      return process.memoryUsage().arrayBuffers;
    };
    const requestAndReadNothing = async (): Promise<void> => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write('GET /docs/scalar.js HTTP/1.1\r\nHost: localhost\r\n\r\n');
      });
      owned.defer(() => void socket.destroy());
      await once(socket, 'readable');
    };
    const before = heldBytes();
    // They share the file, which the first of them reads.
    await Promise.all(Array.from({ length: 4 }, requestAndReadNothing));
    const held = heldBytes() - before;
    assert.ok(held < scriptBytes * 1.25, `${held} bytes`);
  });

  it('says so if it was not built, and still serves the documents', async () => {
    await using unbuilt = fastify();
    await using folder = await temporaryFolder('reference');
    await addReference(unbuilt, folder.path);
    for (const url of ['/docs', '/docs/scalar.js']) {
      const response = await unbuilt.inject(url);
      assert.match(
        response.json<{ message: string }>().message,
        /API reference has not been built. Run: npm run panel/,
      );
    }
    assert.equal((await unbuilt.inject('/docs/openapi-v2.json')).statusCode, 200);
  });
});
