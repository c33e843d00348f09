// Machines of the lab's simulated hypervisor that were there before Hostyard, and have other names there.
import { Type, type Static, type TSchema } from 'typebox';
import type { Adoption, MachineNames } from './adoption.ts';

export type LabCall = <S extends TSchema>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  schema: S,
  signal: AbortSignal,
  body?: object,
) => Promise<Static<S>>;

const State = Type.Object({
  shape: Type.Object({
    vcpus: Type.Number(),
    memoryMb: Type.Number(),
    diskGb: Type.Number(),
    mac: Type.String(),
  }),
});

export function createLabAdoption(callRaw: LabCall, names: MachineNames) {
  /** Replaces the machine's name in the path, or the one that the body gives to a volume or template. */
  const call: LabCall = async (method, path, schema, signal, body) => {
    const [, kind, machine, ...rest] = path.split('/');
    if (kind === 'machines' && machine !== undefined) {
      const own = await names.onHypervisor(decodeURIComponent(machine));
      return callRaw(method, ['', kind, encodeURIComponent(own), ...rest].join('/'), schema, signal, body);
    }
    if (body === undefined || !('machine' in body)) return callRaw(method, path, schema, signal, body);
    const own = await names.onHypervisor(String(body.machine));
    return callRaw(method, path, schema, signal, { ...body, machine: own });
  };
  /** Returns a function from a machine's name on the hypervisor to that in Hostyard. */
  const toHostyard = async (): Promise<(name: string) => string> => {
    const adopted = await names.adopted();
    return (name) => adopted.get(name) ?? name;
  };
  const adoption: Adoption = {
    async inspect(name, signal) {
      const { shape } = await callRaw('GET', `/machines/${encodeURIComponent(name)}/state`, State, signal);
      return { ...shape, mac: shape.mac === '' ? undefined : shape.mac.toLowerCase(), limitations: [] };
    },
  };
  return { call, adoption, toHostyard };
}
