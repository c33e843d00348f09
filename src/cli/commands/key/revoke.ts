// hostyard key revoke: at once and for good.
import type { Session } from '../../session.ts';
import type { Shell } from '../../shell.ts';
import { confirmed } from '../../ask.ts';
import { onCall, withYes } from '../../command.ts';
import { CommandError, exitCodes } from '../../exit-codes.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  withYes(command);
  onCall(command, shell, (session, options: { yes?: boolean }, id: string) =>
    revokeOwnKey(session, shell, options, id),
  );
};

export async function revokeOwnKey(
  { client, show }: Session,
  shell: Shell,
  options: { readonly yes?: boolean },
  id: string,
): Promise<void> {
  const [key] = await client.keyGet({ id });
  if (key === undefined) throw new CommandError(`There is no key ${id}.`, exitCodes.notFound);
  await confirmed(shell, `End the key ${id} (${key.name}) for good?`, options);
  await client.keyDelete({ id });
  await show.word('The key is revoked.');
}
