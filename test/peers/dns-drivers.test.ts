// The built-in name server and PowerDNS, as Debian ships it, in the conformance suite of DNS drivers.
import assert from 'node:assert/strict';
import { startNameServer } from '#drivers/dns/builtin/server.ts';
import { serialOf } from '#drivers/dns/builtin/transfer.ts';
import { describeDnsDriver } from '#drivers/dns/conformance.ts';
import type { DnsDriver } from '#drivers/dns/driver.ts';
import { openPowerDns } from '#drivers/dns/powerdns/driver.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import { MemorySource } from '#test/support/memory-source.ts';
import { needs } from '#test/support/needs.ts';
import { startPowerDns } from '#test/support/powerdns.ts';

describeDnsDriver('the built-in name server', needs('dig'), async () => {
  const source = new MemorySource();
  const server = await startNameServer({ source, address: '127.0.0.1', port: 0, onError: assert.ifError });
  const read = async (name: string) => {
    const zone = await source.findZone([name]);
    return zone && source.wholeZone(zone);
  };
  const serial = async (name: string) => serialOf((await read(name))!.find(({ type }) => type === rrTypes.SOA)!);
  const driver: DnsDriver = {
    publish: async (zone) => source.put(zone),
    remove: async (zone) => source.delete(zone),
    read,
    list: async () =>
      Promise.all((await source.zones()).map(async ({ name }) => ({ name, serial: await serial(name) }))),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return { driver, server, [Symbol.asyncDispose]: driver[Symbol.asyncDispose] };
});

describeDnsDriver('PowerDNS', needs('dig', 'pdns_server'), async () => {
  const server = await startPowerDns();
  const driver = openPowerDns({ url: server.apiUrl, apiKey: server.apiKey, timeoutMs: 20_000, writers: 'one' });
  return {
    driver,
    server,
    async [Symbol.asyncDispose]() {
      await driver[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
});
