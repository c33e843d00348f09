// The built-in name server as a driver. It answers straight from the zone source, so a change is public the moment it is
// committed there: publishing and removing have nothing left to do but to make sure.
import { TYPE } from '#wire/dns/types.ts';
import { type DnsDriver, NameServerError, type PublishedZone } from '../driver.ts';
import type { NameServer } from './server.ts';
import type { ZoneSource } from './source.ts';
import { serialOf } from './transfer.ts';

export function openBuiltin(server: NameServer, source: ZoneSource): DnsDriver {
  return {
    async publish(zone) {
      if (!(await source.zoneOf([zone.name]))) {
        throw new NameServerError('nameserver_error', `the zone ${zone.name} is not in the source`);
      }
    },
    async remove(zone) {
      if (await source.zoneOf([zone]))
        throw new NameServerError('nameserver_error', `the zone ${zone} is still in the source`);
    },
    async read(name) {
      const zone = await source.zoneOf([name]);
      return zone && source.wholeZone(zone);
    },
    async list() {
      const published: PublishedZone[] = [];
      for (const zone of await source.zones()) {
        const apex = (await source.nodes(zone, [zone.name])).get(zone.name);
        const soa = apex?.find((rrset) => rrset.type === TYPE.SOA);
        if (soa) published.push({ name: zone.name, serial: serialOf(soa) });
      }
      return published;
    },
    async notify(zone, signal) {
      await server.notify(zone, signal);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
