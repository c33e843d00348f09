// The BMC's own restart. No session survives it, which is the mark by which it is known to have run: a session that
// answered just before and answers no more, while the BMC itself does.

import { coldReset, getDeviceId } from './commands/device.ts';
import { decodeAnswer } from './connection.ts';
import type { Connection } from './connection.ts';
import { IpmiError } from './error.ts';

export async function resetBmc(connection: Connection, signal: AbortSignal | undefined): Promise<void> {
  await connection.exclusive(signal, async (deadline) => {
    for (;;) {
      await connection.repeat(getDeviceId, null, deadline);
      const session = await connection.session(deadline);
      try {
        decodeAnswer(coldReset, await session.requestOnce(coldReset, null, deadline));
        connection.drop(session);
        return;
      } catch (error) {
        if (!(error instanceof IpmiError) || error.kind !== 'timeout') throw error;
      }
      try {
        const lateAnswer = await session.fence(getDeviceId, deadline);
        if (lateAnswer === undefined) continue;
        decodeAnswer(coldReset, lateAnswer);
        connection.drop(session);
        return;
      } catch (error) {
        if (!(error instanceof IpmiError) || error.kind !== 'timeout') throw error;
        connection.drop(session);
        await comeBack();
        return;
      }
    }

    async function comeBack(): Promise<void> {
      try {
        await connection.session(deadline);
      } catch (cause) {
        const text = 'outcome unknown: the BMC fell silent on its cold reset and has not come back';
        throw new IpmiError('timeout', text, { outcome: 'unknown', cause });
      }
    }
  });
}
