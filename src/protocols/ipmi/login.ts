// Establishes a session: Open Session, RAKP 1 to 4, Set Session Privilege Level. The BMC proves in RAKP 2 that it knows
// the password before we do in RAKP 3, so a wrong password is detected reliably, not inferred from silence.
import type { KeyObject } from 'node:crypto';
import { closeSession, privileges, setSessionPrivilege, type Privilege } from './commands/session.ts';
import type { Codec } from './codec.ts';
import { completion, IpmiError } from './error.ts';
import { exchange, type Deadline, type RetryPolicy } from './exchange.ts';
import { openSessionRequest, openSessionResponse, rakp1, rakp2, rakp3, rakp4, rakpStatus } from './handshake.ts';
import {
  bmcProof,
  consoleProof,
  finalCheck,
  isSameSecret,
  sessionIntegrityKey,
  sessionKeys,
  type KeyExchange,
} from './keys.ts';
import { encodeUnprotected, payloadType } from './packet.ts';
import { randomBuffer } from './random.ts';
import { Session } from './session.ts';
import { findSuite, type CipherSuite } from './suite.ts';
import type { Peer } from './transport.ts';

export interface Credentials {
  username: string;
  password: KeyObject;
  kg: KeyObject | undefined;
  privilege: Privilege;
}

const nameOnlyLookup = 0x10;

const errorKindByStatus = new Map<number, IpmiError['kind']>([
  [rakpStatus.insufficientResources, 'busy'],
  [rakpStatus.insufficientResourcesForRole, 'busy'],
  [rakpStatus.invalidRole, 'auth'],
  [rakpStatus.unauthorizedRole, 'auth'],
  [rakpStatus.unauthorizedName, 'auth'],
  [rakpStatus.invalidIntegrityCheck, 'auth'],
  [rakpStatus.invalidAuthentication, 'unsupported'],
  [rakpStatus.invalidIntegrity, 'unsupported'],
  [rakpStatus.invalidConfidentiality, 'unsupported'],
  [rakpStatus.noMatchingSuite, 'unsupported'],
]);

function statusError(what: string, status: number): IpmiError {
  const code = status.toString(16).padStart(2, '0');
  return new IpmiError(
    errorKindByStatus.get(status) ?? 'badResponse',
    `the BMC responded to ${what} with status 0x${code}`,
  );
}

export async function login(
  peer: Peer,
  credentials: Credentials,
  suite: CipherSuite,
  pace: RetryPolicy,
  deadline: Deadline,
): Promise<Session> {
  const consoleSessionId = randomSessionId();
  // The tag matches responses to this login, because an earlier one may have left datagrams behind.
  let tag = randomBuffer(1).readUInt8();

  /** Returns the response if the BMC accepted the step. */
  const exchangeStep = async <Response extends { tag: number; status: number }>(
    what: string,
    type: number,
    payload: Buffer,
    responseType: number,
    codec: Codec<Response>,
  ): Promise<Extract<Response, { status: 0 }>> => {
    const datagram = encodeUnprotected(type, payload);
    const expectedTag = tag;
    tag = (tag + 1) & 0xff;
    const response = await exchange<Response>(pace, deadline, {
      what,
      transmit: () => peer.send(datagram),
      listen: (onResponse) =>
        peer.receive(consoleSessionId, (packet) => {
          if (packet.format !== 'rmcpPlus' || packet.payloadType !== responseType) return;
          const value = codec.decode(packet.payload);
          if (value?.tag === expectedTag) onResponse(value);
        }),
    });
    if (response.status !== rakpStatus.ok) throw statusError(what, response.status);
    return response as Extract<Response, { status: 0 }>;
  };

  const privilege = privileges[credentials.privilege];
  const openRequest = openSessionRequest.encode({ tag, privilege, consoleSessionId, ...suite });
  const openResponse = await exchangeStep(
    'Open Session',
    payloadType.openSessionRequest,
    openRequest,
    payloadType.openSessionResponse,
    openSessionResponse,
  );
  if (findSuite(openResponse) !== suite) {
    throw new IpmiError('unsupported', 'the BMC chose algorithms that were not proposed');
  }

  const { bmcSessionId } = openResponse;
  const consoleRandom = randomBuffer(16);
  const { username, password, kg } = credentials;
  const role = nameOnlyLookup | privilege;
  const rakp1Request = rakp1.encode({ tag, bmcSessionId, consoleRandom, role, username });
  const rakp2Response = await exchangeStep('RAKP 1', payloadType.rakp1, rakp1Request, payloadType.rakp2, rakp2);
  const { bmcRandom, bmcGuid } = rakp2Response;
  const exchanged = { suite, consoleSessionId, bmcSessionId, consoleRandom, bmcRandom, bmcGuid, username };
  // Some BMCs use the privilege in Open Session, where the specification says the role in RAKP 1.
  const keyExchange = [role, privilege]
    .map((hashedRole): KeyExchange => ({ ...exchanged, role: hashedRole }))
    .find((candidate) => isSameSecret(rakp2Response.keyExchangeCode, bmcProof(candidate, password)));
  if (keyExchange === undefined) {
    // Lets the BMC discard the half-open session; it may get lost.
    const abortMessage = {
      tag,
      status: rakpStatus.invalidIntegrityCheck,
      bmcSessionId,
      keyExchangeCode: Buffer.alloc(0),
    };
    peer.send(encodeUnprotected(payloadType.rakp3, rakp3.encode(abortMessage)));
    throw new IpmiError('auth', 'the BMC has a different password for this user');
  }

  const proof = { tag, status: 0, bmcSessionId, keyExchangeCode: consoleProof(keyExchange, password) };
  const rakp4Response = await exchangeStep('RAKP 3', payloadType.rakp3, rakp3.encode(proof), payloadType.rakp4, rakp4);
  const integrityKey = sessionIntegrityKey(keyExchange, kg ?? password);
  if (!isSameSecret(rakp4Response.integrityCheck, finalCheck(keyExchange, integrityKey))) {
    throw new IpmiError('auth', 'the BMC has a different K_g');
  }

  const session = new Session({ peer, pace, consoleSessionId, bmcSessionId, keys: sessionKeys(suite, integrityKey) });
  try {
    const response = await session.request(setSessionPrivilege, privilege, deadline);
    if (response.completionCode !== completion.ok) {
      throw new IpmiError('auth', `the BMC does not grant the privilege ${credentials.privilege}`, response);
    }
    return session;
  } catch (error) {
    session.abandon();
    throw error;
  }
}

/** Closes the session properly: BMCs have few sessions, and an unclosed one stays until its idle timeout. */
export async function logout(session: Session, deadline: Deadline): Promise<void> {
  try {
    await session.request(closeSession, { id: session.bmcSessionId }, deadline);
  } finally {
    session.end();
  }
}

function randomSessionId(): number {
  const id = randomBuffer(4).readUInt32LE();
  return id === 0 ? randomSessionId() : id;
}
