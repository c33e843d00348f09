// Beginning and calling off what boots a server over the network. Whatever can be known to stand in the way is found out first,
// while the server has not been touched.
import { setTimeout as pause } from 'node:timers/promises';
import { statusText } from '#contract/reload-status.ts';
import type { ReloadKind } from '#contract/reload-states.ts';
import { need } from '#drivers/bmc/driver.ts';
import { timeOrderedId } from '#jobs/time-ordered-id.ts';
import { cryptHash } from '#kernel/crypt-hash.ts';
import { Fault } from '#kernel/fault.ts';
import { randomPassword } from '#kernel/random.ts';
import { deviceLockFind, deviceLockTake } from '#store/devices/device-locks.ts';
import {
  reloadInsert,
  reloadLogAppend,
  reloadMove,
  reloadNote,
  reloadUnderWay,
  type NewReload,
  type Reload,
} from '#store/devices/reloads.ts';
import type { Service } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import { workflowLoad } from '#store/work/workflows.ts';
import type { NetworkBootInput, NetworkBootTimeouts } from '#workflows/network-boot.ts';
import { cancelWorkflow, startWorkflow } from '#workflows/runner.ts';
import { serverPassword } from '#workflows/server-password.ts';
import { serverReload } from '#workflows/server-reload.ts';
import { serverRescue } from '#workflows/server-rescue.ts';
import { bootSecret, bootSecretHash } from './boot.ts';
import { commandLimit, commandMs } from '../services/command-limit.ts';
import { serverOf } from '../servers/servers.ts';
import { tellOf } from '../events/events.ts';
import { FileUnusable } from './file-cache.ts';
import { installServer } from './install-input.ts';
import { checkInstall } from './install/check.ts';
import type { System } from './install/input.ts';
import { bootSettings } from '../site/systems.ts';
import type { Context } from '../yard.ts';

const passwordLength = 16;
const offMs = 2000;
const turnMs = 5000;
const lookAgainMs = 100;
const lockMs = 10 * 60_000;
const defaultSeconds = { script: 600, start: 900, install: 7200, controller: 120, shutdown: 20 };

const works = {
  reload: { workflow: serverReload, purpose: 'operating-system reload', noun: 'A reload' },
  rescue: { workflow: serverRescue, purpose: 'start of the rescue system', noun: 'The rescue system' },
  password: { workflow: serverPassword, purpose: 'password reset', noun: 'A password reset' },
} as const;

export interface Wanted {
  readonly kind: ReloadKind;
  readonly system: System;
  readonly sshKeys: readonly string[];
  /** Whether the caller is told the password in the answer, or comes for it later. */
  readonly password: 'answered' | 'collected';
}

/** Answers root's new password. */
export async function networkBootStart(context: Context, service: Service, wanted: Wanted): Promise<string> {
  const server = serverOf(service);
  const { yard, queries } = context;
  const settings = await bootSettings(queries);
  if (settings === undefined)
    throw new Fault('capability_missing', { message: 'The servers of this provider do not boot over the network.' });
  await checkFits(context, service, server, wanted.system);
  const running = await reloadUnderWay(queries, server);
  if (running !== undefined && !(await leftByAnother(context, service, running)))
    throw await busyWith(queries, running);
  const limit = commandLimit();
  await yard.bmcs.use(server, (bmc) => {
    need(bmc, 'boot');
    return bmc.power.state(limit);
  });
  const password = randomPassword(passwordLength);
  const id = timeOrderedId(yard.clock.now());
  const boot: NewReload = {
    id,
    account_id: service.account_id,
    service_id: service.id,
    server,
    kind: wanted.kind,
    system: JSON.stringify(wanted.system),
    secret_hash: bootSecretHash(bootSecret(yard.secrets, id)),
    password_hash: cryptHash(password),
    new_password: wanted.password === 'collected' ? yard.secrets.seal(password, passwordSealContext(id)) : null,
    ssh_keys: JSON.stringify(wanted.sshKeys),
    created_at: yard.clock.now(),
  };
  const input = {
    server,
    purpose: works[wanted.kind].purpose,
    boot: id,
    graceMs: wanted.kind === 'reload' ? 0 : (settings.timeouts?.shutdown ?? defaultSeconds.shutdown) * 1000,
    offMs,
    timeouts: timeoutsOf(settings.timeouts),
  };
  for (const until = performance.now() + turnMs; ;) {
    if (await yard.store.transaction((inside) => begun({ ...context, queries: inside }, service, boot, input)))
      return password;
    if (performance.now() >= until) throw await busy(context, server);
    await pause(lookAgainMs);
  }
}

