// The state of the installation for the metrics: its backups and its equipment.
import type { ServerState } from '#contract/states/servers.ts';
import { routerName, routesReconciler } from '#equipment/router.ts';
import { publicationSweep } from '#store/dns/zone-publications.ts';
import {
  equipmentCounts,
  equipmentResponses,
  serverStateCounts,
  type EquipmentCount,
} from '#store/operator/equipment-counts.ts';
import { lastBackupEntry, metaFind } from '#store/meta.ts';
import { signUpCount } from '#store/account/sign-ups.ts';
import { mailBacklog, type MailBacklog } from '#store/mail/mails.ts';
import { portsWithProblem } from '#store/network/switches.ts';
import { sensorFigures, sensorStateCounts, serversWithFaults, type SensorFigures } from '#store/devices/sensors.ts';
import { reloadsContested } from '#store/devices/reloads.ts';
import { reconcilerStates } from '#store/work/reconcilers.ts';
import type { App } from '../app.ts';

const contestedMs = 60 * 60_000;

/** Returns 0 if there has never been a backup. */
export async function getLastBackupTime({ store }: App): Promise<number> {
  return Number((await metaFind(store.queries, lastBackupEntry)) ?? 0);
}

export function getMailBacklog({ store }: App): Promise<MailBacklog> {
  return mailBacklog(store.queries);
}

/** Returns how many people wait for staff to approve their account. */
export function getWaitingSignUps({ store }: App): Promise<number> {
  return signUpCount(store.queries, 'Waiting');
}

export async function getEquipmentCounts({ store }: App): Promise<EquipmentCount[]> {
  return equipmentCounts(store.queries);
}

export interface Equipment {
  readonly kind: 'hypervisor' | 'switch' | 'router' | 'nameserver';
  readonly name: string;
  readonly isUp: boolean;
}

const secondariesTimeoutMs = 1800;

/** Leaves out what was not checked yet. */
export async function getEquipment({ store, router, nameService }: App): Promise<Equipment[]> {
  const { queries } = store;
  const reconcilers = new Map((await reconcilerStates(queries)).map((row) => [row.name, row]));
  /** A router and an external name server respond if the last run of their reconciler succeeded. */
  const reconciled = (kind: Equipment['kind'], name: string, reconciler: string): Equipment[] => {
    const row = reconcilers.get(reconciler);
    if (row === undefined || (row.last_error === null && row.last_success_at === null)) return [];
    return [{ kind, name, isUp: row.last_error === null }];
  };
  const secondaries = await nameService.checkSecondaries(AbortSignal.timeout(secondariesTimeoutMs));
  return [
    ...(await equipmentResponses(queries)),
    ...((await router.isConfigured()) ? reconciled('router', routerName, routesReconciler) : []),
    ...(nameService.external === undefined ? [] : reconciled('nameserver', 'powerdns', publicationSweep)),
    ...[...secondaries].map(([name, isUp]) => ({ kind: 'nameserver' as const, name, isUp })),
  ];
}

export async function getContestedBootCount({ store, clock }: App): Promise<number> {
  return reloadsContested(store.queries, clock.now() - contestedMs);
}

/** Returns how many ports of customers cannot be identified, or lead to the wrong server. */
export async function getPortProblemCounts({ store }: App): Promise<Readonly<Record<string, number>>> {
  const ports = await portsWithProblem(store.queries);
  const count = (problem: string | null): number => ports.filter((port) => port.problem === problem).length;
  return {
    missing: count('missing'),
    ambiguous: count('ambiguous'),
    taken: count('taken'),
    cabling: ports.filter(({ cabled_to }) => cabled_to !== null).length,
  };
}

export async function getServerStateCounts({ store }: App): Promise<ReadonlyMap<ServerState, number>> {
  return serverStateCounts(store.queries);
}

export async function getSensorFigures({ store }: App): Promise<SensorFigures[]> {
  return sensorFigures(store.queries);
}

export async function getSensorStateCounts({ store }: App): Promise<Readonly<Record<string, number>>> {
  return sensorStateCounts(store.queries);
}

/** Bounds the series. */
const maxFaultyServers = 1000;

export interface FaultCount {
  readonly server: string;
  readonly kind: string;
  readonly severity: string;
  readonly count: number;
}

/** Returns how many parts of each kind are broken, of the servers that have any. */
export async function getFaultCounts({ store }: App): Promise<FaultCount[]> {
  return (await serversWithFaults(store.queries, maxFaultyServers)).flatMap(({ server, faults }) =>
    [...Map.groupBy(faults, ({ kind, severity }) => `${kind} ${severity}`).values()].map((group) => {
      const { kind, severity } = group[0]!;
      return { server, kind, severity, count: group.length };
    }),
  );
}
