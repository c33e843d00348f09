// Runs work one after another inside this process, so that waiting costs no database queries. Across processes a lock in the
// database still decides.
export type Mutex = <T>(work: () => Promise<T>) => Promise<T>;

export function mutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}
