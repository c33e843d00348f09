// How a session comes to be: Open Session, RAKP 1 to 4, Set Session Privilege. The BMC proves in RAKP 2 that it knows
// the password before we prove it in RAKP 3, so a wrong password is known at once and never guessed from silence.

import type { KeyObject } from 'node:crypto';
import { closeSession, privileges, setSessionPrivilege } from './commands/session.ts';
import type { Privilege } from './commands/session.ts';
import type { Codec } from './codec.ts';
import { completion, IpmiError } from './error.ts';
import { exchange } from './exchange.ts';
import type { Deadline, Pace } from './exchange.ts';
import {
  isAccepted,
  openSessionRequest,
  openSessionResponse,
  rakp1,
  rakp2,
  rakp3,
  rakp4,
  rakpStatus,
} from './handshake.ts';
import { bmcProof, consoleProof, finalCheck, isSameSecret, sessionIntegrityKey, sessionKeys } from './keys.ts';
import type { KeyExchange } from './keys.ts';
import { encodeOpen, payloadType } from './packet.ts';
import { randomBuffer } from './random.ts';
import { Session } from './session.ts';
import type { CipherSuite } from './suite.ts';
import { suiteOfAlgorithms } from './suite.ts';
import type { Peer } from './transport.ts';

export interface Credentials {
  username: string;
  password: KeyObject;
  kg: KeyObject | undefined;
  privilege: Privilege;
}

const nameOnlyLookup = 0x10;

const statusKinds = new Map<number, IpmiError['kind']>([
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

function refusal(what: string, status: number): IpmiError {
  const code = status.toString(16).padStart(2, '0');
  return new IpmiError(statusKinds.get(status) ?? 'badAnswer', `the BMC answered ${what} with status 0x${code}`);
}

export async function login(
  peer: Peer,
  credentials: Credentials,
  suite: CipherSuite,
  pace: Pace,
  deadline: Deadline,
): Promise<Session> {
  const consoleSessionId = randomSessionId();
  // The tag ties an answer to this very login: the one before may have left datagrams behind.
  let tag = randomBuffer(1).readUInt8();

  const ask = async <Answer extends { tag: number; status: number }>(
    what: string,
    type: number,
    payload: Buffer,
    answerType: number,
    answer: Codec<Answer>,
  ): Promise<Answer> => {
    const datagram = encodeOpen(type, payload);
    const expectedTag = tag;
    tag = (tag + 1) & 0xff;
    return exchange(pace, deadline, {
      what,
      transmit: () => peer.send(datagram),
      listen: (answered) =>
        peer.receive(consoleSessionId, (packet) => {
          if (packet.format !== 'rmcpPlus' || packet.payloadType !== answerType) return;
          const value = answer.decode(packet.payload);
          if (value?.tag === expectedTag) answered(value);
        }),
    });
  };

  const privilege = privileges[credentials.privilege];
  const opening = openSessionRequest.encode({ tag, privilege, consoleSessionId, ...suite });
  const opened = await ask(
    'Open Session',
    payloadType.openSessionRequest,
    opening,
    payloadType.openSessionResponse,
    openSessionResponse,
  );
  if (!isAccepted(opened)) throw refusal('Open Session', opened.status);
  if (suiteOfAlgorithms(opened) !== suite) {
    throw new IpmiError('badAnswer', 'the BMC chose algorithms that were not proposed');
  }

  const { bmcSessionId } = opened;
  const consoleRandom = randomBuffer(16);
  const { username, password, kg } = credentials;
  const role = nameOnlyLookup | privilege;
  const greeting = rakp1.encode({ tag, bmcSessionId, consoleRandom, role, username });
  const proven = await ask('RAKP 1', payloadType.rakp1, greeting, payloadType.rakp2, rakp2);
  if (!isAccepted(proven)) throw refusal('RAKP 1', proven.status);
  const { bmcRandom, bmcGuid } = proven;
  const keyExchange: KeyExchange = {
    suite,
    consoleSessionId,
    bmcSessionId,
    consoleRandom,
    bmcRandom,
    bmcGuid,
    role,
    username,
  };
  if (!isSameSecret(proven.keyExchangeCode, bmcProof(keyExchange, password))) {
    // Tells the BMC to forget the half-open session; whether it hears does not matter.
    const farewell = { tag, status: rakpStatus.invalidIntegrityCheck, bmcSessionId, keyExchangeCode: Buffer.alloc(0) };
    peer.send(encodeOpen(payloadType.rakp3, rakp3.encode(farewell)));
    throw new IpmiError('auth', 'the BMC does not hold the password that was given for this user');
  }

  const proof = { tag, status: 0, bmcSessionId, keyExchangeCode: consoleProof(keyExchange, password) };
  const confirmed = await ask('RAKP 3', payloadType.rakp3, rakp3.encode(proof), payloadType.rakp4, rakp4);
  if (!isAccepted(confirmed)) throw refusal('RAKP 3', confirmed.status);
  const integrityKey = sessionIntegrityKey(keyExchange, kg ?? password);
  if (!isSameSecret(confirmed.integrityCheck, finalCheck(keyExchange, integrityKey))) {
    throw new IpmiError('auth', 'the BMC holds another K_g');
  }

  const session = new Session({ peer, pace, consoleSessionId, bmcSessionId, keys: sessionKeys(suite, integrityKey) });
  try {
    const answer = await session.request(setSessionPrivilege, privilege, deadline);
    if (answer.completionCode !== completion.ok) {
      throw new IpmiError('auth', `the BMC does not grant the privilege ${credentials.privilege}`, answer);
    }
    return session;
  } catch (error) {
    session.abandon();
    throw error;
  }
}

/** Closes in good order: the BMC has few sessions and forgets an unclosed one only after its own idle time. */
export async function logout(session: Session, deadline: Deadline): Promise<void> {
  try {
    await session.request(closeSession, session.bmcSessionId, deadline);
  } finally {
    session.end();
  }
}

function randomSessionId(): number {
  const id = randomBuffer(4).readUInt32LE();
  return id === 0 ? randomSessionId() : id;
}
