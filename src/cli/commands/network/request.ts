// hostyard network request: asks for a netblock, assigned at once or filed for the provider.
import { Option } from 'commander';
import type { NetblockRequestInput } from '#sdk/legacy.ts';
import { onCall } from '../../command.ts';
import { serverPlace } from '../../named.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  command.addOption(new Option('--family <family>', 'of the addresses').choices(['ipv4', 'ipv6']).default('ipv4'));
  onCall(
    command,
    shell,
    async ({ client, legacy, show }, options: { family: 'ipv4' | 'ipv6' }, name: string, size: string) => {
      const server = await serverPlace(client, name);
      const block = `/${size.replace('/', '')}` as NetblockRequestInput['size'];
      await show.fields(await (await legacy()).netblockRequest({ server, type: options.family, size: block }));
    },
  );
};
