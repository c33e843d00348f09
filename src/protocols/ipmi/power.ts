// Power actions over a network that loses, duplicates and delays datagrams. Every action follows these rules:
//
//   1. The state is read first, in the same session, which shows that the session is alive and what the state was.
//   2. The chassis control is sent ONCE. A response completes the action.
//   3. Without a response, a fence follows: the session's sequence numbers advance until the BMC must discard the
//      datagram if it still arrives. After that, the control has either run or never will. A late response that arrives
//      during the fence counts.
//   4. The state is read. If it shows that the control ran, the action succeeded. `on` and `off` lead to a state: if that
//      state is not reached, the control has not run and may be sent again, from 1. `cycle`, `reset`, `soft` and
//      `diagnostic` leave no such evidence: unless the state shows the effect, the error has `outcome: 'unknown'`, and
//      nothing is sent again.
//
// `powerCycle` consists of `off` and `on`, both verified by their state, so it always runs exactly once.
import { chassisControl, getChassisStatus, type ChassisControl } from './commands/chassis.ts';
import { decodeCommandResponse, type Connection } from './connection.ts';
import { IpmiError } from './error.ts';
import { deadlineIn, isPast, pause, type Deadline } from './exchange.ts';
import type { CommandResponse, Session } from './session.ts';

export type PowerState = 'on' | 'off';

export interface PowerTiming {
  /** How long a BMC may take to report a state that it is changing to. */
  settleMs: number;
  /** How often the state is read while waiting. */
  pollMs: number;
  /** How long `powerCycle` leaves the power off. */
  offMs: number;
}

async function readState(connection: Connection, deadline: Deadline): Promise<PowerState> {
  const status = await connection.repeat(getChassisStatus, null, deadline);
  return status.isPowerOn ? 'on' : 'off';
}

async function waitForState(
  connection: Connection,
  target: PowerState,
  timing: PowerTiming,
  deadline: Deadline,
): Promise<boolean> {
  const untilMs = performance.now() + timing.settleMs;
  for (;;) {
    if ((await readState(connection, deadline)) === target) return true;
    if (performance.now() >= untilMs) return false;
    await pause(timing.pollMs, deadline, 'the change of the power state');
  }
}

/** Sends the control once. Returns true if the BMC accepted it, false after a timeout and a fence. */
async function sendControlOnce(connection: Connection, control: ChassisControl, deadline: Deadline): Promise<boolean> {
  const session = await connection.session(deadline);
  try {
    decodeCommandResponse(chassisControl, await session.requestOnce(chassisControl, control, deadline));
    return true;
  } catch (error) {
    if (!(error instanceof IpmiError) || error.kind !== 'timeout') throw error;
    if (isPast(deadline)) throw unknownOutcome(control, error);
  }
  const lateResponse = await fence(connection, session, control, deadline);
  if (lateResponse === undefined) return false;
  decodeCommandResponse(chassisControl, lateResponse);
  return true;
}

async function fence(
  connection: Connection,
  session: Session,
  control: ChassisControl,
  deadline: Deadline,
): Promise<CommandResponse | undefined> {
  try {
    return await session.fence(getChassisStatus, deadline);
  } catch (error) {
    // The session is gone, and with it everything sent in it.
    connection.drop(session);
    if (isPast(deadline)) throw unknownOutcome(control, error);
    return undefined;
  }
}

function unknownOutcome(control: ChassisControl, cause: unknown): IpmiError {
  return new IpmiError('timeout', `outcome unknown: the BMC stopped responding to the chassis control ${control}`, {
    outcome: 'unknown',
    cause,
  });
}

/** After a control was sent, any failure to verify it is an unknown outcome. */
async function withUnknownOutcome<Result>(control: ChassisControl, verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof IpmiError && error.outcome === 'unknown') throw error;
    throw unknownOutcome(control, error);
  }
}

/** Sets the power state; does nothing if it is already set. Must run exclusively. */
async function reachState(
  connection: Connection,
  target: PowerState,
  timing: PowerTiming,
  deadline: Deadline,
): Promise<void> {
  if ((await readState(connection, deadline)) === target) return;
  while (!(await sendControlOnce(connection, target, deadline))) {
    if (await withUnknownOutcome(target, () => waitForState(connection, target, timing, deadline))) return;
  }
}

/** States by which a control without lasting effect can be observed, if read in time. */
const transientStates: Partial<Record<ChassisControl, PowerState>> = { cycle: 'off', soft: 'off' };

export async function controlPower(
  connection: Connection,
  control: ChassisControl,
  timing: PowerTiming,
  signal?: AbortSignal,
): Promise<void> {
  await connection.exclusive(signal, async (deadline) => {
    if (control === 'on' || control === 'off') {
      await reachState(connection, control, timing, deadline);
      return;
    }
    const stateBefore = await readState(connection, deadline);
    if (await sendControlOnce(connection, control, deadline)) return;
    const evidence = transientStates[control];
    const hasRun =
      evidence !== undefined &&
      evidence !== stateBefore &&
      (await withUnknownOutcome(control, () => waitForState(connection, evidence, timing, deadline)));
    if (!hasRun) throw unknownOutcome(control, undefined);
  });
}

/** Powers off, waits, and powers on; ends with the power on, whatever it was before. */
export async function powerCycle(connection: Connection, timing: PowerTiming, signal?: AbortSignal): Promise<void> {
  const reachAndVerify = (target: PowerState): Promise<void> =>
    connection.exclusive(signal, async (deadline) => {
      await reachState(connection, target, timing, deadline);
      while (!(await withUnknownOutcome(target, () => waitForState(connection, target, timing, deadline))));
    });
  await reachAndVerify('off');
  // From here on, we may have turned the power off, so no error may claim that nothing changed.
  await withUnknownOutcome('on', async () => {
    await pause(timing.offMs, deadlineIn(2 * timing.offMs + 1_000, signal), 'the power-off time');
    await reachAndVerify('on');
  });
}
