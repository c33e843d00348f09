// A new root password for a dedicated server whose own system nobody can enter: the rescue system writes it to the disk, and the
// server is booted back.
import { aimTaken, networkBoot, networkBootEnded } from './network-boot.ts';
import { patiently, powerSet } from './server-command.ts';

export const serverPassword = networkBoot('server-password')
  .step('stop', {
    do: (context, input) =>
      patiently(context, input.timeouts.controllerMs, async () => {
        await aimTaken(context, input);
        return powerSet(context, input.server, 'off');
      }),
    undo: 'nothing',
  })
  .step('back', {
    do: (context, input, { lock }) =>
      patiently(context, input.timeouts.controllerMs, () => powerSet(context, input.server, lock.was)),
    undo: 'nothing',
  })
  .whenEnded(networkBootEnded);
