// Remote consoles of dedicated servers: a launcher file with a controller user made for this one session. Neither the controller's
// address nor the provider's password ever reaches a customer.
import { need } from '#drivers/bmc/driver.ts';
import { randomBase32 } from '#kernel/random.ts';
import * as users from '#store/devices/bmc-users.ts';
import { consoleTicketsRemoveOf } from '#store/devices/console-tickets.ts';
import { serverFind } from '#store/devices/servers.ts';
import type { Service } from '#store/devices/services.ts';
import type { Context } from '../yard.ts';
import { newPassword } from './bmc-users.ts';
import { launcherFile } from './console-launcher.ts';
import { serverOf, withBmc } from './servers.ts';

const sessionMs = 3_600_000;

/** A new session; one that was open before ends. Answers the launcher file in base64. */
export async function consoleOpen(context: Context, service: Service): Promise<string> {
  const { queries, yard } = context;
  const server = serverOf(service);
  const row = await serverFind(queries, server);
  const password = await newPassword(context, server);
  const username = `kvm-${randomBase32(40)}`;
  await withBmc(context, server, 'opening a console', async (bmc, signal) => {
    const controller = need(bmc, 'users');
    for (const old of await sessionUsers(context, server)) {
      await controller.remove(old, signal);
      await users.bmcUserRemove(queries, server, old);
    }
    const now = yard.clock.now();
    // Written down first, with its end: should this process die now, the user is removed all the same.
    await users.bmcUserInsert(queries, {
      server,
      name: username,
      service_id: service.id,
      kind: 'console',
      created_at: now,
      expires_at: now + sessionMs,
    });
    await controller.create(username, password, signal);
  });
  const launcher = launcherFile(row?.bmc_model ?? '', {
    host: row?.console_host ?? server,
    server,
    username,
    password,
  });
  return Buffer.from(launcher).toString('base64');
}

export async function consoleReset(context: Context, service: Service): Promise<void> {
  const server = serverOf(service);
  await withBmc(context, server, 'ending a console', async (bmc, signal) => {
    for (const name of await sessionUsers(context, server)) {
      await need(bmc, 'users').remove(name, signal);
      await users.bmcUserRemove(context.queries, server, name);
    }
  });
  // Views through other nodes end when they are next looked at; those through this one at once.
  await consoleTicketsRemoveOf(context.queries, service.id);
  context.yard.serialLines.endViews(server, 'The console was reset.');
}

async function sessionUsers(context: Context, server: string): Promise<string[]> {
  return (await users.bmcUserList(context.queries, server))
    .filter(({ kind }) => kind === 'console')
    .map(({ name }) => name);
}
