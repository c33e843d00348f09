// Hostyard as a hidden primary: a PowerDNS that knows only its catalog follows what customers do through the API.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dig } from '#drivers/dns/conformance.ts';
import { dnsCalls } from '#test/support/dns-story.ts';
import { needs } from '#test/support/needs.ts';
import { startPowerDns } from '#test/support/powerdns.ts';
import { openTestYard } from '#test/support/yard.ts';

const catalog = 'catalog.example.net';
const followWithinMs = 120_000;

async function follows(what: () => Promise<string[]>, wanted: string[]): Promise<void> {
  const giveUpAt = Date.now() + followWithinMs;
  let seen = await what();
  while (JSON.stringify(seen) !== JSON.stringify(wanted) && Date.now() < giveUpAt) {
    await sleep(250);
    seen = await what();
  }
  assert.deepEqual(seen, wanted);
}

describe('a PowerDNS secondary of Hostyard', needs('dig', 'pdns_server'), () => {
  it('takes on the zones of customers, their changes, and their end', async () => {
    await using secondary = await startPowerDns([
      'secondary=yes',
      'xfr-cycle-interval=1',
      'zone-cache-refresh-interval=1',
    ]);
    await using yard = await openTestYard({
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
    const consumer = { name: `${catalog}.`, kind: 'Consumer', masters: [`127.0.0.1:${yard.dns.port}`] };
    const made = await fetch(`${secondary.apiUrl}/api/v1/servers/localhost/zones`, {
      method: 'POST',
      headers: { 'X-API-Key': secondary.apiKey },
      body: JSON.stringify(consumer),
    });
    assert.equal(made.status, 201, await made.text());

    const dns = dnsCalls(yard, yard.lab.customer.key);
    const address = () => dig(secondary, 'www.follow.example.com', 'A');
    const zone = await dns.makeZone('follow.example.com');
    await dns.add(zone, 'www.follow.example.com', 'A', '192.0.2.1');
    await follows(address, ['192.0.2.1']);
    const record = await dns.idOf(zone, 'www.follow.example.com', 'A');
    await dns.call('PUT', '/v2/dns/record', { domain: zone, record, content: '192.0.2.2' });
    await follows(address, ['192.0.2.2']);
    await dns.call('DELETE', '/v2/dns/domain', { domain: zone });
    await follows(address, ['REFUSED']);
    assert.deepEqual(await dig(secondary, '113.0.203.in-addr.arpa', 'NS'), ['ns1.example.net']);
  });
});
