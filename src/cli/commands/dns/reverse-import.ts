// hostyard dns reverse import: several names at once, all or none: lines of an address and a name.
import { readFileSync } from 'node:fs';
import { addressText } from '../../output/addresses.ts';
import { onCall } from '../../command.ts';
import { CommandError, exitCodes } from '../../exit-codes.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, file: string) => {
    const lines = readFileSync(file === '-' ? 0 : file, 'utf8').split('\n');
    const records = lines.flatMap((line, index) => {
      const [ip, record, ...more] = line.replace(/#.*/, '').trim().split(/\s+/);
      if (ip === '' || ip === undefined) return [];
      if (record === undefined || more.length > 0)
        throw new CommandError(`${file}:${index + 1}: must be an address and a name`, exitCodes.usage);
      return [{ ip, record }];
    });
    const names = await client.reverseSetMany({ records });
    await show.drawn(names, () => addressText(names, show));
  });
