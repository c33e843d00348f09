// A session with a BMC as one of its users, for tests of what ends it.
import type { OpenSession } from '#drivers/bmc/conformance.ts';
import { openFleet } from '#protocols/ipmi/fleet.ts';

export async function openIpmiSession(login: {
  readonly address: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
}): Promise<OpenSession> {
  const fleet = await openFleet({ retransmitMs: 100 });
  const bmc = fleet.bmc({ ...login, privilege: 'operator' });
  return {
    works: () =>
      bmc.chassisStatus().then(
        () => true,
        () => false,
      ),
    [Symbol.asyncDispose]: () => fleet.close(),
  };
}
