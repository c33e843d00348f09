// The BMC's users: slots with a name, a password, an enable bit and a privilege per channel.

import { action, decoder, paddedText, textUntilZero } from '../codec.ts';
import type { Command } from '../codec.ts';
import { netFn } from './net-fn.ts';
import { byte, privilegeName, privileges } from './session.ts';
import type { Privilege } from './session.ts';

export const nameBytes = 16;
export type PasswordBytes = 16 | 20;

const noAccess = 0x0f;

export type UserPrivilege = Privilege | 'none';

function privilegeCode(privilege: UserPrivilege): number {
  return privilege === 'none' ? noAccess : privileges[privilege];
}

function userPrivilege(code: number): UserPrivilege {
  return privilegeName(code) ?? 'none';
}

export interface UserAccess {
  privilege: UserPrivilege;
  /** May open IPMI sessions. */
  hasMessaging: boolean;
  hasLinkAuthentication: boolean;
  isCallbackOnly: boolean;
}

export interface UserAccessAnswer extends UserAccess {
  maxUsers: number;
  enabledUsers: number;
  fixedNames: number;
  /** undefined if the BMC does not report it. */
  isEnabled: boolean | undefined;
}

const enabledBits = { enabled: 0x40, disabled: 0x80 };

export const getUserAccess: Command<{ channel: number; user: number }, UserAccessAnswer> = {
  name: 'Get User Access',
  netFn: netFn.app,
  code: 0x44,
  request: {
    encode: (request) => Buffer.from([request.channel, request.user]),
    decode: decoder((reader) => ({ channel: reader.u8() & 0x0f, user: reader.u8() & 0x3f })),
  },
  response: {
    encode: (response) =>
      Buffer.from([
        response.maxUsers,
        response.enabledUsers |
          (response.isEnabled === undefined ? 0 : response.isEnabled ? enabledBits.enabled : enabledBits.disabled),
        response.fixedNames,
        privilegeCode(response.privilege) |
          (response.hasMessaging ? 0x10 : 0) |
          (response.hasLinkAuthentication ? 0x20 : 0) |
          (response.isCallbackOnly ? 0x40 : 0),
      ]),
    decode: decoder((reader) => {
      const maxUsers = reader.u8() & 0x3f;
      const enabled = reader.u8();
      const fixedNames = reader.u8() & 0x3f;
      const access = reader.u8();
      return {
        maxUsers,
        enabledUsers: enabled & 0x3f,
        isEnabled: enabled >> 6 === 1 ? true : enabled >> 6 === 2 ? false : undefined,
        fixedNames,
        privilege: userPrivilege(access & 0x0f),
        hasMessaging: (access & 0x10) !== 0,
        hasLinkAuthentication: (access & 0x20) !== 0,
        isCallbackOnly: (access & 0x40) !== 0,
      };
    }),
  },
};

export interface SetUserAccess extends UserAccess {
  channel: number;
  user: number;
  /** Whether to write the three bits, or only the privilege. */
  changesBits: boolean;
}

export const setUserAccess = action<SetUserAccess>('Set User Access', netFn.app, 0x43, {
  encode: (request) =>
    Buffer.from([
      request.channel |
        (request.changesBits ? 0x80 : 0) |
        (request.isCallbackOnly ? 0x40 : 0) |
        (request.hasLinkAuthentication ? 0x20 : 0) |
        (request.hasMessaging ? 0x10 : 0),
      request.user,
      privilegeCode(request.privilege),
      0,
    ]),
  decode: decoder((reader) => {
    const bits = reader.u8();
    return {
      channel: bits & 0x0f,
      changesBits: (bits & 0x80) !== 0,
      isCallbackOnly: (bits & 0x40) !== 0,
      hasLinkAuthentication: (bits & 0x20) !== 0,
      hasMessaging: (bits & 0x10) !== 0,
      user: reader.u8() & 0x3f,
      privilege: userPrivilege(reader.u8() & 0x0f),
    };
  }),
});

export const getUserName: Command<number, string> = {
  name: 'Get User Name',
  netFn: netFn.app,
  code: 0x46,
  request: byte,
  response: {
    encode: (name) => paddedText(name, nameBytes),
    decode: decoder((reader) => textUntilZero(reader.bytes(nameBytes))),
  },
};

export const setUserName = action<{ user: number; name: string }>('Set User Name', netFn.app, 0x45, {
  encode: (request) => Buffer.concat([Buffer.from([request.user]), paddedText(request.name, nameBytes)]),
  decode: decoder((reader) => ({ user: reader.u8() & 0x3f, name: textUntilZero(reader.bytes(nameBytes)) })),
});

export type SetUserPassword =
  | { operation: 'disable' | 'enable'; user: number }
  | { operation: 'set' | 'test'; user: number; passwordBytes: PasswordBytes; password: string };

const passwordOperations = ['disable', 'enable', 'set', 'test'] as const;
const twentyBytes = 0x80;

export const setUserPassword = action<SetUserPassword>('Set User Password', netFn.app, 0x47, {
  encode: (request) => {
    const operation = passwordOperations.indexOf(request.operation);
    if (!('password' in request)) return Buffer.from([request.user, operation]);
    const size = request.passwordBytes === 20 ? twentyBytes : 0;
    return Buffer.concat([
      Buffer.from([request.user | size, operation]),
      paddedText(request.password, request.passwordBytes),
    ]);
  },
  decode: decoder((reader): SetUserPassword | undefined => {
    const first = reader.u8();
    const user = first & 0x3f;
    const operation = passwordOperations[reader.u8() & 0x03];
    if (operation === undefined) return undefined;
    if (operation === 'disable' || operation === 'enable') return { operation, user };
    const passwordBytes = (first & twentyBytes) === 0 ? 16 : 20;
    return { operation, user, passwordBytes, password: textUntilZero(reader.bytes(passwordBytes)) };
  }),
});
