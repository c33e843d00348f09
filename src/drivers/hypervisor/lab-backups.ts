// Backups of the lab's machines: the settings of a system as JSON, and filling, so that a test can have a large machine. That of a
// volume is a text.
import { randomBytes } from 'node:crypto';
import { Type, type Static, type TSchema } from 'typebox';
import { ApiError } from '#lib/api-error.ts';
import type { MachineBackups } from './backups.ts';

type LabCall = <S extends TSchema>(
  method: 'GET' | 'PUT' | 'DELETE',
  path: string,
  schema: S,
  signal: AbortSignal,
  body?: object,
) => Promise<Static<S>>;

const Content = Type.Object({ system: Type.Unknown(), fillMb: Type.Number() });
const VolumeContent = Type.Object({ content: Type.String() });
const Snapshot = Type.Object({ isConsistent: Type.Boolean() });
const Nothing = Type.Object({});
const bytesPerMb = 2 ** 20;

export function createLabBackups(call: LabCall): MachineBackups {
  const path = (kind: string, ...names: readonly string[]): string =>
    `/${kind}/${names.map(encodeURIComponent).join('/')}`;
  return {
    async copy(name, id, signal) {
      const { isConsistent } = await call('PUT', path('machines', name, 'snapshots', id), Snapshot, signal);
      return { isConsistent };
    },
    async *read(name, id, signal) {
      const { system, fillMb } = await call('GET', path('machines', name, 'content', id), Content, signal);
      yield Buffer.from(`${JSON.stringify(system)}\n`);
      const filling = randomBytes(bytesPerMb);
      for (let megabyte = 0; megabyte < fillMb; megabyte++) {
        filling.writeUInt32BE(megabyte);
        yield Buffer.from(filling);
      }
    },
    discard: async (name, id, signal) =>
      void (await call('DELETE', path('machines', name, 'snapshots', id), Nothing, signal)),
    async restore(name, id, content, signal) {
      const system = await readSettings(content);
      await call('PUT', path('machines', name, 'content', id), Nothing, signal, { system });
    },
    async createTemplate(template, content, signal) {
      const system = await readSettings(content);
      await call('PUT', path('templates', template, 'content'), Nothing, signal, { system });
    },
    copyVolume: (volume, _machine, id, signal) => call('PUT', path('volumes', volume, 'copies', id), Snapshot, signal),
    async *readVolume(volume, id, signal) {
      const content = await call('GET', path('volumes', volume, 'copies', id), VolumeContent, signal);
      yield Buffer.from(`${JSON.stringify(content)}\n`);
    },
    discardVolume: async (volume, _machine, id, signal) =>
      void (await call('DELETE', path('volumes', volume, 'copies', id), Nothing, signal)),
    async createVolume({ id, sizeGb }, machine, _of, content, signal) {
      const { content: text = '' } = (await readSettings(content)) as { content?: string };
      await call('PUT', path('volumes', id, 'content'), Nothing, signal, { sizeGb, machine, content: text });
    },
  };
}

/** Reads to the end, because the source of the content checks it there. */
async function readSettings(content: AsyncIterable<Buffer>): Promise<unknown> {
  let head = Buffer.alloc(0);
  for await (const chunk of content) if (!head.includes('\n')) head = Buffer.concat([head, chunk]);
  const end = head.indexOf('\n');
  if (end === -1) throw new ApiError('backup_error', { internal: 'the content is truncated' });
  return JSON.parse(head.toString('utf8', 0, end)) as unknown;
}
