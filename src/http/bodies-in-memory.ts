// The memory of request bodies. A body is in memory from its first byte until its response, and its sender can take half a
// minute for it, also before any signature of it can be verified. So the bodies of a network, and all together, can have only
// so much.
import type { ServerResponse } from 'node:http';
import { ApiError } from '#lib/api-error.ts';

export interface BodyLimits {
  readonly perNetwork: number;
  readonly all: number;
  /** Smaller ones are always read: nobody who sends large ones keeps others from making calls. */
  readonly small: number;
}
const defaultLimits: BodyLimits = { perNetwork: 32 * 2 ** 20, all: 256 * 2 ** 20, small: 16 * 2 ** 10 };

/** Takes memory for a body until its response has ended. Throws if the network, or everybody, has too much of it. */
export type TakeBodyMemory = (network: string, bytes: number, response: Pick<ServerResponse, 'once'>) => void;

export function createBodyMemory({ perNetwork, all, small }: BodyLimits = defaultLimits): TakeBodyMemory {
  const taken = new Map<string, number>();
  let total = 0;
  return (network, bytes, response) => {
    if (bytes <= small) return;
    const before = taken.get(network) ?? 0;
    if (before + bytes > perNetwork)
      throw new ApiError('rate_limited', {
        message: 'Too many large requests at the same time.',
        retryAfterSeconds: 1,
      });
    if (total + bytes > all) throw new ApiError('overloaded', { internal: 'too many large requests at the same time' });
    taken.set(network, before + bytes);
    total += bytes;
    response.once('close', () => {
      const left = taken.get(network)! - bytes;
      if (left === 0) taken.delete(network);
      else taken.set(network, left);
      total -= bytes;
    });
  };
}
