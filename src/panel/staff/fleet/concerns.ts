// Problems that need attention, most severe first, each with a suggested fix and a link.
import type { StaffResult } from '../../data/operations.ts';
import { t, tCount } from '../../text/text.ts';

export type Fleet = StaffResult<'fleetGet'>;

export interface Concern {
  readonly severity: 'error' | 'warning';
  readonly title: string;
  readonly fix: string;
  readonly to?: string;
  readonly hash?: string;
  /** The page of docs/guides/alerts that explains what to do. */
  readonly runbook?: string;
}

const dayMs = 86_400_000;
const maxBackupAgeDays = 7;
const maxNames = 5;
export const equipmentPages = { server: '/staff/racks', switch: '/staff/switches', node: '/staff/nodes' } as const;

export function listConcerns(fleet: Fleet, now: number): Concern[] {
  const all = [
    ...stuckJobs(fleet),
    ...silentEquipment(fleet),
    ...brokenHardware(fleet),
    ...quarantinedServers(fleet),
    ...failingReconcilers(fleet),
    ...pendingRequests(fleet),
    ...outdatedBackup(fleet, now),
  ];
  return [
    ...all.filter(({ severity }) => severity === 'error'),
    ...all.filter(({ severity }) => severity === 'warning'),
  ];
}

function listNames(names: readonly string[]): string {
  const first = names.slice(0, maxNames).join(', ');
  return names.length > maxNames ? t('{names} and more', { names: first }) : first;
}

const silentTitles = {
  server: (count: number) =>
    tCount(count, { one: '{count} BMC is not responding', other: '{count} BMCs are not responding' }),
  switch: (count: number) =>
    tCount(count, { one: '{count} switch is not responding', other: '{count} switches are not responding' }),
  node: (count: number) =>
    tCount(count, { one: '{count} hypervisor is not responding', other: '{count} hypervisors are not responding' }),
} as const;

function* silentEquipment({ equipment, silent: silentDevices }: Fleet): Iterable<Concern> {
  for (const { kind, silent: count } of equipment) {
    if (Number(count) === 0) continue;
    const names = silentDevices.filter((device) => device.kind === kind).map(({ name }) => name);
    const [only] = names.length === 1 ? names : [];
    yield {
      severity: 'error',
      title: silentTitles[kind](Number(count)),
      fix: t('{names}. Check the network, the address and the password.', { names: listNames(names) }),
      to: kind === 'server' || only === undefined ? equipmentPages[kind] : `${equipmentPages[kind]}/${only}`,
      ...(kind === 'server' && only !== undefined && { hash: only }),
      runbook: kind === 'server' ? 'HostyardEquipmentSilent' : 'HostyardEquipmentDown',
    };
  }
}

function* brokenHardware({ faults }: Fleet): Iterable<Concern> {
  if (faults.length === 0) return;
  const servers = [...new Set(faults.map(({ server }) => server))];
  const isCritical = faults.some(({ severity }) => severity === 'critical');
  yield {
    severity: isCritical ? 'error' : 'warning',
    title: tCount(servers.length, {
      one: 'Hardware faults in {count} server',
      other: 'Hardware faults in {count} servers',
    }),
    fix: t('{names}. Replace the parts or restore cooling and power.', { names: listNames(servers) }),
    to: '/staff/racks',
    ...(servers.length === 1 ? { hash: servers[0]! } : {}),
    runbook: 'HostyardHardware',
  };
}

function* quarantinedServers({ quarantined }: Fleet): Iterable<Concern> {
  if (quarantined.length === 0) return;
  yield {
    severity: 'warning',
    title: tCount(quarantined.length, { one: '{count} server in quarantine', other: '{count} servers in quarantine' }),
    fix: t('{names}. Fix the cause and retry the failed step, or sign it off.', {
      names: listNames(quarantined.map(({ server }) => server)),
    }),
    runbook: 'HostyardQuarantine',
  };
}

function* stuckJobs({ workflows, failedjobs }: Fleet): Iterable<Concern> {
  const count = Number(workflows.find(({ status }) => status === 'Stuck')?.count ?? 0);
  if (count > 0)
    yield {
      severity: 'error',
      title: tCount(count, { one: '{count} workflow stuck', other: '{count} workflows stuck' }),
      fix: t('They can neither continue nor roll back. They resume when the equipment responds again.'),
      to: '/staff/work',
      runbook: 'HostyardWorkflowStuck',
    };
  if (Number(failedjobs) > 0)
    yield {
      severity: 'warning',
      title: tCount(Number(failedjobs), {
        one: '{count} job failed permanently',
        other: '{count} jobs failed permanently',
      }),
      fix: t('Fix the cause, then retry.'),
      to: '/staff/work',
      runbook: 'HostyardJobsFailed',
    };
}

function* failingReconcilers({ reconcilers }: Fleet): Iterable<Concern> {
  const shared = { severity: 'warning', to: '/staff/sync', runbook: 'HostyardReconcilerLate' } as const;
  for (const { name, state, error } of reconcilers) {
    if (state === 'failed')
      yield {
        ...shared,
        title: t('Background sync is failing: {name}', { name }),
        fix: t('{error} Retrying every five seconds.', { error }),
      };
    if (state === 'late')
      yield { ...shared, title: t('Background sync is overdue: {name}', { name }), fix: t('Check the server log.') };
  }
}

function* pendingRequests({ addressrequests, licenceorders }: Fleet): Iterable<Concern> {
  if (Number(addressrequests) > 0)
    yield {
      severity: 'warning',
      title: tCount(Number(addressrequests), {
        one: '{count} pending address request',
        other: '{count} pending address requests',
      }),
      fix: t('Approve or reject.'),
      to: '/staff/requests',
    };
  if (Number(licenceorders) > 0)
    yield {
      severity: 'warning',
      title: tCount(Number(licenceorders), {
        one: '{count} pending licence order',
        other: '{count} pending licence orders',
      }),
      fix: t('Deliver the keys.'),
      to: '/staff/licences',
    };
}

function* outdatedBackup({ backup: last }: Fleet, now: number): Iterable<Concern> {
  const fix = t('Schedule “hostyard backup FILE” daily, and keep the file on another machine.');
  const shared = { severity: 'warning', fix, runbook: 'HostyardBackupOld' } as const;
  if (last === '') yield { ...shared, title: t('No backup yet') };
  else {
    const days = Math.floor((now - Date.parse(`${last.replace(' ', 'T')}Z`)) / dayMs);
    if (days >= maxBackupAgeDays) yield { ...shared, title: t('The last backup is {days} days old', { days }) };
  }
}
