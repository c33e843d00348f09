// What needs a person, the worst first: made from the state of the fleet, each with the place where it is mended.
import type { Methods } from '#sdk/operator.ts';

export type Fleet = Awaited<ReturnType<Methods['fleetGet']>>;

export interface Concern {
  readonly severity: 'fault' | 'warning';
  readonly says: string;
  readonly mend: string;
  readonly to?: string;
  readonly hash?: string;
}

const dayMs = 86_400_000;
const oldestBackupDays = 7;
const toldOneByOne = 5;
const kindNames = { server: 'controller', switch: 'switch', node: 'node' } as const;

export function concernsOf(fleet: Fleet, now: number): Concern[] {
  const all = [...stuck(fleet), ...silent(fleet), ...reconcilers(fleet), ...waiting(fleet), ...backup(fleet, now)];
  return [
    ...all.filter(({ severity }) => severity === 'fault'),
    ...all.filter(({ severity }) => severity === 'warning'),
  ];
}

function counted(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? `1 ${one}` : `${count} ${many}`;
}

function* silent({ equipment, silent: those }: Fleet): Iterable<Concern> {
  for (const { kind, silent: count } of equipment) {
    if (Number(count) === 0) continue;
    const noun = kindNames[kind];
    const names = those.filter((one) => one.kind === kind).map(({ name }) => name);
    const told = names.slice(0, toldOneByOne).join(', ');
    const does = count === '1' ? 'does' : 'do';
    yield {
      severity: 'fault',
      says: `${counted(Number(count), noun, kind === 'switch' ? 'switches' : `${noun}s`)} ${does} not answer`,
      mend: `${told}${Number(count) > toldOneByOne ? ' and more' : ''}. Look at the network, the address and the password.`,
      to: '/staff/racks',
      ...(names.length === 1 ? { hash: names[0]! } : {}),
    };
  }
}

function* stuck({ workflows, failedjobs }: Fleet): Iterable<Concern> {
  const count = Number(workflows.find(({ status }) => status === 'Stuck')?.count ?? 0);
  if (count > 0)
    yield {
      severity: 'fault',
      says: `${counted(count, 'workflow')} cannot go on and cannot be undone`,
      mend: 'Once the equipment answers, they go on by themselves.',
      to: '/staff/work',
    };
  if (Number(failedjobs) > 0)
    yield {
      severity: 'warning',
      says: `${counted(Number(failedjobs), 'job')} failed for good`,
      mend: 'Mend what they name, then try them again.',
      to: '/staff/work',
    };
}

function* reconcilers({ reconcilers: all }: Fleet): Iterable<Concern> {
  for (const { name, state, error } of all) {
    if (state === 'failed')
      yield { severity: 'warning', says: `${name} fails`, mend: `${error} It is tried again every five seconds.` };
    if (state === 'late')
      yield {
        severity: 'warning',
        says: `${name} did not run when it was due`,
        mend: 'Look in the log of the server.',
      };
  }
}

function* waiting({ addressrequests, licenceorders }: Fleet): Iterable<Concern> {
  if (Number(addressrequests) > 0)
    yield {
      severity: 'warning',
      says: `${counted(Number(addressrequests), 'request')} for addresses`,
      mend: 'A customer waits: approve or refuse.',
      to: '/staff/requests',
    };
  if (Number(licenceorders) > 0)
    yield {
      severity: 'warning',
      says: `${counted(Number(licenceorders), 'order')} for licences`,
      mend: 'Give them on the command line: hostyard licence orders.',
    };
}

function* backup({ backup: last }: Fleet, now: number): Iterable<Concern> {
  const mend = 'Take one every day by a timer, and keep it on another machine: hostyard backup FILE.';
  if (last === '') yield { severity: 'warning', says: 'No backup was ever taken', mend };
  else {
    const days = Math.floor((now - Date.parse(`${last.replace(' ', 'T')}Z`)) / dayMs);
    if (days >= oldestBackupDays) yield { severity: 'warning', says: `The last backup is ${days} days old`, mend };
  }
}
