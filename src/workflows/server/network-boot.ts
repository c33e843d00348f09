// Boots a server once from the network, for a reload, the rescue system or a password reset. The server is powered off before
// its boot order changes, so that a rollback restores the boot order before the power returns and the server boots its disk.
import { statusText } from '#contract/states/reload-status.ts';
import type { ReloadKind } from '#contract/states/reloads.ts';
import { appendEvent } from '#events/append.ts';
import { ApiError } from '#lib/api-error.ts';
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import {
  isDiskWritten,
  reloadLoad,
  reloadLogAppend,
  reloadMove,
  reloadUpdate,
  reloadSystem,
  type Reload,
} from '#store/devices/reloads.ts';
import { serviceInstalledSet } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import {
  acquireDeviceLock,
  clearNextBoot,
  deviceLimit,
  extendDeviceLock,
  lockLimit,
  powerOff,
  requestShutdown,
  retryUnderLock,
  serverDevice,
  setNextBoot,
  setPower,
  toStepResult,
  undoWithRetry,
  type ServerContext,
  type ServerDeps,
  type ServerTarget,
  type StepDevice,
} from '../device-steps.ts';
import { done, failed, wait, workflow, type Ending, type StepResult, type WaitLimit } from '../engine/workflow.ts';

export interface NetworkBootInput extends ServerTarget {
  /** The id of its row in `reloads`. */
  readonly boot: string;
  /** How long the operating system may take to shut down; 0 if its disk will be overwritten anyway. */
  readonly graceMs: number;
  /** How long the power stays off, so that the power supplies drain. */
  readonly offMs: number;
  readonly timeouts: NetworkBootTimeouts;
}
export interface NetworkBootTimeouts {
  readonly scriptMs: number;
  readonly startMs: number;
  readonly installMs: number;
  readonly controllerMs: number;
}

/** The caller has its response already, so another command may take longer than a request would wait for. */
const lockWaitMs = 60_000;
const shortestPollMs = 200;
const longestPollMs = 5000;

function networkBoot(name: string) {
  return workflow<ServerDeps, NetworkBootInput>(name, 1)
    .step('lock', {
      async do(context, input) {
        const device = serverDevice(context, input);
        const lock = await acquireDeviceLock(context, device, lockWaitMs);
        if (lock.kind !== 'done') return lock;
        return toStepResult(context, async () => {
          const was = await device.state();
          // A BMC that rejects this could not be undone either, after the power is cut.
          await setNextBoot(context, input.server, 'none');
          return done({ was });
        });
      },
      undo: 'nothing',
      limit: lockLimit(lockWaitMs),
    })
    .step('ask', {
      async do(context, input, { lock }) {
        const canBeAsked = lock.was === 'on' && input.graceMs > 0;
        return done({ isAsked: canBeAsked && (await tryShutdown(context, input)) });
      },
      undo(context, input, { lock }) {
        const device = serverDevice(context, input);
        return undoWithRetry(context, device, async () => {
          if (lock?.was !== 'on') return done();
          // The operating system may act on the shutdown request after the power is back.
          if (input.graceMs > 0) await device.set('off');
          return setPower(device, 'on');
        });
      },
    })
    .step('off', {
      do: (context, input, { ask }) =>
        retryBmc(context, input, () =>
          powerOff(context, serverDevice(context, input), ask.isAsked ? input.graceMs : 0),
        ),
      // The undo of `ask` powers the server on again.
      undo: 'nothing',
      limit: bmcLimit(({ graceMs }) => graceMs),
    })
    .step('aim', {
      do: async (context, input) => {
        const restMs = context.since + input.offMs - context.now;
        if (restMs > 0) return wait(restMs);
        return retryBmc(context, input, async () => {
          await setNextBoot(context, input.server, 'pxe');
          // Not before the server is about to be powered on: a request while it is off comes from another machine.
          return done(undefined, (queries) => reloadUpdate(queries, input.boot, { open: 1 }));
        });
      },
      undo: (context, input) =>
        undoWithRetry(context, serverDevice(context, input), async () => {
          await clearNextBoot(context, input.server);
          return done();
        }),
      limit: bmcLimit(({ offMs }) => offMs),
    })
    .step('on', {
      do: (context, input) => retryBmc(context, input, () => powerOnToBoot(context, input)),
      undo(context, input, { lock }) {
        const device = serverDevice(context, input);
        return undoWithRetry(context, device, async () => (lock === undefined ? done() : setPower(device, 'off')));
      },
      limit: bmcLimit(),
    })
    .step('follow', {
      do: (context, input) => followBoot(context, input),
      undo: 'nothing',
      limit: {
        ms: ({ timeouts: { scriptMs, startMs, installMs } }) => scriptMs + startMs + installMs,
        code: 'network_boot_failed',
        reason: 'The installation did not finish in time.',
      },
    })
    .onRollback(noteRollback);
}

