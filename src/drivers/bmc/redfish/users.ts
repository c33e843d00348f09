// Users over Redfish: accounts that are made in a collection, or slots that are there from the beginning with empty names.
import { Fault } from '#kernel/fault.ts';
import { missing, type Users } from '../driver.ts';
import type { Resource } from './client.ts';
import { RedfishError, told } from './error.ts';
import { linkIn, textIn } from './json.ts';
import type { RedfishService } from './service.ts';

const fullMessages = new Set(['CreateLimitReachedForResource', 'NoSpaceLeft', 'InsufficientStorage']);

export function usersOf(service: RedfishService): Users {
  const { client } = service;

  async function collection(signal: AbortSignal): Promise<string> {
    const accountService = linkIn((await client.root(signal)).body, 'AccountService');
    if (accountService === undefined) throw missing('users');
    const accounts = linkIn((await client.get(accountService, signal)).body, 'Accounts');
    if (accounts === undefined) throw missing('users');
    return accounts;
  }
  const all = async (signal: AbortSignal): Promise<readonly Resource[]> =>
    service.members(await collection(signal), signal);
  const named = async (name: string, signal: AbortSignal): Promise<Resource | undefined> =>
    (await all(signal)).find((account) => nameOf(account) === name);

  async function create(name: string, password: string, signal: AbortSignal): Promise<void> {
    const accounts = await all(signal);
    const account = { UserName: name, Password: password, RoleId: 'Operator', Enabled: true };
    // An account that already has the name is a creation that was interrupted: it is finished, not made twice.
    const slot = accounts.find((each) => nameOf(each) === name) ?? accounts.find((each) => nameOf(each) === undefined);
    if (slot !== undefined) return client.patch(slot.path, () => account, signal);
    try {
      return await client.post(await collection(signal), account, signal);
    } catch (error) {
      if (error instanceof RedfishError && isFull(error))
        throw new Fault('nothing_free', { message: 'The controller has no room for another user.', cause: error });
      throw error;
    }
  }

  async function remove(account: Resource, signal: AbortSignal): Promise<void> {
    try {
      await client.remove(account.path, signal);
    } catch (error) {
      // A slot cannot be removed, only emptied.
      if (!(error instanceof RedfishError) || error.status !== 405) throw error;
      await client.patch(account.path, () => ({ UserName: '', Enabled: false }), signal);
    }
  }

  return {
    list: (signal) => told('users', async () => (await all(signal)).map(nameOf).filter((name) => name !== undefined)),
    create: (name, password, signal) => told('users', () => create(name, password, signal)),
    setPassword: (name, password, signal) =>
      told('users', async () => {
        const account = await named(name, signal);
        if (account === undefined) throw new Fault('not_found');
        await client.patch(account.path, () => ({ Password: password }), signal);
      }),
    remove: (name, signal) =>
      told('users', async () => {
        const account = await named(name, signal);
        if (account !== undefined) await remove(account, signal);
      }),
  };
}

function nameOf({ body }: Resource): string | undefined {
  return textIn(body, 'UserName');
}

/** Where all places are slots and taken, the collection does not take a new one. */
function isFull({ status, messages }: RedfishError): boolean {
  return status === 405 || messages.some((id) => fullMessages.has(id));
}
