// The BMC's users as a caller thinks of them: a list of slots, and what may be done to one. On the wire it takes four
// commands; each sets a value, so each may be repeated.

import { presentChannel } from './commands/session.ts';
import type { Privilege } from './commands/session.ts';
import { getUserAccess, getUserName, nameBytes, setUserAccess, setUserName, setUserPassword } from './commands/user.ts';
import type { UserPrivilege } from './commands/user.ts';
import type { Connection } from './connection.ts';
import { completion, IpmiError } from './error.ts';

export interface BmcUser {
  id: number;
  /** Empty: the slot is free, or it is the anonymous user. */
  name: string;
  privilege: UserPrivilege;
  /** `undefined` where the BMC does not tell. */
  isEnabled: boolean | undefined;
}

/** The longest password of IPMI 2.0; the older kind has sixteen bytes. */
const longPasswordBytes = 20;
const shortPasswordBytes = 16;

export async function listUsers(connection: Connection, signal: AbortSignal | undefined): Promise<BmcUser[]> {
  const users: BmcUser[] = [];
  let maxUsers = 1;
  for (let id = 1; id <= maxUsers; id++) {
    const access = await connection.call(getUserAccess, { channel: presentChannel, user: id }, signal);
    maxUsers = access.maxUsers;
    const { privilege, isEnabled } = access;
    users.push({ id, name: await userName(connection, id, signal), privilege, isEnabled });
  }
  return users;
}

/** Some BMCs answer for a slot that never had a name that the request is invalid. */
async function userName(connection: Connection, id: number, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await connection.call(getUserName, id, signal);
  } catch (error) {
    if (error instanceof IpmiError && error.completionCode === completion.invalidField) return '';
    throw error;
  }
}

export async function renameUser(
  connection: Connection,
  id: number,
  name: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (name.length > nameBytes) throw new IpmiError('unsupported', `a BMC's user names have at most ${nameBytes} bytes`);
  await connection.call(setUserName, { user: id, name }, signal);
}

export async function changePassword(
  connection: Connection,
  id: number,
  password: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const bytes = Buffer.byteLength(password, 'latin1');
  if (bytes > longPasswordBytes) {
    throw new IpmiError('unsupported', `a BMC's passwords have at most ${longPasswordBytes} bytes`);
  }
  const passwordBytes = bytes > shortPasswordBytes ? longPasswordBytes : shortPasswordBytes;
  await connection.call(setUserPassword, { operation: 'set', user: id, passwordBytes, password }, signal);
}

export async function switchUser(
  connection: Connection,
  id: number,
  operation: 'enable' | 'disable',
  signal: AbortSignal | undefined,
): Promise<void> {
  await connection.call(setUserPassword, { operation, user: id }, signal);
}

export async function changePrivilege(
  connection: Connection,
  id: number,
  privilege: Privilege | 'none',
  signal: AbortSignal | undefined,
): Promise<void> {
  await connection.call(
    setUserAccess,
    {
      channel: presentChannel,
      user: id,
      privilege,
      changesBits: true,
      hasMessaging: privilege !== 'none',
      hasLinkAuthentication: false,
      isCallbackOnly: false,
    },
    signal,
  );
}

/** IPMI has no deletion: the slot is disabled, stripped of its privilege and of its name. */
export async function deleteUser(connection: Connection, id: number, signal: AbortSignal | undefined): Promise<void> {
  await switchUser(connection, id, 'disable', signal);
  await changePrivilege(connection, id, 'none', signal);
  await renameUser(connection, id, '', signal);
}
