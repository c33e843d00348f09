// The rescue system on a dedicated server: booted over the network, in memory alone. The disk is not touched, and a server that
// is restarted boots it again.
import { aimTaken, networkBoot, networkBootEnded } from './network-boot.ts';
import { patiently } from './server-command.ts';
import { done } from './workflow.ts';

export const serverRescue = networkBoot('server-rescue')
  .step('confirm', {
    do: (context, input) =>
      patiently(context, input.timeouts.controllerMs, async () => {
        await aimTaken(context, input);
        return done();
      }),
    undo: 'nothing',
  })
  .whenEnded(networkBootEnded);
