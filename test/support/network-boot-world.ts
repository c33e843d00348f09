// Worlds for the workflows that boot a server over the network: its controller is a simulator, its installer asks and reports as
// soon as the server boots from the network, and restarts it as a real one does.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReloadKind } from '#contract/reload-states.ts';
import type { LabBoot } from '#lab/bmc/serial.ts';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import { reloadInsert, reloadLoad, reloadNote } from '#store/devices/reloads.ts';
import type { Scenario, World } from '#workflows/harness.ts';
import type { NetworkBootDeps, NetworkBootInput } from '#workflows/network-boot.ts';
import { serverPassword } from '#workflows/server-password.ts';
import { serverReload } from '#workflows/server-reload.ts';
import { serverRescue } from '#workflows/server-rescue.ts';
import { poweredServerName as server, startPoweredServer } from './powered-server.ts';

const boot = 'boot-of-the-harness';
/** The clock of the harness runs ahead whenever something is waited for. */
const everMs = 1e12;
const timeouts = { scriptMs: everMs, startMs: everMs, installMs: everMs, controllerMs: everMs };

export async function makeBootableServer(kind: ReloadKind): Promise<World<NetworkBootDeps, NetworkBootInput>> {
  const world = await startPoweredServer('network-boot', ({ device, signal }: LabBoot) =>
    device === 'pxe' ? install(signal) : undefined,
  );
  const { store, account, service, deps, bmc } = world;
  const reports: string[] = [];

  async function install(signal: AbortSignal): Promise<'reboot' | 'login'> {
    const order = await reloadLoad(store.queries, boot);
    if (order?.open !== 1) return 'login';
    reports.push(kind);
    const at = deps.clock.now();
    await reloadNote(store.queries, boot, { requested_at: at, begun_at: at, outcome: 'Completed' });
    return kind === 'reload' && !signal.aborted ? 'reboot' : 'login';
  }

  await reloadInsert(store.queries, {
    id: boot,
    account_id: account,
    service_id: service,
    server,
    kind,
    system: JSON.stringify({ value: 'debian-12' }),
    secret_hash: 'of the harness',
    password_hash: '$6$salt$hash',
    new_password: null,
    ssh_keys: '[]',
    created_at: deps.clock.now(),
  });
  return {
    ...world,
    input: {
      server,
      purpose: 'operating-system reload',
      boot,
      graceMs: kind === 'reload' ? 0 : 5000,
      offMs: 5,
      timeouts,
    },
    look: async () => ({
      power: bmc.chassis.power,
      nextBoot: bmc.chassis.bootFlags.isValid ? bmc.chassis.bootFlags.device : 'none',
      runs: await running(),
      order: (await reloadLoad(store.queries, boot))!.open,
      locked: (await deviceLockFind(store.queries, server, deps.clock.now())) !== undefined,
    }),
  };

  /** What it booted last, once an installer that is done has restarted it. */
  async function running(): Promise<string | undefined> {
    const last = (): string | undefined =>
      bmc.chassis.events.findLast(({ text }) => text.startsWith('boot from '))?.text.slice('boot from '.length);
    if (kind === 'reload' && reports.length > 0) while (last() === 'pxe') await sleep(5);
    return last();
  }
}

export const networkBootScenarios: readonly Scenario<NetworkBootDeps, NetworkBootInput>[] = [
  { workflow: serverReload, makeWorld: () => makeBootableServer('reload') },
  { workflow: serverRescue, makeWorld: () => makeBootableServer('rescue') },
  { workflow: serverPassword, makeWorld: () => makeBootableServer('password') },
];
