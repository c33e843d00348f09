// Counts turns of the event loop, to show that long work lets other requests run. Use calls without a socket, such as
// `inject`: waiting for one turns the loop too.

/** Resolves to the number of turns until the work is done. */
export async function countTurns(work: Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false];
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work;
  isDone = true;
  return turns;
}
