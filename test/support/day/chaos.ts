// What goes wrong during the day. Faults of the infrastructure come one after the other, as operators hope; equipment fails
// independently of them. The order and the targets follow from the seed.
import { setTimeout as sleep } from 'node:timers/promises';
import type { LabHypervisorStep } from '#lab/hypervisor/malfunctions.ts';
import { hourMs } from '#lib/time.ts';
import type { MachineNetwork } from '../machine-network.ts';
import { balancerHost, type Machine, type PatroniCluster } from '../patroni.ts';
import { pick, type Random } from '../seeded.ts';
import { until } from '../until.ts';
import type { Calendar } from './calendar.ts';
import type { DayNode } from './nodes.ts';
import type { DayProvider } from './provider.ts';

export interface ChaosParts {
  readonly random: Random;
  readonly network: MachineNetwork;
  readonly cluster: PatroniCluster;
  readonly nodes: readonly DayNode[];
  readonly provider: DayProvider;
  readonly calendar: Calendar;
  /** Services whose BMC lies now. */
  readonly lying: Set<string>;
  /** The address of the equipment on the network. */
  readonly equipmentHost: number;
  log(text: string): void;
}

/** Causes a fault, waits, and heals it. Returns false if it did not happen. */
export type Fault = (parts: ChaosParts) => Promise<void | boolean>;

const holdMs = ({ random }: ChaosParts): number => 2000 + random() * 5000;
const hold = (parts: ChaosParts): Promise<void> => sleep(holdMs(parts));
const untilReady = (nodes: readonly DayNode[]): Promise<void> =>
  until(async () => (await Promise.all(nodes.map((node) => node.isReady()))).every(Boolean), {
    saw: () => nodes.map((node) => node.logs().slice(-2000)),
  });

export const infrastructureFaults: Readonly<Record<string, Fault>> = {
  async 'an instance is killed'(parts) {
    const node = pick(parts.random, parts.nodes);
    await node.kill();
    await hold(parts);
    await node.start();
    await untilReady([node]);
  },
  async 'both instances are killed'({ nodes }) {
    await Promise.all(nodes.map((node) => node.kill()));
    await Promise.all(nodes.map((node) => node.start()));
    await untilReady(nodes);
  },
  'an instance loses the database': (parts) => partition(parts, pick(parts.random, parts.nodes), balancerHost),
  'an instance loses the equipment': (parts) => partition(parts, pick(parts.random, parts.nodes), parts.equipmentHost),
  'an instance loses its callers': (parts) => partition(parts, pick(parts.random, parts.nodes), 1),
  async 'the primary crashes'({ cluster }) {
    const primary = await findPrimary(cluster);
    await cluster.crash(primary);
    await cluster.untilReplaced(primary);
    await cluster.start(primary);
    await cluster.untilRedundant();
  },
  async 'the primary loses its network'({ cluster }) {
    const primary = await findPrimary(cluster);
    await cluster.setLink(primary, 'down');
    try {
      await cluster.untilReplaced(primary);
    } finally {
      await cluster.setLink(primary, 'up');
    }
    await cluster.untilRedundant();
  },
  async 'the primary loses its standby'(parts) {
    const heal = await parts.network.partition('db1', 22);
    await hold(parts);
    await heal();
    await parts.cluster.untilRedundant();
  },
  async 'the primary is switched over'({ cluster, log }) {
    const primary = await findPrimary(cluster);
    const failure = await cluster.switchOver();
    if (failure === undefined) await cluster.untilReplaced(primary);
    else log(`Patroni gave up the switchover: ${failure}`);
    await cluster.untilRedundant();
    return failure === undefined;
  },
  async 'the disk of an instance is full'(parts) {
    const { disk } = pick(parts.random, parts.nodes);
    await disk.fill();
    await hold(parts);
    await disk.free();
  },
  async 'the disk of the primary is full'(parts) {
    const disk = parts.cluster.diskOf(await findPrimary(parts.cluster));
    await disk.fill();
    await hold(parts);
    await disk.free();
    await parts.cluster.untilRedundant();
  },
  'the clock is slow': (parts) => deviate(parts, -2 * hourMs),
  'the clock is fast': (parts) => deviate(parts, 2 * hourMs),
  // Billing pauses, because this may be wrong.
  'the clock is more than a day ahead': (parts) => deviate(parts, 30 * hourMs),
};

/** Without a synchronous standby nothing could replace the primary: that would be two faults at once. */
async function findPrimary(cluster: PatroniCluster): Promise<Machine> {
  await cluster.untilRedundant();
  return cluster.leader();
}

