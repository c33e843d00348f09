// The lab's name server as a newcomer finds it: at the address in lab.json, also after a restart, with all records.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dig } from '#drivers/dns/conformance.ts';
import { dnsCalls } from '#test/support/dns-fixtures.ts';
import { needs } from '#test/support/needs.ts';
import { startServer } from '#test/support/server.ts';

describe("the lab's name server", needs('dig'), () => {
  it('answers at the address in lab.json, and there again after a crash', async () => {
    await using server = await startServer();
    const nameServer = server.lab.dns;
    const dns = dnsCalls(server, server.lab.customer.key);
    const zone = await dns.makeZone('kept.example.com');
    await dns.add(zone, 'www.kept.example.com', 'A', '192.0.2.1');
    await server.kill('SIGKILL');
    await server.restart();
    assert.deepEqual(server.lab.dns, nameServer);
    assert.deepEqual(await dig(nameServer, 'www.kept.example.com', 'A'), ['192.0.2.1']);
  });
});
