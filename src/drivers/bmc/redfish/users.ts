// Users over Redfish: some services create accounts in a collection, others have fixed slots with empty names.
import { ApiError, requireFound } from '#lib/api-error.ts';
import { missingCapability, type Users } from '../driver.ts';
import type { Resource } from './client.ts';
import { RedfishError, withApiErrors } from './error.ts';
import { getLink, getText } from './json.ts';
import type { RedfishService } from './service.ts';
import { endSessions } from './sessions.ts';

const fullMessages = new Set(['CreateLimitReachedForResource', 'NoSpaceLeft', 'InsufficientStorage']);

export function createUsers(service: RedfishService): Users {
  const { client } = service;

  async function collection(signal: AbortSignal): Promise<string> {
    const accountService = getLink((await client.root(signal)).body, 'AccountService');
    if (accountService === undefined) throw missingCapability('users');
    const accounts = getLink((await client.get(accountService, signal)).body, 'Accounts');
    if (accounts === undefined) throw missingCapability('users');
    return accounts;
  }
  const listAccounts = async (signal: AbortSignal): Promise<readonly Resource[]> =>
    service.members(await collection(signal), signal);
  const findAccount = async (name: string, signal: AbortSignal): Promise<Resource | undefined> =>
    (await listAccounts(signal)).find((account) => accountName(account) === name);

  async function create(name: string, password: string, signal: AbortSignal): Promise<void> {
    const accounts = await listAccounts(signal);
    // Some services reject properties that their own accounts lack.
    const canBeEnabled = accounts.some(({ body }) => body['Enabled'] !== undefined);
    const account = { UserName: name, Password: password, RoleId: 'Operator', ...(canBeEnabled && { Enabled: true }) };
    // An account that already has the name is an interrupted creation, which is completed.
    const interrupted = accounts.find((candidate) => accountName(candidate) === name);
    if (interrupted !== undefined) return client.patch(interrupted.path, () => account, signal);
    let rejection: unknown;
    for (const slot of accounts.filter(isFreeSlot)) {
      try {
        return await client.patch(slot.path, () => account, signal);
      } catch (error) {
        if (!(error instanceof RedfishError) || error.kind !== 'rejected') throw error;
        rejection = error;
      }
    }
    try {
      return await client.post(await collection(signal), account, signal);
    } catch (error) {
      if (!(error instanceof RedfishError) || !isFull(error)) throw error;
      // Free slots that all reject the account mean something else, such as a password that is too short.
      if (rejection !== undefined) throw rejection;
      throw new ApiError('nothing_free', { message: 'The BMC has no free slot for another user.', cause: error });
    }
  }

  async function remove(account: Resource, signal: AbortSignal): Promise<void> {
    try {
      await client.remove(account.path, signal);
    } catch (error) {
      // A slot cannot be removed, only emptied.
      if (!(error instanceof RedfishError) || error.status !== 405) throw error;
      const isEnabled = account.body['Enabled'] === undefined ? {} : { Enabled: false };
      await client.patch(account.path, () => ({ UserName: '', ...isEnabled }), signal);
    }
  }

  async function setEnabled(name: string, isEnabled: boolean, signal: AbortSignal): Promise<void> {
    const { path, body } = requireFound(await findAccount(name, signal));
    if (body['Enabled'] === undefined) throw missingCapability('users');
    await client.patch(path, () => ({ Enabled: isEnabled }), signal);
    if ((await client.get(path, signal)).body['Enabled'] !== isEnabled)
      throw new RedfishError('badResponse', 'the service accepted a change of an account, but did not make it');
    if (!isEnabled) await endSessionsOf(name, signal);
  }

  /** Many services check accounts only when a session starts. */
  const endSessionsOf = (name: string, signal: AbortSignal): Promise<void> =>
    endSessions(service, (session) => getText(session, 'UserName') === name, signal);

  return withApiErrors<Users>('users', {
    list: async (signal) => labelsOf(await listAccounts(signal)),
    create,
    async setPassword(name, password, signal) {
      const { path } = requireFound(await findAccount(name, signal));
      await client.patch(path, () => ({ Password: password }), signal);
    },
    async remove(name, signal) {
      const accounts = await listAccounts(signal);
      const account =
        accounts.find((candidate) => accountName(candidate) === name) ??
        accounts.find((candidate) => isNamelessUser(candidate) && idLabel(candidate) === name);
      if (account !== undefined) await remove(account, signal);
      await endSessionsOf(name, signal);
    },
    setEnabled,
  });
}

function accountName({ body }: Resource): string | undefined {
  return getText(body, 'UserName');
}

/**
 * Over IPMI, root on the server can enable an account without a name, or add one with the provider's name and another password.
 * Both are listed by their ids, so that they are not overlooked. Nobody can tell which account of the name is the provider's, so
 * that neither is removed.
 */
function labelsOf(accounts: readonly Resource[]): string[] {
  const labels = new Set<string>();
  for (const account of accounts) {
    const name = accountName(account);
    if (name !== undefined) labels.add(labels.has(name) ? idLabel(account) : name);
    else if (isNamelessUser(account)) labels.add(idLabel(account));
  }
  return [...labels];
}

function idLabel({ body, path }: Resource): string {
  return `account ${getText(body, 'Id') ?? path}`;
}

function isNamelessUser(account: Resource): boolean {
  return accountName(account) === undefined && account.body['Enabled'] === true;
}

/** Slot 1 without a name is the anonymous user of IPMI, which no service lets anyone use. */
function isFreeSlot(account: Resource): boolean {
  return accountName(account) === undefined && getText(account.body, 'Id') !== '1';
}

/** A service with fixed slots rejects new accounts with 405. */
function isFull({ status, messages }: RedfishError): boolean {
  return status === 405 || messages.some((id) => fullMessages.has(id));
}
