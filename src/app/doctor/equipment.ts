// Whether the equipment answers: every controller, switch and node, the router, the name server elsewhere. A few at a time,
// each with a deadline, so that a dead rack costs seconds and not minutes.
import { Fault } from '#kernel/fault.ts';
import { equipmentNames } from '#store/operator/doctor-facts.ts';
import type { Yard } from '../yard.ts';
import { warning, type Check, type Problem } from './check.ts';

const deadlineMs = 10_000;
const together = 16;

/** One sentence for each that does not answer. */
async function silent(
  names: readonly string[],
  what: string,
  ask: (name: string, signal: AbortSignal) => Promise<unknown>,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const left = [...names];
  const asker = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const reason = await failure((signal) => ask(name!, signal));
      if (reason !== undefined)
        problems.push(
          warning(
            `${what} ${name} does not answer as it should: ${reason}`,
            'Look at its network, its address and its password in the site file.',
          ),
        );
    }
  };
  await Promise.all(Array.from({ length: together }, asker));
  return problems.toSorted((one, other) => (one.says < other.says ? -1 : 1));
}

async function failure(ask: (signal: AbortSignal) => Promise<unknown>): Promise<string | undefined> {
  const signal = AbortSignal.timeout(deadlineMs);
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(new Error(`nothing within ${deadlineMs / 1000} seconds`)));
  try {
    await Promise.race([ask(signal), tooLate]);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.internal ?? error.message;
    return error instanceof Error ? error.message : String(error);
  }
}

export const equipmentChecks: readonly Check<Yard>[] = [
  {
    name: 'controllers',
    fine: 'Every one answers.',
    look: async ({ store, bmcs }) =>
      silent(await equipmentNames(store.queries, 'servers'), 'The controller of', (name, signal) =>
        bmcs.use(name, (bmc) => bmc.power.state(signal)),
      ),
  },
  {
    name: 'switches',
    fine: 'Every one answers.',
    look: async ({ store, switches }) =>
      silent(await equipmentNames(store.queries, 'switches'), 'Switch', (name, signal) =>
        switches.use(name, (device) => device.counters(signal)),
      ),
  },
  {
    name: 'nodes',
    fine: 'Every one answers.',
    look: async ({ store, nodes }) =>
      silent(await equipmentNames(store.queries, 'nodes'), 'Node', (name, signal) =>
        nodes.use(name, (node) => node.room(signal)),
      ),
  },
  {
    name: 'router',
    fine: 'It answers, or there is none.',
    look: async ({ router }) =>
      silent((await router.isThere()) ? ['of null-routes'] : [], 'The router', (_, signal) =>
        router.use((announcer) => announcer.list(signal)),
      ),
  },
  {
    name: 'name server',
    fine: 'It answers, or is our own.',
    look: ({ nameService: { elsewhere } }) =>
      silent(elsewhere === undefined ? [] : ['of the site file'], 'The name server', (_, signal) =>
        elsewhere!.driver.list(signal),
      ),
  },
];
