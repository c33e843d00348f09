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
  /** The moves that this process has started, by machine. */
  const started = new Map<string, { readonly instance: string; readonly path: string }>();

  /** An adopted machine has instances by two names. */
  const findMove = async (name: string, signal: AbortSignal): Promise<string | undefined> => {
    const adopted = await api.names.onHypervisor(name);
    return (
      (await findOperation(api, name, signal)) ?? (adopted === name ? undefined : findOperation(api, adopted, signal))
    );
  };

  return {
    list: (signal) => listMembers(api, signal),
    async move(name, member, signal) {
      // First: an instance has another name for the last moment of its move.
      const move = started.get(name);
      const path = move?.path ?? (await findMove(name, signal));
      const outcome = path === undefined ? undefined : await readOperation(api, path, signal);
      if (outcome !== undefined && outcome.status_code < success) return false;
      started.delete(name);
      if (!isStopped(await requireInstance(api, name, signal)))
        throw new ApiError('state_conflict', { internal: `${name} is on` });
      for (const instance of instancesUsing(await ensureProfile(api, name, signal))) {
        const { location } = await api.get(instancePath(instance), Instance, signal);
        if (location === member) continue;
        if (move?.instance === instance) throw hypervisorError(`LXD could not move ${instance}: ${outcome?.err}`);
        const target = `${instancePath(instance)}?target=${encodeURIComponent(member)}`;
        const request = { name: instance, migration: true, live: false };
        started.set(name, { instance, path: (await api.start('POST', target, signal, request)).path });
        return false;
      }
      return true;
    },
    isMoving: async (name, signal) => (await findMove(name, signal)) !== undefined,
  };
}
