// Who writes to SQLite, one after another. To make a commit outlast a power failure is a flush of the disk, which takes longer
// than all that a transaction does; so transactions that stand in line are committed together. Each of them is a savepoint,
// fails alone, and hears that it is committed only when it is on the disk; the reader sees them from then on.
import type { SqliteHandle } from './sqlite-handle.ts';

const membersAtMost = 100;
const longestMs = 20;

interface Group {
  readonly begunAt: number;
  /** Those whose work is in the group, with the one under way. */
  members: number;
  readonly committed: PromiseWithResolvers<void>;
}

export interface SqliteTurn {
  run<T>(statement: () => T): T;
  /** Resolves when it is on the disk. */
  commit(): Promise<void>;
  rollback(): void;
}

export class SqliteWriter {
  readonly handle: SqliteHandle;
  readonly #whenCommitted: () => void;
  #tail: Promise<void> = Promise.resolve();
  #waiting = 0;
  #group: Group | undefined;

  constructor(handle: SqliteHandle, whenCommitted: () => void) {
    this.handle = handle;
    this.#whenCommitted = whenCommitted;
  }

  async begin(): Promise<SqliteTurn> {
    const endTurn = await this.#takeTurn();
    try {
      this.#join();
    } catch (error) {
      this.#leave(endTurn);
      throw error;
    }
    return {
      run: (statement) => this.#run(statement),
      commit: () => this.#commit(endTurn),
      rollback: () => this.#rollback(endTurn),
    };
  }

  /** One statement, in no transaction: some are not allowed in one. */
  async alone<T>(run: () => T): Promise<T> {
    const endTurn = await this.#takeTurn();
    try {
      this.#commitGroup();
      return run();
    } finally {
      this.#whenCommitted();
      endTurn();
    }
  }

  async close(): Promise<void> {
    await this.#tail;
    this.handle.database.close();
  }

  /** Resolves with the function that ends the turn. */
  async #takeTurn(): Promise<() => void> {
    const before = this.#tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#tail = promise;
    this.#waiting++;
    await before;
    this.#waiting--;
    return resolve;
  }

  #join(): void {
    if (this.#group !== undefined) {
      this.handle.statement('savepoint member').run();
      this.#group.members++;
      return;
    }
    // Immediate: a transaction that reads first and then writes must not find that another process wrote in between.
    this.handle.statement('begin immediate').run();
    this.#group = { begunAt: performance.now(), members: 1, committed: Promise.withResolvers() };
    // Where the first of a group fails nobody waits for it.
    this.#group.committed.promise.catch(() => {});
  }

  #run<T>(statement: () => T): T {
    // What came after it would be in no transaction, and stay.
    if (this.#group === undefined) throw new Error('SQLite has rolled back this transaction');
    try {
      return statement();
    } catch (error) {
      // As it does by itself where the disk is full: with this one go all that are not committed.
      if (!this.handle.database.inTransaction) this.#fail(error);
      throw error;
    }
  }

  async #commit(endTurn: () => void): Promise<void> {
    const group = this.#group;
    try {
      this.#run(() => {
        if (group!.members > 1) this.handle.statement('release member').run();
      });
    } catch (error) {
      this.#rollback(endTurn);
      throw error;
    }
    this.#leave(endTurn);
    await group!.committed.promise;
  }

  #rollback(endTurn: () => void): void {
    const group = this.#group;
    if (group?.members === 1) {
      this.#group = undefined;
      this.handle.statement('rollback').run();
    } else if (group !== undefined) {
      group.members--;
      this.handle.statement('rollback to member').run();
      this.handle.statement('release member').run();
    }
    this.#leave(endTurn);
  }

  /** Others may join, unless nobody is there or those who are done have waited long enough. */
  #leave(endTurn: () => void): void {
    const group = this.#group;
    const goesOn =
      group !== undefined &&
      this.#waiting > 0 &&
      group.members < membersAtMost &&
      performance.now() - group.begunAt < longestMs;
    if (goesOn) {
      endTurn();
      return;
    }
    this.#commitGroup();
    this.#whenCommitted();
    // Those who were committed are heard before the next begin, and so is whatever else the process has to do.
    if (this.#waiting > 0) setImmediate(endTurn);
    else endTurn();
  }

  #commitGroup(): void {
    const group = this.#group;
    if (group === undefined) return;
    try {
      this.handle.statement('commit').run();
      this.#group = undefined;
      group.committed.resolve();
    } catch (error) {
      if (this.handle.database.inTransaction) this.handle.statement('rollback').run();
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#group?.committed.reject(error);
    this.#group = undefined;
  }
}
