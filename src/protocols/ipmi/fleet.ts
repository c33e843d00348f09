// The entry point of the client: two ports for any number of BMCs, one for commands and one for serial consoles, and one
// timer that maintains their sessions.
import type { PresencePong } from './asf.ts';
import { createBmc, type Bmc } from './bmc.ts';
import type { Privilege } from './commands/session.ts';
import { Connection, type Timing } from './connection.ts';
import { IpmiError } from './error.ts';
import { deadlineIn, requestMs } from './exchange.ts';
import { secretKey } from './keys.ts';
import type { PowerTiming } from './power.ts';
import { ping } from './sessionless.ts';
import { openIpmiTransport } from './transport.ts';

export interface BmcAddress {
  /** An IPv4 or IPv6 address, not a name. */
  address: string;
  /** Defaults to 623. */
  port?: number;
}

export interface BmcLogin extends BmcAddress {
  username: string;
  password: string;
  /** The BMC key, if one is set: at most 20 bytes. */
  kg?: Buffer;
  /** The requested privilege; defaults to administrator. */
  privilege?: Privilege;
  /** For a BMC that is slower than most. */
  waits?: BmcWaits;
}

export interface BmcWaits {
  /** Of one request, with its retransmissions. */
  responseMs: number | undefined;
  /** Of a call. */
  commandMs: number;
}

export type FleetOptions = Partial<Timing & PowerTiming>;

export interface Fleet extends AsyncDisposable {
  bmc(login: BmcLogin): Bmc;
  /** Checks whether an address speaks IPMI, without a password. */
  ping(address: BmcAddress, signal?: AbortSignal): Promise<PresencePong>;
  /** Closes all sessions, then the sockets. */
  close(): Promise<void>;
}

const defaults: Timing & PowerTiming = {
  retransmitMs: 500,
  attempts: 4,
  deadlineMs: 10_000,
  // The shortest idle timeout seen in practice is 30 seconds.
  keepAliveMs: 20_000,
  idleCloseMs: 180_000,
  settleMs: 5_000,
  pollMs: 250,
  offMs: 5_000,
};

/** The share of a call in which a changed power state has to show. */
const settleShare = 5 / 8;
/** Callers end calls with their signals; this is for those without. */
const callMarginMs = 2000;

function timingFor(timing: Timing & PowerTiming, waits: BmcWaits | undefined): Timing & PowerTiming {
  if (waits === undefined) return timing;
  return {
    ...timing,
    retransmitMs: timing.retransmitMs * ((waits.responseMs ?? requestMs(timing)) / requestMs(timing)),
    deadlineMs: Math.max(timing.deadlineMs, waits.commandMs + callMarginMs),
    settleMs: Math.max(timing.settleMs, waits.commandMs * settleShare),
  };
}

const standardPort = 623;
const maxKgBytes = 20;
const maxNameBytes = 16;
const maxPasswordBytes = 20;

function rejectInvalidLogin(login: BmcLogin): void {
  const nameBytes = Buffer.byteLength(login.username, 'latin1');
  if (nameBytes === 0) throw new IpmiError('auth', 'anonymous logins are not supported');
  if (nameBytes > maxNameBytes) throw new IpmiError('auth', `a user name has at most ${maxNameBytes} bytes`);
  if (Buffer.byteLength(login.password, 'latin1') > maxPasswordBytes) {
    throw new IpmiError('auth', `a password has at most ${maxPasswordBytes} bytes`);
  }
  if ((login.kg?.length ?? 0) > maxKgBytes) throw new IpmiError('auth', `K_g has at most ${maxKgBytes} bytes`);
}

export async function openFleet(options: FleetOptions = {}): Promise<Fleet> {
  const timing = { ...defaults, ...options };
  const commands = await openIpmiTransport();
  const consoles = await openIpmiTransport();
  const connections = new Set<Connection>();
  const clock = setInterval(() => {
    for (const connection of connections) connection.maintain();
  }, timing.keepAliveMs / 4);

  const close = async (): Promise<void> => {
    clearInterval(clock);
    await Promise.all([...connections].map((connection) => connection.close()));
    connections.clear();
    await Promise.all([commands.close(), consoles.close()]);
  };

  return {
    bmc: (login) => {
      rejectInvalidLogin(login);
      const credentials = {
        username: login.username,
        password: secretKey(login.password),
        kg: login.kg && secretKey(login.kg),
        privilege: login.privilege ?? 'administrator',
      };
      const { address, port = standardPort } = login;
      const routes = {
        commands: commands.peer(address, port),
        consoles: consoles.peer(address, port),
        openPort: async () => {
          const transport = await openIpmiTransport();
          return { peer: transport.peer(address, port), close: () => transport.close() };
        },
      };
      const bmcTiming = timingFor(timing, login.waits);
      const connection = new Connection(routes, credentials, bmcTiming);
      connections.add(connection);
      return createBmc(connection, bmcTiming, () => connections.delete(connection));
    },
    ping: ({ address, port = standardPort }, signal) =>
      ping(commands.peer(address, port), timing, deadlineIn(timing.deadlineMs, signal)),
    close,
    [Symbol.asyncDispose]: close,
  };
}
