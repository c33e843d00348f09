// Checks that the equipment responds and is what the site file says: every BMC, switch and hypervisor, the router, and an
// external name server. Runs a few at a time with a deadline each, so that a dead rack costs seconds rather than minutes.
import { operatorMessage } from '#lib/api-error.ts';
import { equipmentNames, outletsByPdu } from '#store/operator/doctor-facts.ts';
import type { App } from '../app.ts';
import { failure, warning, type Check, type Problem } from './check.ts';
import { findPortProblems } from './switch-checks.ts';

const deadlineMs = 10_000;
const concurrency = 16;

/** Returns what `inspect` finds in each device, and one problem for each that does not respond. */
async function inspectAll(
  names: readonly string[],
  label: string,
  inspect: (name: string, signal: AbortSignal) => Promise<readonly Problem[]>,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  // Shared by all of them: each takes the next name.
  const remaining = names.values();
  const inspectNext = async (): Promise<void> => {
    const fix = 'Check its network connection, and its address and password in the site file.';
    for (const name of remaining) {
      const result = await withDeadline((signal) => inspect(name, signal)).catch((error: unknown) => [
        warning(`${label} ${name} does not respond: ${operatorMessage(error)}`, fix),
      ]);
      problems.push(...result);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, inspectNext));
  return problems.toSorted((left, right) => (left.message < right.message ? -1 : 1));
}

async function withDeadline<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(deadlineMs);
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(new Error(`timed out after ${deadlineMs / 1000} seconds`)));
  return Promise.race([work(signal), tooLate]);
}

/** For a device that only has to respond. */
async function requireResponse(response: Promise<unknown>): Promise<readonly Problem[]> {
  await response;
  return [];
}

export const equipmentChecks: readonly Check<App>[] = [
  {
    name: 'controllers',
    okMessage: 'All BMCs respond.',
    run: async ({ store, bmcs }) =>
      inspectAll(await equipmentNames(store.queries, 'servers'), 'The BMC of', (name, signal) =>
        requireResponse(bmcs.use(name, (bmc) => bmc.power.state(signal))),
      ),
  },
  {
    name: 'switches',
    okMessage: 'All switches respond, and have the ports and cables in the site file.',
    run: async ({ store, switches }) =>
      inspectAll(await equipmentNames(store.queries, 'switches'), 'Switch', async (name, signal) => {
        const { present, neighbours } = await switches.use(name, async (device) => ({
          present: await device.ports(signal),
          neighbours: await device.neighbours(signal),
        }));
        return findPortProblems(store.queries, name, present, neighbours);
      }),
  },
  {
    name: 'power strips',
    okMessage: 'All power strips respond and know their outlets, or none is configured.',
    run: async ({ store, bmcs }) => {
      const outlets = await outletsByPdu(store.queries);
      return inspectAll([...outlets.keys()].sort(), 'Power strip', async (name, signal) => {
        const problems: Problem[] = [];
        for (const { server, outlet } of outlets.get(name)!) {
          const state = await bmcs.pdus.use(name, (pdu) => pdu.state(outlet, signal));
          if (state === 'unknown')
            problems.push(
              failure(
                `Power strip ${name} does not know the state of outlet ${outlet}, which belongs to ${server}.`,
                'Check the outlet and the model of the power strip in the site file.',
              ),
            );
        }
        return problems;
      });
    },
  },
  {
    name: 'nodes',
    okMessage: 'All hypervisors respond and can run machines.',
    run: async ({ store, hypervisors }) =>
      inspectAll(await equipmentNames(store.queries, 'nodes'), 'Hypervisor', (name, signal) =>
        hypervisors.use(name, async (hypervisor) => {
          await hypervisor.freeCapacity(signal);
          return ((await hypervisor.findHostProblems?.(signal)) ?? []).map((problem) =>
            failure(
              `Hypervisor ${name} cannot run machines: ${problem}`,
              'Enable virtualization in its firmware and load the kvm module, or set accelerator to tcg, which is slow.',
            ),
          );
        }),
      ),
  },
  {
    name: 'router',
    okMessage: 'The router responds, or none is configured.',
    run: async ({ router }) =>
      inspectAll((await router.isConfigured()) ? ['for null routes'] : [], 'The router', (_, signal) =>
        requireResponse(router.use((announcer) => announcer.list(signal))),
      ),
  },
  {
    name: 'name server',
    okMessage: 'The name server responds, or is built in.',
    run: ({ nameService: { external } }) =>
      inspectAll(external === undefined ? [] : ['in the site file'], 'The name server', (_, signal) =>
        requireResponse(external!.driver.list(signal)),
      ),
  },
];
