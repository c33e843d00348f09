// One after the other inside this process: whoever comes later waits for his turn in memory, so that a hundred of them do not
// ask the database again and again. Between processes a lock in the database still decides.
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

export function turns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}
