// Connects to a PostgreSQL with several addresses, given as libpq does: postgres://user@one:5432,two:5432/name. One of
// them is the primary. All connections of the process go to the last address that worked; if it rejects connections or
// is read-only (a replica, or a primary that became one), they move on to the next. pg itself supports only one
// address.
import { isIPv6, Socket } from 'node:net';
import type pg from 'pg';

/** Options for a connection pool, ours or pg-boss's. */
export type RouteOptions = Pick<pg.PoolConfig, 'connectionString' | 'stream' | 'onConnect'>;

export interface PostgresRoute {
  readonly options: RouteOptions;
  /** The number of addresses to try. */
  readonly addresses: number;
  /** Returns which of the addresses new connections go to. */
  place(): number;
  /** Reports that this connection leads to a read-only server. */
  reportReadOnly(client: pg.ClientBase): void;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

const defaultPort = 5432;
const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/;

/** Shared by all pools of the thread, so that what one of them learns about an address applies to the others. */
const routes = new Map<string, PostgresRoute>();
export function postgresRoute(url: string): PostgresRoute {
  let route = routes.get(url);
  if (route === undefined) routes.set(url, (route = createRoute(url)));
  return route;
}

/** Returns the hosts that the URL names. */
export function postgresHosts(url: string): string[] {
  return postgresAddresses(url).map(({ host }) => host);
}

export function postgresAddresses(url: string): Address[] {
  const [, , places = ''] = parts.exec(url) ?? [];
  return places === '' ? [] : places.split(',').map(parseAddress);
}

/**
 * Returns the URL of PostgreSQL itself if this one leads to a pooler in transaction mode: its parameter `direct` has the
 * addresses behind it. Through such a pooler, nothing works that outlives a transaction.
 */
export function directUrl(url: string): string | undefined {
  const [, before = '', , after = ''] = parts.exec(url) ?? [];
  const [path = '', query] = after.split('?');
  const parameters = new URLSearchParams(query);
  const direct = parameters.get('direct');
  parameters.delete('direct');
  return direct === null ? undefined : `${before}${direct}${path}?${parameters.toString()}`;
}

function createRoute(url: string): PostgresRoute {
  const [, before = '', places = '', after = ''] = parts.exec(url) ?? [];
  // A single address may be a load balancer's, which takes a moment to notice that a server became read-only.
  if (!places.includes(',') && !after.includes('target_session_attrs=read-write'))
    return { options: { connectionString: url }, addresses: 1, place: () => 0, reportReadOnly: () => {} };
  const addresses = postgresAddresses(url);
  const { host, port } = addresses[0]!;
  let current = 0;
  /** Many connections fail together; only the first of them moves on. */
  const advance = (from: number | undefined): void => {
    if (from === current) current = (current + 1) % addresses.length;
  };
  /** The address that a connection went to, by the remote end of its socket. */
  const addressBySocket = new Map<string, number>();

  /** Returns a socket that ignores where pg tells it to connect. */
  function stream(): Socket {
    const socket = new Socket();
    const connect = socket.connect.bind(socket) as (port: number, host: string) => Socket;
    let from = current;
    socket.once('connect', () => void addressBySocket.set(remoteEnd(socket), from));
    // The connection was refused, unreachable, or accepted without any response. Whoever waits for it gets the error at
    // once.
    const onFailure = (): void => void (socket.bytesRead === 0 && advance(from));
    socket.once('error', onFailure).once('close', onFailure);
    socket.connect = (() => {
      from = current;
      return connect(addresses[from]!.port, addresses[from]!.host);
    }) as Socket['connect'];
    return socket;
  }
  const reportReadOnly = (client: pg.ClientBase): void =>
    advance(
      addressBySocket.get(remoteEnd((client as unknown as { connection: { stream: Socket } }).connection.stream)),
    );
  async function onConnect(client: pg.ClientBase): Promise<void> {
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only');
    if (rows[0]?.transaction_read_only !== 'on') return;
    reportReadOnly(client);
    throw new Error('this PostgreSQL can only be read');
  }
  const connectionString = `${before}${isIPv6(host) ? `[${host}]` : host}:${port}${after}`;
  return {
    options: { connectionString, stream, onConnect },
    addresses: addresses.length,
    place: () => current,
    reportReadOnly,
  };
}

function parseAddress(text: string): Address {
  const [, v6, name, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+))(?::([0-9]+))?$/.exec(text) ?? [];
  const host = v6 ?? name;
  if (host === undefined) throw new Error(`HOSTYARD_DATABASE: ${text} is not an address`);
  return { host, port: Number(port ?? defaultPort) };
}

function remoteEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
