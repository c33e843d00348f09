// Members of an LXD or Incus cluster, which counts as one hypervisor. The cluster copies an instance with its snapshots and then
// removes it from its old member, so a failed move changes nothing. Containers must be off for it.
import { ApiError } from '#lib/api-error.ts';
import type { ClusterMembers } from '../migration.ts';
import { hypervisorError, type LxdApi } from './api.ts';
import { listMembers } from './capacity.ts';
import { Instance, instancePath, instancesUsing, isStopped } from './instances.ts';
import { ensureProfile, requireInstance } from './machines.ts';
import { findOperation, readOperation } from './migration.ts';

const success = 200;

export function createMembers(api: LxdApi): ClusterMembers {
  /** Moves that this process has started, by instance. */
  const operations = new Map<string, string>();

  const moveInstance = async (name: string, member: string, signal: AbortSignal): Promise<boolean> => {
    const operation = operations.get(name) ?? (await findOperation(api, name, signal));
    if (operation !== undefined) {
      const { status_code, err } = await readOperation(api, operation, signal);
      if (status_code < success) return false;
      operations.delete(name);
      const { location } = await api.get(instancePath(name), Instance, signal);
      if (location !== member && status_code > success) throw hypervisorError(`LXD could not move ${name}: ${err}`);
      return location === member;
    }
    const instance = await api.get(instancePath(name), Instance, signal);
    if (instance.location === member) return true;
    const path = `${instancePath(name)}?target=${encodeURIComponent(member)}`;
    operations.set(name, (await api.start('POST', path, signal, { name, migration: true, live: false })).path);
    return false;
  };

  return {
    list: (signal) => listMembers(api, signal),
    async move(name, member, signal) {
      if (!isStopped(await requireInstance(api, name, signal)))
        throw new ApiError('state_conflict', { internal: `${name} is on` });
      for (const instance of instancesUsing(await ensureProfile(api, name, signal)))
        if (!(await moveInstance(instance, member, signal))) return false;
      return true;
    },
    async isMoving(name, signal) {
      const instances = instancesUsing(await ensureProfile(api, name, signal));
      const running = await Promise.all(instances.map((instance) => findOperation(api, instance, signal)));
      return running.some((operation) => operation !== undefined);
    },
  };
}
