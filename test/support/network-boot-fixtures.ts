// Fixtures for workflows that boot a server over the network: its BMC is a simulator, and its installer fetches,
// reports and restarts the server like a real one.
import type { ReloadKind } from '#contract/states/reloads.ts';
import type { LabBoot } from '#lab/bmc/serial.ts';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import { reloadInsert, reloadLoad, reloadUpdate } from '#store/devices/reloads.ts';
import type { ServerDeps } from '#workflows/device-steps.ts';
import type { Scenario } from '#workflows/engine/harness.ts';
import { serverPassword, serverReload, serverRescue, type NetworkBootInput } from '#workflows/server/network-boot.ts';
import { poweredServerName as server, startPoweredServer } from './powered-server.ts';
import { until } from './until.ts';

const boot = 'boot-of-the-harness';
/** The harness's clock jumps ahead whenever something waits. */
const everMs = 1e12;
const timeouts = { scriptMs: everMs, startMs: everMs, installMs: everMs, controllerMs: everMs };

export async function makeBootableServer(kind: ReloadKind) {
  const fixture = await startPoweredServer('network-boot', ({ device, signal }: LabBoot) =>
    device === 'pxe' ? install(signal) : undefined,
  );
  const { store, account, service, deps, bmc } = fixture;
  const reports: string[] = [];

  async function install(signal: AbortSignal): Promise<'reboot' | 'login'> {
    const order = await reloadLoad(store.queries, boot);
    if (order?.open !== 1) return 'login';
    reports.push(kind);
    const at = deps.clock.now();
    await reloadUpdate(store.queries, boot, { requested_at: at, begun_at: at, outcome: 'Completed' });
    return kind === 'reload' && !signal.aborted ? 'reboot' : 'login';
  }

  await reloadInsert(store.queries, {
    id: boot,
    account_id: account,
    service_id: service,
    server,
    kind,
    system: JSON.stringify({ name: 'Debian 12', value: 'debian-12' }),
    secret_hash: 'of the harness',
    password_hash: '$6$salt$hash',
    new_password: null,
    ssh_keys: '[]',
    created_at: deps.clock.now(),
  });
  return {
    ...fixture,
    input: {
      server,
      purpose: 'operating-system reload',
      boot,
      graceMs: kind === 'reload' ? 0 : 5000,
      offMs: 5,
      timeouts,
    },
    observe: async () => ({
      power: bmc.chassis.power,
      nextBoot: bmc.chassis.bootFlags.isValid ? bmc.chassis.bootFlags.device : 'none',
      runs: await running(),
      order: (await reloadLoad(store.queries, boot))!.open,
      locked: (await deviceLockFind(store.queries, server, deps.clock.now())) !== undefined,
    }),
  };

  /** Returns what it booted last, once a finished installer has restarted it. */
  async function running(): Promise<string | undefined> {
    const last = (): string | undefined =>
      bmc.chassis.events.findLast(({ text }) => text.startsWith('boot from '))?.text.slice('boot from '.length);
    if (kind === 'reload' && reports.length > 0) await until(() => last() !== 'pxe', { pollMs: 5 });
    return last();
  }
}

export const networkBootScenarios: readonly Scenario<ServerDeps, NetworkBootInput>[] = [
  { workflow: serverReload, makeFixture: () => makeBootableServer('reload') },
  { workflow: serverRescue, makeFixture: () => makeBootableServer('rescue') },
  { workflow: serverPassword, makeFixture: () => makeBootableServer('password') },
];
