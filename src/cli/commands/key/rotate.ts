// hostyard key rotate: a new secret; the old one works on for a while.
import { onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  command.option('--overlap <seconds>', 'how long the old one works on', '3600');
  onCall(command, shell, async ({ client, show }, options: { overlap: string }, id: string) => {
    const made = await client.keyUpdate({ id, rotate: true, overlap: Number(options.overlap) });
    await show.drawn(made, () => `${made.key}\n`);
  });
};
