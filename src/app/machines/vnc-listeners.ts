// The VNC views through this process, so that they can be ended, and a mutex per machine for its VNC password.
import { mutex, type Mutex } from '#equipment/mutex.ts';

export interface VncListeners {
  /** Where this process's proxy listens, if it runs one. */
  address: { readonly host: string; readonly port: number } | undefined;
  /** Registers a view; `end` is called when the service's views are ended. Returns the function that unregisters it. */
  enter(service: number, end: (reason: string) => void): () => void;
  endViews(service: number, reason: string): void;
  /** Runs work for one viewer of a machine at a time. */
  runExclusively<T>(machine: string, work: () => Promise<T>): Promise<T>;
}

export function openVncListeners(): VncListeners {
  const views = new Map<number, Set<(reason: string) => void>>();
  const locks = new Map<string, { readonly run: Mutex; waiting: number }>();
  return {
    address: undefined,
    enter(service, end) {
      const serviceViews = views.get(service) ?? new Set();
      views.set(service, serviceViews.add(end));
      return () => {
        serviceViews.delete(end);
        if (serviceViews.size === 0 && views.get(service) === serviceViews) views.delete(service);
      };
    },
    endViews(service, reason) {
      for (const end of views.get(service) ?? []) end(reason);
    },
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
