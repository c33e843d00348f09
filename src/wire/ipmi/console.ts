// The serial console of a server, over a session of its own: the pooled session can then be lost and reopened without
// the viewer noticing, and closing this one frees the console on the BMC for certain.

import { getDeviceId } from './commands/device.ts';
import { activatePayload, deactivatePayload, payloadCompletion, solRequest } from './commands/payload.ts';
import type { ActivatedPayload } from './commands/payload.ts';
import { decodeAnswer } from './connection.ts';
import type { Connection } from './connection.ts';
import { completion, IpmiError } from './error.ts';
import { deadlineIn, isPast } from './exchange.ts';
import type { Deadline } from './exchange.ts';
import { logout } from './login.ts';
import type { Session } from './session.ts';
import { payloadType } from './packet.ts';
import { SolLink } from './sol-link.ts';
import { solFromBmc, solFromConsole } from './sol.ts';

export interface SerialConsoleOptions {
  onData(data: Buffer): void;
  /** Once, when the console ends by itself: the BMC closed it, or has fallen silent. */
  onEnd(reason: IpmiError): void;
  /** When another session has the console: leave it to that one, or take it away. */
  whenTaken: 'fail' | 'takeOver';
}

export interface SerialConsole extends AsyncDisposable {
  /** Resolves when the BMC has taken every byte. */
  write(data: Buffer): Promise<void>;
  sendBreak(): Promise<void>;
  close(): Promise<void>;
}

const solHeaderBytes = 4;
const mostAcknowledgeable = 255;
const closeMs = 2_000;

export async function openSerialConsole(
  connection: Connection,
  options: SerialConsoleOptions,
  signal: AbortSignal | undefined,
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
    mostCharacters: Math.max(1, Math.min(payload.inboundBytes - solHeaderBytes, mostAcknowledgeable)),
    // As long as any other question may take: a controller that is busy with its chassis is silent for seconds, and whoever
    // gave up meanwhile would miss what the server prints.
    pace: { retransmitMs: timing.retransmitMs, attempts: Math.ceil(timing.deadlineMs / timing.retransmitMs) },
  });

  const release = (): boolean => {
    if (isOver) return false;
    isOver = true;
    connection.closers.delete(close);
    clearInterval(keepAlive);
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
    if (packet.isDeactivating) end('the BMC has closed the serial console');
  };

  // The pooled session is tended by the fleet; this one has nobody else.
  const keepAlive = setInterval(() => {
    if (performance.now() - session.lastHeardMs < timing.keepAliveMs) return;
    session
      .request(getDeviceId, null, deadlineIn(timing.deadlineMs, undefined))
      .catch(() => end('the BMC has fallen silent'));
  }, timing.keepAliveMs / 2);

  const close = async (): Promise<void> => {
    if (!release()) return;
    const closing = deadlineIn(Math.min(closeMs, timing.deadlineMs), undefined);
    try {
      await session.request(deactivatePayload, solRequest, closing);
      await logout(session, closing);
    } catch {
      session.abandon();
    }
  };

  connection.closers.add(close);
  return { write: (data) => link.write(data), sendBreak: () => link.sendBreak(), close, [Symbol.asyncDispose]: close };
}

/** Activation is sent once per session: after silence the session, and with it whatever was activated, is closed. */
async function activate(
  connection: Connection,
  whenTaken: 'fail' | 'takeOver',
  deadline: Deadline,
): Promise<{ session: Session; payload: ActivatedPayload }> {
  for (;;) {
    const session = await connection.openSession(deadline);
    try {
      let answer = await session.requestOnce(activatePayload, solRequest, deadline);
      if (answer.completionCode === payloadCompletion.alreadyActive && whenTaken === 'takeOver') {
        await session.request(deactivatePayload, solRequest, deadline);
        answer = await session.requestOnce(activatePayload, solRequest, deadline);
      }
      refuseUnlessActive(answer.completionCode);
      return { session, payload: decodeAnswer(activatePayload, answer) };
    } catch (error) {
      await logout(session, deadline).catch(() => {});
      if (!(error instanceof IpmiError) || error.kind !== 'timeout' || isPast(deadline)) throw error;
    }
  }
}

function refuseUnlessActive(completionCode: number): void {
  if (completionCode === completion.ok) return;
  const { alreadyActive, limitReached, disabled } = payloadCompletion;
  if (completionCode === alreadyActive || completionCode === limitReached) {
    throw new IpmiError('busy', 'the serial console is in use by another session', { completionCode });
  }
  if (completionCode === disabled) {
    throw new IpmiError('unsupported', 'the serial console is disabled on this BMC', { completionCode });
  }
}
