// The driver of the lab's node: JSON over HTTP for control, RFB for the screen, bare bytes for the text console. The lab's
// node can do everything, for full machines and for containers alike.
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { Type, type Static, type TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { Fault } from '#kernel/fault.ts';
import type { Hypervisor, HypervisorDriver } from './driver.ts';
import { jsonOf, openNodeHttp, startRequest, unreachable, type NodeHttp, type NodePlace } from './http.ts';

export const LabNodeSettings = Type.Object(
  {
    address: Type.String({ format: 'ip', 'x-reason': 'must be an IPv4 or IPv6 address' }),
    port: Type.Integer({ minimum: 1, maximum: 65_535, 'x-reason': 'must be a port' }),
    token: Type.String({ 'x-secret': true, minLength: 1, 'x-reason': 'must not be empty' }),
  },
  { additionalProperties: false },
);

const Power = Type.Union([Type.Literal('on'), Type.Literal('off')]);
const Found = Type.Object({ name: Type.String(), power: Power });
const Bytes = Type.Optional(Type.Number());
const Use = Type.Object({
  memoryUsed: Bytes,
  memoryTotal: Type.Number(),
  diskUsed: Bytes,
  diskTotal: Type.Number(),
  received: Bytes,
  sent: Bytes,
});
const Room = Type.Object({ memoryMb: Type.Number(), diskGb: Type.Number() });
const ScreenPlace = Type.Object({ port: Type.Integer(), password: Type.String() });
const Current = Type.Object({ id: Type.String() });
const Nothing = Type.Object({});

export const labNodeDriver: HypervisorDriver<typeof LabNodeSettings> = {
  name: 'lab',
  settings: LabNodeSettings,
  kinds: ['Xen', 'OpenVZ'],
  async open({ address, port, token }) {
    const options = { host: address, port, headers: { authorization: `Bearer ${token}` } };
    const place: NodePlace = { scheme: 'http', options };
    return partsOf(address, place, openNodeHttp(place));
  },
};

function partsOf(address: string, place: NodePlace, http: NodeHttp): Hypervisor {
  const call = async <S extends TSchema>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    answer: S,
    signal: AbortSignal,
    body?: object,
  ): Promise<Static<S>> => {
    const told = await http.send({ method, path, ...(body && { body }) }, signal);
    const json = jsonOf(told);
    if (told.status !== 200) throw refusal(told.status);
    if (!Check(answer, json)) throw new Fault('node_error', { internal: `an answer of another shape to ${path}` });
    return json;
  };
  const tell = async (
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    signal: AbortSignal,
    body?: object,
  ): Promise<void> => {
    await call(method, path, Nothing, signal, body);
  };
  const find = (name: string, signal: AbortSignal) => call('GET', at(name), Found, signal);

  return {
    machines: {
      list: (signal) => call('GET', '/machines', Type.Array(Found), signal),
      find: (name, signal) => find(name, signal).catch(absent),
      create: (name, shape, first, signal) => tell('PUT', at(name), signal, { shape, first }),
      remove: (name, signal) => tell('DELETE', at(name), signal),
    },
    power: {
      state: async (name, signal) => (await find(name, signal)).power,
      set: (name, state, signal) => tell('PUT', at(name, 'power'), signal, { state }),
      requestShutdown: (name, signal) => tell('POST', at(name, 'shutdown'), signal),
      reset: (name, signal) => tell('POST', at(name, 'reset'), signal),
    },
    systems: {
      build: (name, { id, ...system }, signal) => tell('PUT', at(name, 'systems', id), signal, system),
      current: async (name, signal) => (await call('GET', at(name, 'current'), Current, signal)).id,
      use: (name, id, signal) => tell('PUT', at(name, 'current'), signal, { id }),
      tidy: (name, signal) => tell('POST', at(name, 'tidy'), signal),
    },
    media: {
      insert: (name, image, signal) => tell('PUT', at(name, 'image'), signal, { image }),
      eject: (name, signal) => tell('DELETE', at(name, 'image'), signal),
    },
    boot: { setNext: (name, target, signal) => tell('PUT', at(name, 'boot'), signal, { target }) },
    guest: {
      setHostname: (name, hostname, signal) => tell('PUT', at(name, 'hostname'), signal, { hostname }),
      setPassword: (name, password, signal) => tell('PUT', at(name, 'password'), signal, { password }),
    },
    tun: { set: (name, state, signal) => tell('PUT', at(name, 'tun'), signal, { state }) },
    screen: {
      async open(name, signal) {
        const { port, password } = await call('POST', at(name, 'screen'), ScreenPlace, signal);
        return { stream: await connected(address, port, signal), password };
      },
    },
    text: { open: (name, signal) => openText(place, at(name, 'text'), signal) },
    statistics: {
      async read(name, signal) {
        const { memoryUsed, diskUsed, received, sent, ...totals } = await call(
          'GET',
          at(name, 'statistics'),
          Use,
          signal,
        );
        return { ...totals, memoryUsed, diskUsed, received, sent };
      },
    },
    room: (signal) => call('GET', '/room', Room, signal),
    [Symbol.asyncDispose]: async () => http[Symbol.dispose](),
  };
}

function at(...names: readonly string[]): string {
  return `/machines/${names.map(encodeURIComponent).join('/')}`;
}

function refusal(status: number): Fault {
  const internal = `the node answered ${status}`;
  if (status === 404) return new Fault('not_found', { internal });
  if (status === 409) return new Fault('state_conflict', { internal });
  if (status === 507) return new Fault('nothing_free', { internal, message: 'The node has no room for this.' });
  return new Fault('node_error', { internal });
}

function absent(error: unknown): undefined {
  if (error instanceof Fault && error.code === 'not_found') return undefined;
  throw error;
}

function connected(host: string, port: number, signal: AbortSignal): Promise<Duplex> {
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const socket = connect({ host, port });
  const give = (cause: unknown): void => {
    socket.destroy();
    reject(unreachable({ method: 'GET' }, false, cause));
  };
  const abort = (): void => give(signal.reason);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  socket.once('error', give).once('connect', () => {
    socket.off('error', give);
    resolve(socket);
  });
  return promise.finally(() => signal.removeEventListener('abort', abort));
}

function openText(place: NodePlace, path: string, signal: AbortSignal): Promise<Duplex> {
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const headers = { connection: 'Upgrade', upgrade: 'hostyard-text' };
  const request = startRequest(place, { method: 'GET', path, headers }, { agent: false });
  const abort = (): void => void request.destroy(new Error('out of time'));
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  request.on('error', (cause) => reject(unreachable({ method: 'GET' }, false, cause)));
  request.on('response', (response) => {
    response.resume();
    reject(refusal(response.statusCode!));
  });
  request.on('upgrade', (_response, socket, head) => {
    if (head.length > 0) socket.unshift(head);
    resolve(socket);
  });
  request.end();
  return promise.finally(() => signal.removeEventListener('abort', abort));
}
