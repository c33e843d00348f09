import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import dnsPacket from 'dns-packet';
import { fc } from '#test/support/fast-check.ts';
import { request } from 'undici';
import { networkContains, parseNetwork } from './addresses.ts';
import { urlHost, createEgressGuard, EgressError, type EgressGuard, type EgressGuardOptions } from './egress.ts';

const openGuard = (options: Partial<EgressGuardOptions> = {}) =>
  createEgressGuard({ allowed: async () => [], isProviders: async () => false, ...options });
const account = 1;
const allowNothing = openGuard();
async function rejectionOf(url: string, guard: EgressGuard = allowNothing): Promise<string> {
  const error = await guard.check(url, account).then(
    () => assert.fail(`${url} was allowed`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof EgressError, `${url}: ${String(error)}`);
  return error.message;
}

type Bytes = readonly [number, number, number, number];
const hex = (value: number, digits = 0) => value.toString(16).padStart(digits, '0');
const pair = (high: number, low: number) => hex(high * 256 + low);
const whole = ([a, b, c, d]: Bytes) => ((a * 256 + b) * 256 + c) * 256 + d;
/** Ways to write one IPv4 address in a URL, each accepted by some program. */
const notations: Record<string, (bytes: Bytes) => string> = {
  dotted: (bytes) => bytes.join('.'),
  'with a trailing dot': (bytes) => `${bytes.join('.')}.`,
  'a number': (bytes) => String(whole(bytes)),
  'a hexadecimal number': (bytes) => `0x${hex(whole(bytes))}`,
  'an octal number': (bytes) => `0${whole(bytes).toString(8)}`,
  'hexadecimal parts': (bytes) => bytes.map((byte) => `0X${hex(byte, 4)}`).join('.'),
  'octal parts': (bytes) => bytes.map((byte) => `00${byte.toString(8)}`).join('.'),
  'two parts': ([a, b, c, d]) => `${a}.${(b * 256 + c) * 256 + d}`,
  'three parts': ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  percent: (bytes) => [...bytes.join('.')].map((character) => `%${hex(character.charCodeAt(0))}`).join(''),
  'full-width digits': (bytes) =>
    [...bytes.join('.')]
      .map((character) => (character === '.' ? '。' : String.fromCodePoint(character.charCodeAt(0) + 0xfee0)))
      .join(''),
  mapped: (bytes) => `[::ffff:${bytes.join('.')}]`,
  'mapped in hexadecimal': ([a, b, c, d]) => `[0:0:0:0:0:FFFF:${pair(a, b)}:${pair(c, d)}]`,
  'behind NAT64': ([a, b, c, d]) => `[64:ff9b::${pair(a, b)}:${pair(c, d)}]`,
};
/** Rejected whatever they embed. */
const tunnels: Record<string, (bytes: Bytes) => string> = {
  compatible: (bytes) => `[::${bytes.join('.')}]`,
  '6to4': ([a, b, c, d]) => `[2002:${pair(a, b)}:${pair(c, d)}::1]`,
  Teredo: ([a, b, c, d]) => `[2001:0:4136:e378:8000:63bf:${pair(~a & 255, ~b & 255)}:${pair(~c & 255, ~d & 255)}]`,
  'NAT64 of a network': ([a, b, c, d]) => `[64:ff9b:1::${pair(a, b)}:${pair(c, d)}]`,
};

const special: [kind: RegExp, network: string][] = [
  [/unspecified/, '0.0.0.0/8'],
  [/private/, '10.0.0.0/8'],
  [/shared/, '100.64.0.0/10'],
  [/loopback/, '127.0.0.0/8'],
  [/link-local/, '169.254.0.0/16'],
  [/private/, '172.16.0.0/12'],
  [/reserved/, '192.0.0.0/24'],
  [/documentation/, '192.0.2.0/24'],
  [/private/, '192.168.0.0/16'],
  [/benchmarking/, '198.18.0.0/15'],
  [/documentation/, '198.51.100.0/24'],
  [/documentation/, '203.0.113.0/24'],
  [/multicast/, '224.0.0.0/4'],
  [/reserved/, '240.0.0.0/4'],
  [/cloud metadata/, '168.63.129.16/32'],
];
function inside(network: string): fc.Arbitrary<Bytes> {
  const { base, prefixLength } = parseNetwork(network)!;
  const first = whole(base.toByteArray() as unknown as Bytes);
  return fc.integer({ min: 0, max: 2 ** (32 - prefixLength) - 1 }).map((offset) => {
    const value = first + offset;
    return [(value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255] as const;
  });
}

describe('the egress guard', () => {
  for (const [kind, network] of special) {
    it(`rejects ${network} in every notation and names it ${kind.source}`, async () => {
      const forms = fc.constantFrom(...Object.values(notations));
      await fc.assert(
        fc.asyncProperty(inside(network), forms, async (bytes, form) => {
          assert.match(await rejectionOf(`http://${form(bytes)}:8080/x`), kind);
        }),
      );
    });
  }

  it('rejects every address embedded in a tunnel prefix', async () => {
    const bytes = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(bytes, fc.constantFrom(...Object.values(tunnels)), async (address, form) => {
        await rejectionOf(`https://${form(address)}/`);
      }),
    );
  });

  it('allows public addresses in every notation', async () => {
    for (const [, form] of Object.entries(notations))
      await allowNothing.check(`https://${form([8, 8, 4, 4])}/hook`, account);
    await allowNothing.check('https://[2606:4700::1111]:8443/', account);
  });

  it('rejects IPv6 addresses outside global unicast', async () => {
    const addresses = [
      '::',
      '::1',
      'fe80::1',
      'fec0::1',
      'fc00::1',
      'fd00:ec2::254',
      'ff02::1',
      '2001:db8::1',
      '3fff::1',
    ];
    for (const address of [...addresses, '2001:2::1', '2001:10::1', '100::1', '4000::1', '5f00::1'])
      await rejectionOf(`http://[${address}]/`);
  });

  it('rejects other schemes, credentials, port 0 and texts that are not URLs', () => {
    for (const url of [
      'file:///etc/passwd',
      'gopher://8.8.8.8/',
      'http://user@8.8.8.8/',
      'http://:pass@8.8.8.8/',
      'http://8.8.8.8:0/',
      'http://[fe80::1%25eth0]/',
      'http://1.2.3.4.5/',
      'http://8.8.8.256/',
      'http://',
      'nonsense',
      '',
    ])
      assert.throws(() => urlHost(url), EgressError, url);
  });

  it('recognizes localhost without a DNS query', async () => {
    for (const host of ['localhost', 'LOCALHOST.', 'a.localhost'])
      assert.match(await rejectionOf(`http://${host}/`), /loopback/);
  });

  it('allows the networks that the operator opened and no others', async () => {
    const guard = openGuard({
      allowed: async () => [parseNetwork('10.1.0.0/16')!, parseNetwork('fd00:1::/32')!],
    });
    for (const form of Object.values(notations)) await guard.check(`http://${form([10, 1, 2, 3])}/`, account);
    await guard.check('http://[fd00:1::5]/', account);
    await rejectionOf('http://10.2.0.1/', guard);
    await rejectionOf('http://[fd00:2::5]/', guard);
  });
});

interface Zone extends AsyncDisposable {
  readonly server: string;
  /** Names and the addresses they resolve to. */
  readonly records: Map<string, string[]>;
}
async function startNameServer(): Promise<Zone> {
  const records: Zone['records'] = new Map();
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const question = dnsPacket.decode(message).questions![0]!;
    const addresses = records.get(question.name.toLowerCase());
    const answers = (addresses ?? [])
      .filter((address) => address.includes(':') === (question.type === 'AAAA'))
      .map((data) => ({ type: question.type as 'A', name: question.name, ttl: 0, data }));
    const rcode = addresses === undefined ? 3 : 0;
    socket.send(
      dnsPacket.encode({
        type: 'response',
        id: message.readUInt16BE(0),
        flags: 0x180 | rcode,
        questions: [question],
        answers,
      }),
      from.port,
      from.address,
    );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    server: `127.0.0.1:${socket.address().port}`,
    records,
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

describe('the egress guard, given host names', () => {
  it('rejects a name if any of its addresses is not allowed, or if it has none or very many', async () => {
    await using zone = await startNameServer();
    const guard = openGuard({ nameServers: [zone.server] });
    zone.records.set('good.test', ['8.8.8.8', '2606:4700::1111']);
    zone.records.set('mixed.test', ['8.8.8.8', '10.0.0.1']);
    zone.records.set('mapped.test', ['::ffff:192.168.1.1']);
    zone.records.set('meta.test', ['169.254.169.254']);
    zone.records.set('empty.test', []);
    zone.records.set(
      'large.test',
      Array.from({ length: 33 }, (_, index) => `8.8.8.${index}`),
    );
    await guard.check('https://good.test/', account);
    await guard.check('https://GOOD.test./', account);
    assert.match(await rejectionOf('https://mixed.test/', guard), /private/);
    assert.match(await rejectionOf('https://mapped.test/', guard), /private/);
    assert.match(await rejectionOf('https://meta.test/', guard), /link-local/);
    assert.match(await rejectionOf('https://empty.test/', guard), /does not resolve/);
    assert.match(await rejectionOf('https://absent.test/', guard), /does not resolve/);
    assert.match(await rejectionOf('https://large.test/', guard), /more than 32 addresses/);
  });

  it('resolves again at the call, so that a name that changed gains nothing', async () => {
    await using zone = await startNameServer();
    const guard = openGuard({ nameServers: [zone.server] });
    zone.records.set('turncoat.test', ['8.8.8.8']);
    await guard.check('http://turncoat.test/', account);
    zone.records.set('turncoat.test', ['127.0.0.1']);
    const agent = await guard.createAgent(account);
    await assert.rejects(request('http://turncoat.test/', { dispatcher: agent }), EgressError);
    await assert.rejects(request('http://127.0.0.1:9/', { dispatcher: agent }), EgressError);
    await assert.rejects(request('http://[::ffff:7f00:1]:9/', { dispatcher: agent }), EgressError);
  });

  it("rejects the provider's addresses, also if a name leads there only at the call, unless they are allowed", async () => {
    await using zone = await startNameServer();
    const network = parseNetwork('11.22.0.0/16')!;
    const isProviders: EgressGuardOptions['isProviders'] = async (address, caller) =>
      networkContains(network, address) && caller === account;
    const guard = openGuard({ isProviders, nameServers: [zone.server] });
    zone.records.set('turncoat.test', ['8.8.8.8']);
    await guard.check('http://turncoat.test/', account);
    zone.records.set('turncoat.test', ['8.8.8.8', '11.22.0.1']);
    assert.match(await rejectionOf('http://turncoat.test/', guard), /address of this provider/);
    const agent = await guard.createAgent(account);
    await assert.rejects(request('http://turncoat.test/', { dispatcher: agent }), EgressError);
    await assert.rejects(request('http://11.22.0.1/', { dispatcher: agent }), EgressError);
    await guard.check('http://turncoat.test/', account + 1);
    for (const form of Object.values(notations))
      assert.match(await rejectionOf(`http://${form([11, 22, 3, 4])}/`, guard), /address of this provider/);
    await openGuard({ isProviders, allowed: async () => [network] }).check('http://11.22.0.1/', account);
  });

  it('connects to the address that was checked, with the original host name', async () => {
    await using zone = await startNameServer();
    const guard = openGuard({
      allowed: async () => [parseNetwork('127.0.0.0/8')!],
      nameServers: [zone.server],
    });
    zone.records.set('inside.test', ['127.0.0.1']);
    const agent = await guard.createAgent(account);
    const server = createServer((incoming, answer) => answer.end(incoming.headers.host)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { body } = await request(`http://inside.test:${port}/`, { dispatcher: agent });
    assert.equal(await body.text(), `inside.test:${port}`);

    const host = Promise.withResolvers<string>();
    const secure = createTlsServer({
      SNICallback: (name, answer) => {
        host.resolve(name);
        answer(new Error('no certificate'));
      },
    }).listen(0, '127.0.0.1');
    await once(secure, 'listening');
    const url = `https://inside.test:${(secure.address() as AddressInfo).port}/`;
    await assert.rejects(request(url, { dispatcher: agent }));
    assert.equal(await host.promise, 'inside.test');
    await agent.destroy();
    server.close();
    secure.close();
  });
});
