// The app's part in reclaiming servers: what the workflow needs to know of the site, and what engineers do about a server in
// quarantine.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { deviceOperator } from '#contract/operator/device.ts';
import type { Reclaim as ReclaimShape } from '#contract/shapes/operator-service.ts';
import type { System } from '#contract/site/systems.ts';
import { reclaimStepNames, type ReclaimStep } from '#contract/states/servers.ts';
import { ApiError, conflict, invalid, requireFound } from '#lib/api-error.ts';
import { timeText } from '#lib/time.ts';
import { jobWorker, type JobWorker } from '#queue/queue.ts';
import type { AccountId } from '#store/account-id.ts';
import type { Handover } from '#store/devices/certificates.ts';
import { deviceHolds } from '#store/devices/device-holds.ts';
import {
  isReclaimStepDone,
  nextReclaimStep,
  reclaimFind,
  reclaimFindings,
  reclaimOfServer,
  reclaimsOpen,
  type Reclaim,
} from '#store/devices/reclaims.ts';
import { reloadInsert, reloadSshKeys, reloadSystem, reloadUpdate } from '#store/devices/reloads.ts';
import { serverFind, serversMove } from '#store/devices/servers.ts';
import { netblockRequestDecide, netblockRequestsPending } from '#store/network/netblock-requests.ts';
import { nullroutesOfServiceOpen } from '#store/network/nullroutes.ts';
import type { Queries } from '#store/store.ts';
import { workflowLoad } from '#store/work/workflows.ts';
import { continueReclaim } from '#workflows/server/reclaim.ts';
import type { ReclaimActions } from '#workflows/server/reclaim-steps.ts';
import { serviceTraces } from '#workflows/service/service-terminate.ts';
import { withdrawLostNames } from '../dns/lost-names.ts';
import { endNullroute } from '../network/nullroutes.ts';
import { bootSecret, bootSecretHash } from '../reload/network-boots.ts';
import { loadSiteSettings } from '../site/settings.ts';
import { bootSettings, listSystems } from '../site/systems.ts';
import type { App, Context } from '../app.ts';
import { handOverCertificates, issueCertificate } from './certificates.ts';

/** Returns what the reclaim workflow needs from the app. */
export function createReclaimActions(app: App): ReclaimActions {
  return {
    providerBmcUsers: async (queries) => (await loadSiteSettings(app, queries))?.reclaim?.bmcUsers ?? [],
    rotatesBmcPassword: async (queries) => (await loadSiteSettings(app, queries))?.reclaim?.rotateBmcPassword ?? false,
    requireEraser,
    async orderErase(queries, { id, workflow, server, account, service }) {
      const system = await requireEraser(queries);
      const isInserted = await reloadInsert(queries, {
        id,
        account_id: account,
        service_id: service,
        server,
        kind: 'erase',
        system: reloadSystem.encode(system),
        secret_hash: bootSecretHash(bootSecret(app.secrets, id)),
        password_hash: null,
        new_password: null,
        ssh_keys: reloadSshKeys.encode([]),
        created_at: app.clock.now(),
      });
      if (!isInserted) throw new ApiError('device_busy');
      await reloadUpdate(queries, id, { workflow_id: workflow, open: 1 });
    },
    removeTraces: (account, service) => removeTraces(app, account, service),
    issueCertificate: (queries, reclaim) => issueCertificate(app, queries, reclaim),
  };
}

async function requireEraser(queries: Queries): Promise<System> {
  const system = (await listSystems(queries)).find(({ source }) => source?.kind === 'rescue');
  if (system === undefined || (await bootSettings(queries)) === undefined)
    throw new ApiError('capability_missing', { message: 'Disks cannot be erased: the site has no rescue system.' });
  return system;
}

/** Removes what a terminated service left behind it: null routes, address requests, reverse names. Safe to repeat. */
export async function removeTraces(app: App, account: AccountId, service: number): Promise<void> {
  await app.store.transaction(async (queries) => {
    for (const nullroute of await nullroutesOfServiceOpen(queries, account, service))
      await endNullroute(app, queries, nullroute);
    const reason = 'The service was terminated.';
    for (const { id } of await netblockRequestsPending(queries, account, service))
      await netblockRequestDecide(queries, id, { status: 'Refused', cidr: '', reason, decided_at: app.clock.now() });
    await withdrawLostNames(app, queries);
  });
  app.nameService.catchUp();
}

