// Customers delete their virtual machines, and restore them within three days. A deletion takes effect with its commit: the service
// is suspended and no longer billed, whatever its hypervisor does. A workflow then powers the machine off, and the reconciler
// machine-deletions (deletion-work.ts) repeats that until it succeeds, and terminates the service in the end.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import { restorableHours, type DeletedMachine } from '#contract/shapes/machine.ts';
import type { machineV2 } from '#contract/v2/machine.ts';
import { ApiError, conflict, invalid } from '#lib/api-error.ts';
import { dayNumberText, dayOf, hourMs, timeText } from '#lib/time.ts';
import { accountFind } from '#store/account/accounts.ts';
import { machineDeletionFind, machineDeletionInsert, machineDeletionRemove } from '#store/devices/machine-deletions.ts';
import { machineFind } from '#store/devices/machines.ts';
import {
  serviceSuspensionPut,
  serviceSuspensionRemove,
  stateBeforeSuspension,
  suspensionOfService,
} from '#store/devices/service-suspensions.ts';
import { serviceStatusSet, type Service } from '#store/devices/services.ts';
import { serviceLock } from '#store/operator/operator-services.ts';
import type { Queries } from '#store/store.ts';
import { workflowsOfService } from '#store/work/workflows.ts';
import { machineTarget } from '#workflows/device-steps.ts';
import { startWorkflow } from '#workflows/engine/runner.ts';
import { machineDelete as deleteWorkflow } from '#workflows/machine/machine-delete.ts';
import { machinePower } from '#workflows/machine/machine-power.ts';
import { serviceTerminate } from '#workflows/service/service-terminate.ts';
import type { Context } from '../app.ts';
import { holdBilling, ownService } from '../pricing/own-service.ts';
import { normalizeHostname, requireMachine, serviceOf } from '../services/services.ts';
import { ensureMachine } from '../site/machines.ts';
import { startPowerOff } from './deletion-work.ts';
import { endBilling, resumeBilling } from './deletion-billing.ts';
import { shutdownGraceMs } from './power.ts';

export async function machineDelete(
  context: Context,
  { service: id, hostname }: InputOf<typeof machineV2.machineDelete>,
): Promise<Static<typeof DeletedMachine>> {
  const { queries, app } = context;
  const service = requireMachine(await serviceOf(context, id));
  const machine = await machineFind(queries, id);
  if (machine === undefined) throw conflict('The service has no machine.');
  if (normalizeHostname(hostname) !== service.hostname)
    throw invalid({ hostname: 'must be the host name of the machine, as confirmation' });
  if (machine.is_protected === 1) throw conflict('The machine is protected. Disable its protection first.');
  const now = app.clock.now();
  const { minimumDay, ...end } = await endBilling(context, service);
  const expires_at = now + restorableHours * hourMs;
  await machineDeletionInsert(queries, {
    service_id: id,
    account_id: service.account_id,
    deleted_at: now,
    expires_at,
    ...end,
  });
  const restorableto = timeText(expires_at);
  await serviceStatusSet(queries, service.account_id, id, { from: service.status, to: 'Suspended' });
  await serviceSuspensionPut(queries, {
    service_id: id,
    reason: `It was deleted and can be restored until ${restorableto} UTC.`,
    operator: '',
    since: now,
    // A new machine was powered on, but nobody has looked at it yet.
    before: JSON.stringify({ power: machine.power_state ?? 'on', ports: [] }),
  });
  const lastday = end.until_day === null ? '' : dayNumberText(Math.max(end.until_day - 1, dayOf(now)));
  context.emit('machine.deleted', { restorableto, lastday }, id);
  return {
    service: String(id),
    restorableto,
    lastday,
    minimumto: minimumDay === undefined ? '' : dayNumberText(minimumDay - 1),
    action: await startPowerOff(app, queries, service, context.operation),
  };
}

export async function machineRestore(context: Context, id: number): Promise<void> {
  const { queries, app } = context;
  const { account_id } = await holdBilling(context, ownService, id);
  // The suspension of an account skips deleted machines: this one would run although the account does not pay.
  if ((await accountFind(queries, account_id))!.status === 'Suspended') throw new ApiError('account_suspended');
  const service = (await serviceLock(queries, id))!;
  const deletion = await machineDeletionFind(queries, id);
  if (deletion === undefined) {
    await serviceOf(context, id);
    throw conflict('The machine is not deleted.');
  }
  const running = new Set((await workflowsOfService(queries, id)).map(({ name }) => name));
  if (deletion.expires_at <= app.clock.now() || running.has(serviceTerminate.name))
    throw conflict(
      `The machine could be restored until ${timeText(deletion.expires_at)} UTC and is now being removed.`,
    );
  if (running.has(deleteWorkflow.name))
    throw conflict('The machine is still being powered off. Try again in a minute.');
  const suspension = await suspensionOfService(queries, id);
  const wasOn = suspension !== undefined && stateBeforeSuspension.decode(suspension.before).power === 'on';
  await removeDeletion(queries, service);
  await resumeBilling(context, service, deletion);
  context.emit('machine.restored', {}, id);
  await bringBack(context, service, wasOn);
}

async function removeDeletion(queries: Queries, { id, account_id }: Service): Promise<void> {
  await machineDeletionRemove(queries, id);
  await serviceSuspensionRemove(queries, id);
  await serviceStatusSet(queries, account_id, id, { from: 'Suspended', to: 'Active' });
}

/** Powers the machine on if it was, or continues to create it. */
async function bringBack(
  { app, queries, operation }: Context,
  { id, account_id: account }: Service,
  wasOn: boolean,
): Promise<void> {
  const machine = (await machineFind(queries, id))!;
  if (machine.state === 'pending') {
    await ensureMachine(app, queries, id, operation);
    return;
  }
  if (!wasOn) return;
  const target = machineTarget({ ...machine, node: machine.node! }, 'the restoration of the machine');
  const input = { ...target, action: 'cycle', graceMs: shutdownGraceMs } as const;
  await startWorkflow(app, queries, machinePower, { account, service: id, operation, input });
}
