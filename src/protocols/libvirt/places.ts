// Limits how many calls run on each connection. Whoever comes first is next.
import { LibvirtError } from './error.ts';

export interface Places<Link> {
  /** Returns a connection with room for a call, and takes the place. Rejects with `busy` if there is none in time. */
  take(signal: AbortSignal): Promise<Link>;
  release(link: Link): void;
}

export function createPlaces<Link>(links: readonly Link[], perLink: number): Places<Link> {
  const used = new Map(links.map((link) => [link, 0]));
  const waiting = new Set<(link: Link) => void>();
  return {
    async take(signal) {
      const free = links.find((link) => used.get(link)! < perLink);
      if (free !== undefined) {
        used.set(free, used.get(free)! + 1);
        return free;
      }
      const { promise, resolve, reject } = Promise.withResolvers<Link>();
      const giveUp = (): void => {
        waiting.delete(resolve);
        reject(new LibvirtError('busy', 'the daemon has enough to do', { cause: signal.reason }));
      };
      waiting.add(resolve);
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) giveUp();
      return promise.finally(() => signal.removeEventListener('abort', giveUp));
    },
    release(link) {
      const [next] = waiting;
      if (next === undefined) return void used.set(link, used.get(link)! - 1);
      waiting.delete(next);
      return next(link);
    },
  };
}
