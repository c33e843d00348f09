// Migration between the lab's simulated hypervisors. A live move is a copy with a very short interruption.
import { Type, type Static, type TSchema } from 'typebox';
import { ApiError } from '#lib/api-error.ts';
import { bytesPerGb } from './driver.ts';
import type { CopyProgress, MachineMigration } from './migration.ts';

type Call = <S extends TSchema>(
  method: 'GET' | 'PUT',
  path: string,
  schema: S,
  signal: AbortSignal,
  body?: object,
) => Promise<Static<S>>;

const State = Type.Object({ power: Type.Enum(['on', 'off']), shape: Type.Object({ diskGb: Type.Number() }) });
const VolumeList = Type.Array(Type.Object({ id: Type.String(), sizeGb: Type.Number() }));
const Copied = Type.Object({ share: Type.Number() });
const Files = Type.Object({ exist: Type.Boolean() });
const Nothing = Type.Object({});
const callsOf = new WeakMap<MachineMigration, Call>();

export function createLabMigration(call: Call, machinePath: (...names: readonly string[]) => string): MachineMigration {
  const readState = (name: string, signal: AbortSignal) => call('GET', machinePath(name, 'state'), State, signal);
  const copyState = async (
    name: string,
    state: Static<typeof State>,
    target: MachineMigration,
    signal: AbortSignal,
  ): Promise<CopyProgress> => {
    const volumes = await call('GET', machinePath(name, 'volumes'), VolumeList, signal);
    const { share } = await callOf(target)('PUT', machinePath(name, 'copy'), Copied, signal, { state, volumes });
    const totalBytes = state.shape.diskGb * bytesPerGb;
    return { copiedBytes: Math.round(share * totalBytes), totalBytes, isComplete: share === 1 };
  };
  const migration: MachineMigration = {
    movesVolumes: true,
    hasFiles: async (name, signal) => (await call('GET', machinePath(name, 'files'), Files, signal)).exist,
    findLiveObstacle: async () => undefined,
    async moveLive(name, target, networks, signal) {
      const state = await readState(name, signal);
      const progress = await copyState(name, state, target, signal);
      if (!progress.isComplete) return progress;
      const there = callOf(target);
      await there('PUT', machinePath(name, 'networks'), Nothing, signal, { networks });
      // Never on both sides.
      if (state.power === 'on') await call('PUT', machinePath(name, 'power'), Nothing, signal, { state: 'off' });
      await there('PUT', machinePath(name, 'power'), Nothing, signal, { state: 'on' });
      return progress;
    },
    cancelLive: async () => {},
    async copy(name, target, networks, _position, signal) {
      const state = await readState(name, signal);
      if (state.power === 'on') throw new ApiError('state_conflict', { internal: `${name} is on` });
      const progress = await copyState(name, state, target, signal);
      if (progress.isComplete)
        await callOf(target)('PUT', machinePath(name, 'networks'), Nothing, signal, { networks });
      return progress;
    },
  };
  callsOf.set(migration, call);
  return migration;
}

function callOf(target: MachineMigration): Call {
  const call = callsOf.get(target);
  if (call === undefined) throw new ApiError('node_error', { internal: 'the target is not a lab hypervisor' });
  return call;
}
