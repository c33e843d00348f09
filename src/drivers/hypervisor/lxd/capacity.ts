// The capacity of an LXD hypervisor. Memory counts as committed to machines, because they may use it at any time; disk
// counts as used, because pools are thin-provisioned. A cluster is the total of its members, since it places machines
// itself.
import { Type, type Static } from 'typebox';
import { bytesPerGb, bytesPerMb, type Capacity, type HostTotals } from '../driver.ts';
import type { LxdApi } from './api.ts';
import { parseSize, Instance, keys } from './instances.ts';

const Server = Type.Object({
  environment: Type.Object({
    server: Type.Optional(Type.String()),
    server_clustered: Type.Boolean(),
    server_version: Type.Optional(Type.String()),
  }),
});
const Members = Type.Array(Type.Object({ server_name: Type.String(), status: Type.String() }));
const Resources = Type.Object({
  cpu: Type.Optional(Type.Object({ total: Type.Number() })),
  memory: Type.Object({ total: Type.Number() }),
});
const Pool = Type.Object({ driver: Type.String() });
const PoolResources = Type.Object({ space: Type.Object({ total: Type.Number(), used: Type.Optional(Type.Number()) }) });

export async function readHostTotals(api: LxdApi, pool: string, signal: AbortSignal): Promise<HostTotals> {
  const { environment } = await api.get('/1.0', Server, signal);
  const product = environment.server === 'incus' ? 'Incus' : 'LXD';
  const members = await memberQueries(api, signal);
  const resources = await readResources(api, members, signal);
  const threads = resources.map(({ cpu }) => cpu?.total);
  const spaces = await readSpaces(api, pool, members, signal);
  return {
    ...(environment.server_version !== undefined && { version: `${product} ${environment.server_version}` }),
    ...(!threads.includes(undefined) && { cpus: threads.reduce<number>((sum, count) => sum + count!, 0) }),
    memoryMb: Math.floor(resources.reduce((sum, { memory }) => sum + memory.total, 0) / bytesPerMb),
    diskGb: Math.floor(spaces.reduce((sum, { total }) => sum + total, 0) / bytesPerGb),
  };
}

export async function readFreeCapacity(api: LxdApi, pool: string, signal: AbortSignal): Promise<Capacity> {
  const members = await memberQueries(api, signal);
  const resources = await readResources(api, members, signal);
  const memory = resources.reduce((sum, { memory: { total } }) => sum + total, 0);
  const spaces = await readSpaces(api, pool, members, signal);
  const disk = spaces.reduce((sum, { total, used = 0 }) => sum + total - used, 0);
  const instances = await api.get('/1.0/instances?recursion=1', Type.Array(Instance), signal);
  const committed = instances
    .filter(isCurrent)
    .map(({ expanded_config }) => parseSize(expanded_config['limits.memory']) ?? 0);
  const freeMemory = memory - committed.reduce((sum, bytes) => sum + bytes, 0);
  return {
    memoryMb: Math.max(0, Math.floor(freeMemory / bytesPerMb)),
    diskGb: Math.max(0, Math.floor(disk / bytesPerGb)),
  };
}

async function readResources(api: LxdApi, members: readonly string[], signal: AbortSignal) {
  const resources: Static<typeof Resources>[] = [];
  for (const member of members) resources.push(await api.get(`/1.0/resources${member}`, Resources, signal));
  return resources;
}

async function readSpaces(api: LxdApi, pool: string, members: readonly string[], signal: AbortSignal) {
  const poolPath = `/1.0/storage-pools/${encodeURIComponent(pool)}`;
  // A Ceph pool is shared by all members, so it counts once.
  const isShared = (await api.get(poolPath, Pool, signal)).driver.startsWith('ceph');
  const spaces: Static<typeof PoolResources>['space'][] = [];
  for (const member of isShared ? members.slice(0, 1) : members)
    spaces.push((await api.get(`${poolPath}/resources${member}`, PoolResources, signal)).space);
  return spaces;
}

/** Returns true for the instance that its machine boots; a machine's other systems are never started. */
function isCurrent({ name, expanded_config }: Instance): boolean {
  return (expanded_config[keys.current] ?? name) === name;
}

/** Returns the members of a cluster that are up; none for a standalone daemon. */
export async function listMembers(api: LxdApi, signal: AbortSignal): Promise<readonly string[]> {
  const { environment } = await api.get('/1.0', Server, signal);
  if (!environment.server_clustered) return [];
  const members = await api.get('/1.0/cluster/members?recursion=1', Members, signal);
  return members.filter(({ status }) => status === 'Online').map(({ server_name }) => server_name);
}

/** Returns the query that addresses each member; empty for a standalone daemon. */
async function memberQueries(api: LxdApi, signal: AbortSignal): Promise<readonly string[]> {
  const members = await listMembers(api, signal);
  return members.length === 0 ? [''] : members.map((name) => `?target=${encodeURIComponent(name)}`);
}
