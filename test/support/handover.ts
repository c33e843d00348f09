// A server that changes hands, without the reclaiming in between.
import type { AccountId } from '#store/account-id.ts';
import type { TestDevice } from './devices.ts';

const nextService = 9001;

/** Terminates the service of the device. */
export async function takeServer({ app, service, server }: TestDevice): Promise<void> {
  await app.parts.store.transaction(async (queries) => {
    await queries
      .updateTable('services')
      .set({ server: null, status: 'Terminated' })
      .where('id', '=', Number(service))
      .execute();
    await queries.updateTable('servers').set({ state: 'available' }).where('name', '=', server).execute();
  });
}

/** Returns the device as the lab's other customer has it. */
export async function giveServer(device: TestDevice): Promise<TestDevice & { readonly key: string }> {
  const { app, service, server } = device;
  const { account, key } = app.lab.stranger;
  await app.parts.store.transaction(async (queries) => {
    const former = queries.selectFrom('services').selectAll().where('id', '=', Number(service));
    await queries
      .insertInto('services')
      .values({
        ...(await former.executeTakeFirstOrThrow()),
        id: nextService,
        account_id: Number(account) as AccountId,
        server,
        status: 'Active',
      })
      .execute();
    await queries.updateTable('servers').set({ state: 'assigned' }).where('name', '=', server).execute();
  });
  return { ...device, service: String(nextService), key };
}

export async function handOver(device: TestDevice): Promise<TestDevice & { readonly key: string }> {
  await takeServer(device);
  return giveServer(device);
}
