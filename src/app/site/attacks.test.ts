import assert from 'node:assert/strict';
import { test } from 'node:test';
import { siteProblems } from '#test/support/site-problems.ts';

const secret = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
const provider = 'provider: { name: Example, currency: { code: EUR } }\n';

const problemsOf = (text: string): string[] => siteProblems(provider + text);

test('detectors, a null-route policy and a router are accepted as operators write them', () => {
  const text = `detectors:
  - { name: fastnetmon, secret: ${secret}, silentMinutes: 30, redis: { url: 'redis://127.0.0.1', prefix: mydc1 } }
  - { name: other, secret: ${secret} }
nullroutes:
  policy: automatic
  threshold: { packetsPerSecond: 200000, bitsPerSecond: 2000000000 }
  minutes: 60
  perDay: 20
  ceiling: 1000
  router:
    driver: gobgp
    settings: { address: '127.0.0.1:50051', nextHop: 192.0.2.1, nextHop6: '100::1', communities: ['65010:666'] }
`;
  assert.deepEqual(problemsOf(text), []);
  assert.deepEqual(
    problemsOf("nullroutes: { policy: offer, router: { driver: file, settings: { path: '/run/routes' } } }\n"),
    [],
  );
  assert.deepEqual(problemsOf('nullroutes: { policy: never }\n'), []);
});

test('problems with detectors and routers are reported with their line', () => {
  const detectors = `detectors:
  - { name: one, secret: short }
  - { name: one, secret: ${secret}, redis: { url: 'http://127.0.0.1', prefix: a } }
  - { name: two, secret: { env: HOSTYARD_TEST_NO_SUCH_VARIABLE } }
`;
  assert.deepEqual(problemsOf(detectors), [
    '3:18 secret must be whsec_ followed by at least 16 bytes in base64',
    '4:7 detector one is defined twice; give each detector its own name',
    '4:75 url must start with redis:// or rediss://',
    '5:18 secret: the environment variable HOSTYARD_TEST_NO_SUCH_VARIABLE is not set',
  ]);
  assert.deepEqual(problemsOf('nullroutes: { policy: automatic }\n'), [
    '2:1 policy automatic needs a router; add router, or set policy to never',
    '2:1 policy automatic needs a threshold; add packetsPerSecond or bitsPerSecond',
  ]);
  const router = (settings: string) =>
    problemsOf(`nullroutes: { policy: offer, router: { driver: gobgp, settings: ${settings} } }\n`);
  assert.deepEqual(router("{ address: 'a:1', communities: ['65010:666'] }"), []);
  for (const wrong of [
    "{ address: 'a:1', communities: ['65536:1'] }",
    "{ address: 'a:1', nextHop: '::1' }",
    '{ nextHop: 1.2.3.4 }',
  ])
    assert.equal(router(wrong).length, 1, wrong);
  assert.match(
    problemsOf('nullroutes: { policy: offer, router: { driver: exabgp, settings: {} } }\n')[0]!,
    /available: gobgp, frr, file/,
  );
});

test('routed netblocks need a router, and never contain the address that they are routed to', () => {
  const problems = (cidr: string, more = '') =>
    problemsOf(`netblocks: [{ cidr: ${cidr}, service: 1, delivery: routed }]
services: [{ id: 1, customer: 1, type: dedicated, name: S, hostname: s.example.net, ip: 192.0.2.9 }]
${more}`).filter((problem) => problem.includes('rout'));
  const settings = "{ socket: '/run/frr/staticd.vty' }";
  const router = `nullroutes: { policy: never, router: { driver: frr, settings: ${settings} } }\n`;
  assert.deepEqual(problems('198.51.100.0/29', router), []);
  assert.deepEqual(problems('198.51.100.0/29'), ['2:50 delivery routed needs a router; add nullroutes.router']);
  assert.deepEqual(problems('192.0.2.8/29', router), [
    '2:47 192.0.2.8/29 contains the address of service 1, which others are routed to; use on-link',
  ]);
});
