// From the name of a node to its hypervisor: settings out of the database, opened by their driver, kept open, guarded by a
// breaker, as with controllers. Whoever changes a machine takes its lock as well (locks.ts).
import type { Hypervisor, HypervisorDriver, MachineKind } from '#drivers/hypervisor/driver.ts';
import type { Clock } from '#kernel/clock.ts';
import type { SecretBox } from '#kernel/secrets.ts';
import { nodeFind, type NodeRow } from '#store/devices/nodes.ts';
import type { Store } from '#store/store.ts';
import { connections } from './connections.ts';
import { turns, type Turns } from './turns.ts';

export interface Nodes {
  use<T>(name: string, work: (node: Hypervisor) => Promise<T>): Promise<T>;
  /** Machines are given their nodes one after the other. */
  readonly placing: Turns;
  /** Which machines a driver's nodes take. */
  kindsOf(driver: string): readonly MachineKind[];
  close(): Promise<void>;
}

export interface NodesParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly drivers: Readonly<Record<string, HypervisorDriver>>;
}

export function openNodes(parts: NodesParts): Nodes {
  async function row(name: string): Promise<NodeRow> {
    const node = await nodeFind(parts.store.queries, name);
    if (node === undefined) throw new Error(`there is no node ${name}`);
    return node;
  }

  function driverFor(driver: string): HypervisorDriver {
    const found = parts.drivers[driver];
    if (found === undefined) throw new Error(`there is no driver ${driver} of nodes`);
    return found;
  }

  const all = connections<Hypervisor>(parts.clock, 'node_unreachable', async (name) => {
    const node = await row(name);
    const settings = (): never => JSON.parse(parts.secrets.open(node.settings, nodeSealContext(name))) as never;
    return { revision: node.revision, open: () => driverFor(node.driver).open(settings()) };
  });

  return { use: all.use, placing: turns(), kindsOf: (driver) => driverFor(driver).kinds, close: all.close };
}

/** Binds sealed settings to their node. */
export function nodeSealContext(node: string): string {
  return `node ${node}`;
}
