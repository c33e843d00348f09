// Power actions over a network that loses, doubles and delays datagrams. The rule, for every action:
//
//   1. The state is read first, in the same session: it shows that the session lives and what there was before.
//   2. The chassis control is sent ONCE. An answer ends the matter.
//   3. After silence a fence goes up: the session's sequence numbers are moved on until the BMC must refuse the
//      datagram if it still comes. From then on the control has either run or never will. An answer that comes late,
//      while the fence goes up, counts.
//   4. The state is read. If it shows that the control ran, that is success. `on` and `off` lead to a state, so if that
//      state is not reached, the control has not run and may be sent again, from 1. `cycle`, `reset`, `soft` and
//      `diagnostic` leave no such mark: unless the state shows the effect, the failure says `outcome: 'unknown'`, and
//      nothing is sent again.
//
// `powerCycle` is made of `off` and `on`, both seen by their state, so it needs no luck to run exactly once.

import { chassisControl, getChassisStatus } from './commands/chassis.ts';
import type { ChassisControl } from './commands/chassis.ts';
import { decodeAnswer } from './connection.ts';
import type { Connection } from './connection.ts';
import { IpmiError } from './error.ts';
import { deadlineIn, isPast, pause } from './exchange.ts';
import type { Deadline } from './exchange.ts';
import type { Answer, Session } from './session.ts';

export type PowerState = 'on' | 'off';

export interface PowerTiming {
  /** How long a BMC may take to show in its state what it has begun to do. */
  settleMs: number;
  /** How often the state is read meanwhile. */
  pollMs: number;
  /** How long `powerCycle` leaves the power off. */
  offMs: number;
}

async function readState(connection: Connection, deadline: Deadline): Promise<PowerState> {
  const status = await connection.repeat(getChassisStatus, null, deadline);
  return status.isPowerOn ? 'on' : 'off';
}

async function seesState(
  connection: Connection,
  wanted: PowerState,
  timing: PowerTiming,
  deadline: Deadline,
): Promise<boolean> {
  const untilMs = performance.now() + timing.settleMs;
  for (;;) {
    if ((await readState(connection, deadline)) === wanted) return true;
    if (performance.now() >= untilMs) return false;
    await pause(timing.pollMs, deadline, 'the change of the power state');
  }
}

/** Sends the control once: true when the BMC answered that it runs it, false after silence and a fence. */
async function sendOnce(connection: Connection, control: ChassisControl, deadline: Deadline): Promise<boolean> {
  const session = await connection.session(deadline);
  try {
    decodeAnswer(chassisControl, await session.requestOnce(chassisControl, control, deadline));
    return true;
  } catch (error) {
    if (!(error instanceof IpmiError) || error.kind !== 'timeout') throw error;
    if (isPast(deadline)) throw unknownOutcome(control, error);
  }
  const lateAnswer = await fence(connection, session, control, deadline);
  if (lateAnswer === undefined) return false;
  decodeAnswer(chassisControl, lateAnswer);
  return true;
}

async function fence(
  connection: Connection,
  session: Session,
  control: ChassisControl,
  deadline: Deadline,
): Promise<Answer | undefined> {
  try {
    return await session.fence(getChassisStatus, deadline);
  } catch (error) {
    // The session is gone, and with it whatever was sent in it.
    connection.drop(session);
    if (isPast(deadline)) throw unknownOutcome(control, error);
    return undefined;
  }
}

function unknownOutcome(control: ChassisControl, cause: unknown): IpmiError {
  return new IpmiError('timeout', `outcome unknown: the BMC fell silent on the chassis control ${control}`, {
    outcome: 'unknown',
    cause,
  });
}

/** After a control was sent, a failure to find out what became of it is an unknown outcome. */
async function deciding<Result>(control: ChassisControl, decide: () => Promise<Result>): Promise<Result> {
  try {
    return await decide();
  } catch (error) {
    if (error instanceof IpmiError && error.outcome === 'unknown') throw error;
    throw unknownOutcome(control, error);
  }
}

/** Within one's turn: makes the power so. What is so already succeeds and does nothing. */
async function reachState(
  connection: Connection,
  wanted: PowerState,
  timing: PowerTiming,
  deadline: Deadline,
): Promise<void> {
  if ((await readState(connection, deadline)) === wanted) return;
  while (!(await sendOnce(connection, wanted, deadline))) {
    if (await deciding(wanted, () => seesState(connection, wanted, timing, deadline))) return;
  }
}

/** The state by which a control without a lasting mark shows that it ran, if it is caught in time. */
const passingMarks: Partial<Record<ChassisControl, PowerState>> = { cycle: 'off', soft: 'off' };

export async function controlPower(
  connection: Connection,
  control: ChassisControl,
  timing: PowerTiming,
  signal: AbortSignal | undefined,
): Promise<void> {
  await connection.exclusive(signal, async (deadline) => {
    if (control === 'on' || control === 'off') {
      await reachState(connection, control, timing, deadline);
      return;
    }
    const before = await readState(connection, deadline);
    if (await sendOnce(connection, control, deadline)) return;
    const mark = passingMarks[control];
    const hasRun =
      mark !== undefined &&
      mark !== before &&
      (await deciding(control, () => seesState(connection, mark, timing, deadline)));
    if (!hasRun) throw unknownOutcome(control, undefined);
  });
}

/** Off, a while of nothing, on: ends with the power on, whatever it was before. */
export async function powerCycle(
  connection: Connection,
  timing: PowerTiming,
  signal: AbortSignal | undefined,
): Promise<void> {
  const reachAndSee = (wanted: PowerState): Promise<void> =>
    connection.exclusive(signal, async (deadline) => {
      await reachState(connection, wanted, timing, deadline);
      while (!(await deciding(wanted, () => seesState(connection, wanted, timing, deadline))));
    });
  await reachAndSee('off');
  // From here on the power may be off by our doing: no failure may say that nothing has changed.
  await deciding('on', async () => {
    await pause(timing.offMs, deadlineIn(2 * timing.offMs + 1_000, signal), 'the power to stay off');
    await reachAndSee('on');
  });
}
