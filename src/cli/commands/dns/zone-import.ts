// hostyard dns zone import: the records become those of a BIND master file. What would change is shown first,
// and nothing is done where the zone became another one meanwhile.
import { readFileSync } from 'node:fs';
import { differenceText } from '../../output/difference.ts';
import { confirmed } from '../../ask.ts';
import { onCall, withYes } from '../../command.ts';
import { zoneNamed } from '../../named.ts';
import type { Define } from '../../table.ts';

interface Options {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export const define: Define = (command, shell) => {
  withYes(command).option('--dry-run', 'only show what would change');
  onCall(command, shell, async ({ client, show }, options: Options, name: string, file: string) => {
    const zonefile = readFileSync(file === '-' ? 0 : file, 'utf8');
    const zone = await zoneNamed(client, name);
    const domain = zone.domain_id;
    const planned = await client.zoneFileImport({ domain, zonefile, dry_run: true });
    if (options.dryRun === true) return show.drawn(planned, () => differenceText(planned));
    if (planned.removed.length > 0) {
      shell.err.write(differenceText(planned));
      await confirmed(shell, `Remove ${planned.removed.length} records of ${zone.name}?`, options);
    }
    const done = await client.zoneFileImport({ domain, zonefile, serial: Number(planned.serial) });
    await show.drawn(done, () => differenceText(done));
  });
};
