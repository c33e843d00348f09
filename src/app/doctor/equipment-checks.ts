// Checks that the equipment responds: every BMC, switch and hypervisor, the router, and an external name server. Runs a
// few at a time with a deadline each, so that a dead rack costs seconds rather than minutes.
import { ApiError } from '#lib/api-error.ts';
import { equipmentNames } from '#store/operator/doctor-facts.ts';
import type { App } from '../app.ts';
import { warning, type Check, type Problem } from './check.ts';

const deadlineMs = 10_000;
const concurrency = 16;

/** Returns one problem for each device that does not respond. */
async function findSilent(
  names: readonly string[],
  label: string,
  probe: (name: string, signal: AbortSignal) => Promise<unknown>,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  // Shared by all of them: each takes the next name.
  const remaining = names.values();
  const probeNext = async (): Promise<void> => {
    for (const name of remaining) {
      const reason = await findFailure((signal) => probe(name, signal));
      if (reason !== undefined)
        problems.push(
          warning(
            `${label} ${name} does not respond: ${reason}`,
            'Check its network connection, and its address and password in the site file.',
          ),
        );
    }
  };
  await Promise.all(Array.from({ length: concurrency }, probeNext));
  return problems.toSorted((left, right) => (left.message < right.message ? -1 : 1));
}

async function findFailure(probe: (signal: AbortSignal) => Promise<unknown>): Promise<string | undefined> {
  const signal = AbortSignal.timeout(deadlineMs);
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(new Error(`timed out after ${deadlineMs / 1000} seconds`)));
  try {
    await Promise.race([probe(signal), tooLate]);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.internal ?? error.message;
    return error instanceof Error ? error.message : String(error);
  }
}

export const equipmentChecks: readonly Check<App>[] = [
  {
    name: 'controllers',
    okMessage: 'All BMCs respond.',
    run: async ({ store, bmcs }) =>
      findSilent(await equipmentNames(store.queries, 'servers'), 'The BMC of', (name, signal) =>
        bmcs.use(name, (bmc) => bmc.power.state(signal)),
      ),
  },
  {
    name: 'switches',
    okMessage: 'All switches respond.',
    run: async ({ store, switches }) =>
      findSilent(await equipmentNames(store.queries, 'switches'), 'Switch', (name, signal) =>
        switches.use(name, (device) => device.counters(signal)),
      ),
  },
  {
    name: 'nodes',
    okMessage: 'All hypervisors respond.',
    run: async ({ store, hypervisors }) =>
      findSilent(await equipmentNames(store.queries, 'nodes'), 'Hypervisor', (name, signal) =>
        hypervisors.use(name, (hypervisor) => hypervisor.freeCapacity(signal)),
      ),
  },
  {
    name: 'router',
    okMessage: 'The router responds, or none is configured.',
    run: async ({ router }) =>
      findSilent((await router.isConfigured()) ? ['for null routes'] : [], 'The router', (_, signal) =>
        router.use((announcer) => announcer.list(signal)),
      ),
  },
  {
    name: 'name server',
    okMessage: 'The name server responds, or is built in.',
    run: ({ nameService: { external } }) =>
      findSilent(external === undefined ? [] : ['in the site file'], 'The name server', (_, signal) =>
        external!.driver.list(signal),
      ),
  },
];
