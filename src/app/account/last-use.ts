// Records when and from where a key was last used. Written at most once a minute per key and address, so that a busy
// key does not cost a write per request.
import { BoundedMap } from '#lib/bounded-map.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { keyRecordUse, type Credential } from '#store/account/keys.ts';
import type { Store } from '#store/store.ts';

const writeIntervalMs = 60_000;
const maxPairs = 50_000;

/** The parts of the app that exist before authentication does. */
export interface AuthenticationParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}

export function createUseRecorder(
  app: AuthenticationParts,
): (credential: Credential, address: string) => Promise<void> | undefined {
  const writeTimes = new BoundedMap<string, number>(maxPairs);
  return (credential, address) => {
    const pair = `${credential.id} ${address}`;
    const at = app.clock.now();
    if (Math.abs(at - (writeTimes.get(pair) ?? 0)) < writeIntervalMs) return undefined;
    writeTimes.set(pair, at);
    return recordUse(credential, at, address);
  };

  async function recordUse(credential: Credential, at: number, address: string): Promise<void> {
    try {
      await keyRecordUse(app.store.queries, credential.id, at, address);
    } catch (error) {
      // Reads must keep working when writes fail, for example on a full disk.
      app.log.warn({ err: error }, 'cannot record the use of a key');
    }
  }
}
