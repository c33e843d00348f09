// Users of a server's controller that the customer makes for himself. The provider's own are neither seen nor touched.
import { need } from '#drivers/bmc/driver.ts';
import { Fault } from '#kernel/fault.ts';
import { randomPassword } from '#kernel/random.ts';
import * as store from '#store/devices/bmc-users.ts';
import { serverFind } from '#store/devices/servers.ts';
import type { Service } from '#store/devices/services.ts';
import { serverOf, withBmc } from './servers.ts';
import type { Context } from '../yard.ts';

export async function bmcUserCreate(context: Context, service: Service, username: string) {
  const server = serverOf(service);
  const password = await newPassword(context, server);
  await withBmc(context, server, 'making a controller user', async (bmc, signal) => {
    const users = need(bmc, 'users');
    const taken = await users.list(signal);
    if (taken.includes(username)) throw nameTaken();
    // Written down first: what is on the controller and not in our list would pass for the provider's own.
    const own = {
      server,
      name: username,
      service_id: service.id,
      kind: 'customer' as const,
      created_at: context.yard.clock.now(),
      expires_at: null,
    };
    await store.bmcUserRemove(context.queries, server, username);
    if (!(await store.bmcUserInsert(context.queries, own))) throw nameTaken();
    try {
      await users.create(username, password, signal);
    } catch (error) {
      await users.remove(username, signal).then(
        () => store.bmcUserRemove(context.queries, server, username),
        () => {},
      );
      throw error;
    }
  });
  return { hostname: await consoleHost(context, server), username, password };
}

export async function bmcUserRemove(context: Context, service: Service, username: string): Promise<void> {
  const server = serverOf(service);
  await withBmc(context, server, 'removing a controller user', async (bmc, signal) => {
    await findOwn(context, service, username);
    await need(bmc, 'users').remove(username, signal);
    await store.bmcUserRemove(context.queries, server, username);
  });
}

export async function bmcUserResetPassword(context: Context, service: Service, username: string): Promise<string> {
  const server = serverOf(service);
  const password = await newPassword(context, server);
  await withBmc(context, server, 'resetting a controller password', async (bmc, signal) => {
    await findOwn(context, service, username);
    await need(bmc, 'users').setPassword(username, password, signal);
  });
  return password;
}

export async function newPassword(context: Context, server: string): Promise<string> {
  return randomPassword((await context.yard.bmcs.driverOf(server)).longestPassword);
}

/** The name under which customers reach the controller's console; never its address. */
export async function consoleHost(context: Context, server: string): Promise<string> {
  return (await serverFind(context.queries, server))?.console_host ?? server;
}

/** One that this service made; one of the server's former customer is the provider's to remove. */
async function findOwn(context: Context, service: Service, username: string): Promise<void> {
  const own = (await store.bmcUserList(context.queries, serverOf(service))).find(
    ({ name, kind, service_id }) => name === username && kind === 'customer' && service_id === service.id,
  );
  if (own === undefined) throw new Fault('not_found');
}

function nameTaken(): Fault {
  return new Fault('already_exists', { message: 'The controller has a user of this name already.' });
}
