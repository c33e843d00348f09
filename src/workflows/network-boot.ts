// Booting a server once over the network, as a reload, the rescue system and a reset of the password all begin. Undone, it boots
// its disk again: that is why it is switched off before anything is aimed, so that going back the aim is taken away before the
// power returns.
//
// lock: nobody else commands the server.   ask: a system whose disk is kept may shut down by itself.   off: what ran is stopped.
// aim: the boot server has an order for it, its controller a one-time network boot.   on: it boots.   follow: it asked for its
// script, its installer reports, and is done.
import { statusText } from '#contract/reload-status.ts';
import type { ReloadKind } from '#contract/reload-states.ts';
import { need, type PowerState } from '#drivers/bmc/driver.ts';
import { eventAppend } from '#jobs/event-append.ts';
import { Fault } from '#kernel/fault.ts';
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import { reloadLoad, reloadLogAppend, reloadMove, reloadNote, type Reload } from '#store/devices/reloads.ts';
import type { Queries } from '#store/store.ts';
import {
  answered,
  lockKept,
  lockTaken,
  patiently,
  powerSet,
  undone,
  within,
  type ServerContext,
  type ServerDeps,
  type ServerTarget,
} from './server-command.ts';
import { done, failed, wait, workflow, type Ending, type StepResult } from './workflow.ts';

export type NetworkBootDeps = ServerDeps;
export interface NetworkBootInput extends ServerTarget {
  /** Its row among the network boots. */
  readonly boot: string;
  /** How long what runs has to shut down by itself before its power is cut; 0 where its disk is written anyway. */
  readonly graceMs: number;
  /** How long the power is off: long enough for the supplies to drain. */
  readonly offMs: number;
  readonly timeouts: NetworkBootTimeouts;
}
export interface NetworkBootTimeouts {
  readonly scriptMs: number;
  readonly startMs: number;
  readonly installMs: number;
  readonly controllerMs: number;
}

/** Another command on the server may take as long; the caller has his answer already. */
const turnMs = 60_000;
const shutdownLookMs = 1000;
const soonestLookMs = 200;
const latestLookMs = 5000;

export function networkBoot(name: string) {
  return workflow<NetworkBootDeps, NetworkBootInput>(name, 1)
    .step('lock', {
      async do(context, input) {
        const turn = await lockTaken(context, input, turnMs);
        if (turn.kind !== 'done') return turn;
        return answered(async () => {
          const { bmcs } = context.deps;
          const was = await bmcs.use(input.server, (bmc) => {
            need(bmc, 'boot');
            return bmc.power.state(within(context));
          });
          return done({ was });
        });
      },
      undo: 'nothing',
    })
    .step('ask', {
      do: async (context, input, { lock }) => done({ isAsked: await shutdownAsked(context, input, lock.was) }),
      undo: (context, input, { lock }) =>
        undone(context, input, async () => {
          if (lock?.was !== 'on') return done();
          // What was asked to shut down may do so after the power is back.
          if (input.graceMs > 0) await powerSet(context, input.server, 'off');
          return powerSet(context, input.server, 'on');
        }),
    })
    .step('off', {
      do: (context, input, { ask }) =>
        patiently(context, input.timeouts.controllerMs, async () =>
          ask.isAsked && (await isShuttingDown(context, input))
            ? wait(shutdownLookMs)
            : powerSet(context, input.server, 'off'),
        ),
      // By the step before, which began it.
      undo: 'nothing',
    })
    .step('aim', {
      do: (context, input) =>
        patiently(context, input.timeouts.controllerMs, async () => {
          await bootNext(context, input, 'pxe');
          return done(undefined, (queries) => reloadNote(queries, input.boot, { open: 1 }));
        }),
      undo: (context, input) =>
        undone(context, input, async () => {
          await bootNext(context, input, 'none');
          return done();
        }),
    })
    .step('on', {
      do: async (context, input) => {
        const restMs = context.since + input.offMs - context.now;
        if (restMs > 0) return wait(restMs);
        return patiently(context, input.timeouts.controllerMs, () => switchedOn(context, input));
      },
      undo: (context, input, { lock }) =>
        undone(context, input, async () => (lock === undefined ? done() : powerSet(context, input.server, 'off'))),
    })
    .step('follow', { do: (context, input) => followed(context, input), undo: 'nothing' })
    .whenTurned(networkBootTurned);
}

