// Starts and cancels network boots of dedicated servers. Everything that can be checked is checked first, while the server is
// untouched. The secret in a boot's links is derived from its id under the sealing key: the database holds only its digest.
import { statusText } from '#contract/states/reload-status.ts';
import type { ReloadKind } from '#contract/states/reloads.ts';
import type { System } from '#contract/site/systems.ts';
import { requireCapability } from '#drivers/bmc/driver.ts';
import { commandTimeout, lockForWorkflow, retryWhileBusy } from '#equipment/device-command.ts';
import { defaultWaits, type Waits } from '#equipment/waits.ts';
import { timeOrderedId } from '#queue/time-ordered-id.ts';
import { cryptHash } from '#lib/crypt-hash.ts';
import { ApiError, conflict } from '#lib/api-error.ts';
import { randomPassword } from '#lib/random.ts';
import { type SecretBox, sha256Hex } from '#lib/secrets.ts';
import {
  isDiskWritten,
  reloadInsert,
  reloadLast,
  reloadLogAppend,
  reloadMove,
  reloadUpdate,
  reloadSshKeys,
  reloadSystem,
  reloadRunning,
  type NewReload,
  type Reload,
} from '#store/devices/reloads.ts';
import type { Service } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import { workflowLoad } from '#store/work/workflows.ts';
import { cancelWorkflow } from '#workflows/engine/runner.ts';
import {
  serverPassword,
  serverReload,
  serverRescue,
  type NetworkBootInput,
  type NetworkBootTimeouts,
} from '#workflows/server/network-boot.ts';
import { serverOf } from '../servers/servers.ts';
import { emitForService } from '../events/events.ts';
import { startServiceWork } from '../services/services.ts';
import { isStock } from '../services/stock.ts';
import { FileUnusable, findSoon } from './file-cache.ts';
import { installServer } from './install-input.ts';
import { checkInstall } from './install/check.ts';
import { bootSettings } from '../site/systems.ts';
import type { Context } from '../app.ts';

const passwordLength = 16;
/** Long enough for the power supplies to drain. */
const offMs = 2000;
const defaultSeconds = { script: 600, start: 900, install: 7200, controller: 120, shutdown: 20 };

const kinds = {
  reload: { workflow: serverReload, purpose: 'a reload', subject: 'A reload' },
  rescue: { workflow: serverRescue, purpose: 'the start of the rescue system', subject: 'The rescue system' },
  password: { workflow: serverPassword, purpose: 'a password reset', subject: 'A password reset' },
} as const;

export interface NetworkBootRequest {
  readonly kind: ReloadKind;
  readonly system: System;
  readonly sshKeys: readonly string[];
  /** Whether the response contains the root password, or the caller collects it later. */
  readonly password: 'returned' | 'collected';
}

/** Returns the new root password. */
export async function startNetworkBoot(
  context: Context,
  service: Service,
  { kind, system, sshKeys, password: delivery }: NetworkBootRequest,
): Promise<string> {
  const server = serverOf(service);
  const { app, queries } = context;
  const settings = await bootSettings(queries);
  if (settings === undefined)
    throw new ApiError('capability_missing', { message: 'The provider does not offer network boot.' });
  if (isStock(service))
    throw new ApiError('capability_missing', {
      message: 'A server in stock cannot boot from the network, because it has no address.',
    });
  await checkSystem(context, service, server, system);
  const running = await reloadRunning(queries, server);
  if (running !== undefined && !(await endAbandonedRescue(context, service, running)))
    throw await inProgressError(queries, running);
  const waits = await app.bmcs.use(server, async (bmc, bmcWaits) => {
    requireCapability(bmc, 'boot');
    await bmc.power.state(commandTimeout(undefined, bmcWaits.commandMs));
    return bmcWaits;
  });
  const password = randomPassword(passwordLength);
  const id = timeOrderedId(app.clock.now());
  const boot: NewReload = {
    id,
    account_id: service.account_id,
    service_id: service.id,
    server,
    kind,
    system: reloadSystem.encode(system),
    secret_hash: bootSecretHash(bootSecret(app.secrets, id)),
    password_hash: cryptHash(password),
    new_password: delivery === 'collected' ? app.secrets.seal(password, passwordSealContext(id)) : null,
    ssh_keys: reloadSshKeys.encode(sshKeys),
    created_at: app.clock.now(),
  };
  const input = {
    server,
    purpose: kinds[kind].purpose,
    boot: id,
    graceMs: kind === 'reload' ? 0 : (settings.timeouts?.shutdown ?? defaultSeconds.shutdown) * 1000,
    offMs,
    timeouts: timeoutsOf(settings.timeouts, waits),
  };
  await retryWhileBusy(app.leaseFeed, server, () =>
    app.store.transaction((inside) => beginNetworkBoot({ ...context, queries: inside }, service, boot, input)),
  );
  return password;
}

