// hostyard dns record delete: by the ids that the list shows. Several go together or not at all.
import { confirmed } from '../../ask.ts';
import { listed, onCall, withYes } from '../../command.ts';
import { recordsIn } from '../../named.ts';
import { differenceText } from '../../output/difference.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  withYes(command);
  onCall(command, shell, async ({ client, show }, options: { yes?: boolean }, zone: string, given: string) => {
    const ids = listed(given);
    const { domain, records } = await recordsIn(client, zone, ids);
    const words = records.map(({ name, type, content }) => `${name} ${type} ${content}`);
    await confirmed(shell, `Delete ${words.join(', ')}?`, options);
    if (ids.length === 1) return show.word(await client.recordDelete({ domain, record: ids[0]! }));
    const gone = await client.recordDeleteMany({ domain, records: ids });
    await show.drawn(gone, () => differenceText(gone));
  });
};
