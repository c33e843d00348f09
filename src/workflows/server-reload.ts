// A new operating system for a dedicated server: booted over the network into its installer, which writes the disk, says so, and
// restarts the server. It ends with the new system running, or with the server booting its disk as before.
import { aimTaken, networkBoot, networkBootEnded } from './network-boot.ts';
import { patiently, powerSet } from './server-command.ts';

export const serverReload = networkBoot('server-reload')
  .step('confirm', {
    do: (context, input) =>
      patiently(context, input.timeouts.controllerMs, async () => {
        await aimTaken(context, input);
        // The installer restarts the server; one that switches it off instead has done its work too.
        return powerSet(context, input.server, 'on');
      }),
    undo: 'nothing',
  })
  .whenEnded(networkBootEnded);
