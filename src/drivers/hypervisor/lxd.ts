// The driver of nodes that run containers with LXD or Incus, which speak the same REST, alone or as a cluster. By the
// daemon's socket, or over the network with a client certificate that the daemon trusts. A container has no screen, no
// drive and no firmware: those parts are absent.
import { Type, type Static } from 'typebox';
import { Fault } from '#kernel/fault.ts';
import type { Hypervisor, HypervisorDriver, MachineUse } from './driver.ts';
import { openNodeHttp, type NodePlace } from './http.ts';
import { lxdApi, type LxdApi } from './lxd/api.ts';
import { openConsole, type SocketPlace } from './lxd/console.ts';
import { setHostname, setPassword } from './lxd/guest.ts';
import { located, machinesOf, profileOf, stop, systemsOf } from './lxd/machines.ts';
import { readRoom } from './lxd/room.ts';
import { bytesOf, instancePath, mustBeOn, powerOf, profilePath, withoutTunnels } from './lxd/shapes.ts';

const Pem = Type.String({ pattern: '^-----BEGIN ', 'x-reason': 'must be PEM' });

export const LxdSettings = Type.Object(
  {
    /** LXD's own place where neither this nor a url is given. */
    socket: Type.Optional(Type.String({ pattern: '^/', 'x-reason': 'must be the path of a socket' })),
    url: Type.Optional(Type.String({ pattern: '^https://[^/]+/?$', 'x-reason': 'must be like https://lxd1:8443' })),
    certificate: Type.Optional(Pem),
    key: Type.Optional({ ...Pem, 'x-secret': true }),
    /** The daemon's own: it signs itself. */
    serverCertificate: Type.Optional(Pem),
    pool: Type.String({ minLength: 1, 'x-reason': 'must be the name of a storage pool' }),
    nic: Type.Optional(
      Type.Record(Type.String(), Type.String(), { 'x-reason': 'must be the properties of an LXD device of type nic' }),
    ),
  },
  { additionalProperties: false },
);
type LxdSettings = Static<typeof LxdSettings>;

const usualSocket = '/var/lib/lxd/unix.socket';
/** How long the daemon waits for a system to shut down before it forgets that it asked. */
const shutdownSeconds = 120;

export const lxdDriver: HypervisorDriver<typeof LxdSettings> = {
  name: 'lxd',
  settings: LxdSettings,
  kinds: ['OpenVZ'],
  async open(settings) {
    const { http: place, sockets } = placesOf(settings);
    const http = openNodeHttp(place);
    const parts = partsOf(lxdApi(http), sockets, settings);
    return { ...parts, [Symbol.asyncDispose]: async () => http[Symbol.dispose]() };
  },
};

function partsOf(api: LxdApi, sockets: SocketPlace, { pool, nic }: LxdSettings): Omit<Hypervisor, symbol> {
  const stock = { pool, nic };
  const setState = (instance: string, body: object, signal: AbortSignal): Promise<unknown> =>
    api.change('PUT', `${instancePath(instance)}/state`, signal, body);
  return {
    machines: machinesOf(api, stock),
    systems: systemsOf(api, stock),
    power: {
      state: async (name, signal) => powerOf(await located(api, name, signal)),
      async set(name, state, signal) {
        const instance = await located(api, name, signal);
        if (powerOf(instance) === state) return;
        if (state === 'off') await stop(api, instance.name, signal);
        else await setState(instance.name, { action: 'start', timeout: -1 }, signal);
      },
      async requestShutdown(name, signal) {
        const instance = await located(api, name, signal);
        if (powerOf(instance) === 'off') return;
        const body = { action: 'stop', force: false, timeout: shutdownSeconds };
        await api.start('PUT', `${instancePath(instance.name)}/state`, signal, body);
      },
      async reset(name, signal) {
        const instance = await located(api, name, signal);
        if (powerOf(instance) === 'off')
          throw new Fault('state_conflict', { message: 'The machine is off: there is nothing to reset.' });
        await setState(instance.name, { action: 'restart', force: true, timeout: -1 }, signal);
      },
    },
    guest: {
      setHostname: async (name, hostname, signal) =>
        setHostname(api, await located(api, name, signal), hostname, signal),
      setPassword: async (name, password, signal) =>
        setPassword(api, (await located(api, name, signal)).name, password, signal),
    },
    tun: {
      async set(name, state, signal) {
        const { config, description = '', devices } = await profileOf(api, name, signal);
        const { 'raw.lxc': _, ...others } = config;
        const next = { ...others, ...(state === 'disabled' && withoutTunnels) };
        await api.change('PUT', profilePath(name), signal, { config: next, description, devices });
      },
    },
    text: {
      async open(name, signal) {
        return openConsole(api, sockets, mustBeOn(await located(api, name, signal)), signal);
      },
    },
    statistics: { read: (name, signal) => readUse(api, name, signal) },
    room: (signal) => readRoom(api, pool, signal),
  };
}

