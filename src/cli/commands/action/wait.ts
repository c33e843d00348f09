// hostyard action wait: until it has ended; the exit code says how.
import { onCall } from '../../command.ts';
import { follow } from '../../waiting.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, (session, _options, id: string) => follow(session, shell, id));
