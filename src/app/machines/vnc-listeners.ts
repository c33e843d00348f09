// The VNC views through this process by service, and a mutex per machine for its VNC password.
import { mutex, type Mutex } from '#equipment/mutex.ts';
import { openViews, type OpenViews } from '../devices/open-views.ts';

export interface VncListeners extends OpenViews<number> {
  /** Where this process's proxy listens, if it runs one. */
  address: { readonly host: string; readonly port: number } | undefined;
  /** Runs work for one viewer of a machine at a time. */
  runExclusively<T>(machine: string, work: () => Promise<T>): Promise<T>;
}

export function openVncListeners(): VncListeners {
  const locks = new Map<string, { readonly run: Mutex; waiting: number }>();
  return {
    ...openViews<number>(),
    address: undefined,
    async runExclusively(machine, work) {
      const lock = locks.get(machine) ?? { run: mutex(), waiting: 0 };
      locks.set(machine, lock);
      lock.waiting++;
      try {
        return await lock.run(work);
      } finally {
        if (--lock.waiting === 0) locks.delete(machine);
      }
    },
  };
}
