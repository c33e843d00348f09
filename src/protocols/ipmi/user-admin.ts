// Manages the BMC's users: a list of slots, and changes to one. Each change sets a value, so it may be repeated.

import { currentChannel } from './commands/session.ts';
import type { Privilege } from './commands/session.ts';
import { getUserAccess, getUserName, nameBytes, setUserAccess, setUserName, setUserPassword } from './commands/user.ts';
import type { UserPrivilege } from './commands/user.ts';
import type { Connection } from './connection.ts';
import { completion, IpmiError } from './error.ts';

export interface BmcUser {
  id: number;
  /** Empty if the slot is free or belongs to the anonymous user. */
  name: string;
  privilege: UserPrivilege;
  /** undefined if the BMC does not report it. */
  isEnabled: boolean | undefined;
}

/** The maximum in IPMI 2.0; the older format has 16 bytes. */
const longPasswordBytes = 20;
const shortPasswordBytes = 16;

export async function listUsers(connection: Connection, signal: AbortSignal | undefined): Promise<BmcUser[]> {
  const users: BmcUser[] = [];
  let maxUsers = 1;
  for (let id = 1; id <= maxUsers; id++) {
    const access = await connection.call(getUserAccess, { channel: currentChannel, user: id }, signal);
    maxUsers = access.maxUsers;
    const { privilege, isEnabled } = access;
    users.push({ id, name: await userName(connection, id, signal), privilege, isEnabled });
  }
  return users;
}

/** Some BMCs respond with "invalid field" for a slot that never had a name. */
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
  if (name.length > nameBytes) throw new IpmiError('unsupported', `a BMC user name has at most ${nameBytes} bytes`);
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
    throw new IpmiError('unsupported', `a BMC password has at most ${longPasswordBytes} bytes`);
  }
  const passwordBytes = bytes > shortPasswordBytes ? longPasswordBytes : shortPasswordBytes;
  await connection.call(setUserPassword, { operation: 'set', user: id, passwordBytes, password }, signal);
}

export async function setUserEnabled(
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
      channel: currentChannel,
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

/** IPMI cannot delete users, so the slot is disabled and loses its privilege and name. */
export async function deleteUser(connection: Connection, id: number, signal: AbortSignal | undefined): Promise<void> {
  await setUserEnabled(connection, id, 'disable', signal);
  await changePrivilege(connection, id, 'none', signal);
  await renameUser(connection, id, '', signal);
}
