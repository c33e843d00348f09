// Driver for the lab's simulated hypervisor: JSON over HTTP for control, RFB for VNC, raw bytes for the text console.
// It supports everything, for both machines and containers.
import type { Duplex } from 'node:stream';
import { Type, type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { ApiError } from '#lib/api-error.ts';
import type { Hypervisor, HypervisorDriver, MachineUsage } from './driver.ts';
import {
  connectVnc,
  parseJson,
  openHypervisorHttp,
  startRequest,
  unreachableError,
  type HypervisorHttp,
  type HypervisorEndpoint,
} from './http.ts';
import { sameNames, type MachineNames } from './adoption.ts';
import { createLabAdoption, type LabCall } from './lab-adoption.ts';
import { createLabBackups } from './lab-backups.ts';
import { createLabMigration } from './lab-migration.ts';
import { shareConsoles } from './shared-console.ts';

export const LabHypervisorSettings = Type.Object(
  {
    address: Type.String({ format: 'ip', 'x-reason': 'must be an IPv4 or IPv6 address' }),
    port: Type.Integer({ minimum: 1, maximum: 65_535, 'x-reason': 'must be a port' }),
    token: Type.String({ 'x-secret': true, minLength: 1, 'x-reason': 'must not be empty' }),
  },
  { additionalProperties: false },
);

const Power = Type.Union([Type.Literal('on'), Type.Literal('off')]);
const MachineSummary = Type.Object({ name: Type.String(), power: Power, isFiltered: Type.Boolean() });
const MachineList = Type.Array(MachineSummary);
const Bytes = Type.Optional(Type.Number());
const Usage = Type.Object({
  run: Type.Optional(Type.String()),
  cpuMs: Bytes,
  memoryUsed: Bytes,
  memoryTotal: Type.Number(),
  diskUsed: Bytes,
  diskTotal: Type.Number(),
  received: Bytes,
  sent: Bytes,
  diskRead: Bytes,
  diskWritten: Bytes,
});
const AllUsage = Type.Record(Type.String(), Usage);
const Capacity = Type.Object({ memoryMb: Type.Number(), diskGb: Type.Number() });
const Totals = Type.Object({
  version: Type.String(),
  cpus: Type.Number(),
  memoryMb: Type.Number(),
  diskGb: Type.Number(),
});
const VncEndpoint = Type.Union([
  Type.Object({ port: Type.Integer(), password: Type.String() }),
  Type.Object({ kind: Type.Literal('text') }),
]);
const TunStatus = Type.Object({
  state: Type.Union([Type.Literal('enabled'), Type.Literal('disabled')]),
  effect: Type.Union([Type.Literal('now'), Type.Literal('next start')]),
});
const Drive = Type.Object({ image: Type.Optional(Type.String()) });
const Output = Type.Object({ text: Type.String() });
const Current = Type.Object({ id: Type.String() });
const VolumeList = Type.Array(Type.Object({ id: Type.String(), sizeGb: Type.Number() }));
const Snapshot = Type.Object({ id: Type.String(), isConsistent: Type.Boolean(), sizeBytes: Type.Number() });
const SnapshotList = Type.Array(Snapshot);
const TemplateSize = Type.Object({ sizeBytes: Type.Number() });
const Nothing = Type.Object({});
const Rejection = Type.Object({ message: Type.String() });

// Compiled on first use: a hypervisor can have a thousand machines.
const validators = new Map<TSchema, { Check(value: unknown): boolean }>();
function fits<S extends TSchema>(schema: S, value: unknown): value is Static<S> {
  const validator = validators.get(schema) ?? Compile(schema);
  validators.set(schema, validator);
  return validator.Check(value);
}

export const labHypervisorDriver: HypervisorDriver<typeof LabHypervisorSettings> = {
  settings: LabHypervisorSettings,
  kinds: ['Xen', 'OpenVZ'],
  async open({ address, port, token }, names) {
    const options = { host: address, port, headers: { authorization: `Bearer ${token}` } };
    const endpoint: HypervisorEndpoint = { scheme: 'http', options };
    return openLabHypervisor(address, endpoint, openHypervisorHttp(endpoint), names);
  },
};

function openLabHypervisor(
  address: string,
  endpoint: HypervisorEndpoint,
  http: HypervisorHttp,
  names: MachineNames = sameNames,
): Hypervisor {
  const callRaw: LabCall = async (method, path, schema, signal, body) => {
    const response = await http.send({ method, path, ...(body && { body }) }, signal);
    const json = parseJson(response);
    if (response.status !== 200) throw errorForStatus(response.status, json);
    if (!fits(schema, json)) throw new ApiError('node_error', { internal: `unexpected response to ${path}` });
    return json;
  };
  const { call, adoption, toHostyard } = createLabAdoption(callRaw, names);
  const change = async (
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    signal: AbortSignal,
    body?: object,
  ): Promise<void> => {
    await call(method, path, Nothing, signal, body);
  };
  const consoles = shareConsoles({
    open: async (name, signal) =>
      openTextConsole(endpoint, machinePath(await names.onHypervisor(name), 'text'), signal),
    async history(name, signal) {
      const { text } = await call('GET', machinePath(name, 'output'), Output, signal);
      return Buffer.from(text.replaceAll('\n', '\r\n'));
    },
  });
  const tunStatus = (name: string, signal: AbortSignal) => call('GET', machinePath(name, 'tun'), TunStatus, signal);
  const find = async (name: string, signal: AbortSignal) => ({
    ...(await call('GET', machinePath(name), MachineSummary, signal)),
    name,
  });

  return {
    machines: {
      async list(signal) {
        const all = await call('GET', '/machines', MachineList, signal);
        const own = await toHostyard();
        return all.map((machine) => ({ ...machine, name: own(machine.name) }));
      },
      find: (name, signal) => find(name, signal).catch(undefinedIfNotFound),
      create: (name, shape, first, signal) => change('PUT', machinePath(name), signal, { shape, first }),
      setNetworks: (name, networks, signal) => change('PUT', machinePath(name, 'networks'), signal, { networks }),
      resizesLive: false,
      resize: (name, size, signal) => change('PUT', machinePath(name, 'size'), signal, size),
      remove: (name, signal) => change('DELETE', machinePath(name), signal),
    },
    power: {
      state: async (name, signal) => (await find(name, signal)).power,
      set: (name, state, signal) => change('PUT', machinePath(name, 'power'), signal, { state }),
      requestShutdown: (name, signal) => change('POST', machinePath(name, 'shutdown'), signal),
      reset: (name, signal) => change('POST', machinePath(name, 'reset'), signal),
    },
    systems: {
      build: (name, { id, ...system }, signal) => change('PUT', machinePath(name, 'systems', id), signal, system),
      current: async (name, signal) => (await call('GET', machinePath(name, 'current'), Current, signal)).id,
      use: (name, id, signal) => change('PUT', machinePath(name, 'current'), signal, { id }),
      setNetwork: (name, settings, signal) => change('PUT', machinePath(name, 'addresses'), signal, settings),
      tidy: (name, signal) => change('POST', machinePath(name, 'tidy'), signal),
    },
    media: {
      insert: (name, image, signal) => change('PUT', machinePath(name, 'image'), signal, { image }),
      eject: (name, signal) => change('DELETE', machinePath(name, 'image'), signal),
      async isInserted(name, expected, signal) {
        const { image } = await call('GET', machinePath(name, 'image'), Drive, signal);
        return image !== undefined && (expected === undefined || image === expected);
      },
    },
    boot: { setNext: (name, target, signal) => change('PUT', machinePath(name, 'boot'), signal, { target }) },
    guest: {
      setHostname: (name, hostname, signal) => change('PUT', machinePath(name, 'hostname'), signal, { hostname }),
      setPassword: (name, password, signal) => change('PUT', machinePath(name, 'password'), signal, { password }),
    },
    tun: {
      status: tunStatus,
      async set(name, state, signal) {
        await change('PUT', machinePath(name, 'tun'), signal, { state });
        return tunStatus(name, signal);
      },
    },
    volumes: {
      list: (machine, signal) => call('GET', machinePath(machine, 'volumes'), VolumeList, signal),
      create: ({ id, sizeGb }, machine, signal) => change('PUT', volumePath(id), signal, { sizeGb, machine }),
      attach: (id, machine, signal) => change('PUT', volumePath(id, 'machine'), signal, { machine }),
      detach: (id, _machine, signal) => change('DELETE', volumePath(id, 'machine'), signal),
      grow: ({ id, sizeGb }, _machine, signal) => change('PUT', volumePath(id, 'size'), signal, { sizeGb }),
      remove: (id, signal) => change('DELETE', volumePath(id), signal),
    },
    snapshots: {
      list: (name, signal) => call('GET', machinePath(name, 'snapshots'), SnapshotList, signal),
      create: (name, id, signal) => call('PUT', machinePath(name, 'snapshots', id), Snapshot, signal),
      restore: (name, id, system, signal) => change('POST', machinePath(name, 'snapshots', id), signal, { system }),
      remove: (name, id, signal) => change('DELETE', machinePath(name, 'snapshots', id), signal),
      createTemplate: async (machine, snapshot, template, signal) =>
        (await call('PUT', templatePath(template), TemplateSize, signal, { machine, snapshot })).sizeBytes,
      removeTemplate: (template, signal) => change('DELETE', templatePath(template), signal),
    },
    vnc: {
      async open(name, signal) {
        const access = await call('POST', machinePath(name, 'screen'), VncEndpoint, signal);
        if ('kind' in access) return consoles.vnc.open(name, signal);
        return { stream: await connectVnc(address, access.port, signal), password: access.password };
      },
    },
    adoption,
    backups: createLabBackups(call),
    migration: createLabMigration(call, machinePath),
    text: consoles.text,
    statistics: {
      read: async (name, signal) => usageOf(await call('GET', machinePath(name, 'statistics'), Usage, signal)),
      async readAll(signal) {
        const usages = await call('GET', '/statistics', AllUsage, signal);
        const own = await toHostyard();
        return new Map(Object.entries(usages).map(([name, usage]) => [own(name), usageOf(usage)]));
      },
    },
    freeCapacity: (signal) => call('GET', '/capacity', Capacity, signal),
    hostTotals: (signal) => call('GET', '/totals', Totals, signal),
    [Symbol.asyncDispose]: async () => http[Symbol.dispose](),
  };
}

function usageOf(usage: Static<typeof Usage>): MachineUsage {
  const { run, cpuMs, memoryUsed, diskUsed, received, sent, diskRead, diskWritten, ...totals } = usage;
  return { ...totals, run, cpuMs, memoryUsed, diskUsed, received, sent, diskRead, diskWritten };
}

function machinePath(...names: readonly string[]): string {
  return `/machines/${names.map(encodeURIComponent).join('/')}`;
}

function volumePath(...names: readonly string[]): string {
  return `/volumes/${names.map(encodeURIComponent).join('/')}`;
}

function templatePath(name: string): string {
  return `/templates/${encodeURIComponent(name)}`;
}

function errorForStatus(status: number, body?: unknown): ApiError {
  const internal = `the hypervisor returned ${status}`;
  if (status === 404) return new ApiError('not_found', { internal });
  // The message says what the state is.
  if (status === 409)
    return new ApiError('state_conflict', { internal, ...(fits(Rejection, body) && { message: body.message }) });
  if (status === 507)
    return new ApiError('nothing_free', { internal, message: 'The hypervisor has no capacity for this.' });
  return new ApiError('node_error', { internal });
}

function undefinedIfNotFound(error: unknown): undefined {
  if (error instanceof ApiError && error.code === 'not_found') return undefined;
  throw error;
}

function openTextConsole(endpoint: HypervisorEndpoint, path: string, signal: AbortSignal): Promise<Duplex> {
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const headers = { connection: 'Upgrade', upgrade: 'hostyard-text' };
  const request = startRequest(endpoint, { method: 'GET', path, headers }, { agent: false });
  const abort = (): void => void request.destroy(new Error('timed out'));
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  request.on('error', (cause) => reject(unreachableError(cause)));
  request.on('response', (response) => {
    response.resume();
    reject(errorForStatus(response.statusCode!));
  });
  request.on('upgrade', (_response, socket, head) => {
    if (head.length > 0) socket.unshift(head);
    resolve(socket);
  });
  request.end();
  return promise.finally(() => signal.removeEventListener('abort', abort));
}
