// The AccountService and SessionService of a lab Redfish service.
import { roles, type LabAccount, type Role } from './accounts.ts';
import type { RedfishMachine } from './machine.ts';
import { badValue, noContent, errorResponse, type Body, type RedfishResponse } from './response.ts';
import { collectionBody, link, resourceBody, root, type Resource, type Resources } from './resource.ts';

export const accountService = `${root}/AccountService`;
export const sessionService = `${root}/SessionService`;
export const sessionsPath = `${sessionService}/Sessions`;
const accountsPath = `${accountService}/Accounts`;
const shortestPassword = 8;
const longestPassword = 20;
const longestName = 16;

export function accountResources(machine: RedfishMachine): Resources {
  const { accounts, sessions } = machine;
  const members = accounts.all.map(({ id }) => `${accountsPath}/${id}`);
  return {
    [accountService]: {
      body: resourceBody(accountService, 'AccountService.v1_13_0', 'Account Service', {
        MinPasswordLength: shortestPassword,
        MaxPasswordLength: longestPassword,
        Accounts: link(accountsPath),
      }),
    },
    [accountsPath]: {
      body: collectionBody(accountsPath, 'ManagerAccount', members),
      isProtected: true,
      ...(accounts.style === 'collection' ? { post: (body: Body) => addAccount(machine, body) } : {}),
    },
    ...Object.fromEntries(
      accounts.all.map((account) => [`${accountsPath}/${account.id}`, accountResource(machine, account)]),
    ),
    [sessionService]: {
      body: resourceBody(sessionService, 'SessionService.v1_1_8', 'Session Service', { Sessions: link(sessionsPath) }),
    },
    [sessionsPath]: {
      isOpen: true,
      body: collectionBody(
        sessionsPath,
        'Session',
        sessions.all.map(({ id }) => `${sessionsPath}/${id}`),
      ),
      post: (body) => openSession(machine, body),
    },
    ...Object.fromEntries(
      sessions.all.map((session) => {
        const path = `${sessionsPath}/${session.id}`;
        const remove = (): RedfishResponse => {
          sessions.end(session.id);
          return noContent;
        };
        const { userName, connection } = session;
        return [
          path,
          { body: sessionBody(path, { UserName: userName, SessionType: connection?.type ?? 'Redfish' }), remove },
        ];
      }),
    ),
  };
}

function openSession(
  { accounts, sessions }: RedfishMachine,
  { UserName: name, Password: password }: Body,
): RedfishResponse {
  const account =
    typeof name === 'string' && typeof password === 'string' ? accounts.authenticate(name, password) : undefined;
  if (account === undefined) return errorResponse(401, 'NoValidSession', 'The user name or password is incorrect.');
  const session = sessions.open(account);
  if (session === undefined) return errorResponse(503, 'SessionLimitExceeded', 'There are too many sessions.');
  const path = `${sessionsPath}/${session.id}`;
  return { status: 201, body: sessionBody(path), headers: { location: path, 'x-auth-token': session.token } };
}

function sessionBody(path: string, properties: Body = {}): Body {
  return resourceBody(path, 'Session.v1_6_0', 'Session', properties);
}

function accountResource(machine: RedfishMachine, account: LabAccount): Resource {
  const path = `${accountsPath}/${account.id}`;
  return {
    isProtected: true,
    body: resourceBody(path, 'ManagerAccount.v1_10_0', 'User Account', {
      UserName: account.name,
      Password: null,
      RoleId: account.role,
      ...(lacksEnabled(machine) ? {} : { Enabled: account.isEnabled }),
      Locked: false,
      PasswordChangeRequired: false,
    }),
    patch: (change) => changeAccount(machine, account, change),
    ...(machine.accounts.style === 'collection'
      ? {
          remove: () => {
            machine.accounts.remove(account);
            return noContent;
          },
        }
      : {}),
  };
}

function lacksEnabled({ personality, malfunctions }: RedfishMachine): boolean {
  return personality.accountsLackEnabled ?? malfunctions().lacksEnabled ?? false;
}

const unknownEnabled = errorResponse(400, 'PropertyUnknown', 'The property Enabled is unknown.');

function addAccount(machine: RedfishMachine, body: Body): RedfishResponse {
  const { accounts } = machine;
  const { UserName: name, Password: password, RoleId: role, Enabled: enabled = true } = body;
  if (lacksEnabled(machine) && 'Enabled' in body) return unknownEnabled;
  if (!isName(name) || name === '') return badValue('UserName');
  if (!isPassword(password)) return badValue('Password');
  if (!isRole(role)) return badValue('RoleId');
  if (accounts.isNameTaken(name))
    return errorResponse(400, 'ResourceAlreadyExists', 'An account with this name already exists.');
  const added = accounts.add({ name, password, role, isEnabled: enabled === true });
  if (added === undefined) return errorResponse(400, 'CreateLimitReachedForResource', 'The account limit is reached.');
  const path = `${accountsPath}/${added.id}`;
  return { status: 201, body: link(path), headers: { location: path } };
}

function changeAccount(machine: RedfishMachine, account: LabAccount, change: Body): RedfishResponse {
  const { accounts } = machine;
  const { ignoresAccountChanges } = machine.malfunctions();
  if (Number(account.id) <= (machine.personality.reservedSlots ?? 0))
    return errorResponse(400, 'PropertyNotWritable', 'The account is reserved.');
  const { UserName: name, Password: password, RoleId: role, Enabled: enabled } = change;
  if (name !== undefined && (!isName(name) || (name !== '' && accounts.isNameTaken(name, account))))
    return badValue('UserName');
  if (password !== undefined && !isPassword(password)) return badValue('Password');
  if (role !== undefined && !isRole(role)) return badValue('RoleId');
  if (enabled !== undefined && lacksEnabled(machine)) return unknownEnabled;
  if (ignoresAccountChanges === true) return noContent;
  accounts.change(account, {
    ...(isName(name) ? { name } : {}),
    ...(isPassword(password) ? { password } : {}),
    ...(isRole(role) ? { role } : {}),
    ...(typeof enabled === 'boolean' ? { isEnabled: enabled } : {}),
  });
  return noContent;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestName;
}
function isPassword(value: unknown): value is string {
  return typeof value === 'string' && value.length >= shortestPassword && value.length <= longestPassword;
}
function isRole(value: unknown): value is Role {
  return roles.includes(value as Role);
}
