// hostyard key list: never their secrets.
import type { Session } from '../../session.ts';
import { onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => onCall(command, shell, ownKeys);

export async function ownKeys({ client, show }: Session): Promise<void> {
  await show.rows(await client.keyGet(), ['id', 'name', 'scopes', 'status', 'expires', 'lastused']);
}