/** Locks the server in the workflow's name in the same transaction, so that no other command comes between. */
async function beginNetworkBoot(
  context: Context,
  service: Service,
  boot: NewReload,
  input: NetworkBootInput,
): Promise<void> {
  const { app, queries } = context;
  const { server: device, purpose } = input;
  const now = app.clock.now();
  const running = await reloadRunning(queries, device);
  if (running !== undefined) throw await inProgressError(queries, running);
  // Lost a race: the next attempt finds the other boot.
  if (!(await reloadInsert(queries, boot))) throw new ApiError('device_busy');
  const holder = await startServiceWork(context, service, kinds[boot.kind].workflow, input);
  await lockForWorkflow(queries, { device, holder, purpose }, now);
  await reloadUpdate(queries, boot.id, { workflow_id: holder });
  const text = 'Powering the server off to boot from the network.';
  await reloadLogAppend(queries, { reload_id: boot.id, at: now, status: 'Queued', text });
  if (boot.kind === 'reload') {
    const { value } = reloadSystem.decode(boot.system);
    await emitForService(context, service, 'device.reload.started', { system: value });
  } else await emitForService(context, service, `device.${boot.kind}.started`, {});
}

async function checkSystem(context: Context, service: Service, server: string, system: System): Promise<void> {
  const problems = checkInstall(system, await installServer(context.queries, service, server));
  if (system.source === undefined) throw new ApiError('not_in_catalogue', { message: problems[0]! });
  if (problems.length > 0) throw new ApiError('capability_missing', { message: problems.join(' ') });
  const { kernel, initrd, image } = system.source;
  const files = [kernel, initrd, ...(image === undefined ? [] : [image])];
  try {
    if ((await findSoon(context.app.files, files)) !== undefined) return;
  } catch (cause) {
    if (!(cause instanceof FileUnusable)) throw cause;
    throw new ApiError('not_in_catalogue', { message: `The provider's files for ${system.name} are unusable.`, cause });
  }
  throw conflict(`The files for ${system.name} are still being downloaded. Try again in a minute.`);
}

/** Ends a rescue system that the server's former customer left running. Returns false if it is not one. */
async function endAbandonedRescue({ app }: Context, service: Service, running: Reload): Promise<boolean> {
  if (running.status !== 'Active' || running.service_id === service.id) return false;
  return reloadMove(app.store.queries, running.id, 'Completed', { ended_at: app.clock.now() });
}

async function inProgressError(queries: Queries, running: Reload): Promise<ApiError> {
  const { name } = reloadSystem.decode(running.system);
  const status = await networkBootStatus(queries, running);
  const isUndone = status === 'Cancelled' || status.startsWith('Failed');
  const subject = `${kinds[running.kind].subject}${running.kind === 'reload' ? ` with ${name}` : ''}`;
  return conflict(`${subject} is ${isUndone ? 'being undone' : 'in progress'}: ${status.replace(/\.$/, '')}.`);
}

/** Returns false if there is nothing to cancel. The workflow then restores the server to boot from its disk. */
export async function cancelNetworkBoot({ app }: Context, boot: Reload | undefined): Promise<boolean> {
  if (boot === undefined || boot.ended_at !== null || boot.status === 'Active' || isDiskWritten(boot)) return false;
  return app.store.transaction(async (queries) => {
    const workflow = await workflowLoad(queries, boot.workflow_id);
    return workflow?.cancel_requested === 0 && cancelWorkflow(app, queries, boot.workflow_id);
  });
}

/** Returns the last boot of these kinds. Throws if the service is not a dedicated server. */
export async function lastNetworkBoot(
  { queries, caller }: Context,
  service: Service,
  ...bootKinds: readonly ReloadKind[]
): Promise<Reload | undefined> {
  serverOf(service);
  return reloadLast(queries, caller.account, service.id, bootKinds);
}

/** Returns the status that customers see: a boot that is being rolled back has already failed or been cancelled, unless its disk
 * is written. */
export async function networkBootStatus(queries: Queries, boot: Reload): Promise<string> {
  const canFail = boot.ended_at === null && boot.status !== 'Active' && !isDiskWritten(boot);
  const workflow = canFail ? await workflowLoad(queries, boot.workflow_id) : undefined;
  if (workflow?.direction === 'back' && workflow.error_code !== 'cancelled')
    return statusText({ ...boot, status: 'Failed', reason: workflow.error_reason ?? '' });
  if (workflow?.direction === 'back' || (workflow?.cancel_requested ?? 0) > 0) return 'Cancelled';
  return statusText(boot);
}

export function bootSecret(secrets: SecretBox, id: string): string {
  return secrets.digest(`boot ${id}`);
}

export function bootSecretHash(secret: string): string {
  return sha256Hex(secret);
}

/** Binds a sealed password to its boot. */
export function passwordSealContext(id: string): string {
  return `root password ${id}`;
}

/** A model whose BMC restarts more slowly than others extends the wait for its controller. */
function timeoutsOf(configured: Partial<typeof defaultSeconds> | undefined, { restartMs }: Waits): NetworkBootTimeouts {
  const { script, start, install, controller } = { ...defaultSeconds, ...configured };
  const ofModelMs = restartMs > defaultWaits.restartMs ? restartMs : 0;
  return {
    scriptMs: script * 1000,
    startMs: start * 1000,
    installMs: install * 1000,
    controllerMs: Math.max(controller * 1000, ofModelMs),
  };
}
