// Where a caller begins: one transport, as many BMCs as there are, and one clock that tends all their sessions.

import type { PresencePong } from './asf.ts';
import { makeBmc } from './bmc.ts';
import type { Bmc } from './bmc.ts';
import type { Privilege } from './commands/session.ts';
import { Connection } from './connection.ts';
import type { Timing } from './connection.ts';
import { IpmiError } from './error.ts';
import { deadlineIn } from './exchange.ts';
import { secretKey } from './keys.ts';
import type { PowerTiming } from './power.ts';
import { ping } from './sessionless.ts';
import { openIpmiTransport } from './transport.ts';

export interface BmcAddress {
  /** An IPv4 or IPv6 address, not a name. */
  address: string;
  /** 623 unless said otherwise. */
  port?: number;
}

export interface BmcLogin extends BmcAddress {
  username: string;
  password: string;
  /** The BMC's own key, where one is set: twenty bytes at most. */
  kg?: Buffer;
  /** The privilege to ask for; administrator unless said otherwise. */
  privilege?: Privilege;
}

export type FleetOptions = Partial<Timing & PowerTiming>;

export interface Fleet extends AsyncDisposable {
  bmc(login: BmcLogin): Bmc;
  /** Whether something at this address speaks IPMI; needs no password. */
  ping(address: BmcAddress, signal?: AbortSignal): Promise<PresencePong>;
  /** Closes every session, then the socket. */
  close(): Promise<void>;
}

const defaults: Timing & PowerTiming = {
  retransmitMs: 500,
  attempts: 4,
  deadlineMs: 10_000,
  // The shortest idle time that is met in the wild is thirty seconds.
  keepAliveMs: 12_000,
  idleCloseMs: 180_000,
  settleMs: 5_000,
  pollMs: 250,
  offMs: 5_000,
};

const standardPort = 623;
const mostKgBytes = 20;
const mostNameBytes = 16;
const mostPasswordBytes = 20;

function refuseUnusable(login: BmcLogin): void {
  const nameBytes = Buffer.byteLength(login.username, 'latin1');
  if (nameBytes === 0) throw new IpmiError('auth', 'an anonymous login is never tried');
  if (nameBytes > mostNameBytes) throw new IpmiError('auth', `a user name has at most ${mostNameBytes} bytes`);
  if (Buffer.byteLength(login.password, 'latin1') > mostPasswordBytes) {
    throw new IpmiError('auth', `a password has at most ${mostPasswordBytes} bytes`);
  }
  if ((login.kg?.length ?? 0) > mostKgBytes) throw new IpmiError('auth', `K_g has at most ${mostKgBytes} bytes`);
}

export async function openFleet(options: FleetOptions = {}): Promise<Fleet> {
  const timing = { ...defaults, ...options };
  const transport = await openIpmiTransport();
  const connections = new Set<Connection>();
  // Failures of tending show in the next call; here nobody waits for them.
  const clock = setInterval(() => {
    for (const connection of connections) connection.tend().catch(() => {});
  }, timing.keepAliveMs / 4);

  const close = async (): Promise<void> => {
    clearInterval(clock);
    await Promise.all([...connections].map((connection) => connection.close()));
    connections.clear();
    await transport.close();
  };

  return {
    bmc: (login) => {
      refuseUnusable(login);
      const credentials = {
        username: login.username,
        password: secretKey(login.password),
        kg: login.kg && secretKey(login.kg),
        privilege: login.privilege ?? 'administrator',
      };
      const peer = transport.peer(login.address, login.port ?? standardPort);
      const connection = new Connection(peer, credentials, timing);
      connections.add(connection);
      return makeBmc(connection, timing, () => connections.delete(connection));
    },
    ping: ({ address, port = standardPort }, signal) =>
      ping(transport.peer(address, port), timing, deadlineIn(timing.deadlineMs, signal)),
    close,
    [Symbol.asyncDispose]: close,
  };
}
