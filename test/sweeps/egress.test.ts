// Outgoing connections: every one whose target a customer chooses goes through the egress guard, and no URL in the
// contract escapes it.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Value } from 'typebox/value';
import { applySite } from '#app/site/apply.ts';
import { providerHosts } from '#app/site/provider-hosts.ts';
import { requiredExample } from '#test/support/examples.ts';
import { callRoute, errorOf, keyFor, routes } from '#test/support/routes.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';

const root = join(import.meta.dirname, '..', '..');

/** Who chooses what each file of the server connects to. `customer` needs the guard. */
const choosers: Readonly<Record<string, 'customer' | 'site file' | 'settings' | 'ourselves' | 'our resolver'>> = {
  'src/app/account/login-host.ts': 'our resolver',
  'src/app/events/webhook-delivery.ts': 'customer',
  'src/app/reload/file-cache.ts': 'site file',
  'src/app/servers/console-sessions.ts': 'site file',
  'src/app/servers/controller-launcher.ts': 'site file',
  'src/app/sign-on/provider.ts': 'customer',
  'src/drivers/bmc/redfish/connection.ts': 'site file',
  'src/drivers/detector/redis.ts': 'site file',
  'src/drivers/dns/builtin/notify.ts': 'site file',
  'src/drivers/dns/client.ts': 'site file',
  'src/drivers/dns/powerdns/api.ts': 'site file',
  'src/drivers/exchange-rates/ecb.ts': 'site file',
  'src/drivers/hypervisor/http.ts': 'site file',
  'src/drivers/hypervisor/lxd/console.ts': 'site file',
  'src/drivers/invoice-delivery/access-point.ts': 'site file',
  'src/drivers/mail/smtp.ts': 'site file',
  'src/drivers/payment/stripe/stripe.ts': 'site file',
  'src/drivers/routes/frr/vty.ts': 'site file',
  'src/drivers/routes/gobgp/client.ts': 'site file',
  'src/drivers/snmp/session.ts': 'site file',
  'src/drivers/vat/vies.ts': 'site file',
  'src/http/consoles/web-console-proxy.ts': 'site file',
  'src/lib/egress.ts': 'customer',
  'src/protocols/ipmi/transport.ts': 'site file',
  'src/protocols/libvirt/connection.ts': 'site file',
  'src/reconcilers/detector-redis.ts': 'site file',
  'src/server/commands/detect.ts': 'settings',
  'src/server/doctor/listeners.ts': 'ourselves',
  'src/store/engine/postgres-route.ts': 'settings',
  'src/workflows/billing/licence-hook.ts': 'site file',
};
const connects = [
  /\bawait fetch\(/,
  /\brequest\b[^;]*} (?:from|= await import\()\s*'undici'/,
  /import\('(?:undici|ws)'\)/,
  /\b(?:connect|createConnection|request as \w+|Socket)\b[^;]*} from 'node:(?:net|tls|https?)'/,
  /import \{[^}]*\bcreateSocket\b[^}]*} from 'node:dgram'/,
  /import \{[^}]*\bResolver\b[^}]*} from 'node:dns\/promises'/,
  /from '@redis\/client'/,
  /import\('nodemailer/,
  /import\('stripe'\)/,
  /import \* as grpc from/,
  /snmp\.createSession|snmp\.createV3Session/,
];
/** They only receive. */
const listeners = new Set([
  'src/drivers/dns/builtin/tcp.ts',
  'src/drivers/dns/builtin/udp.ts',
  'src/http/consoles/console-forwards.ts',
  'src/http/consoles/vnc-proxy.ts',
  'src/protocols/tftp/server.ts',
]);

describe('outgoing connections', () => {
  let app: TestApp;
  before(async () => void (app = await openTestApp()));
  after(() => app[Symbol.asyncDispose]());

  test('are opened only by files that are known to, and guarded if a customer chooses the target', () => {
    const files = globSync(
      'src/{app,drivers,equipment,events,http,lib,protocols,queue,reconcilers,server,store,workflows}/**/*.ts',
      {
        cwd: root,
      },
    ).filter((file) => !file.endsWith('.test.ts') && !file.endsWith('.d.ts') && !listeners.has(file));
    const opening = files.filter((file) => {
      const source = readFileSync(join(root, file), 'utf8').replaceAll(/^import type .*$/gm, '');
      return connects.some((pattern) => pattern.test(source));
    });
    assert.deepEqual(opening.toSorted(), Object.keys(choosers).toSorted());
    for (const [file, chooser] of Object.entries(choosers))
      if (chooser === 'customer')
        assert.match(readFileSync(join(root, file), 'utf8'), /egress\.createAgent|createEgressGuard/, file);
  });

  test('to a URL of a customer are refused if it is the address of any equipment', async () => {
    const address = '44.1.0.1';
    const servers = app.site.servers!.map((server, index) =>
      index > 0 ? server : { ...server, bmc: { ...server.bmc, settings: { ...server.bmc.settings, address } } },
    );
    await applySite(app.parts, { ...app.site, servers });
    const urls = routes.flatMap((route) =>
      Object.entries(route.endpoint.params)
        .filter(
          ([, schema]) =>
            Value.Check(schema, `https://${address}/x`) &&
            ['a text of two dozen letters', 'word'].every((text) => !Value.Check(schema, text)),
        )
        .map(([name]) => ({ route, name })),
    );
    assert.ok(urls.length >= 2);
    for (const { route, name } of urls) {
      const input = { ...requiredExample(route.endpoint), [name]: `https://${address}/x` };
      const encoding = route.method === 'GET' ? 'query' : 'json';
      const response = await callRoute(app, route, input, encoding, { key: keyFor(app, route) });
      assert.match(errorOf(response).fields?.[name] ?? '', /address of this provider/, `${route.label} ${name}`);
    }
  });

  test('are refused for every host that the site file names', () => {
    const settings = { url: 'https://lxd1.example.net:8443', redfish: { address: '192.0.2.1' }, password: 'secret' };
    const hosts = providerHosts({
      servers: [
        { name: 'dc01r01ds01', bmc: { driver: 'x', settings }, bootAddress: '192.0.2.9', macs: ['52:54:00:aa:bb:cc'] },
      ],
      switches: [{ name: 'sw1', driver: 'x', settings: { address: 'sw1.example.net' } }],
      nullroutes: {
        policy: 'offer',
        router: { driver: 'gobgp', settings: { address: '[2001:db8::1]:50051', communities: ['65010:666'] } },
      },
      boot: { listen: '192.0.2.2:80', networks: ['192.0.2.64/26'] },
    });
    assert.deepEqual(hosts, {
      equipment: ['lxd1.example.net', '192.0.2.1', 'sw1.example.net', '192.0.2.2', '2001:db8::1'],
      bootNetworks: ['192.0.2.64/26', '192.0.2.9'],
    });
  });
});
