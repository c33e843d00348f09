// Every DNS driver in the conformance suite: the built-in name server, and PowerDNS as Debian ships it.
import assert from 'node:assert/strict';
import { MemorySource } from '#drivers/dns/builtin/memory-source.ts';
import { openBuiltin } from '#drivers/dns/builtin/driver.ts';
import { startNameServer } from '#drivers/dns/builtin/server.ts';
import { describeDnsDriver } from '#drivers/dns/conformance.ts';
import { openPowerDns } from '#drivers/dns/powerdns/driver.ts';
import { needs } from '#test/support/needs.ts';
import { startPowerDns } from '#test/support/powerdns.ts';

describeDnsDriver('the built-in name server', needs('dig'), async () => {
  const source = new MemorySource();
  const onFault = (error: unknown) => assert.fail(String(error));
  const server = await startNameServer({ source, address: '127.0.0.1', port: 0, onError: onFault });
  const driver = openBuiltin(server, source);
  return {
    driver,
    server,
    putZone: (zone) => source.put(zone),
    deleteZone: (zone) => source.delete(zone),
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  };
});

describeDnsDriver('PowerDNS', needs('dig', 'pdns_server'), async () => {
  const server = await startPowerDns();
  const driver = openPowerDns({ url: server.apiUrl, apiKey: server.apiKey, timeoutMs: 20_000, writers: 'one' });
  return {
    driver,
    server,
    putZone: () => {},
    deleteZone: () => {},
    async [Symbol.asyncDispose]() {
      await driver[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
});
