// Peers that respond without end: each response is bounded, its connection is closed, and the call fails with the error
// of its kind. A response must not cost more memory than the largest sensible one.
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { redfishClient } from '#drivers/bmc/redfish/client.ts';
import { openConnection } from '#drivers/bmc/redfish/connection.ts';
import { openRedfish } from '#drivers/bmc/redfish/driver.ts';
import { redfishService } from '#drivers/bmc/redfish/service.ts';
import type { RedfishSettings } from '#drivers/bmc/redfish/settings.ts';
import { openApi } from '#drivers/dns/powerdns/api.ts';
import { openHypervisorHttp } from '#drivers/hypervisor/http.ts';
import { storeLicenceHook, fetchLicenceKey } from '#workflows/billing/licence-hook.ts';
import { selfSignedCertificate } from '#lib/certificate.ts';
import { secretBox } from '#lib/secrets.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { openTestStore } from '#test/support/store.ts';
import { until } from '#test/support/until.ts';

const mebibyte = 2 ** 20;
const signal = (): AbortSignal => AbortSignal.timeout(100_000);

/** Sends JSON that never ends. */
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

describe('a peer with an endless response', () => {
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

  /** Asserts that we disconnected after little more than the limit. */
  async function isHungUpOn(mostBytes: number): Promise<void> {
    await until(() => peer.open === 0);
    // Data in the system's buffers was sent but never read.
    assert.ok(peer.sentBytes < mostBytes + 16 * mebibyte, `${peer.sentBytes} bytes were accepted`);
  }

  test('as PowerDNS is an error', async () => {
    peer = new Endless();
    await using api = openApi({ url: `http://127.0.0.1:${plain.port}`, apiKey: 'k', timeoutMs: 100_000 });
    await assert.rejects(api.call('GET', '/zones', signal()), { code: 'nameserver_error' });
    await isHungUpOn(64 * mebibyte);
  });

  test('as a hypervisor is an error', async () => {
    peer = new Endless();
    using node = openHypervisorHttp({ scheme: 'http', options: { host: '127.0.0.1', port: plain.port } });
    await assert.rejects(node.send({ method: 'GET', path: '/1.0' }, signal()), { code: 'node_error' });
    await isHungUpOn(32 * mebibyte);
  });

  test('as a Redfish BMC is an error', async () => {
    peer = new Endless();
    const connection = openConnection({
      address: '127.0.0.1',
      port: secure.port,
      username: 'u',
      password: 'p',
      fingerprint: certificate.fingerprint,
    });
    try {
      await assert.rejects(connection.send({ method: 'GET', path: '/redfish/v1' }, signal()), {
        kind: 'badResponse',
      });
      await isHungUpOn(4 * mebibyte);
    } finally {
      await connection.close();
    }
  });

  test('as a Redfish BMC whose collection does not end is an error', async () => {
    let pages = 0;
    let hasMembers = true;
    const listener: RequestListener = (request, response) => {
      const isPage = request.url!.startsWith('/page');
      if (isPage) pages++;
      const members = Array.from({ length: hasMembers ? 1000 : 0 }, (_, index) => ({ '@odata.id': `/${index}` }));
      const body = isPage ? { Members: members, 'Members@odata.nextLink': `/page/${pages}` } : {};
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    peer = Object.assign(new Endless(), { listener });
    const { port } = secure;
    const settings = { address: '127.0.0.1', port, username: 'u', password: 'p', fingerprint: certificate.fingerprint };
    const client = redfishClient(settings);
    try {
      const service = redfishService(client, undefined);
      await assert.rejects(service.memberLinks('/page', signal()), { kind: 'badResponse' });
      assert.ok(pages < 10, `${pages} pages with members were read`);
      [pages, hasMembers] = [0, false];
      await assert.rejects(service.memberLinks('/page', signal()), { kind: 'badResponse' });
      assert.ok(pages < 10_000, `${pages} empty pages were read`);
    } finally {
      await client.close();
    }
  });

  /** A Redfish service with what each path responds with; by default an empty resource. */
  function startRedfish(bodyOf: (path: string) => string | undefined): RedfishSettings {
    peer = new Endless();
    const listener: RequestListener = (request, response) => {
      const text = bodyOf(request.url!) ?? '{}';
      peer.sentBytes += text.length;
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    };
    Object.assign(peer, { listener });
    return {
      address: '127.0.0.1',
      port: secure.port,
      username: 'u',
      password: 'p',
      fingerprint: certificate.fingerprint,
    };
  }
  const linksTo = (path: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ '@odata.id': `${path}/${index}` }));

  test('as a Redfish BMC with an endless list in one response is an error', async () => {
    const text = JSON.stringify({ Members: linksTo('/m', 150_000) });
    const client = redfishClient(startRedfish((path) => (path === '/page' ? text : undefined)));
    try {
      const service = redfishService(client, undefined);
      await assert.rejects(service.memberLinks('/page', signal()), { kind: 'badResponse' });
    } finally {
      await client.close();
    }
  });

  test('as a Redfish BMC whose responses to one call do not end is an error', async () => {
    const text = JSON.stringify({ filler: 'x'.repeat(mebibyte) });
    const page = JSON.stringify({ Members: linksTo('/m', 500) });
    const client = redfishClient(
      startRedfish((path) => (path === '/page' ? page : path.startsWith('/m/') ? text : undefined)),
    );
    try {
      const service = redfishService(client, undefined);
      await assert.rejects(service.members('/page', signal()), { kind: 'excessive' });
      assert.ok(peer.sentBytes < 64 * mebibyte, `${peer.sentBytes} bytes were read`);
      assert.equal((await service.memberLinks('/page', signal())).length, 500, 'the next call starts anew');
    } finally {
      await client.close();
    }
  });

  test('as a Redfish BMC with endless sensors is an error', async () => {
    const bodies: Record<string, object> = {
      '/redfish/v1/': { Systems: { '@odata.id': '/systems' } },
      '/systems': { Members: linksTo('/system', 1) },
      '/system/0': { Links: { Chassis: linksTo('/chassis', 3) } },
      ...Object.fromEntries([0, 1, 2].map((index) => [`/chassis/${index}`, { Thermal: { '@odata.id': '/thermal' } }])),
      '/thermal': { Temperatures: Array.from({ length: 1000 }, () => ({ ReadingCelsius: 20 })) },
    };
    const settings = startRedfish((path) => bodies[path] && JSON.stringify(bodies[path]));
    await using bmc = openRedfish(settings);
    await assert.rejects(bmc.sensors!.read(signal()), { code: 'bmc_error' });
  });

  test('as the licence hook has no key', async () => {
    peer = new Endless();
    await using folder = await temporaryFolder('endless');
    const store = await openTestStore({ dataFolder: folder.path, database: undefined });
    try {
      const secrets = secretBox(Buffer.alloc(32));
      await storeLicenceHook(store.queries, secrets, { url: `http://127.0.0.1:${plain.port}/`, secret: 's' });
      const order = { order: '1', license: 'DEDICATED_PANEL1', service: '1001', account: '1' };
      assert.equal(await fetchLicenceKey({ store, secrets }, order, signal()), undefined);
      await isHungUpOn(0);
    } finally {
      await store.close();
    }
  });
});