/** With the server's lock in the name of the workflow, so that nothing comes in between. False where somebody else has it. */
async function begun(context: Context, service: Service, boot: NewReload, input: NetworkBootInput): Promise<boolean> {
  const { yard, queries, operation } = context;
  const { server: device, purpose } = input;
  const now = yard.clock.now();
  const running = await reloadUnderWay(queries, device);
  if (running !== undefined) throw await busyWith(queries, running);
  if ((await deviceLockFind(queries, device, now)) !== undefined || !(await reloadInsert(queries, boot))) return false;
  const start = { account: service.account_id, service: service.id, operation, input };
  const holder = await startWorkflow(yard, queries, works[boot.kind].workflow, start);
  await reloadNote(queries, boot.id, { workflow_id: holder });
  const text = 'The server is switched off, to boot over the network.';
  await reloadLogAppend(queries, { reload_id: boot.id, at: now, status: 'Queued', text });
  // Somebody who took it since is waited for by the workflow itself.
  await deviceLockTake(queries, { device, holder, purpose, held_until: now + lockMs }, now);
  if (boot.kind === 'reload') {
    const { value } = JSON.parse(boot.system) as System;
    await tellOf(context, service, 'device.reload.started', { system: value });
  } else await tellOf(context, service, `device.${boot.kind}.started`, {});
  return true;
}

async function checkFits(context: Context, service: Service, server: string, system: System): Promise<void> {
  const { queries, yard } = context;
  if (system.source === undefined)
    throw new Fault('not_in_catalogue', {
      message: checkInstall(system, await installServer(queries, service, server))[0]!,
    });
  const faults = checkInstall(system, await installServer(queries, service, server));
  if (faults.length > 0) throw new Fault('capability_missing', { message: faults.join(' ') });
  const { kernel, initrd, image } = system.source;
  const found = Promise.all(
    [kernel, initrd, ...(image === undefined ? [] : [image])].map((file) => yard.files.find(file)),
  );
  const late = pause(commandMs, 'late' as const, { ref: false });
  try {
    if ((await Promise.race([found, late])) !== 'late') return;
  } catch (error) {
    if (!(error instanceof FileUnusable)) throw error;
    throw new Fault('not_in_catalogue', {
      message: `The provider’s files for ${system.name} cannot be used.`,
      cause: error,
    });
  }
  found.catch(() => {});
  throw new Fault('state_conflict', { message: `The files for ${system.name} are being fetched; try again shortly.` });
}

/** A rescue system that the former customer of this server left on is nobody's any more. */
async function leftByAnother({ yard }: Context, service: Service, running: Reload): Promise<boolean> {
  if (running.status !== 'Active' || running.service_id === service.id) return false;
  return reloadMove(yard.store.queries, running.id, 'Completed', { ended_at: yard.clock.now() });
}

async function busyWith(queries: Queries, running: Reload): Promise<Fault> {
  const { name } = JSON.parse(running.system) as System;
  const status = await networkBootStatus(queries, running);
  const isUndone = status === 'Cancelled' || status.startsWith('Failed');
  const what = `${works[running.kind].noun}${running.kind === 'reload' ? ` with ${name}` : ''}`;
  return new Fault('state_conflict', {
    message: `${what} is ${isUndone ? 'being undone' : 'in progress'}: ${status.replace(/\.$/, '')}.`,
  });
}

async function busy({ yard }: Context, server: string): Promise<Fault> {
  const held = await deviceLockFind(yard.store.queries, server, yard.clock.now());
  return new Fault('device_busy', { message: `The device is busy: ${held?.purpose ?? 'another command'} is running.` });
}

/** False where there is nothing that could be called off. The server is brought back to its disk afterwards. */
export async function networkBootCancel(context: Context, boot: Reload | undefined): Promise<boolean> {
  if (boot === undefined || boot.ended_at !== null || boot.status === 'Active') return false;
  const { yard } = context;
  return yard.store.transaction(async (queries) => {
    const work = await workflowLoad(queries, boot.workflow_id);
    return work?.cancel_requested === 0 && cancelWorkflow(yard, queries, boot.workflow_id);
  });
}

/** As the customer is shown it: what is being undone has failed already, or was cancelled. */
export async function networkBootStatus(queries: Queries, boot: Reload): Promise<string> {
  const work =
    boot.ended_at === null && boot.status !== 'Active' ? await workflowLoad(queries, boot.workflow_id) : undefined;
  if (work?.direction === 'back' && work.error_code !== 'cancelled')
    return statusText({ ...boot, status: 'Failed', reason: work.error_reason ?? '' });
  if (work?.direction === 'back' || work?.cancel_requested === 1) return 'Cancelled';
  return statusText(boot);
}

/** Binds a sealed password to its boot. */
export function passwordSealContext(id: string): string {
  return `root password ${id}`;
}

function timeoutsOf(given: Partial<typeof defaultSeconds> | undefined): NetworkBootTimeouts {
  const { script, start, install, controller } = { ...defaultSeconds, ...given };
  return {
    scriptMs: script * 1000,
    startMs: start * 1000,
    installMs: install * 1000,
    controllerMs: controller * 1000,
  };
}
