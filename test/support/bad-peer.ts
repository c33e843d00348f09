// A misbehaving peer on a port and on a Unix socket, for drivers whose equipment hangs, disappears or lies.
// It speaks no particular protocol, so that every driver can connect to it.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from './folder.ts';
import { withResources } from './resources.ts';

const nonsense = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 167 + 13) % 256));
const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** How each kind reacts once the driver has sent something. */
export const misbehaviours = {
  hangs: () => {},
  'hangs up': (socket) => void socket.destroy(),
  'talks nonsense': (socket) => void socket.write(nonsense),
  'responds with a page': (socket) => void socket.write(`${head}content-length: 6\r\n\r\n<html>`),
  'responds with what was not asked for': (socket) =>
    void socket.write(`${head}content-length: 29\r\n\r\n{"type":"sync","metadata":42}`),
  'stops in the middle': (socket) => void socket.end(`${head}content-length: 100\r\n\r\n[{"name"`),
  'never ends': (socket) => pour(socket),
} as const satisfies Record<string, (socket: Socket) => void>;
export type Misbehaviour = keyof typeof misbehaviours;

export interface BadPeer extends AsyncDisposable {
  readonly port: number;
  readonly datagramPort: number;
  readonly socket: string;
}

type SettingsOf = (peer: BadPeer) => Readonly<Record<string, unknown>>;
const address = '127.0.0.1';
const login = { username: 'provider', password: 'secret' };
const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');

/** The settings that make each registered driver connect to it; undefined if a driver has no peer. */
export const settingsFor = {
  bmc: {
    ipmi: ({ datagramPort: port }) => ({ address, port, ...login }),
    redfish: ({ port }) => ({ address, port, ...login, fingerprint }),
  },
  switch: {
    snmp: ({ datagramPort: port }) => ({ version: '2c', address, port, community: 'public', timeoutMs: 300 }),
  },
  hypervisor: {
    lab: ({ port }) => ({ address, port, token: 'token' }),
    libvirt: ({ socket }) => ({ socket, pool: 'default', accelerator: 'tcg' }),
    lxd: ({ socket }) => ({ socket, pool: 'default' }),
  },
  routes: {
    gobgp: ({ port }) => ({ address: `${address}:${port}` }),
    file: undefined,
    frr: ({ socket }) => ({ socket }),
  },
} satisfies Record<string, Record<string, SettingsOf | undefined>>;

export async function startBadPeer(vice: Misbehaviour): Promise<BadPeer> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('peer'));
  const open = new Set<Socket>();
  const accept = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    socket.once('data', () => misbehaviours[vice](socket)).resume();
  };
  const listenAt = async (where: number | string): Promise<Server> => {
    const listener = createServer(accept);
    listener.listen(typeof where === 'number' ? { host: '127.0.0.1', port: where } : { path: where });
    await once(listener, 'listening');
    owned.defer(async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    });
    return listener;
  };
  const socketPath = join(folder.path, 's');
  await listenAt(socketPath);
  const listener = await listenAt(0);
  const { port } = listener.address() as AddressInfo;
  const datagrams = createSocket('udp4');
  datagrams
    .on('error', () => {})
    .on('message', (_, from) => {
      if (vice !== 'hangs' && vice !== 'hangs up') datagrams.send(nonsense.subarray(0, 512), from.port, from.address);
    });
  datagrams.bind(0, '127.0.0.1');
  await once(datagrams, 'listening');
  owned.defer(() => void datagrams.close());
  return withResources(owned, {
    port,
    datagramPort: datagrams.address().port,
    socket: socketPath,
  });
}

/** Sends as much as the other end accepts. */
function pour(socket: Socket): void {
  socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
  const chunk = `10000\r\n${'['.repeat(0x10000)}\r\n`;
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
}