/** True where what runs was asked. One that cannot be is switched off without. */
async function shutdownAsked(context: ServerContext, input: NetworkBootInput, was: PowerState): Promise<boolean> {
  if (was === 'off' || input.graceMs === 0) return false;
  const limit = within(context);
  try {
    await context.deps.bmcs.use(input.server, ({ power }) => power.requestShutdown(limit));
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

async function isShuttingDown(context: ServerContext, { server, graceMs }: NetworkBootInput): Promise<boolean> {
  if (context.now - context.since >= graceMs) return false;
  const limit = within(context);
  return (await context.deps.bmcs.use(server, ({ power }) => power.state(limit))) === 'on';
}

export async function bootNext(
  context: ServerContext,
  { server }: ServerTarget,
  target: 'pxe' | 'none',
): Promise<void> {
  const limit = within(context);
  await context.deps.bmcs.use(server, (bmc) => need(bmc, 'boot').setNext(target, limit));
}

/** What the server boots from now on is its disk. */
export async function aimTaken(context: ServerContext, input: NetworkBootInput): Promise<void> {
  await reloadNote(context.deps.store.queries, input.boot, { open: 0 });
  await bootNext(context, input, 'none');
}

async function switchedOn(context: ServerContext, input: NetworkBootInput): Promise<StepResult<undefined>> {
  const on = await powerSet(context, input.server, 'on');
  if (on.kind !== 'done') return on;
  return done(undefined, async (queries) => {
    await on.write?.(queries);
    if (!(await reloadMove(queries, input.boot, 'Booting'))) return;
    const text = 'The server was switched on to boot over the network.';
    await reloadLogAppend(queries, { reload_id: input.boot, at: context.now, status: 'Booting', text });
  });
}

/** Each phase has its time, counted from the end of the one before. */
async function followed(context: ServerContext, input: NetworkBootInput): Promise<StepResult<undefined>> {
  const { deps, now, since } = context;
  const { scriptMs, startMs, installMs } = input.timeouts;
  const boot = (await reloadLoad(deps.store.queries, input.boot))!;
  if (boot.outcome === 'Completed') return done();
  if (boot.outcome === 'Failed') return failed('network_boot_failed', toldReason(boot));
  if (!(await lockKept(context, input))) return failed('device_busy', 'Another command was given to the server.');
  const [from, limitMs, missing] =
    boot.requested_at === null
      ? [since, scriptMs, 'The server did not ask for its boot script']
      : boot.begun_at === null
        ? [boot.requested_at, startMs, `${runners[boot.kind]} did not start`]
        : [boot.begun_at, installMs, `${runners[boot.kind]} was not done`];
  const leftMs = from + limitMs - now;
  if (leftMs <= 0) return failed('network_boot_failed', `${missing} within ${spanText(limitMs)}.`);
  return wait(Math.min(leftMs, latestLookMs, Math.max(soonestLookMs, (now - since) / 20)));
}

const runners: Record<ReloadKind, string> = {
  reload: 'The installer',
  rescue: 'The rescue system',
  password: 'The rescue system',
};

const achievements: Record<ReloadKind, string> = {
  reload: 'The server runs its new system.',
  rescue: 'The rescue system runs.',
  password: 'The root password was reset; the server boots its disk again.',
};

function toldReason({ kind, message }: Reload): string {
  return message === '' ? `${runners[kind]} failed.` : `${runners[kind]} said: ${message}`;
}

function spanText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const [count, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Without the controller, which may be away for long: what is called off shall not end by itself, and whoever follows it shall
 * know. */
async function networkBootTurned(queries: Queries, ending: Ending, { clock }: NetworkBootDeps): Promise<void> {
  const { outcome, reason } = ending;
  const { boot: id } = ending.input as NetworkBootInput;
  await reloadNote(queries, id, { open: 0 });
  const status = statusText({ status: outcome, percent: 0, reason });
  const text = 'The server is being brought back to its disk.';
  await reloadLogAppend(queries, { reload_id: id, at: clock.now(), status, text });
}

/** In the transaction of the end, whatever it is. The rescue system that runs goes on until somebody ends it. */
export async function networkBootEnded(queries: Queries, ending: Ending, deps: NetworkBootDeps): Promise<void> {
  const { account, workflow: holder, outcome, reason } = ending;
  const { server, boot: id } = ending.input as NetworkBootInput;
  const at = deps.clock.now();
  const { kind, system, service_id: service } = (await reloadLoad(queries, id))!;
  const isRescued = kind === 'rescue' && outcome === 'Completed';
  await reloadMove(queries, id, isRescued ? 'Active' : outcome, { reason, ended_at: isRescued ? null : at });
  await reloadNote(queries, id, {
    open: 0,
    password_hash: null,
    ...(outcome === 'Completed' ? {} : { new_password: null }),
  });
  const after = (await reloadLoad(queries, id))!;
  const text = outcome === 'Completed' ? achievements[kind] : 'The server boots its disk again.';
  await reloadLogAppend(queries, { reload_id: id, at, status: statusText(after), text });
  await deviceLockRelease(queries, server, holder);
  const told = { account, service };
  if (outcome === 'Failed')
    await eventAppend(deps, queries, { ...told, type: `device.${kind}.failed`, data: { reason } });
  else if (outcome === 'Cancelled')
    await eventAppend(deps, queries, { ...told, type: `device.${kind}.cancelled`, data: {} });
  else if (kind === 'reload') {
    const { value } = JSON.parse(system) as { value: string };
    await eventAppend(deps, queries, { ...told, type: 'device.reload.completed', data: { system: value } });
  } else await eventAppend(deps, queries, { ...told, type: `device.${kind}.completed`, data: {} });
}
