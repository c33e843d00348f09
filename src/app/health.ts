// Whether this process can serve: it can when its database answers.
import { storeAlive } from '#store/store.ts';
import type { Yard } from './yard.ts';

const withinMs = 2000;

export async function databaseAnswers(yard: Yard): Promise<boolean> {
  const answer = storeAlive(yard.store).then(
    () => true,
    () => false,
  );
  const tooLate = new Promise<false>((resolve) => setTimeout(resolve, withinMs, false).unref());
  return Promise.race([answer, tooLate]);
}