function placesOf(settings: LxdSettings): { http: NodePlace; sockets: SocketPlace } {
  const { socket = usualSocket, url, certificate, key, serverCertificate } = settings;
  if (url === undefined) {
    const http: NodePlace = { scheme: 'http', options: { socketPath: socket, headers: { host: 'lxd' } } };
    return { http, sockets: { base: `ws+unix:${socket}:`, options: { headers: { host: 'lxd' } } } };
  }
  const { hostname, port } = new URL(url);
  const trust = {
    ...(certificate !== undefined && { cert: certificate }),
    ...(key !== undefined && { key }),
    // A daemon's certificate names the host that it was made on, and nobody else signed it: it is known by itself.
    ...(serverCertificate !== undefined && { ca: serverCertificate, checkServerIdentity: () => undefined }),
  };
  const host = hostname.replace(/^\[|\]$/g, '');
  const http: NodePlace = { scheme: 'https', options: { host, port: port === '' ? 443 : Number(port), ...trust } };
  // The types of ws have another answer for the check than TLS, to which ws hands it.
  const options = trust as unknown as SocketPlace['options'];
  return { http, sockets: { base: url.replace(/^https/, 'wss').replace(/\/$/, ''), options } };
}

const Counters = Type.Object({ bytes_received: Type.Number(), bytes_sent: Type.Number() });
const State = Type.Object({
  memory: Type.Optional(Type.Object({ usage: Type.Optional(Type.Number()) })),
  disk: Type.Optional(
    Type.Union([Type.Record(Type.String(), Type.Object({ usage: Type.Optional(Type.Number()) })), Type.Null()]),
  ),
  network: Type.Optional(
    Type.Union([Type.Record(Type.String(), Type.Object({ type: Type.String(), counters: Counters })), Type.Null()]),
  ),
});

/** The daemon says 0, or nothing, where it cannot tell. */
async function readUse(api: LxdApi, name: string, signal: AbortSignal): Promise<MachineUse> {
  const instance = await located(api, name, signal);
  const { memory, disk, network } = await api.get(`${instancePath(instance.name)}/state`, State, signal);
  const cards = Object.values(network ?? {}).filter(({ type }) => type !== 'loopback');
  const moved = (key: 'bytes_received' | 'bytes_sent'): number | undefined =>
    cards.length === 0 ? undefined : cards.reduce((sum, { counters }) => sum + counters[key], 0);
  return {
    memoryUsed: memory?.usage || undefined,
    memoryTotal: bytesOf(instance.expanded_config['limits.memory']) ?? 0,
    diskUsed: disk?.['root']?.usage || undefined,
    diskTotal: bytesOf(instance.expanded_devices['root']?.['size']) ?? 0,
    received: moved('bytes_received'),
    sent: moved('bytes_sent'),
  };
}
