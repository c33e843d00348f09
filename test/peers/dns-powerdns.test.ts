// PowerDNS failing: killed, stalled, changed by someone else, asked for what it rejects. Our side always knows which.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { dig, rrset, createZone } from '#drivers/dns/conformance.ts';
import type { DnsDriver } from '#drivers/dns/driver.ts';
import { openPowerDns } from '#drivers/dns/powerdns/driver.ts';
import { needs } from '#test/support/needs.ts';
import { type PowerDns, startPowerDns } from '#test/support/powerdns.ts';
import { suiteResources } from '#test/support/suite-resources.ts';

describe('a failing PowerDNS', needs('dig', 'pdns_server'), () => {
  const owned = suiteResources();
  let server: PowerDns;
  let driver: DnsDriver;
  const deadline = () => AbortSignal.timeout(60_000);
  const open = (changes: Partial<Parameters<typeof openPowerDns>[0]> = {}) =>
    openPowerDns({ url: server.apiUrl, apiKey: server.apiKey, timeoutMs: 20_000, writers: 'one', ...changes });
  const zone = (serial: number, text: string) =>
    createZone('trouble.test', serial, rrset('a.trouble.test', 'TXT', text));

  before(async () => {
    server = owned.use(await startPowerDns());
    driver = owned.use(open());
  });

  it('that is killed is unreachable, and accepts the same change once it is back', async () => {
    await driver.publish(zone(1, 'before'), deadline());
    await server.kill();
    await assert.rejects(driver.publish(zone(2, 'after'), deadline()), { code: 'nameserver_unreachable' });
    await server.restart();
    assert.deepEqual(await dig(server, 'a.trouble.test', 'TXT'), ['"before"']);
    await driver.publish(zone(2, 'after'), deadline());
    assert.deepEqual(await dig(server, 'a.trouble.test', 'TXT'), ['"after"']);
  });

  it('that stalls is unreachable after the timeout, and the change is repeated safely when it resumes', async () => {
    await using impatient = open({ timeoutMs: 200 });
    server.stall();
    try {
      await assert.rejects(impatient.publish(zone(3, 'stalled'), deadline()), { code: 'nameserver_unreachable' });
    } finally {
      server.resume();
    }
    await driver.publish(zone(4, 'went on'), deadline());
    assert.deepEqual(await dig(server, 'a.trouble.test', 'TXT'), ['"went on"']);
  });

  it('changed by someone else is corrected by publishing again', async () => {
    await driver.publish(zone(5, 'ours'), deadline());
    const foreign = [
      {
        name: 'b.trouble.test.',
        type: 'A',
        ttl: 60,
        changetype: 'REPLACE',
        records: [{ content: '192.0.2.66', disabled: false }],
      },
      { name: 'a.trouble.test.', type: 'TXT', changetype: 'DELETE' },
    ];
    const response = await fetch(`${server.apiUrl}/api/v1/servers/localhost/zones/trouble.test.`, {
      method: 'PATCH',
      headers: { 'X-API-Key': server.apiKey },
      body: JSON.stringify({ rrsets: foreign }),
    });
    assert.equal(response.status, 204);
    await driver.publish(zone(5, 'ours'), deadline());
    assert.deepEqual(await dig(server, 'a.trouble.test', 'TXT'), ['"ours"']);
    assert.deepEqual(await dig(server, 'b.trouble.test', 'A'), ['NXDOMAIN']);
  });

  it('asked for what it rejects changes nothing', async () => {
    await driver.publish(zone(6, 'as it was'), deadline());
    const bad = createZone(
      'trouble.test',
      7,
      rrset('a.trouble.test', 'TXT', 'new'),
      rrset('x\\@y.trouble.test', 'A', '192.0.2.1'),
    );
    await assert.rejects(driver.publish(bad, deadline()), { code: 'record_refused' });
    assert.deepEqual(await dig(server, 'a.trouble.test', 'TXT'), ['"as it was"']);
    await using wrongKey = open({ apiKey: 'wrong' });
    await assert.rejects(wrongKey.list(deadline()), { code: 'nameserver_refused' });
  });
});
