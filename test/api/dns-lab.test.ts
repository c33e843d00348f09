// The lab's name server as a newcomer finds it: where lab.json says, also after a restart, with everything that was written.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dig } from '#drivers/dns/conformance.ts';
import { dnsCalls } from '#test/support/dns-story.ts';
import { needs } from '#test/support/needs.ts';
import { startServer } from '#test/support/server.ts';

describe('the name server of the lab', needs('dig'), () => {
  it('answers where lab.json says, and there again after a crash', async () => {
    await using server = await startServer();
    const place = server.lab.dns;
    const dns = dnsCalls(server, server.lab.customer.key);
    const zone = await dns.makeZone('kept.example.com');
    await dns.add(zone, 'www.kept.example.com', 'A', '192.0.2.1');
    await server.kill('SIGKILL');
    await server.restart();
    assert.deepEqual(server.lab.dns, place);
    assert.deepEqual(await dig(place, 'www.kept.example.com', 'A'), ['192.0.2.1']);
  });
});
