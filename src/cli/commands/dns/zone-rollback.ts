// hostyard dns zone rollback: the records become those of an earlier version.
import { differenceText } from '../../output/difference.ts';
import { confirmed } from '../../ask.ts';
import { onCall, withYes } from '../../command.ts';
import { zoneNamed } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  withYes(command);
  onCall(command, shell, async ({ client, show }, options: { yes?: boolean }, name: string, version: string) => {
    const zone = await zoneNamed(client, name);
    await confirmed(shell, `Make the records of ${zone.name} those of version ${version} again?`, options);
    const done = await client.zoneRollBack({ domain: zone.domain_id, version });
    await show.drawn(done, () => differenceText(done));
  });
};
