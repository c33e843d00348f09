// Problems that need attention, most severe first, each with a suggested fix and a link.
import type { Methods } from '#sdk/operator.ts';

export type Fleet = Awaited<ReturnType<Methods['fleetGet']>>;

export interface Concern {
  readonly severity: 'error' | 'warning';
  readonly title: string;
  readonly fix: string;
  readonly to?: string;
  readonly hash?: string;
}

const dayMs = 86_400_000;
const maxBackupAgeDays = 7;
const maxNames = 5;
const kindNames = { server: 'BMC', switch: 'switch', node: 'hypervisor' } as const;

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

function countText(count: number, singular: string, plural = `${singular}s`): string {
  return count === 1 ? `1 ${singular}` : `${count} ${plural}`;
}

function listNames(names: readonly string[]): string {
  return `${names.slice(0, maxNames).join(', ')}${names.length > maxNames ? ' and more' : ''}`;
}

function* silentEquipment({ equipment, silent: silentDevices }: Fleet): Iterable<Concern> {
  for (const { kind, silent: count } of equipment) {
    if (Number(count) === 0) continue;
    const noun = kindNames[kind];
    const names = silentDevices.filter((device) => device.kind === kind).map(({ name }) => name);
    const verb = count === '1' ? 'is' : 'are';
    yield {
      severity: 'error',
      title: `${countText(Number(count), noun, kind === 'switch' ? 'switches' : `${noun}s`)} ${verb} not responding`,
      fix: `${listNames(names)}. Check the network, the address and the password.`,
      to: '/staff/racks',
      ...(names.length === 1 ? { hash: names[0]! } : {}),
    };
  }
}

function* brokenHardware({ faults }: Fleet): Iterable<Concern> {
  if (faults.length === 0) return;
  const servers = [...new Set(faults.map(({ server }) => server))];
  const isCritical = faults.some(({ severity }) => severity === 'critical');
  yield {
    severity: isCritical ? 'error' : 'warning',
    title: `Hardware faults in ${countText(servers.length, 'server')}`,
    fix: `${listNames(servers)}. Replace the parts or restore cooling and power.`,
    to: '/staff/racks',
    ...(servers.length === 1 ? { hash: servers[0]! } : {}),
  };
}

function* quarantinedServers({ quarantined }: Fleet): Iterable<Concern> {
  if (quarantined.length === 0) return;
  yield {
    severity: 'warning',
    title: `${countText(quarantined.length, 'server')} in quarantine`,
    fix: `${listNames(quarantined.map(({ server }) => server))}. Fix the cause and retry the failed step, or sign it off.`,
  };
}

function* stuckJobs({ workflows, failedjobs }: Fleet): Iterable<Concern> {
  const count = Number(workflows.find(({ status }) => status === 'Stuck')?.count ?? 0);
  if (count > 0)
    yield {
      severity: 'error',
      title: `${countText(count, 'workflow')} stuck`,
      fix: 'They can neither continue nor roll back. They resume when the equipment responds again.',
      to: '/staff/work',
    };
  if (Number(failedjobs) > 0)
    yield {
      severity: 'warning',
      title: `${countText(Number(failedjobs), 'job')} failed permanently`,
      fix: 'Fix the cause, then retry.',
      to: '/staff/work',
    };
}

function* failingReconcilers({ reconcilers }: Fleet): Iterable<Concern> {
  for (const { name, state, error } of reconcilers) {
    if (state === 'failed')
      yield {
        severity: 'warning',
        title: `Background sync is failing: ${name}`,
        fix: `${error} Retrying every five seconds.`,
      };
    if (state === 'late')
      yield {
        severity: 'warning',
        title: `Background sync is overdue: ${name}`,
        fix: 'Check the server log.',
      };
  }
}

function* pendingRequests({ addressrequests, licenceorders }: Fleet): Iterable<Concern> {
  if (Number(addressrequests) > 0)
    yield {
      severity: 'warning',
      title: countText(Number(addressrequests), 'pending address request'),
      fix: 'Approve or reject.',
      to: '/staff/requests',
    };
  if (Number(licenceorders) > 0)
    yield {
      severity: 'warning',
      title: countText(Number(licenceorders), 'pending licence order'),
      fix: 'Deliver the keys.',
      to: '/staff/licences',
    };
}

function* outdatedBackup({ backup: last }: Fleet, now: number): Iterable<Concern> {
  const fix = 'Schedule “hostyard backup FILE” daily, and keep the file on another machine.';
  if (last === '') yield { severity: 'warning', title: 'No backup yet', fix };
  else {
    const days = Math.floor((now - Date.parse(`${last.replace(' ', 'T')}Z`)) / dayMs);
    if (days >= maxBackupAgeDays) yield { severity: 'warning', title: `The last backup is ${days} days old`, fix };
  }
}
