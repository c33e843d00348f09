// A daemon that creates an instance, but whose response to that is lost, or comes when it is of no use any more.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { ApiError } from '#lib/api-error.ts';
import { bytesPerGb } from '../driver.ts';
import { openHypervisorHttp } from '../http.ts';
import { lxdApi, type LxdApi } from './api.ts';
import { createMachines } from './machines.ts';

interface Stored {
  readonly name: string;
  readonly profiles?: readonly string[];
  readonly config: Readonly<Record<string, string>>;
  readonly devices: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const lost = 'lost';
const shape = { vcpus: 1, memoryMb: 512, diskGb: 1, mac: '52:54:00:00:00:01', networks: [] };
const system = {
  id: 's-1',
  template: 'debian',
  hostname: 'a.example.com',
  rootPassword: 'password',
  addresses: [],
  nameServers: [],
  sshKeys: [],
};

/** Keeps instances and profiles, and performs every change at once. */
function fakeLxd() {
  const instances = new Map<string, Stored>();
  const profiles = new Map<string, Stored>();
  const requests: string[] = [];
  const described = ({ config, devices, profiles: names = [], name }: Stored) => ({
    name,
    status_code: 102,
    profiles: names,
    config,
    devices,
    expanded_config: { ...profiles.get(names.at(-1)!)?.config, ...config },
    expanded_devices: { ...profiles.get(names.at(-1)!)?.devices, ...devices },
  });
  const usedBy = (profile: string) =>
    [...instances.values()]
      .filter(({ profiles: names }) => names?.includes(profile))
      .map(({ name }) => `/1.0/instances/${name}`);
  const read = (path: string, kind: string, name: string): unknown => {
    if (kind === 'profiles') return profiles.has(name) ? { ...profiles.get(name), used_by: usedBy(name) } : undefined;
    if (kind === 'instances' && name !== '') return instances.has(name) ? described(instances.get(name)!) : undefined;
    return {
      '/1.0': { environment: { server_clustered: false } },
      '/1.0/resources': { memory: { total: bytesPerGb } },
      '/1.0/storage-pools/machines': { driver: 'dir' },
      '/1.0/storage-pools/machines/resources': { space: { total: 10 * bytesPerGb } },
      '/1.0/instances': [...instances.values()].map(described),
      '/1.0/images/aliases/debian': { target: 'f00' },
      '/1.0/networks': [],
    }[path];
  };
  const fake = { isLosing: true };
  const respond = (method: string, path: string, body: Partial<Stored>): unknown => {
    const [, , kind = '', name = '', part] = path.split('/');
    if (part === 'files') return method === 'GET' ? [] : {};
    if (method === 'GET') return read(path, kind, name);
    requests.push(`${method} ${path}`);
    const all = kind === 'profiles' ? profiles : instances;
    if (method === 'DELETE') all.delete(name);
    else {
      const key = name || body.name!;
      const { config, devices } = all.get(key) ?? {};
      const merged =
        method === 'PATCH' ? { config: { ...config, ...body.config }, devices: { ...devices, ...body.devices } } : body;
      all.set(key, { config: {}, devices: {}, ...all.get(key), ...merged, name: key });
    }
    if (path !== '/1.0/instances' || !fake.isLosing) return {};
    fake.isLosing = false;
    return lost;
  };
  const server = createServer(async (request, response) => {
    const body =
      request.headers['content-type'] === 'application/json' ? ((await json(request)) as Partial<Stored>) : {};
    const metadata = respond(request.method!, request.url!.split('?')[0]!, body);
    if (metadata === lost) return void request.socket.destroy();
    const envelope = metadata === undefined ? { type: 'error', error: 'not found' } : { type: 'sync', metadata };
    response.writeHead(metadata === undefined ? 404 : 200).end(JSON.stringify(envelope));
  });
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return Object.assign(fake, { server, instances, profiles, requests, [Symbol.dispose]: close });
}

test('a creation whose response was lost is looked for, and replaced or removed', async () => {
  const { signal } = new AbortController();
  for (const next of ['create', 'remove'] as const) {
    using lxd = fakeLxd();
    const { server, instances, profiles, requests } = lxd;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    using http = openHypervisorHttp({
      scheme: 'http',
      options: { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    });
    const machines = createMachines(lxdApi(http), { pool: 'machines', nic: undefined });
    const creating = machines.create('vm-1', shape, system, signal);
    await assert.rejects(creating, { code: 'node_unreachable', message: /unknown whether/ });
    assert.deepEqual([...instances.keys()], ['vm-1--s-1']);
    assert.equal(await machines.find('vm-1', signal), undefined, 'an incomplete machine is none');
    requests.length = 0;
    if (next === 'create') {
      await machines.create('vm-1', shape, system, signal);
      assert.deepEqual(requests.slice(0, 3), [
        'PUT /1.0/profiles/vm-1',
        'DELETE /1.0/instances/vm-1--s-1',
        'POST /1.0/instances',
      ]);
      assert.deepEqual(await machines.list(signal), [{ name: 'vm-1', power: 'off', isFiltered: true }]);
    } else {
      await machines.remove('vm-1', signal);
      assert.deepEqual([instances.size, profiles.size], [0, 0]);
    }
  }
});

test('a creation that fails after its caller gave up removes nothing: another process may have made the machine', async () => {
  using lxd = fakeLxd();
  const { server, instances, profiles, requests } = lxd;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  using http = openHypervisorHttp({ scheme: 'http', options: { host: '127.0.0.1', port } });
  const api = lxdApi(http);
  const caller = new AbortController();
  // As after a pause of the process: the error was there before the signal aborts.
  const change: LxdApi['change'] = async (method, path, ...rest) => {
    if (path !== '/1.0/instances') return api.change(method, path, ...rest);
    caller.abort();
    throw new ApiError('node_error', { internal: 'the instance exists' });
  };
  const other = { name: 'vm-1--s-1', profiles: ['vm-1'], config: { 'user.hostyard.built': 'yes' }, devices: {} };
  const machines = createMachines({ ...api, change }, { pool: 'machines', nic: undefined });
  const creating = machines.create('vm-1', shape, system, caller.signal);
  caller.signal.addEventListener('abort', () => instances.set(other.name, other));
  await assert.rejects(creating, { code: 'node_error' });
  assert.deepEqual([[...instances.keys()], [...profiles.keys()]], [['vm-1--s-1'], ['vm-1']]);
  assert.deepEqual(requests, ['POST /1.0/profiles']);
});

test('an image that a customer made with a pipe among its files is no failure of the hypervisor', async () => {
  using lxd = fakeLxd();
  lxd.isLosing = false;
  const { server, instances } = lxd;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  using http = openHypervisorHttp({ scheme: 'http', options: { host: '127.0.0.1', port } });
  const api = lxdApi(http);
  const send: LxdApi['send'] = async (request, signal) => {
    if (request.path.includes('resolv.conf')) throw new ApiError('node_unreachable', { internal: 'no response' });
    return api.send(request, signal);
  };
  const { signal } = new AbortController();
  const machines = createMachines({ ...api, send }, { pool: 'machines', nic: undefined });
  const hanging = machines.create('vm-1', shape, system, signal);
  await assert.rejects(hanging, { code: 'state_conflict', message: /does not respond/ });
  assert.equal(instances.size, 0);
  server.closeAllConnections();
  server.close();
  const silent = machines.create('vm-1', shape, system, signal);
  await assert.rejects(silent, { code: 'node_unreachable' });
});
