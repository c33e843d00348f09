// Checks that the equipment responds and is what the site file says: every BMC, switch and hypervisor, the router, and an
// external name server. Runs a few at a time with a deadline each, so that a dead rack costs seconds rather than minutes.
import type { Switch } from '#drivers/switch/driver.ts';
import type { Connections } from '#equipment/connections.ts';
import { isUnreachable } from '#equipment/device-command.ts';
import { ApiError, operatorMessage } from '#lib/api-error.ts';
import { equipmentNames, outletsByPdu } from '#store/operator/doctor-facts.ts';
import type { App } from '../app.ts';
import { loadTexts } from '../mail/texts.ts';
import { checkoutDriver, findPaymentDriver } from '../payments/drivers.ts';
import { fault, warning, type Check, type Problem } from './check.ts';
import { findPortProblems } from './switch-checks.ts';
import { findTemplateProblems } from './template-checks.ts';

/** More than the slowest device needs. */
const deadlineMs = 35_000;
const concurrency = 64;

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
        warning(`${label} ${name} ${failureOf(error)}: ${operatorMessage(error)}`, fix),
      ]);
      problems.push(...result);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, inspectNext));
  return problems.toSorted((left, right) => (left.message < right.message ? -1 : 1));
}

/** A device that rejects a password does respond. */
function failureOf(error: unknown): string {
  return error instanceof ApiError && !isUnreachable(error) ? 'cannot be used' : 'does not respond';
}

async function withDeadline<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(deadlineMs);
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(new Error(`timed out after ${deadlineMs / 1000} seconds`)));
  return Promise.race([work(signal), tooLate]);
}

/** Returns a problem if a device responds, but later than Hostyard waits for it. */
async function findDelay<Device>(
  { measure, waits }: Pick<Connections<Device>, 'measure' | 'waits'>,
  label: string,
  name: string,
  work: (device: Device, signal: AbortSignal) => Promise<unknown>,
  limit: 'checkMs' | 'pollMs',
): Promise<readonly Problem[]> {
  const seconds = Math.ceil((await measure(name, work)) / 1000);
  const limitSeconds = (await waits(name))[limit] / 1000;
  if (seconds <= limitSeconds) return [];
  const proposed =
    limit === 'pollMs'
      ? `pollSeconds: ${Math.min(50, 2 * seconds)}`
      : `responseSeconds: ${Math.min(25, seconds)}, commandSeconds: ${Math.min(50, 3 * seconds)}`;
  return [
    warning(
      `${label} ${name} takes ${seconds} seconds to respond, but Hostyard waits only ${limitSeconds}.`,
      `Increase the waits of its model in the site file: { ${proposed} }.`,
    ),
  ];
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
        findDelay(
          bmcs,
          'The BMC of',
          name,
          (bmc, limit) => bmc.power.state(AbortSignal.any([signal, limit])),
          'checkMs',
        ),
      ),
  },
  {
    name: 'switches',
    okMessage: 'All switches respond, and have the ports and cables in the site file.',
    run: async ({ store, switches }) =>
      inspectAll(await equipmentNames(store.queries, 'switches'), 'Switch', async (name, signal) => {
        let problems: readonly Problem[] = [];
        const inspect = async (device: Switch, limit: AbortSignal): Promise<void> => {
          const either = AbortSignal.any([signal, limit]);
          const present = await device.ports(either);
          problems = await findPortProblems(store.queries, name, present, await device.neighbours(either));
        };
        return [...(await findDelay(switches, 'Switch', name, inspect, 'pollMs')), ...problems];
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
              fault(
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
          const hostProblems = ((await hypervisor.findHostProblems?.(signal)) ?? []).map((problem) =>
            fault(
              `Hypervisor ${name} cannot run machines: ${problem}`,
              'Enable virtualization in its firmware and load the kvm module, or set accelerator to tcg, which is slow.',
            ),
          );
          return [...hostProblems, ...(await findTemplateProblems(store.queries, name, hypervisor, signal))];
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
    name: 'mail relays',
    okMessage: 'All mail relays respond and accept the sign-in, or none is configured.',
    async run({ mailer }) {
      const settings = await mailer.settings();
      const { problems } = await loadTexts(settings?.language ?? 'en', settings?.texts);
      const fix = 'Check its host, port, security and password in the mail section of the site file.';
      return [
        ...(await mailer.check()).flatMap(({ relay, problem }) =>
          problem === undefined ? [] : [warning(`Mail relay ${relay} cannot be used: ${problem}`, fix)],
        ),
        ...problems.map((problem) => warning(problem, 'Correct the file; until then, the built-in texts are used.')),
      ];
    },
  },
  {
    name: 'payments',
    okMessage: 'Stripe responds and accepts the key, or is not configured.',
    async run(app) {
      const driver = await findPaymentDriver(app, app.store.queries, checkoutDriver);
      const fix = 'Check the secret key in the site file, and the connection to api.stripe.com.';
      const problem = (error: unknown): Problem[] => [
        warning(`Payments through Stripe do not work: ${operatorMessage(error)}`, fix),
      ];
      return (await driver?.check?.().then(() => [], problem)) ?? [];
    },
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
