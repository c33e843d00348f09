// Commands for the users of a lab BMC. Only administrators can change them.

import {
  getUserAccess,
  getUserName,
  setUserAccess,
  setUserName,
  setUserPassword,
} from '#protocols/ipmi/commands/user.ts';
import { completion } from '#protocols/ipmi/error.ts';
import { isSameSecret } from '#protocols/ipmi/keys.ts';
import { handle, CommandError } from './handler.ts';
import { userSlots } from './users.ts';

const passwordDiffers = 0x80;
const passwordSizeDiffers = 0x81;

export const userCommands = [
  handle(getUserAccess, 'operator', ({ user: id }, { users }) => {
    const user = users.at(id);
    if (user === undefined) return new CommandError(completion.invalidField);
    return {
      maxUsers: userSlots,
      enabledUsers: users.enabledCount,
      fixedNames: 1,
      isEnabled: user.isEnabled,
      privilege: user.privilege,
      hasMessaging: user.hasMessaging,
      hasLinkAuthentication: false,
      isCallbackOnly: false,
    };
  }),
  handle(getUserName, 'operator', (id, { users }) => users.at(id)?.name ?? new CommandError(completion.invalidField)),
  handle(setUserAccess, 'administrator', (request, { users }) => {
    const messaging = request.changesBits ? { hasMessaging: request.hasMessaging } : {};
    const isChanged = users.change(request.user, { privilege: request.privilege, ...messaging });
    return isChanged ? null : new CommandError(completion.invalidField);
  }),
  handle(setUserName, 'administrator', ({ user, name }, { users }) =>
    users.change(user, { name }) ? null : new CommandError(completion.invalidField),
  ),
  handle(setUserPassword, 'administrator', (request, { users }) => {
    const user = users.at(request.user);
    if (user === undefined) return new CommandError(completion.invalidField);
    if (!('password' in request)) {
      const isChanged = users.change(request.user, { isEnabled: request.operation === 'enable' });
      return isChanged ? null : new CommandError(completion.invalidField);
    }
    if (request.operation === 'set') {
      return users.change(request.user, { password: request.password })
        ? null
        : new CommandError(completion.invalidField);
    }
    const isSame = isSameSecret(Buffer.from(request.password, 'latin1'), Buffer.from(user.password, 'latin1'));
    if (isSame) return null;
    return new CommandError(user.password.length > request.passwordBytes ? passwordSizeDiffers : passwordDiffers);
  }),
];