/** Installs an operating system: ends with the new one running, or with the server booting its disk as before. */
export const serverReload = networkBoot('server-reload')
  // Most installers restart the server; this is for one that powers it off.
  .step(
    'confirm',
    bootFromDisk((device) => setPower(device, 'on')),
  )
  .onEnd(endNetworkBoot);

/** Boots the rescue system, which runs in memory only: the disk is not touched, and a restart boots it again. */
export const serverRescue = networkBoot('server-rescue')
  .step(
    'confirm',
    bootFromDisk(async () => done()),
  )
  .onEnd(endNetworkBoot);

/** Resets a lost root password: the rescue system writes a new one to the disk, then the server boots its disk. */
export const serverPassword = networkBoot('server-password')
  .step(
    'stop',
    bootFromDisk((device) => setPower(device, 'off')),
  )
  .step('back', {
    do: (context, input, { lock }) => retryBmc(context, input, () => setPower(serverDevice(context, input), lock.was)),
    undo: 'nothing',
    limit: bmcLimit(),
  })
  .onEnd(endNetworkBoot);

function retryBmc<T>(context: ServerContext, input: NetworkBootInput, work: () => Promise<StepResult<T>>) {
  return retryUnderLock(context, serverDevice(context, input), input.timeouts.controllerMs, work);
}

/** The limit of a step that is patient with the BMC, after what else it waits for. */
function bmcLimit(firstMs: (input: NetworkBootInput) => number = () => 0): WaitLimit<NetworkBootInput> {
  return deviceLimit((input) => firstMs(input) + input.timeouts.controllerMs, 'bmc_unreachable');
}

/** A server that cannot be asked to shut down is powered off without. */
async function tryShutdown(context: ServerContext, input: NetworkBootInput): Promise<boolean> {
  try {
    return await requestShutdown(serverDevice(context, input));
  } catch (error) {
    if (error instanceof ApiError && !context.signal.aborted) return false;
    throw error;
  }
}

/** A step that closes the boot, so that the server boots its disk from now on, and then sets its power. */
function bootFromDisk(finish: (device: StepDevice) => Promise<StepResult<undefined>>) {
  return {
    do: (context: ServerContext, input: NetworkBootInput) =>
      retryBmc(context, input, async () => {
        await reloadUpdate(context.deps.store.queries, input.boot, { open: 0 });
        await clearNextBoot(context, input.server);
        return finish(serverDevice(context, input));
      }),
    undo: 'nothing',
    limit: bmcLimit(),
  } as const;
}

async function powerOnToBoot(context: ServerContext, input: NetworkBootInput): Promise<StepResult<undefined>> {
  const device = serverDevice(context, input);
  await device.set('on');
  return done(undefined, async (queries) => {
    await device.recordPower(queries, 'on');
    if (!(await reloadMove(queries, input.boot, 'Booting'))) return;
    const text = 'The server was powered on to boot from the network.';
    await reloadLogAppend(queries, { reload_id: input.boot, at: context.now, status: 'Booting', text });
  });
}

