// IPMI users that customers create on their server's BMC. The provider's own users are neither shown nor touched.
import { requireCapability } from '#drivers/bmc/driver.ts';
import { ApiError } from '#lib/api-error.ts';
import { randomPassword } from '#lib/random.ts';
import * as store from '#store/devices/bmc-users.ts';
import { serverFind } from '#store/devices/servers.ts';
import type { Service } from '#store/devices/services.ts';
import { consoleHost, runBmcCommand, serverOf } from './servers.ts';
import type { Context } from '../app.ts';

export async function bmcUserCreate(context: Context, service: Service, username: string) {
  const { queries, app } = context;
  const server = serverOf(service);
  const password = await newPassword(context, server);
  await runBmcCommand(context, server, 'the creation of an IPMI user', async (bmc, signal) => {
    const users = requireCapability(bmc, 'users');
    if ((await users.list(signal)).includes(username)) throw nameTaken();
    const row = {
      server,
      name: username,
      service_id: service.id,
      kind: 'customer' as const,
      created_at: app.clock.now(),
      expires_at: null,
    };
    // Recorded first: a user on the BMC without a row would pass for the provider's own.
    await store.bmcUserRemove(queries, server, username);
    if (!(await store.bmcUserInsert(queries, row))) throw nameTaken();
    try {
      await users.create(username, password, signal);
    } catch (error) {
      await users.remove(username, signal).then(
        () => store.bmcUserRemove(queries, server, username),
        () => {},
      );
      throw error;
    }
  });
  const hostname = consoleHost(app, server, (await serverFind(queries, server))?.console_host);
  return { hostname, username, password };
}

export async function bmcUserRemove(context: Context, service: Service, username: string): Promise<void> {
  const server = serverOf(service);
  await runBmcCommand(context, server, 'the removal of an IPMI user', async (bmc, signal) => {
    await checkOwned(context, service, username);
    await requireCapability(bmc, 'users').remove(username, signal);
    await store.bmcUserRemove(context.queries, server, username);
  });
}

export async function bmcUserResetPassword(context: Context, service: Service, username: string): Promise<string> {
  const server = serverOf(service);
  const password = await newPassword(context, server);
  await runBmcCommand(context, server, 'an IPMI password reset', async (bmc, signal) => {
    await checkOwned(context, service, username);
    await requireCapability(bmc, 'users').setPassword(username, password, signal);
  });
  return password;
}

export async function newPassword(context: Context, server: string): Promise<string> {
  return randomPassword((await context.app.bmcs.driverOf(server)).maxPasswordLength);
}

/** Checks that this service created the user; users of a former customer are the provider's to remove. */
async function checkOwned(context: Context, service: Service, username: string): Promise<void> {
  const users = await store.bmcUserList(context.queries, serverOf(service));
  const isOwned = users.some(
    ({ name, kind, service_id }) => name === username && kind === 'customer' && service_id === service.id,
  );
  if (!isOwned) throw new ApiError('not_found');
}

function nameTaken(): ApiError {
  return new ApiError('already_exists', { message: 'An IPMI user with this name already exists.' });
}
