// Misbehaving equipment next to a working fleet: one device per driver and misbehaviour, and a service of the same
// customer behind each bad BMC.
import type { Site } from '#contract/site/site.ts';
import { settingsFor, startBadPeer, type Misbehaviour } from './bad-peer.ts';
import type { Fleet } from './fleet.ts';
import { withResources } from './resources.ts';

export interface FaultyEquipment extends AsyncDisposable {
  /** The fleet's site with the faulty equipment added. */
  readonly site: Site;
  /** Services whose BMC misbehaves. */
  readonly services: readonly string[];
}

const firstService = 2001;

export async function startFaultyEquipment({ site }: Fleet, vices: readonly Misbehaviour[]): Promise<FaultyEquipment> {
  await using owned = new AsyncDisposableStack();
  const led = async (kind: keyof typeof settingsFor) => {
    const pieces = [];
    for (const [driver, settings] of Object.entries(settingsFor[kind]))
      for (const [index, vice] of vices.entries())
        pieces.push({
          name: `bad-${driver}-${index + 1}`,
          driver,
          settings: settings!(owned.use(await startBadPeer(vice))),
        });
    return pieces;
  };
  const switches = await led('switch');
  const nodes = await led('hypervisor');
  const router = { driver: 'gobgp', settings: settingsFor.routes.gobgp(owned.use(await startBadPeer('hangs'))) };
  const servers = (await led('bmc')).map(({ driver, settings }, index) => ({
    name: `dc02r01ds${String(index + 1).padStart(2, '0')}`,
    bmc: { driver, settings },
  }));
  const numbers = servers.map((_, index) => firstService + index);
  return withResources(owned, {
    site: {
      ...site,
      servers: [...site.servers!, ...servers],
      switches: [
        ...site.switches!,
        ...switches.map((device, index) => ({ ...device, ports: [{ ifIndex: 1, service: numbers[index]! }] })),
      ],
      nodes,
      nullroutes: { policy: 'offer', router },
      services: [
        ...site.services!,
        ...servers.map(({ name: server }, index) => ({
          id: numbers[index]!,
          customer: 1,
          type: 'dedicated' as const,
          name: 'Server',
          hostname: `${server}.fleet.example`,
          ip: `10.64.1.${index + 1}`,
          server,
        })),
      ],
    },
    services: numbers.map(String),
  });
}
