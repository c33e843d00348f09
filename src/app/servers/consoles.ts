// Remote consoles of dedicated servers: a launcher file with a BMC user that exists for one session. Customers never see the
// BMC's address or the provider's password.
import { requireCapability } from '#drivers/bmc/driver.ts';
import { randomBase32 } from '#lib/random.ts';
import { bmcUserInsert, bmcUserList, bmcUserRemove } from '#store/devices/bmc-users.ts';
import { consoleTicketsRemoveOf } from '#store/devices/console-tickets.ts';
import { serverFind } from '#store/devices/servers.ts';
import type { Service } from '#store/devices/services.ts';
import type { Context } from '../app.ts';
import { newPassword } from './bmc-users.ts';
import { launcherFile } from './console-launcher.ts';
import { runBmcCommand, serverOf } from './servers.ts';

const sessionMs = 3_600_000;

/** Opens a session and ends the previous one. Returns the launcher file in base64. */
export async function consoleOpen(context: Context, service: Service): Promise<string> {
  const { queries, app } = context;
  const server = serverOf(service);
  const row = await serverFind(queries, server);
  const password = await newPassword(context, server);
  const username = `kvm-${randomBase32(40)}`;
  await runBmcCommand(context, server, 'a console start', async (bmc, signal) => {
    const users = requireCapability(bmc, 'users');
    for (const previousUser of await sessionUsers(context, server)) {
      await users.remove(previousUser, signal);
      await bmcUserRemove(queries, server, previousUser);
    }
    const now = app.clock.now();
    // Recorded first, with its expiry, so that the user is removed even if this process dies now.
    await bmcUserInsert(queries, {
      server,
      name: username,
      service_id: service.id,
      kind: 'console',
      created_at: now,
      expires_at: now + sessionMs,
    });
    await users.create(username, password, signal);
  });
  const access = { host: row?.console_host ?? server, server, username, password };
  return Buffer.from(launcherFile(row?.bmc_model ?? '', access)).toString('base64');
}

export async function consoleReset(context: Context, service: Service): Promise<void> {
  const server = serverOf(service);
  await runBmcCommand(context, server, 'a console reset', async (bmc, signal) => {
    for (const name of await sessionUsers(context, server)) {
      await requireCapability(bmc, 'users').remove(name, signal);
      await bmcUserRemove(context.queries, server, name);
    }
  });
  // Views through other instances end at their next check, those through this one now.
  await consoleTicketsRemoveOf(context.queries, service.id);
  context.app.serialLines.endViews(server, 'The console was reset.');
}

async function sessionUsers({ queries }: Context, server: string): Promise<string[]> {
  return (await bmcUserList(queries, server)).filter(({ kind }) => kind === 'console').map(({ name }) => name);
}
