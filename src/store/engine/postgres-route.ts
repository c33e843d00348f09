// The way to a PostgreSQL that has several addresses, written as libpq writes it: postgres://user@one:5432,two:5432/name. One of
// them is the primary. All connections of a process go to the address that was last good; one that refuses, or that can only
// be read (a replica, or a primary that became one), hands over to the next. pg itself knows one address only.
import { isIPv6, Socket } from 'node:net';
import type pg from 'pg';

/** What a pool, ours or pg-boss's, is made with. */
export type RouteOptions = Pick<pg.PoolConfig, 'connectionString' | 'stream' | 'onConnect'>;

export interface PostgresRoute {
  readonly options: RouteOptions;
  /** How many addresses there are to try. */
  readonly addresses: number;
  /** What this connection leads to can only be read. */
  isReadOnly(client: pg.ClientBase): void;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

const defaultPort = 5432;
const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/;

/** One for all pools of the process: what one of them finds out about an address the others need not find out again. */
const routes = new Map<string, PostgresRoute>();
export function postgresRoute(url: string): PostgresRoute {
  let route = routes.get(url);
  if (route === undefined) routes.set(url, (route = routeOf(url)));
  return route;
}

function routeOf(url: string): PostgresRoute {
  const [, before = '', places = '', after = ''] = parts.exec(url) ?? [];
  if (!places.includes(',')) return { options: { connectionString: url }, addresses: 1, isReadOnly: () => {} };
  const addresses = places.split(',').map(addressOf);
  const { host, port } = addresses[0]!;
  let present = 0;
  /** Many connections fail together, and only the first of them moves on. */
  const moveOn = (from: number | undefined): void => {
    if (from === present) present = (present + 1) % addresses.length;
  };
  /** Which address a connection went to, by what its socket says of its other end. */
  const reached = new Map<string, number>();

  /** pg tells its socket where to go; this one knows better. */
  function stream(): Socket {
    const socket = new Socket();
    const connect = socket.connect.bind(socket) as (port: number, host: string) => Socket;
    let from = present;
    socket.once('connect', () => void reached.set(otherEnd(socket), from));
    // Refused, out of reach, or accepted and never a word. Who waits for the connection is told of the error at once.
    const give = (): void => void (socket.bytesRead === 0 && moveOn(from));
    socket.once('error', give).once('close', give);
    socket.connect = (() => {
      from = present;
      return connect(addresses[from]!.port, addresses[from]!.host);
    }) as Socket['connect'];
    return socket;
  }
  const isReadOnly = (client: pg.ClientBase): void =>
    moveOn(reached.get(otherEnd((client as unknown as { connection: { stream: Socket } }).connection.stream)));
  async function onConnect(client: pg.ClientBase): Promise<void> {
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
    if (rows[0]?.transaction_read_only !== 'on') return;
    isReadOnly(client);
    throw new Error('this PostgreSQL can only be read');
  }
  const connectionString = `${before}${isIPv6(host) ? `[${host}]` : host}:${port}${after}`;
  return { options: { connectionString, stream, onConnect }, addresses: addresses.length, isReadOnly };
}

function addressOf(text: string): Address {
  const [, v6, name, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+))(?::([0-9]+))?$/.exec(text) ?? [];
  const host = v6 ?? name;
  if (host === undefined) throw new Error(`HOSTYARD_DATABASE: ${text} is not an address`);
  return { host, port: Number(port ?? defaultPort) };
}

function otherEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
