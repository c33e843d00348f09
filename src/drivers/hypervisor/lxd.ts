// Driver for containers on LXD or Incus, which share a REST API, standalone or as a cluster. Connects by Unix socket,
// or by TLS with a client certificate that the daemon trusts. Containers have no drive or firmware, so those parts are
// absent. Their VNC console shows the text console.
import { Type, type Static } from 'typebox';
import { conflict } from '#lib/api-error.ts';
import type { Hypervisor, HypervisorDriver } from './driver.ts';
import { openHypervisorHttp, type HypervisorEndpoint } from './http.ts';
import { lxdApi, type LxdApi } from './lxd/api.ts';
import { createAdoption } from './lxd/adoption.ts';
import { consoleLogs, openConsole, type SocketEndpoint } from './lxd/console.ts';
import { inSystem, setHostname, setPassword } from './lxd/guest.ts';
import { createBackups } from './lxd/backups.ts';
import { createMembers } from './lxd/members.ts';
import { createMigration } from './lxd/migration.ts';
import { requireInstance, createMachines, forceStop, createSystems } from './lxd/machines.ts';
import { readFreeCapacity, readHostTotals } from './lxd/capacity.ts';
import { createStatistics } from './lxd/usage.ts';
import { instancePath, requireRunning, powerState } from './lxd/instances.ts';
import { createSnapshots } from './lxd/snapshots.ts';
import { setTun, tunStatus } from './lxd/tun.ts';
import { createVolumes } from './lxd/volumes.ts';
import { shareConsoles } from './shared-console.ts';

const Pem = Type.String({ pattern: '^-----BEGIN ', 'x-reason': 'must be PEM' });

export const LxdSettings = Type.Object(
  {
    /** Defaults to LXD's own socket if there is no url either. */
    socket: Type.Optional(Type.String({ pattern: '^/', 'x-reason': 'must be the path of a socket' })),
    url: Type.Optional(Type.String({ pattern: '^https://[^/]+/?$', 'x-reason': 'must be like https://lxd1:8443' })),
    certificate: Type.Optional(Pem),
    key: Type.Optional({ ...Pem, 'x-secret': true }),
    /** The daemon's self-signed certificate. */
    serverCertificate: Type.Optional(Pem),
    pool: Type.String({ minLength: 1, 'x-reason': 'must be the name of a storage pool' }),
    nic: Type.Optional(
      Type.Record(Type.String(), Type.String(), { 'x-reason': 'must be the properties of an LXD device of type nic' }),
    ),
  },
  { additionalProperties: false },
);
type LxdSettings = Static<typeof LxdSettings>;

const defaultSocket = '/var/lib/lxd/unix.socket';
/** How long the daemon waits for a guest to shut down. */
const shutdownSeconds = 120;

export const lxdDriver: HypervisorDriver<typeof LxdSettings> = {
  settings: LxdSettings,
  kinds: ['OpenVZ'],
  async open(settings, names) {
    const { http: endpoint, sockets } = endpointsOf(settings);
    const http = openHypervisorHttp(endpoint);
    const parts = openLxd(lxdApi(http, names), sockets, settings);
    return { ...parts, [Symbol.asyncDispose]: async () => http[Symbol.dispose]() };
  },
};

function openLxd(api: LxdApi, sockets: SocketEndpoint, { pool, nic, url }: LxdSettings): Omit<Hypervisor, symbol> {
  const defaults = { pool, nic };
  const readLog = consoleLogs(api);
  const parts = { volumes: createVolumes(api, pool), snapshots: createSnapshots(api) };
  const setState = (instance: string, body: object, signal: AbortSignal): Promise<unknown> =>
    api.change('PUT', `${instancePath(instance)}/state`, signal, body);
  return {
    machines: createMachines(api, defaults),
    systems: createSystems(api, defaults),
    power: {
      state: async (name, signal) => powerState(await requireInstance(api, name, signal)),
      async set(name, state, signal) {
        const instance = await requireInstance(api, name, signal);
        if (powerState(instance) === state) return;
        if (state === 'off') await forceStop(api, instance.name, signal);
        else await setState(instance.name, { action: 'start', timeout: -1 }, signal);
      },
      async requestShutdown(name, signal) {
        const instance = await requireInstance(api, name, signal);
        if (powerState(instance) === 'off') return;
        const body = { action: 'stop', force: false, timeout: shutdownSeconds };
        await api.start('PUT', `${instancePath(instance.name)}/state`, signal, body);
      },
      async reset(name, signal) {
        const instance = await requireInstance(api, name, signal);
        if (powerState(instance) === 'off') throw conflict('The machine is off. Power it on instead of resetting it.');
        await setState(instance.name, { action: 'restart', force: true, timeout: -1 }, signal);
      },
    },
    guest: {
      async setHostname(name, hostname, signal) {
        const instance = await requireInstance(api, name, signal);
        await inSystem(signal, (limit) => setHostname(api, instance, hostname, limit));
      },
      async setPassword(name, password, signal) {
        const instance = await requireInstance(api, name, signal);
        await inSystem(signal, (limit) => setPassword(api, instance.name, password, limit));
      },
    },
    tun: {
      status: (name, signal) => tunStatus(api, name, signal),
      set: (name, state, signal) => setTun(api, name, state, signal),
    },
    ...parts,
    migration: createMigration(api, defaults, url),
    members: createMembers(api),
    ...shareConsoles({
      async open(name, signal) {
        return openConsole(api, sockets, requireRunning(await requireInstance(api, name, signal)), signal);
      },
      history: async (name, signal) => readLog((await requireInstance(api, name, signal)).name, signal),
    }),
    backups: createBackups(api, pool, parts),
    statistics: createStatistics(api),
    adoption: createAdoption(api, pool),
    freeCapacity: (signal) => readFreeCapacity(api, pool, signal),
    hostTotals: (signal) => readHostTotals(api, pool, signal),
  };
}

function endpointsOf(settings: LxdSettings): { http: HypervisorEndpoint; sockets: SocketEndpoint } {
  const { socket = defaultSocket, url, certificate, key, serverCertificate } = settings;
  if (url === undefined) {
    const http: HypervisorEndpoint = { scheme: 'http', options: { socketPath: socket, headers: { host: 'lxd' } } };
    return { http, sockets: { base: `ws+unix:${socket}:`, options: { headers: { host: 'lxd' } } } };
  }
  const { hostname, port } = new URL(url);
  const trust = {
    ...(certificate !== undefined && { cert: certificate }),
    ...(key !== undefined && { key }),
    // The daemon's self-signed certificate names the host where it was created, so the certificate itself is pinned
    // instead.
    ...(serverCertificate !== undefined && { ca: serverCertificate, checkServerIdentity: () => undefined }),
  };
  const host = hostname.replace(/^\[|\]$/g, '');
  const http: HypervisorEndpoint = {
    scheme: 'https',
    options: { host, port: port === '' ? 443 : Number(port), ...trust },
  };
  // ws passes this to TLS, but types the result of the check differently.
  const options = trust as unknown as SocketEndpoint['options'];
  return { http, sockets: { base: url.replace(/^https/, 'wss').replace(/\/$/, ''), options } };
}
