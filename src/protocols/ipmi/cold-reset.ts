// Restarts the BMC. No session survives that, which is the evidence that it happened: a session that just responded no
// longer does, while the BMC itself does.
import { coldReset, getDeviceId } from './commands/device.ts';
import { decodeCommandResponse, type Connection } from './connection.ts';
import { IpmiError } from './error.ts';

export async function resetBmc(connection: Connection, signal?: AbortSignal): Promise<void> {
  await connection.exclusive(signal, async (deadline) => {
    for (;;) {
      await connection.repeat(getDeviceId, null, deadline);
      const session = await connection.session(deadline);
      try {
        decodeCommandResponse(coldReset, await session.requestOnce(coldReset, null, deadline));
        connection.drop(session);
        return;
      } catch (error) {
        if (!(error instanceof IpmiError) || error.kind !== 'timeout') throw error;
      }
      try {
        const lateResponse = await session.fence(getDeviceId, deadline);
        if (lateResponse === undefined) continue;
        decodeCommandResponse(coldReset, lateResponse);
        connection.drop(session);
        return;
      } catch (error) {
        if (!(error instanceof IpmiError) || error.kind !== 'timeout') throw error;
        connection.drop(session);
        await waitForReturn();
        return;
      }
    }

    async function waitForReturn(): Promise<void> {
      try {
        await connection.session(deadline);
      } catch (cause) {
        const text = 'outcome unknown: the BMC stopped responding to its cold reset and has not come back';
        throw new IpmiError('timeout', text, { outcome: 'unknown', cause });
      }
    }
  });
}
