// The boot device, set under the BMC's "set in progress" lock. A client that died may have left the lock behind: after
// a short wait it is broken, since the alternative is a server that can never be told again what to boot.

import { bootFlags, bootParameter, getBootOptions, setBootOptions, setProgress } from './commands/boot.ts';
import type { BootDevice, BootFlags } from './commands/boot.ts';
import type { Connection } from './connection.ts';
import { completion, IpmiError } from './error.ts';
import { pause } from './exchange.ts';
import type { Deadline } from './exchange.ts';

export interface BootChoice {
  device: BootDevice;
  /** For the next boot alone, or from now on. */
  lasts: 'once' | 'always';
  firmware: 'bios' | 'uefi';
}

const lockWaitsMs = [100, 200, 400];
// Keeps the flags beyond the sixty seconds after which a BMC else forgets them unless a chassis control comes.
const keepWithoutControl = Buffer.from([0x08]);

export async function readBootDevice(connection: Connection, signal: AbortSignal | undefined): Promise<BootFlags> {
  const answer = await connection.call(getBootOptions, { parameter: bootParameter.bootFlags }, signal);
  const flags = bootFlags.decode(answer.data);
  if (flags === undefined) throw new IpmiError('badAnswer', 'the boot flags of the BMC make no sense');
  return flags;
}

export async function writeBootDevice(
  connection: Connection,
  choice: BootChoice,
  signal: AbortSignal | undefined,
): Promise<void> {
  const flags: BootFlags = {
    isValid: choice.device !== 'none',
    device: choice.device,
    isPersistent: choice.lasts === 'always',
    isUefi: choice.firmware === 'uefi',
  };
  await connection.exclusive(signal, async (deadline) => {
    await lock(connection, deadline);
    try {
      // Not every BMC has this parameter; the flags are worth setting without it.
      const keep = { parameter: bootParameter.validBitClearing, data: keepWithoutControl };
      await connection.repeatForAnswer(setBootOptions, keep, deadline);
      await connection.repeat(
        setBootOptions,
        { parameter: bootParameter.bootFlags, data: bootFlags.encode(flags) },
        deadline,
      );
    } finally {
      await setLock(connection, setProgress.complete, deadline);
    }
  });
}

async function lock(connection: Connection, deadline: Deadline): Promise<void> {
  for (const waitMs of lockWaitsMs) {
    if (await setLock(connection, setProgress.inProgress, deadline)) return;
    await pause(waitMs, deadline, 'the end of another change of the boot options');
  }
  await setLock(connection, setProgress.complete, deadline);
  await setLock(connection, setProgress.inProgress, deadline);
}

/** Whether the lock is ours. A BMC without the lock (each has its own way to say so) needs none. */
async function setLock(connection: Connection, progress: number, deadline: Deadline): Promise<boolean> {
  const request = { parameter: bootParameter.setInProgress, data: Buffer.from([progress]) };
  const { completionCode, transmissions } = await connection.repeatForAnswer(setBootOptions, request, deadline);
  // If the question was sent twice, it was our own first copy that took the lock.
  return completionCode !== completion.setInProgress || transmissions > 1;
}