/** Waits for the installer. Each phase has its own time limit, counted from the end of the phase before. */
async function followBoot(context: ServerContext, input: NetworkBootInput): Promise<StepResult<undefined>> {
  const { deps, now, since } = context;
  const { scriptMs, startMs, installMs } = input.timeouts;
  const boot = (await reloadLoad(deps.store.queries, input.boot))!;
  if (boot.outcome === 'Completed') return done();
  if (boot.outcome === 'Failed') return failed('network_boot_failed', failureReason(boot));
  if (!(await extendDeviceLock(context, serverDevice(context, input))))
    return failed('device_busy', 'Another command took over the server.');
  const [from, limitMs, missing] =
    boot.requested_at === null
      ? [since, scriptMs, 'The server did not request its boot script']
      : boot.begun_at === null
        ? [boot.requested_at, startMs, `${installerNames[boot.kind]} did not start`]
        : [boot.begun_at, installMs, `${installerNames[boot.kind]} did not finish`];
  const leftMs = from + limitMs - now;
  if (leftMs <= 0) return failed('network_boot_failed', `${missing} within ${durationText(limitMs)}.`);
  return wait(Math.min(leftMs, longestPollMs, Math.max(shortestPollMs, (now - since) / 20)));
}

const installerNames: Record<ReloadKind, string> = {
  reload: 'The installer',
  rescue: 'The rescue system',
  password: 'The rescue system',
};

const completedTexts: Record<ReloadKind, string> = {
  reload: 'The new operating system is installed.',
  rescue: 'The rescue system is running.',
  password: 'The root password was reset; the server boots its disk again.',
};

function failureReason({ kind, message, open }: Reload): string {
  // The boot server ended it, not the installer.
  if (open === 0) return message;
  return message === '' ? `${installerNames[kind]} failed.` : `${installerNames[kind]} reported: ${message}`;
}

function durationText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const [count, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Needs no BMC, which may be unreachable for long: the installer must not complete a boot that is being rolled back. */
async function noteRollback(
  queries: Queries,
  { input, outcome, reason }: Ending<NetworkBootInput, object>,
  { clock }: ServerDeps,
): Promise<void> {
  await reloadUpdate(queries, input.boot, { open: 0 });
  const boot = (await reloadLoad(queries, input.boot))!;
  const status = statusText(isDiskWritten(boot) ? boot : { status: outcome, percent: 0, reason });
  const text = 'Restoring the server to boot from its disk.';
  await reloadLogAppend(queries, { reload_id: input.boot, at: clock.now(), status, text });
}

/** Writes the outcome. A rescue system that is running stays `Active` until someone ends it. */
async function endNetworkBoot(
  queries: Queries,
  ending: Ending<NetworkBootInput, object>,
  deps: ServerDeps,
): Promise<void> {
  const { account, workflow: holder, input } = ending;
  const { server, boot: id } = input;
  const at = deps.clock.now();
  const boot = (await reloadLoad(queries, id))!;
  const { kind, system, service_id: service } = boot;
  const { outcome, reason } = isDiskWritten(boot) ? { outcome: 'Completed' as const, reason: '' } : ending;
  const isActive = kind === 'rescue' && outcome === 'Completed';
  await reloadMove(queries, id, isActive ? 'Active' : outcome, { reason, ended_at: isActive ? null : at });
  await reloadUpdate(queries, id, {
    open: 0,
    password_hash: null,
    ...(outcome === 'Completed' ? {} : { new_password: null }),
  });
  const after = (await reloadLoad(queries, id))!;
  const text = outcome === 'Completed' ? completedTexts[kind] : 'The server boots its disk again.';
  await reloadLogAppend(queries, { reload_id: id, at, status: statusText(after), text });
  await deviceLockRelease(queries, server, holder);
  const event = { account, service };
  if (outcome === 'Failed')
    await appendEvent(deps, queries, { ...event, type: `device.${kind}.failed`, data: { reason } });
  else if (outcome === 'Cancelled')
    await appendEvent(deps, queries, { ...event, type: `device.${kind}.cancelled`, data: {} });
  else if (kind === 'reload') {
    const { name, value } = reloadSystem.decode(system);
    await serviceInstalledSet(queries, service, { system: name, installed_at: at });
    await appendEvent(deps, queries, { ...event, type: 'device.reload.completed', data: { system: value } });
  } else await appendEvent(deps, queries, { ...event, type: `device.${kind}.completed`, data: {} });
}
