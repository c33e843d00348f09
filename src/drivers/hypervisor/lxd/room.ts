// What is left on an LXD node. Memory is counted as promised to machines, since a promise may be called in any time; disk as it
// is, since pools grow with what is written. A cluster is all its members together: it places by itself.
import { Type } from 'typebox';
import type { Room } from '../driver.ts';
import type { LxdApi } from './api.ts';
import { bytesOf, Instance, keys } from './shapes.ts';

const Server = Type.Object({ environment: Type.Object({ server_clustered: Type.Boolean() }) });
const Members = Type.Array(Type.Object({ server_name: Type.String(), status: Type.String() }));
const Resources = Type.Object({ memory: Type.Object({ total: Type.Number() }) });
const Pool = Type.Object({ driver: Type.String() });
const PoolResources = Type.Object({ space: Type.Object({ total: Type.Number(), used: Type.Optional(Type.Number()) }) });

const bytesPerMb = 2 ** 20;
const bytesPerGb = 2 ** 30;

export async function readRoom(api: LxdApi, pool: string, signal: AbortSignal): Promise<Room> {
  const poolPath = `/1.0/storage-pools/${encodeURIComponent(pool)}`;
  const members = await membersOf(api, signal);
  let memory = 0;
  for (const member of members) memory += (await api.get(`/1.0/resources${member}`, Resources, signal)).memory.total;
  // What all members share is there once.
  const isShared = (await api.get(poolPath, Pool, signal)).driver.startsWith('ceph');
  let disk = 0;
  for (const member of isShared ? members.slice(0, 1) : members) {
    const { space } = await api.get(`${poolPath}/resources${member}`, PoolResources, signal);
    disk += space.total - (space.used ?? 0);
  }
  const instances = await api.get('/1.0/instances?recursion=1', Type.Array(Instance), signal);
  const promised = instances.filter(isRun).map(({ expanded_config }) => bytesOf(expanded_config['limits.memory']) ?? 0);
  const left = memory - promised.reduce((sum, each) => sum + each, 0);
  return { memoryMb: Math.max(0, Math.floor(left / bytesPerMb)), diskGb: Math.max(0, Math.floor(disk / bytesPerGb)) };
}

/** Of a machine's systems one runs at a time. */
function isRun({ name, expanded_config }: Instance): boolean {
  return (expanded_config[keys.current] ?? name) === name;
}

/** As they are told to the API: nothing for a daemon alone. */
async function membersOf(api: LxdApi, signal: AbortSignal): Promise<readonly string[]> {
  const { environment } = await api.get('/1.0', Server, signal);
  if (!environment.server_clustered) return [''];
  const members = await api.get('/1.0/cluster/members?recursion=1', Members, signal);
  return members
    .filter(({ status }) => status === 'Online')
    .map(({ server_name }) => `?target=${encodeURIComponent(server_name)}`);
}
