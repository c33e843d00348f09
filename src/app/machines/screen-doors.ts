// The views of screens through this process: who looks, so that he can be sent away, and whose turn it is at a screen.
import { turns, type Turns } from '#equipment/turns.ts';

/** The views through this process, and where it takes viewers. */
export interface Screens {
  /** Of this process's proxy; undefined where there is none. */
  address: { readonly host: string; readonly port: number } | undefined;
  /** Until the answer is called, `end` is, when the views of this service are ended. */
  enter(service: number, end: (reason: string) => void): () => void;
  endViews(service: number, reason: string): void;
  /** One after the other at the screen of a machine. */
  atScreen<T>(machine: string, work: () => Promise<T>): Promise<T>;
}

export function screenDoors(): Screens {
  const views = new Map<number, Set<(reason: string) => void>>();
  const doors = new Map<string, { readonly turn: Turns; waiting: number }>();
  return {
    address: undefined,
    enter(service, end) {
      const own = views.get(service) ?? new Set();
      views.set(service, own.add(end));
      return () => {
        own.delete(end);
        if (own.size === 0 && views.get(service) === own) views.delete(service);
      };
    },
    endViews(service, reason) {
      for (const end of views.get(service) ?? []) end(reason);
    },
    async atScreen(machine, work) {
      const door = doors.get(machine) ?? { turn: turns(), waiting: 0 };
      doors.set(machine, door);
      door.waiting++;
      try {
        return await door.turn(work);
      } finally {
        if (--door.waiting === 0) doors.delete(machine);
      }
    },
  };
}
