// Where webhooks may lead, on both engines: not to the provider's own equipment and networks, nor to other customers.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { applySite } from '#app/site/apply.ts';
import { EgressError } from '#lib/egress.ts';
import type { Site } from '#contract/site/site.ts';
import { request } from '#test/support/request.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';

/** Public addresses throughout: private ones are rejected anyway. */
const withPublicAddresses = ({ site }: TestApp): Site => ({
  ...site,
  netblocks: [
    ...site.netblocks!,
    { cidr: '11.22.0.0/16', gateway: '11.22.0.1' },
    { cidr: '2a00:1234::/32' },
    { cidr: '11.22.1.0/29', service: 1001, gateway: '11.22.1.1' },
    { cidr: '11.22.2.0/29', service: 1101 },
    { cidr: '2a00:1234:0:1::/64', service: 1001 },
    { cidr: '44.3.0.0/29', service: 1001 },
  ],
  servers: site.servers!.map((server, index) =>
    index === 0
      ? {
          ...server,
          bootAddress: '44.3.0.4',
          bmc: { ...server.bmc, settings: { ...server.bmc.settings, address: '44.1.0.1' } },
        }
      : server,
  ),
  switches: site.switches!.map((row) => ({ ...row, settings: { ...row.settings, address: '44.1.0.2' } })),
  nodes: site.nodes!.map((node) => ({ ...node, settings: { ...node.settings, address: '44.1.0.3' } })),
  nameserver: {
    ...site.nameserver!,
    secondaries: [{ address: '44.1.0.4' }],
    powerdns: { url: 'https://44.1.0.5:8081', apiKey: 'secret' },
  },
  boot: { ...site.boot, listen: '44.1.0.6:8069', networks: ['44.2.0.0/24', '44.3.0.0/24'] },
  nullroutes: {
    policy: 'offer',
    router: { driver: 'gobgp', settings: { address: '44.1.0.7:50051' } },
  },
  detectors: [
    {
      name: 'fastnetmon',
      secret: `whsec_${btoa('0123456789abcdef')}`,
      redis: { url: 'redis://:pw@44.1.0.8:6379', prefix: 'x' },
    },
  ],
  licenceHook: { url: 'http://[2a00:9999::1]/hook', secret: `whsec_${btoa('0123456789abcdef')}` },
});
const equipment = Array.from({ length: 8 }, (_, index) => `44.1.0.${index + 1}`);
const inNetworks = ['11.22.0.1', '11.22.0.99', '11.22.255.255', '[2a00:1234::1]', '11.22.1.1', '44.2.0.7', '44.3.0.99'];
const providers = [...equipment, ...inNetworks, '[::ffff:11.22.0.99]', '[64:ff9b::b16:63]', '[2a00:9999::1]'];
const ofOwnServer = ['11.22.1.2', '[2a00:1234:0:1::5]', '44.3.0.4'];
const ofOther = ['11.22.2.2'];

describeOnEngines('the destination of a webhook', { postgres: 'in long runs' }, ({ openApp }) => {
  const openFixture = async (change: Partial<Site> = {}) => {
    const app = await openApp();
    await applySite(app.parts, { ...withPublicAddresses(app), ...change });
    const register = async (host: string, key = app.lab.customer.key) => {
      const params = { url: `http://${host}:8080/hook` };
      const { status, body } = await request(app, 'POST', '/v2/account/webhook', { key, params });
      return status === 200 ? 'allowed' : (body as { result: { fields: { url: string } } }).result.fields.url;
    };
    return { app, register };
  };

  it("is not the provider's equipment, nor a network of the provider", async () => {
    const { app, register } = await openFixture();
    for (const host of providers) assert.match(await register(host), /address of this provider/, host);
    assert.equal(await register('44.1.0.99'), 'allowed');
    // As in a database that an earlier version wrote.
    await app.parts.store.queries.deleteFrom('meta').where('name', '=', 'provider hosts').execute();
    for (const host of equipment) assert.match(await register(host), /address of this provider/, host);
  });

  it("can be the account's own server, and nobody else's", async () => {
    const { app, register } = await openFixture();
    for (const host of ofOwnServer) assert.equal(await register(host), 'allowed', host);
    for (const host of ofOther) assert.match(await register(host), /address of this provider/, host);
    for (const host of ofOther) assert.equal(await register(host, app.lab.stranger.key), 'allowed', host);
    for (const host of ofOwnServer) assert.match(await register(host, app.lab.stranger.key), /this provider/, host);
  });

  it('can be what the site file allows', async () => {
    const { register } = await openFixture({ webhooks: { allow: ['11.22.0.99/32', '44.1.0.0/24'] } });
    assert.equal(await register('11.22.0.99'), 'allowed');
    assert.equal(await register('44.1.0.1'), 'allowed');
    assert.match(await register('11.22.0.98'), /this provider/);
  });

  it('is checked again at each delivery, so that a block that was lost cannot be called', async () => {
    const { app } = await openFixture();
    await app.parts.egress.check('http://11.22.1.2/', 1);
    const lost = withPublicAddresses(app).netblocks!.map((block) =>
      block.cidr === '11.22.1.0/29' ? { cidr: block.cidr } : block,
    );
    await applySite(app.parts, { ...withPublicAddresses(app), netblocks: lost });
    await assert.rejects(app.parts.egress.check('http://11.22.1.2/', 1), EgressError);
    const { request: send } = await import('undici');
    const agent = await app.parts.egress.createAgent(1);
    await assert.rejects(send('http://11.22.1.2/', { dispatcher: agent }), EgressError);
    await agent.destroy();
  });
});
