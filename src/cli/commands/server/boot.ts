// hostyard server boot: what the device boots from the next time.
import { onCall } from '../../command.ts';
import { CommandError, exitCodes } from '../../exit-codes.ts';
import { serviceId } from '../../named.ts';
import type { Define } from '../../table.ts';

const sources = ['pxe', 'cdrom', 'bios'] as const;

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, source: string, name: string) => {
    const request = sources.find((each) => each === source);
    if (request === undefined) throw new CommandError(`A device boots from ${sources.join(', ')}.`, exitCodes.usage);
    await show.word(await client.deviceBootSet({ service: await serviceId(client, name), request }));
  });
