// Manages the BMC's users: a list of slots, and changes to one. Each change sets a value, so it may be repeated.
import { resetBmc } from './cold-reset.ts';
import { closeSession, currentChannel, getSessionInfo, type Privilege } from './commands/session.ts';
import {
  getUserAccess,
  getUserName,
  nameBytes,
  setUserAccess,
  setUserName,
  setUserPassword,
  type UserPrivilege,
} from './commands/user.ts';
import type { Connection } from './connection.ts';
import { completion, IpmiError } from './error.ts';

export interface BmcUser {
  id: number;
  /** Empty if the slot is free or belongs to the anonymous user. */
  name: string;
  privilege: UserPrivilege;
  /** undefined if the BMC does not report it. */
  isEnabled: boolean | undefined;
  /** May open sessions, if enabled. */
  hasMessaging: boolean;
}

/** The maximum in IPMI 2.0; the older format has 16 bytes. */
const longPasswordBytes = 20;
const shortPasswordBytes = 16;
const userBits = 0x3f;

export async function listUsers(connection: Connection, signal?: AbortSignal): Promise<BmcUser[]> {
  const users: BmcUser[] = [];
  let maxUsers = 1;
  for (let id = 1; id <= maxUsers; id++) {
    const access = await connection.call(getUserAccess, { channel: currentChannel, user: id }, signal);
    maxUsers = access.maxUsers;
    const { privilege, isEnabled, hasMessaging } = access;
    users.push({ id, name: await userName(connection, id, signal), privilege, isEnabled, hasMessaging });
  }
  return users;
}

/** Some BMCs respond with "invalid field" for a slot that never had a name. */
async function userName(connection: Connection, id: number, signal?: AbortSignal): Promise<string> {
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
  signal?: AbortSignal,
): Promise<void> {
  if (name.length > nameBytes) throw new IpmiError('unsupported', `a BMC user name has at most ${nameBytes} bytes`);
  await connection.call(setUserName, { user: id, name }, signal);
}

export async function changePassword(
  connection: Connection,
  id: number,
  password: string,
  signal?: AbortSignal,
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
  signal?: AbortSignal,
): Promise<void> {
  await connection.call(setUserPassword, { operation, user: id }, signal);
  const { isEnabled } = await connection.call(getUserAccess, { channel: currentChannel, user: id }, signal);
  if (isEnabled === (operation === 'disable'))
    throw new IpmiError('rejected', `the BMC accepted to ${operation} a user, but did not`);
}

export async function disableUser(connection: Connection, id: number, signal?: AbortSignal): Promise<void> {
  await setUserEnabled(connection, id, 'disable', signal);
  if ((await closeSessions(connection, id, signal)) !== 'closed') await endAllSessions(connection, signal);
}

export async function changePrivilege(
  connection: Connection,
  id: number,
  privilege: Privilege | 'none',
  signal?: AbortSignal,
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
export async function deleteUser(connection: Connection, id: number, signal?: AbortSignal): Promise<void> {
  await setUserEnabled(connection, id, 'disable', signal);
  await changePrivilege(connection, id, 'none', signal);
  const sessions = await closeSessions(connection, id, signal);
  // While a session may be open, the slot keeps its name, so that a repeated call finds it.
  if (sessions === 'open') await endAllSessions(connection, signal);
  await renameUser(connection, id, '', signal);
  if (sessions === 'unknown') await endAllSessions(connection, signal);
}

/** Closes the sessions of a user, because BMCs check users only when a session starts. */
async function closeSessions(
  connection: Connection,
  user: number,
  signal?: AbortSignal,
): Promise<'closed' | 'open' | 'unknown'> {
  try {
    for (const handle of await sessionHandles(connection, user, signal)) {
      await connection.call(closeSession, { handle }, signal).catch((error: unknown) => {
        // It has just ended, or the BMC does not know handles, which are optional.
        if (!(error instanceof IpmiError) || error.kind !== 'rejected') throw error;
      });
    }
    return (await sessionHandles(connection, user, signal)).length === 0 ? 'closed' : 'open';
  } catch (error) {
    if (error instanceof IpmiError && error.kind === 'unsupported') return 'unknown';
    throw error;
  }
}

async function sessionHandles(connection: Connection, user: number, signal?: AbortSignal): Promise<number[]> {
  const handles: number[] = [];
  for (let number = 1, count = 1; number <= count; number++) {
    const session = await connection.call(getSessionInfo, number, signal);
    count = session.activeSessions;
    if (userOf(session) === user) handles.push(session.handle);
  }
  return handles;
}

export async function findOwnSlot(connection: Connection, signal?: AbortSignal): Promise<number | undefined> {
  try {
    return userOf(await connection.call(getSessionInfo, 0, signal));
  } catch (error) {
    if (error instanceof IpmiError && error.kind === 'unsupported') return undefined;
    throw error;
  }
}

function userOf({ login: [user] }: { login: Buffer }): number | undefined {
  return user === undefined ? undefined : user & userBits;
}

/** Restarts a BMC that cannot close a user's sessions. */
async function endAllSessions(connection: Connection, signal?: AbortSignal): Promise<void> {
  try {
    await resetBmc(connection, signal);
  } catch (cause) {
    if (!(cause instanceof IpmiError) || cause.kind !== 'unsupported') throw cause;
    throw new IpmiError('rejected', 'the BMC can neither end the sessions of a user nor restart', { cause });
  }
}