export function tracesWorker(app: App): JobWorker {
  return jobWorker(serviceTraces, ({ payload }) => removeTraces(app, payload.account as AccountId, payload.service));
}

/** Checks that the server can be given to a customer. */
export async function requireAvailableServer(queries: Queries, name: string): Promise<string> {
  const server = await serverFind(queries, name);
  if (server === undefined || server.removed_at !== null) throw invalid({ server: 'must be an existing server' });
  if (server.state !== 'available')
    throw conflict(
      {
        assigned: 'The server belongs to a service.',
        reclaiming: 'The server is being erased.',
        quarantined: 'The server is in quarantine.',
      }[server.state],
    );
  const [hold] = await deviceHolds(queries, name);
  if (hold !== undefined) throw new ApiError('device_held', { message: `The server is not available: ${hold.reason}` });
  return name;
}

/** Completes the assignment of servers to services whose rows have them, with the certificates of how customers get them. */
export async function assignServers(app: App, queries: Queries, handovers: readonly Handover[]): Promise<void> {
  const names = handovers.map(({ server }) => server);
  const moved = await serversMove(queries, names, 'assigned');
  if (moved.length < names.length) throw conflict('The server is not available.');
  await handOverCertificates(app, queries, handovers);
}

/** Returns the servers that are being reclaimed or are in quarantine. */
export async function reclaimList(
  { queries }: Context,
  { limit = 100, after = '' }: InputOf<typeof deviceOperator.reclaimList>,
): Promise<Static<typeof ReclaimShape>[]> {
  return (await reclaimsOpen(queries, after, limit)).map(
    ({ server, workflow_id, step, reason, findings, started_at }) => {
      const found = reclaimFindings.decode(findings);
      return {
        server,
        state: step === null ? 'reclaiming' : 'quarantined',
        step: step ?? nextReclaimStep(found) ?? 'records',
        reason,
        workflow: workflow_id,
        started: timeText(started_at),
        steps: reclaimStepNames.map((name) => ({
          name,
          state: stateOf(found[name]?.signedOff, isReclaimStepDone(found, name)),
        })),
      };
    },
  );
}

function stateOf(signedOff: object | undefined, isDone: boolean): 'done' | 'signedoff' | 'open' {
  if (signedOff !== undefined) return 'signedoff';
  return isDone ? 'done' : 'open';
}

/** Repeats the step that failed, and continues from there. */
export async function reclaimRetry(context: Context, server: string): Promise<void> {
  await resume(context, await getQuarantined(context, server));
}

/** Lets an engineer answer for the step that failed, and continues after it. */
export async function reclaimSignOff(
  context: Context,
  server: string,
  step: ReclaimStep,
  reason: string,
): Promise<void> {
  const { app, queries, caller } = context;
  const reclaim = await getQuarantined(context, server);
  if (reclaim.step !== step) throw conflict(`The server is in quarantine: the step ${reclaim.step} failed.`);
  const signedOff = { operator: caller.operator!.name, reason };
  const { isOpen: _, ...found } = reclaimFindings.decode(reclaim.findings)[step] ?? {};
  await reclaimFind(queries, reclaim.id, step, { ...found, at: app.clock.now(), signedOff });
  await resume(context, reclaim);
}

async function getQuarantined({ queries }: Context, server: string): Promise<Reclaim> {
  const reclaim = requireFound(
    await reclaimOfServer(queries, server.toLowerCase()),
    'The server is not in quarantine.',
  );
  if (reclaim.step === null) throw conflict('The server is still being reclaimed.');
  const workflow = await workflowLoad(queries, reclaim.workflow_id);
  if (workflow?.ended_at === null)
    throw conflict('The server is still being powered off. Try again when it has finished.');
  return reclaim;
}

async function resume({ app, queries, operation }: Context, reclaim: Reclaim): Promise<void> {
  if (!(await continueReclaim(app, queries, reclaim, operation))) throw conflict('The server is not in quarantine.');
}
