// Hostyard as a hidden primary: a PowerDNS that knows only its catalog zone follows customers' changes through the API.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dig } from '#drivers/dns/conformance.ts';
import { dnsCalls, untilAnswered } from '#test/support/dns-fixtures.ts';
import { needs } from '#test/support/needs.ts';
import { startPowerDns } from '#test/support/powerdns.ts';
import { openTestApp } from '#test/support/app.ts';

const catalog = 'catalog.example.net';

describe('a PowerDNS secondary of Hostyard', needs('dig', 'pdns_server'), () => {
  it("takes on customers' zones, their changes, and their removal", async () => {
    await using secondary = await startPowerDns([
      'secondary=yes',
      'xfr-cycle-interval=1',
      'zone-cache-refresh-interval=1',
    ]);
    await using app = await openTestApp({
      site: {
        nameserver: {
          names: ['ns1.example.net'],
          listen: '127.0.0.1:0',
          transfer: { networks: ['127.0.0.1'] },
          secondaries: [{ address: secondary.address, port: secondary.port }],
          catalog,
        },
      },
    });
    const consumer = { name: `${catalog}.`, kind: 'Consumer', masters: [`127.0.0.1:${app.dns.port}`] };
    const created = await fetch(`${secondary.apiUrl}/api/v1/servers/localhost/zones`, {
      method: 'POST',
      headers: { 'X-API-Key': secondary.apiKey },
      body: JSON.stringify(consumer),
    });
    assert.equal(created.status, 201, await created.text());

    const dns = dnsCalls(app, app.lab.customer.key);
    const address = () => dig(secondary, 'www.follow.example.com', 'A');
    const zone = await dns.makeZone('follow.example.com');
    await dns.add(zone, 'www.follow.example.com', 'A', '192.0.2.1');
    await untilAnswered(address, ['192.0.2.1']);
    const record = await dns.idOf(zone, 'www.follow.example.com', 'A');
    await dns.call('PUT', '/v2/dns/record', { domain: zone, record, content: '192.0.2.2' });
    await untilAnswered(address, ['192.0.2.2']);
    await dns.call('DELETE', '/v2/dns/domain', { domain: zone });
    await untilAnswered(address, ['REFUSED']);
    assert.deepEqual(await dig(secondary, '113.0.203.in-addr.arpa', 'NS'), ['ns1.example.net']);
  });
});
