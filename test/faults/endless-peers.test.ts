// Peers that answer without end: each answer is bounded, its connection is hung up on, and the call fails in the words of its
// kind. What a peer says must not cost more memory than the largest sensible answer.
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { openConnection } from '#drivers/bmc/redfish/connection.ts';
import { openApi } from '#drivers/dns/powerdns/api.ts';
import { openNodeHttp } from '#drivers/hypervisor/http.ts';
import { licenceHookPut, licenceKeyFrom } from '#equipment/licence-source.ts';
import { selfSignedCertificate } from '#kernel/certificate.ts';
import { secretBox } from '#kernel/secrets.ts';
import { openStore } from '#store/open.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { until } from '#test/support/until.ts';

const mebibyte = 2 ** 20;
const signal = (): AbortSignal => AbortSignal.timeout(100_000);

/** Says JSON, and never comes to its end. */
class Endless {
  sentBytes = 0;
  open = 0;
  readonly listener: RequestListener = (_, response) => {
    this.open++;
    const piece = Buffer.alloc(mebibyte / 4, ' ');
    const more = (): void => {
      while (!response.destroyed) {
        this.sentBytes += piece.length;
        if (!response.write(piece)) break;
      }
    };
    response.on('drain', more);
    response.on('close', () => this.open--);
    response.writeHead(200, { 'content-type': 'application/json' });
    more();
  };
}

describe('a peer that answers without end', () => {
  const certificate = selfSignedCertificate({
    name: 'controller',
    hosts: ['127.0.0.1'],
    notBefore: new Date(Date.now() - 3_600_000),
    days: 2,
  });
  let peer: Endless;
  const servers: Server[] = [];
  let plain: AddressInfo;
  let secure: AddressInfo;

  before(async () => {
    const listener: RequestListener = (request, response) => peer.listener(request, response);
    servers.push(
      createServer(listener),
      createSecureServer({ key: certificate.key, cert: certificate.certificate }, listener),
    );
    for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening');
    [plain, secure] = servers.map((server) => server.address() as AddressInfo) as [AddressInfo, AddressInfo];
  });
  after(() => Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve)))));

  /** Hung up on, and after not much more than it may say. */
  async function isHungUpOn(mostBytes: number): Promise<void> {
    await until(() => peer.open === 0);
    // What is under way in the system's buffers was sent, and never read.
    assert.ok(peer.sentBytes < mostBytes + 16 * mebibyte, `${peer.sentBytes} bytes were taken`);
  }

  test('as PowerDNS has failed', async () => {
    peer = new Endless();
    await using api = openApi({ url: `http://127.0.0.1:${plain.port}`, apiKey: 'k', timeoutMs: 100_000 });
    await assert.rejects(api.call('GET', '/zones', signal()), { code: 'nameserver_error' });
    await isHungUpOn(64 * mebibyte);
  });

  test('as a node has failed', async () => {
    peer = new Endless();
    using node = openNodeHttp({ scheme: 'http', options: { host: '127.0.0.1', port: plain.port } });
    await assert.rejects(node.send({ method: 'GET', path: '/1.0' }, signal()), { code: 'node_error' });
    await isHungUpOn(32 * mebibyte);
  });

  test('as a controller behind Redfish has failed', async () => {
    peer = new Endless();
    const connection = openConnection({
      address: '127.0.0.1',
      port: secure.port,
      username: 'u',
      password: 'p',
      fingerprint: certificate.fingerprint,
    });
    try {
      await assert.rejects(connection.exchange({ method: 'GET', path: '/redfish/v1' }, signal()), {
        kind: 'badAnswer',
      });
      await isHungUpOn(4 * mebibyte);
    } finally {
      await connection.close();
    }
  });

  test('as the hook for licences has no key', async () => {
    peer = new Endless();
    await using folder = await temporaryFolder('endless');
    const store = await openStore({ dataFolder: folder.path, database: undefined });
    try {
      const secrets = secretBox(Buffer.alloc(32));
      await licenceHookPut(store.queries, secrets, { url: `http://127.0.0.1:${plain.port}/`, secret: 's' });
      const wanted = { order: '1', license: 'DEDICATED_PANEL1', service: '1001', account: '1' };
      assert.equal(await licenceKeyFrom({ store, secrets }, wanted, signal()), undefined);
      await isHungUpOn(0);
    } finally {
      await store.close();
    }
  });
});
