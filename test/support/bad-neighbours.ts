// Equipment of which nothing good comes, beside a fleet that works: of every driver a piece with each vice, and a service of the
// same customer behind every bad controller.
import type { Site } from '#contract/site.ts';
import { leadingTo, startBadPeer, type Vice } from './bad-peer.ts';
import type { Fleet } from './fleet.ts';

export interface BadNeighbours extends AsyncDisposable {
  /** That of the fleet, with them in it. */
  readonly site: Site;
  /** Those whose controllers are bad. */
  readonly services: readonly string[];
}

const firstService = 2001;

export async function startBadNeighbours({ site }: Fleet, vices: readonly Vice[]): Promise<BadNeighbours> {
  await using owned = new AsyncDisposableStack();
  const led = async (kind: keyof typeof leadingTo) => {
    const pieces = [];
    for (const [driver, settings] of Object.entries(leadingTo[kind]))
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
  const router = { driver: 'gobgp', settings: leadingTo.routes.gobgp(owned.use(await startBadPeer('hangs'))) };
  const servers = (await led('bmc')).map(({ driver, settings }, index) => ({
    name: `dc02r01ds${String(index + 1).padStart(2, '0')}`,
    bmc: { driver, settings },
  }));
  const numbers = servers.map((_, index) => firstService + index);
  const kept = owned.move();
  return {
    site: {
      ...site,
      servers: [...site.servers!, ...servers],
      switches: [
        ...site.switches!,
        ...switches.map((each, index) => ({ ...each, ports: [{ ifIndex: 1, service: numbers[index]! }] })),
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
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
