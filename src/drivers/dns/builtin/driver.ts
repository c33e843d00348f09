// The driver of the built-in name server. It serves directly from the zone source, so a change is public once it is
// committed; publishing and removing only verify that.
import { rrTypes } from '#protocols/dns/types.ts';
import { type DnsDriver, NameServerError, type PublishedZone } from '../driver.ts';
import type { NameServer } from './server.ts';
import type { ZoneSource } from './source.ts';
import { serialOf } from './transfer.ts';

export function openBuiltin(server: NameServer, source: ZoneSource): DnsDriver {
  return {
    async publish(zone) {
      if (!(await source.findZone([zone.name]))) {
        throw new NameServerError('nameserver_error', `the zone ${zone.name} is not in the source`);
      }
    },
    async remove(zone) {
      if (await source.findZone([zone]))
        throw new NameServerError('nameserver_error', `the zone ${zone} is still in the source`);
    },
    async read(name) {
      const zone = await source.findZone([name]);
      return zone && source.wholeZone(zone);
    },
    async list() {
      const published: PublishedZone[] = [];
      for (const zone of await source.zones()) {
        const apex = (await source.nodesAt(zone, [zone.name])).get(zone.name);
        const soa = apex?.find((rrset) => rrset.type === rrTypes.SOA);
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
