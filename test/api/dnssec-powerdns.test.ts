// Signing by an external PowerDNS ends only after the parent zone has no DS record any more, as with the built-in name server.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { before, test } from 'node:test';
import { json } from 'node:stream/consumers';
import { encodeFrame, readFrames } from '#protocols/dns/frames.ts';
import { decodeMessage, encodeMessage } from '#protocols/dns/message.ts';
import { contentToWire } from '#protocols/dns/rdata.ts';
import { headerFlags, rcodes, rrTypes } from '#protocols/dns/types.ts';
import { dnsCalls, type DnsCalls } from '#test/support/dns-fixtures.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

const name = 'signed.example.com';
const ds = `7 13 2 ${'ab'.repeat(32)}`;
const off = { status: 'off', ds: [] };

describeOnEngines('DNSSEC of an external PowerDNS', { postgres: 'in long runs' }, ({ owned, openApp }) => {
  let dns: DnsCalls;
  let zone: string;
  let isSigned = false;
  let published: readonly string[] = [];
  let rcode: number = rcodes.NOERROR;

  async function listen(server: Server): Promise<string> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    owned.defer(() => void server.close());
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  /** Has the zone from the beginning, and one key while it signs. */
  async function answerCall(request: IncomingMessage): Promise<unknown> {
    const body = request.method === 'GET' ? {} : ((await json(request)) as { dnssec?: boolean });
    if (request.method === 'PUT') isSigned = body.dnssec ?? isSigned;
    if (request.url!.endsWith('/cryptokeys')) return isSigned ? [{ active: true, ds: [ds] }] : [];
    return { name: `${name}.`, serial: 1, rrsets: [] };
  }

  before(async () => {
    const powerDns = createHttpServer(async (request, response) =>
      response.setHeader('connection', 'close').end(JSON.stringify(await answerCall(request))),
    );
    const resolver = createServer(async (socket) => {
      for await (const frame of readFrames(socket)) {
        const query = decodeMessage(frame);
        const rdata = published.map((content) => contentToWire(rrTypes.DS, content));
        const answers = rdata.length === 0 ? [] : [{ name, type: rrTypes.DS, ttl: 60, rdata }];
        const flags = headerFlags.RESPONSE | headerFlags.RECURSION_AVAILABLE;
        socket.write(encodeFrame(encodeMessage({ ...query, flags, rcode, answers })));
      }
    });
    const settings = { url: `http://${await listen(powerDns)}`, apiKey: 'key', timeoutSeconds: 5 };
    const nameserver = { names: ['ns1.example.net'], powerdns: settings, resolvers: [await listen(resolver)] };
    const app = await openApp({ site: { nameserver } });
    dns = dnsCalls(app, app.lab.customer.key);
    zone = await dns.makeZone(name);
  });
  const dnssec = (method: string, more = {}) => dns.call(method, '/v2/dns/dnssec', { domain: zone, ...more });
  const refusal = async (status: number) =>
    (await dns.assertRejected(status, 'DELETE', '/v2/dns/dnssec', { domain: zone })).message;

  test('is not disabled while the public DNS has a DS record, or cannot tell, unless that is forced', async () => {
    published = [ds];
    assert.deepEqual(await dnssec('DELETE'), off, 'a zone that is not signed');
    assert.deepEqual(await dnssec('PUT'), { status: 'on', ds: [ds] });
    assert.match(await refusal(409), /^The parent zone still has DS records for signed\.example\.com\..* Use force /);
    rcode = rcodes.SERVFAIL;
    assert.match(await refusal(409), /^The servers of the parent zone did not answer\./);
    assert.equal(isSigned, true);
    assert.deepEqual(await dnssec('DELETE', { force: true }), off);
    await dnssec('PUT');
    [rcode, published] = [rcodes.NOERROR, []];
    assert.deepEqual(await dnssec('DELETE'), off);
  });
});
