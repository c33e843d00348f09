// Backups of the lab's machines: the settings of a system as JSON, and filling, so that a test can have a large machine.
import { randomBytes } from 'node:crypto';
import { Type, type Static, type TSchema } from 'typebox';
import { ApiError } from '#lib/api-error.ts';
import type { MachineBackups } from './driver.ts';

type LabCall = <S extends TSchema>(
  method: 'GET' | 'PUT' | 'DELETE',
  path: string,
  schema: S,
  signal: AbortSignal,
  body?: object,
) => Promise<Static<S>>;

const Content = Type.Object({ system: Type.Unknown(), fillMb: Type.Number() });
const Snapshot = Type.Object({ isConsistent: Type.Boolean() });
const Nothing = Type.Object({});
const bytesPerMb = 2 ** 20;

export function createLabBackups(call: LabCall, path: (...names: readonly string[]) => string): MachineBackups {
  return {
    async copy(name, id, signal) {
      const { isConsistent } = await call('PUT', path(name, 'snapshots', id), Snapshot, signal);
      return { isConsistent };
    },
    async *read(name, id, signal) {
      const { system, fillMb } = await call('GET', path(name, 'content', id), Content, signal);
      yield Buffer.from(`${JSON.stringify(system)}\n`);
      const filling = randomBytes(bytesPerMb);
      for (let megabyte = 0; megabyte < fillMb; megabyte++) {
        filling.writeUInt32BE(megabyte);
        yield Buffer.from(filling);
      }
    },
    discard: async (name, id, signal) => void (await call('DELETE', path(name, 'snapshots', id), Nothing, signal)),
    async restore(name, id, content, signal) {
      let head = Buffer.alloc(0);
      // To the end, because its source checks it there.
      for await (const chunk of content) if (!head.includes('\n')) head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\n');
      if (end === -1) throw new ApiError('backup_error', { internal: 'the content is truncated' });
      const system: unknown = JSON.parse(head.toString('utf8', 0, end));
      await call('PUT', path(name, 'content', id), Nothing, signal, { system });
    },
  };
}
