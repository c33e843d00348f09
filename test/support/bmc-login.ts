// Logs in to a lab BMC with a name and a password and returns the privilege, which proves that the user exists.
import type { LabBmc } from '#lab/bmc/bmc.ts';
import { IpmiError } from '#protocols/ipmi/error.ts';
import { openFleet } from '#protocols/ipmi/fleet.ts';

export type Privilege = 'operator' | 'administrator';

export async function logsIn(
  bmc: Pick<LabBmc, 'address' | 'port'>,
  login: { username: string; password: string },
  privilege: Privilege = 'operator',
): Promise<boolean> {
  await using fleet = await openFleet();
  const { address, port } = bmc;
  try {
    await fleet.bmc({ address, port, ...login, privilege }).chassisStatus();
    return true;
  } catch (error) {
    if (error instanceof IpmiError && error.kind === 'auth') return false;
    throw error;
  }
}
