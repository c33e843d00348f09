// The serial console of a server, in a separate session: the pooled session can then be reopened without affecting
// the viewer, and closing this session reliably frees the console on the BMC. Commands that only ask or can be repeated use
// this session too, instead of a second one.
import {
  activatePayload,
  alreadyInactive,
  deactivatePayload,
  payloadCompletion,
  solRequest,
  type ActivatedPayload,
} from './commands/payload.ts';
import { decodeCommandResponse, type Connection } from './connection.ts';
import { completion, IpmiError } from './error.ts';
import { deadlineIn, isPast, type Deadline } from './exchange.ts';
import { logout } from './login.ts';
import type { Session } from './session.ts';
import { payloadType } from './packet.ts';
import { SolLink } from './sol-link.ts';
import { solFromBmc, solFromConsole } from './sol.ts';

export interface SerialConsoleOptions {
  onData(data: Buffer): void;
  /** Called once, when the BMC closes the console or stops responding. */
  onEnd(reason: IpmiError): void;
  /** If another session has the console: fail, or take it over. */
  whenTaken: 'fail' | 'takeOver';
}

export interface SerialConsole extends AsyncDisposable {
  /** Resolves when the BMC has accepted all bytes. */
  write(data: Buffer): Promise<void>;
  sendBreak(): Promise<void>;
  close(): Promise<void>;
}

const solHeaderBytes = 4;
const maxAcknowledgeable = 255;
const closeTimeoutMs = 2_000;

export async function openSerialConsole(
  connection: Connection,
  options: SerialConsoleOptions,
  signal?: AbortSignal,
): Promise<SerialConsole> {
  const deadline = deadlineIn(connection.timing.deadlineMs, signal);
  const { session, payload } = await activate(connection, options.whenTaken, deadline);
  const { timing } = connection;
  let isOver = false;

  const link = new SolLink({
    send: (packet) => session.send(payloadType.sol, solFromConsole.encode(packet)),
    onData: (data) => options.onData(data),
    onBreak: () => {},
    onSilence: () => end('the BMC no longer acknowledges the serial console'),
    maxCharacters: Math.max(1, Math.min(payload.inboundBytes - solHeaderBytes, maxAcknowledgeable)),
    // As long as any other request: a BMC that is busy with its chassis is silent for seconds, and giving up earlier
    // would lose output of the server.
    pace: { retransmitMs: timing.retransmitMs, attempts: Math.ceil(timing.deadlineMs / timing.retransmitMs) },
  });

  const release = (): boolean => {
    if (isOver) return false;
    isOver = true;
    connection.closers.delete(close);
    connection.removeConsole(shared);
    link.close();
    session.onSol = undefined;
    return true;
  };

  const end = (text: string): void => {
    if (!release()) return;
    session.abandon();
    options.onEnd(new IpmiError('timeout', text));
  };

  session.onSol = (bytes) => {
    const packet = solFromBmc.decode(bytes);
    if (packet === undefined) return;
    link.receive(packet);
    if (packet.isDeactivating) end('the BMC closed the serial console');
  };

  // Some BMCs count only commands as activity: without any, they close the session in the middle of the output, and discard
  // the rest.
  const shared = { session, onSilence: () => end('the BMC stopped responding') };
  connection.addConsole(shared);

  const close = async (): Promise<void> => {
    if (!release()) return;
    const closeDeadline = deadlineIn(Math.min(closeTimeoutMs, timing.deadlineMs), undefined);
    try {
      await session.request(deactivatePayload, solRequest, closeDeadline);
      await logout(session, closeDeadline);
    } catch {
      session.abandon();
    }
  };

  connection.closers.add(close);
  return { write: (data) => link.write(data), sendBreak: () => link.sendBreak(), close, [Symbol.asyncDispose]: close };
}

/** Ends the console of any session. Does nothing if there is none, or the BMC has the serial console disabled. */
export function endSerialConsole(connection: Connection, signal?: AbortSignal): Promise<void> {
  return connection.exclusive(signal, async (deadline) => {
    const response = await connection.repeatForResponse(deactivatePayload, solRequest, deadline);
    if (![alreadyInactive, payloadCompletion.disabled].includes(response.completionCode))
      decodeCommandResponse(deactivatePayload, response);
  });
}

/** Sends the activation once per session: after a timeout the session is closed, and with it anything it activated. */
async function activate(
  connection: Connection,
  whenTaken: 'fail' | 'takeOver',
  deadline: Deadline,
): Promise<{ session: Session; payload: ActivatedPayload }> {
  for (;;) {
    const session = await connection.openSession(deadline, 'consoles');
    try {
      let response = await session.requestOnce(activatePayload, solRequest, deadline);
      if (response.completionCode === payloadCompletion.alreadyActive && whenTaken === 'takeOver') {
        await session.request(deactivatePayload, solRequest, deadline);
        response = await session.requestOnce(activatePayload, solRequest, deadline);
      }
      requireActivated(response.completionCode);
      return { session, payload: decodeCommandResponse(activatePayload, response) };
    } catch (error) {
      await logout(session, deadline).catch(() => {});
      if (!(error instanceof IpmiError) || error.kind !== 'timeout' || isPast(deadline)) throw error;
    }
  }
}

function requireActivated(completionCode: number): void {
  if (completionCode === completion.ok) return;
  const { alreadyActive, limitReached, disabled } = payloadCompletion;
  if (completionCode === alreadyActive || completionCode === limitReached) {
    throw new IpmiError('busy', 'the serial console is in use by another session', { completionCode });
  }
  if (completionCode === disabled) {
    throw new IpmiError('unsupported', 'the serial console is disabled on this BMC', { completionCode });
  }
}