async function partition({ network, ...parts }: ChaosParts, { name }: DayNode, host: number): Promise<void> {
  const heal = await network.partition(name, host);
  await hold({ network, ...parts });
  await heal();
}

/** Both instances must notice that the clock is wrong, and later that it is right. */
async function deviate({ calendar, nodes }: ChaosParts, milliseconds: number): Promise<void> {
  const jumps = (node: DayNode): number => node.logs().split('the clock jumped').length;
  for (const by of [milliseconds, 0]) {
    const before = nodes.map(jumps);
    await calendar.deviate(by);
    await until(() => nodes.every((node, index) => jumps(node) > before[index]!), { saw: () => nodes.map(jumps) });
    // Until late writes have been moved, too.
    await sleep(5000);
  }
}

const steps: readonly LabHypervisorStep[] = ['create', 'power', 'build', 'use', 'networks', 'snapshot', 'remove'];

export const equipmentFaults: Readonly<Record<string, Fault>> = {
  async 'a BMC lies about the power'(parts) {
    const { service, bmc } = anyServer(parts);
    parts.lying.add(service);
    bmc.setMalfunctions({ reportsPower: pick(parts.random, ['on', 'off']) });
    await hold(parts);
    bmc.setMalfunctions({});
    // What was acknowledged until now may rest on a lie.
    await sleep(1000);
    parts.lying.delete(service);
  },
  'a BMC hangs': (parts) => breakBmc(parts, { isSilent: true }),
  'a BMC sends garbage': (parts) => breakBmc(parts, { sendsWrongChecksums: true }),
  'a BMC has no sessions left': (parts) => breakBmc(parts, { rejectsSessions: true }),
  'a BMC has a bad link': (parts) =>
    breakBmc(parts, {
      lossy: { seed: 1 + Math.floor(parts.random() * 1e6), drop: 0.3, duplicate: 0.2, delay: 0.3, maxDelayMs: 500 },
    }),
  async 'the switch hangs'(parts) {
    parts.provider.network.setMalfunctions({ isSilent: true });
    await hold(parts);
    parts.provider.network.setMalfunctions({});
  },
  'a hypervisor hangs': (parts) => breakHypervisor(parts, { isSilent: true }),
  'a hypervisor is down': (parts) => breakHypervisor(parts, { isDown: true }),
  'a hypervisor sends garbage': (parts) => breakHypervisor(parts, { sendsGarbage: true }),
  'a hypervisor has a full disk': (parts) => breakHypervisor(parts, { isDiskFull: true }),
  'a hypervisor crashes': (parts) => breakHypervisor(parts, { crashesAt: pick(parts.random, steps) }),
  async 'the payment provider fails'(parts) {
    const { stripe } = parts.provider;
    stripe.interfere = () => pick(parts.random, ['drop', 'fail', undefined]);
    await hold(parts);
    stripe.interfere = () => undefined;
  },
  async 'a webhook fails'(parts) {
    const { webhook } = pick(parts.random, parts.provider.tenants);
    webhook.respond = () => 500;
    await hold(parts);
    webhook.respond = () => 204;
  },
};

const anyServer = ({ random, provider }: ChaosParts) => pick(random, pick(random, provider.tenants).servers);

async function breakBmc(
  parts: ChaosParts,
  malfunctions: Parameters<ReturnType<typeof anyServer>['bmc']['setMalfunctions']>[0],
) {
  const { bmc } = anyServer(parts);
  bmc.setMalfunctions(malfunctions);
  await hold(parts);
  bmc.setMalfunctions({});
}

async function breakHypervisor(
  parts: ChaosParts,
  malfunctions: Parameters<DayProvider['hypervisors'][number]['setMalfunctions']>[0],
) {
  const hypervisor = pick(parts.random, parts.provider.hypervisors);
  hypervisor.setMalfunctions(malfunctions);
  await hold(parts);
  hypervisor.setMalfunctions({});
}

/** Causes faults in random order until `signal`, each once before one is repeated. Returns how often each happened. */
export async function causeFaults(
  parts: ChaosParts,
  faults: Readonly<Record<string, Fault>>,
  restMs: number,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  let deck: string[] = [];
  while (!signal.aborted) {
    if (deck.length === 0) deck = shuffle(parts.random, Object.keys(faults));
    const name = deck.pop()!;
    const startedAt = performance.now();
    parts.log(name);
    if ((await faults[name]!(parts)) !== false) counts.set(name, (counts.get(name) ?? 0) + 1);
    parts.log(`${name}: healed after ${Math.round((performance.now() - startedAt) / 1000)} s`);
    await sleep(restMs * (0.5 + parts.random()), undefined, { signal }).catch(() => undefined);
  }
  return counts;
}

function shuffle<T>(random: Random, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ item }) => item);
}
