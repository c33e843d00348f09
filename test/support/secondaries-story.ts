// NSD, Knot and PowerDNS as secondaries through many changes, while each of them and the primary are killed. Afterwards
// all have the same zone.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { wireToContent } from '#protocols/dns/rdata.ts';
import type { TsigKey } from '#protocols/dns/tsig.ts';
import { typeName } from '#protocols/dns/types.ts';
import { dnsCalls } from './dns-fixtures.ts';
import { machineSite } from './machine-site.ts';
import { needs } from './needs.ts';
import { freePort } from './ports.ts';
import { powerDnsAddress, startKnot, startNsd, startPowerDnsSecondary } from './secondaries.ts';
import { startSite } from './server.ts';
import { until } from './until.ts';
import { transferZone } from './zone-transfer.ts';

const zone = 'follow.example.com';
const transferKey = {
  name: 'transfer.example.net',
  algorithm: 'hmac-sha256',
  secret: Buffer.alloc(32, 'transfer').toString('base64'),
} as const;

export function describeSecondaries(changes: number): void {
  describe('secondaries of the built-in name server', needs('nsd', 'knotd', 'pdns_server'), () => {
    it(`have the same zone after ${changes} changes and a kill -9 of each server`, async () => {
      const primary = {
        address: '127.0.0.1',
        port: await freePort(),
        catalog: 'catalog.example.net',
        key: transferKey,
      };
      await using owned = new AsyncDisposableStack();
      const nsd = owned.use(await startNsd(primary, [zone]));
      const knot = owned.use(await startKnot(primary));
      const powerDns = owned.use(await startPowerDnsSecondary(primary));
      const secondaries = [nsd, knot, powerDns];
      const { site, key } = machineSite([], []);
      const withKey = [nsd, knot].map(({ address, port }) => ({ address, port, key: transferKey.name }));
      const server = owned.use(
        await startSite({
          ...site,
          nameserver: {
            names: ['ns1.example.net', 'ns2.example.net'],
            listen: `${primary.address}:${primary.port}`,
            transfer: { keys: [transferKey], networks: [powerDnsAddress] },
            secondaries: [...withKey, { address: powerDns.address, port: powerDns.port }],
            catalog: primary.catalog,
          },
        }),
      );

      const domain = await dnsCalls(server, key).makeZone(zone);
      const interruptions = [
        () => nsd.killAndRestart(),
        () => knot.killAndRestart(),
        () => powerDns.killAndRestart(),
        async () => {
          await server.kill('SIGKILL');
          await server.start();
        },
      ];
      for (let change = 0; change < changes; change++) {
        const dns = dnsCalls(server, key);
        if (change % 5 === 4) {
          const oldest = (await dns.records(domain)).find(({ type }) => type === 'TXT');
          await dns.call('DELETE', '/v2/dns/record', { domain, record: oldest!.id });
        } else await dns.add(domain, `n${change % 20}.${zone}`, 'TXT', `change ${change}`);
        const part = Math.floor(changes / (interruptions.length + 1));
        if (change % part === part - 1) await interruptions.shift()?.();
        // Some changes arrive together, others alone.
        if (change % 10 === 0) await sleep(100);
      }
      assert.equal(interruptions.length, 0);

      const primaryKey = { ...transferKey, secret: Buffer.from(transferKey.secret, 'base64') };
      const waitForSecondaries = async (): Promise<number> => {
        const expected = await zoneLines(primary, primaryKey);
        for (const secondary of secondaries) {
          const lines = () => zoneLines(secondary).catch((error: Error) => [error.message]);
          await until(async () => String(await lines()) === String(expected), {
            saw: async () =>
              `${secondary.name}: ${(await lines()).length} of ${expected.length}\n${secondary.output()}`,
          });
        }
        return expected.length;
      };
      assert.ok((await waitForSecondaries()) > changes / 2);

      // Until here Knot could miss more versions than are kept, and needed the whole zone.
      const earlierOutput = knot.output();
      for (const name of ['one', 'two', 'three']) {
        await dnsCalls(server, key).add(domain, `${name}.${zone}`, 'TXT', name);
        await waitForSecondaries();
      }
      assert.deepEqual(transfersOf(knot.output().slice(earlierOutput.length)), ['IXFR', 'IXFR', 'IXFR']);
    });
  });
}

/** The kinds of the completed transfers of the zone in Knot's log. */
function transfersOf(log: string): string[] {
  const line = new RegExp(`\\[${zone.replaceAll('.', '\\.')}\\.\\] ([AI]XFR), incoming.* finished`, 'g');
  return [...log.matchAll(line)].map((match) => match[1]!);
}

async function zoneLines(
  server: { readonly address: string; readonly port: number },
  key?: TsigKey,
): Promise<string[]> {
  const records = await transferZone(server, zone, AbortSignal.timeout(20_000), key);
  return records
    .flatMap(({ name, type, ttl, rdata }) =>
      rdata.map((data) => `${name} ${ttl} ${typeName(type)} ${wireToContent(type, data, 'plain')}`),
    )
    .sort();
}
