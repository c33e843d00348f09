// Whether this process can serve: it can when its database answers.
import { Fault } from '#kernel/fault.ts';
import { storeAlive } from '#store/store.ts';
import { isUnavailable } from '#store/engine/unavailable.ts';
import type { Yard } from './yard.ts';

const withinMs = 2000;
const retryAfterSeconds = 1;

/** What a caller is told of an error by which the database said "not now"; undefined for every other error. */
export function unavailableFault(error: unknown): Fault | undefined {
  return isUnavailable(error) ? new Fault('overloaded', { cause: error, retryAfterSeconds }) : undefined;
}

export async function databaseAnswers(yard: Yard): Promise<boolean> {
  const answer = storeAlive(yard.store).then(
    () => true,
    () => false,
  );
  const tooLate = new Promise<false>((resolve) => setTimeout(resolve, withinMs, false).unref());
  return Promise.race([answer, tooLate]);
}
