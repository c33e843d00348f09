// The BMC's users: slots with a name, a password, an enable bit and a privilege per channel.
import {
  bits,
  singleByte,
  byteOf,
  choice,
  command,
  decoder,
  flag,
  layout,
  netFn,
  nothing,
  paddedText,
  single,
  fixedText,
  textUntilZero,
  trailer,
  type Bits,
  type Codec,
} from '../codec.ts';
import { privileges } from './session.ts';

export const nameBytes = 16;

const userPrivileges = { ...privileges, none: 0x0f } as const;
export type UserPrivilege = keyof typeof userPrivileges;

const user = byteOf({ user: bits(6) });
const privilege = choice(userPrivileges, bits(4), 'none');
const accessFlags = {
  /** May open IPMI sessions. */
  hasMessaging: flag(0x10),
  hasLinkAuthentication: flag(0x20),
  isCallbackOnly: flag(0x40),
};

/** undefined if the BMC does not report it. */
const isEnabled: Bits<boolean | undefined> = {
  write: (value) => (value === undefined ? 0 : value ? 0x40 : 0x80),
  read: (code) => [undefined, true, false][code >> 6],
};

export const getUserAccess = command(
  'Get User Access',
  netFn.app,
  0x44,
  layout(byteOf({ channel: bits(4) }), user),
  layout(
    byteOf({ maxUsers: bits(6) }),
    byteOf({ enabledUsers: bits(6), isEnabled }),
    byteOf({ fixedNames: bits(6) }),
    byteOf({ privilege, ...accessFlags }),
  ),
);

export const setUserAccess = command(
  'Set User Access',
  netFn.app,
  0x43,
  layout(
    // `changesBits`: whether to write the three flags, or only the privilege.
    byteOf({ channel: bits(4), changesBits: flag(0x80), ...accessFlags }),
    user,
    byteOf({ privilege }),
    trailer(0),
  ),
  nothing,
);

export const getUserName = command(
  'Get User Name',
  netFn.app,
  0x46,
  singleByte,
  single(layout(fixedText('value', nameBytes))),
);

export const setUserName = command(
  'Set User Name',
  netFn.app,
  0x45,
  layout(user, fixedText('name', nameBytes)),
  nothing,
);

type PasswordChange =
  | { operation: 'disable' | 'enable'; user: number }
  | { operation: 'set' | 'test'; user: number; passwordBytes: 16 | 20; password: string };

const passwordOperations = ['disable', 'enable', 'set', 'test'] as const;
const twentyBytes = 0x80;

const passwordChange: Codec<PasswordChange> = {
  encode: (request) => {
    const operation = passwordOperations.indexOf(request.operation);
    if (!('password' in request)) return Buffer.from([request.user, operation]);
    const size = request.passwordBytes === 20 ? twentyBytes : 0;
    return Buffer.concat([
      Buffer.from([request.user | size, operation]),
      paddedText(request.password, request.passwordBytes),
    ]);
  },
  decode: decoder((reader) => {
    const first = reader.uint(1);
    const slot = first & 0x3f;
    const operation = passwordOperations[reader.uint(1) & 0x03]!;
    if (operation === 'disable' || operation === 'enable') return { operation, user: slot };
    const passwordBytes = (first & twentyBytes) === 0 ? 16 : 20;
    return { operation, user: slot, passwordBytes, password: textUntilZero(reader.bytes(passwordBytes)) };
  }),
};

export const setUserPassword = command('Set User Password', netFn.app, 0x47, passwordChange, nothing);
