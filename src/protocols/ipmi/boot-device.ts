// Sets the boot device under the BMC's "set in progress" lock. A client that died may have left the lock set; after a
// short wait it is broken, because otherwise the boot device could never be set again.
import {
  bootFlags,
  bootParameter,
  getBootOptions,
  setBootOptions,
  setProgress,
  type BootDevice,
  type BootFlags,
} from './commands/boot.ts';
import type { Connection } from './connection.ts';
import { completion, IpmiError } from './error.ts';
import { pause, type Deadline } from './exchange.ts';

export interface BootChoice {
  device: BootDevice;
  /** For the next boot only, or permanently. */
  lasts: 'once' | 'always';
  firmware: 'bios' | 'uefi';
}

const lockWaitsMs = [100, 200, 400];
// Keeps the flags beyond the 60 seconds after which a BMC otherwise discards them without a chassis control.
const keepWithoutControl = Buffer.from([0x08]);

export async function readBootDevice(connection: Connection, signal?: AbortSignal): Promise<BootFlags> {
  const response = await connection.call(getBootOptions, { parameter: bootParameter.bootFlags }, signal);
  const flags = bootFlags.decode(response.data);
  if (flags === undefined) throw new IpmiError('badResponse', 'the BMC sent invalid boot flags');
  return flags;
}

export async function writeBootDevice(connection: Connection, choice: BootChoice, signal?: AbortSignal): Promise<void> {
  const flags: BootFlags = {
    isValid: choice.device !== 'none',
    device: choice.device,
    isPersistent: choice.lasts === 'always',
    isUefi: choice.firmware === 'uefi',
  };
  await connection.exclusive(signal, async (deadline) => {
    await acquireSetLock(connection, deadline);
    try {
      // Not every BMC has this parameter; the flags work without it.
      const keep = { parameter: bootParameter.validBitClearing, data: keepWithoutControl };
      await connection.repeatForResponse(setBootOptions, keep, deadline);
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

async function acquireSetLock(connection: Connection, deadline: Deadline): Promise<void> {
  for (const waitMs of lockWaitsMs) {
    if (await setLock(connection, setProgress.inProgress, deadline)) return;
    await pause(waitMs, deadline, 'another change of the boot options');
  }
  await setLock(connection, setProgress.complete, deadline);
  await setLock(connection, setProgress.inProgress, deadline);
}

/** Returns whether we hold the lock. A BMC without the lock (each reports that differently) needs none. */
async function setLock(connection: Connection, progress: number, deadline: Deadline): Promise<boolean> {
  const request = { parameter: bootParameter.setInProgress, data: Buffer.from([progress]) };
  const { completionCode, transmissions } = await connection.repeatForResponse(setBootOptions, request, deadline);
  // If the request was sent twice, our own first copy acquired the lock.
  return completionCode !== completion.setInProgress || transmissions > 1;
}
