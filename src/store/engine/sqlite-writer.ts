// Serializes writes to SQLite. A durable commit flushes the disk, which takes longer than everything else in a
// transaction, so transactions that are waiting are committed together. Each is a savepoint, fails on its own, and
// resolves only once it is on disk, when the reader sees it too.
import type { SqliteHandle } from './sqlite-handle.ts';

const maxMembers = 100;
const maxGroupMs = 20;

interface Group {
  readonly startedAt: number;
  /** Transactions in the group, including the current one. */
  members: number;
  readonly committed: PromiseWithResolvers<void>;
}

export interface SqliteTurn {
  run<T>(statement: () => T): T;
  /** Resolves once it is on disk. */
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

  /** Runs one statement outside any transaction, because some are not allowed in one. */
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

  /** Resolves when nobody is writing. */
  async drain(): Promise<void> {
    await this.#tail;
  }

  close(): void {
    this.handle.database.close();
  }

  /** Waits for its turn. Resolves with the function that ends it. */
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
    // Immediate, so that a transaction that reads first and then writes cannot find that another process wrote in
    // between.
    this.handle.statement('begin immediate').run();
    this.#group = { startedAt: performance.now(), members: 1, committed: Promise.withResolvers() };
    // If the first of a group fails, nobody waits for this promise.
    this.#group.committed.promise.catch(() => {});
  }

  #run<T>(statement: () => T): T {
    // Statements after the rollback would run outside any transaction, and stay.
    if (this.#group === undefined) throw new Error('SQLite has rolled back this transaction');
    try {
      return statement();
    } catch (error) {
      // SQLite rolls back on its own if the disk is full, and with this transaction all that are not committed yet.
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

  /** Lets others join the group, unless nobody waits or the finished ones have waited long enough. */
  #leave(endTurn: () => void): void {
    const group = this.#group;
    const canGrow =
      group !== undefined &&
      this.#waiting > 0 &&
      group.members < maxMembers &&
      performance.now() - group.startedAt < maxGroupMs;
    if (canGrow) {
      endTurn();
      return;
    }
    this.#commitGroup();
    this.#whenCommitted();
    // Callers whose transactions were committed run before the next one starts, and so does everything else in the
    // process.
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
