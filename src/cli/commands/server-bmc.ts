// hostyard server bmc: the users and the reset of a server's management controller.
import { apiCommand, withYes, type YesOption } from '../command.ts';
import { findLegacyServer } from '../lookup.ts';
import { confirm } from '../prompt.ts';
import type { Session } from '../session.ts';

interface UserArguments {
  readonly service: string;
  readonly username: string;
}

export const commands = [
  apiCommand({
    usage: 'user-add <service> <username>',
    summary: 'Create a user and print its password once',
    run: (session, args) => setUser(session, args, 'createUser'),
  }),
  apiCommand({
    usage: 'user-password <service> <username>',
    summary: 'Reset the password of a user and print it once',
    run: (session, args) => setUser(session, args, 'resetPassword'),
  }),
  apiCommand({
    usage: 'user-delete <service> <username>',
    summary: 'Delete a user',
    options: withYes,
    async run({ client, legacy, print, shell }, { service, username }, options: YesOption) {
      const { server, alias } = await findLegacyServer(client, service);
      await confirm(shell, `Delete the IPMI user ${username} of ${server}?`, options);
      await print.text(String(await (await legacy()).ipmiUserSet({ server: alias, username, action: 'deleteUser' })));
    },
  }),
  apiCommand({
    usage: 'reset <service>',
    summary: 'Restart the management controller; the server keeps running',
    async run({ client, legacy, print }, { service }) {
      const { alias } = await findLegacyServer(client, service);
      await print.text(await (await legacy()).ipmiControllerReset({ server: alias }));
    },
  }),
];

async function setUser(
  { client, legacy, print }: Session,
  { service, username }: UserArguments,
  action: 'createUser' | 'resetPassword',
): Promise<void> {
  const { alias } = await findLegacyServer(client, service);
  const user = await (await legacy()).ipmiUserSet({ server: alias, username, action });
  await (typeof user === 'string' ? print.text(user) : print.fields(user));
}
