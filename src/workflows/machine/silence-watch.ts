// Ends a long call to a hypervisor that has stopped responding. Copying an image takes minutes without a sign of life, so the call
// itself does not show whether it is being worked on; other calls do.
import { isUnreachable } from '#equipment/device-command.ts';
import type { MachineContext, MachineTarget } from '../device-steps.ts';

const lookMs = 30_000;
/** A busy hypervisor may miss one. */
const allowedSilences = 1;

/**
 * Runs the call with the context that it must use, whose signal aborts once the hypervisor does not respond to others. Each look has a
 * session of its own, because libvirt answers only a few calls per session at once.
 */
export async function stopIfSilent<T>(
  context: MachineContext,
  { node, name }: Pick<MachineTarget, 'node' | 'name'>,
  call: (watched: MachineContext) => Promise<T>,
): Promise<T> {
  const silent = new AbortController();
  let silences = 0;
  const look = async (): Promise<void> => {
    try {
      await context.deps.hypervisors.measure(node, ({ machines }, limit) => machines.find(name, limit));
      silences = 0;
    } catch (error) {
      silences = isUnreachable(error) ? silences + 1 : 0;
      if (silences > allowedSilences) silent.abort(new Error('the hypervisor does not respond to other calls either'));
    }
  };
  const watch = setInterval(() => void look(), lookMs);
  try {
    return await call({ ...context, signal: AbortSignal.any([context.signal, silent.signal]) });
  } finally {
    clearInterval(watch);
  }
}
